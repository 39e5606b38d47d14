"""Proofs: what is certain of a node; all of it is in proofs.pxd."""
