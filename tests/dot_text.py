"""Reads the DOT text of trees strictly: anything unexpected fails."""

import re

VALUE = r'"(?:[^"\\]|\\n)*"|<<b>[^<>&]*</b>>|[A-Za-z0-9.]+'
ATTRIBUTES = rf"\[([a-z]+=(?:{VALUE})(?:, [a-z]+=(?:{VALUE}))*)\]"
NAME = r"(p\d+)"
NODE, EDGE = re.compile(rf"{NAME} {ATTRIBUTES};"), re.compile(rf"{NAME} -> {NAME} {ATTRIBUTES};")


def attributes(text):
    pairs = re.findall(rf"([a-z]+)=({VALUE})", text)
    assert len(dict(pairs)) == len(pairs)
    return {key: re.sub(r'^"|"$|^<<b>|</b>>$', "", value).replace("\\n", "\n") for key, value in pairs}


def parsed(text):
    """Nodes {name: attributes} and edges [(start, end, attributes)]; fails on anything that is not expected."""
    assert text.isascii()
    assert text.endswith("\n}\n")
    first, *lines = text.splitlines()[:-1]
    assert first == "digraph tree {"
    nodes, edges = {}, []
    for line in lines:
        line = line.strip()
        if re.fullmatch(rf"(graph|node|edge) {ATTRIBUTES};|label=(?:{VALUE});", line):
            assert not nodes
        elif match := NODE.fullmatch(line):
            assert match[1] not in nodes
            assert not edges
            nodes[match[1]] = attributes(match[2])
        else:
            match = EDGE.fullmatch(line)
            assert match, line
            edges.append((match[1], match[2], attributes(match[3])))
    assert {end for _, end, _ in edges} == set(list(nodes)[1:])
    assert {start for start, _, _ in edges} <= set(nodes)
    assert len({edge[:2] for edge in edges}) == len(edges)
    return nodes, edges


def fields(edge):
    """Player, column, value, visits of an edge's label."""
    player, column, value, visits = edge[2]["label"].split()
    return player, int(column) - 1, value, int(visits.replace(",", ""))
