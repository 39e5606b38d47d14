"""Pictures of boards, search results and trees.

svg          a board as SVG
result_svg   a board and the result of a search on it as SVG
dot          the top of a search tree in the DOT language
growth       a search tree after 1, 7, 20, ... simulations as SVG
graphviz     draws DOT text to .png, .svg or .pdf with the program `dot`
"""
