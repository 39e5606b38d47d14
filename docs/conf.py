"""The documentation site: `sphinx-build -W docs site`, with the package and its extra `docs` installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import docstrings
import live

import c4mcts

project = "c4mcts"
author = "the c4mcts authors"
version = release = c4mcts.__version__
html_title = project

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
]
smartquotes = False
exclude_patterns = ["README.md", "course/notebooks"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "force"  # the notebooks of the course
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True

# packages of the adapters
autodoc_mock_imports = [
    "gymnasium",
    "jax",
    "mcp",
    "mcp_types",
    "pettingzoo",
    "pgx",
    "pydantic",
    "pyspiel",
]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 90
python_use_unqualified_type_names = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/icon.svg"
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "c4mcts", "image_light": "_static/icon.svg", "image_dark": "_static/icon.svg"},
    "github_url": "https://github.com/c4mcts/c4mcts",
    "external_links": [{"name": "Try it", "url": live.PAGE}],
    "show_prev_next": False,
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
copyright = "the c4mcts authors"  # the name that Sphinx asks for


def setup(app: object) -> None:
    """Connect the conversion of docstrings, which are plain text, and the live page."""
    app.connect("autodoc-process-docstring", docstrings.convert)  # type: ignore[attr-defined]
    app.connect("doctree-resolved", live.embed)  # type: ignore[attr-defined]
