"""The live page within the site: a paragraph that is only a link to it is followed by the page itself.

The site has the page only where it was exported, too (workflow docs: the tag `page` of sphinx-build). Elsewhere, and
where a chapter is opened as a notebook, there is just the link.
"""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx

PAGE = "https://c4mcts.github.io/c4mcts/page/"


def embed(app: Sphinx, document: nodes.document, name: str) -> None:
    """Put frames below the links of a document. Connected with `doctree-resolved`."""
    if not app.tags.has("page"):
        return
    root = "../" * name.count("/")
    for paragraph in list(document.findall(nodes.paragraph)):
        match paragraph.children:
            case [nodes.reference() as link] if link.get("refuri", "").startswith(PAGE):
                source = escape(f"{root}page/?embed=1{link['refuri'].removeprefix(PAGE)}")
                frame = f'<iframe class="live" src="{source}" title="{escape(link.astext())}" loading="lazy"></iframe>'
                paragraph.parent.insert(paragraph.parent.index(paragraph) + 1, nodes.raw("", frame, format="html"))
