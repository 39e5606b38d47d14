"""The Content-Security-Policy of a page, from this server or as a folder of files."""

from collections.abc import Mapping

# Everything from its own server, nothing inline. Blobs are its own pictures, on their way to a PNG.
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
}


def policy_text(policy: Mapping[str, str]) -> str:
    """A Content-Security-Policy as browsers read it."""
    return "; ".join(f"{name} {value}" for name, value in policy.items())
