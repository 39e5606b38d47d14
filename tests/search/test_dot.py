"""Trees as DOT text, checked against the tree, the board and the solver."""

import re
from collections import Counter

import pytest
from dot_text import bold, fields, parsed

from c4mcts import Board, Engine, Rules, SearchParams, UctParams, prefilled_board, search_ensemble, solve
from c4mcts.board.notation import write_drawing
from c4mcts.search.dot import tree_dot

UCT = SearchParams.preset("uct")


def boards_of(text, root):
    """All positions of a picture as {name: board}; all paths to a position must agree."""
    nodes, edges = parsed(text)
    boards = {next(iter(nodes)): root}
    for edge in edges:
        start, end, _ = edge
        player, column, _, _ = fields(edge)
        board = boards[start].copy()
        assert player == "xo"[board.turn]
        board.push(column)
        assert boards.setdefault(end, board) == board
    return boards


def searched(board, simulations, params=None, **options):
    engine = Engine(params, seed=7, **options)
    return engine, engine.search(board, simulations=simulations)


def test_the_moves_of_the_root_are_those_of_the_result():
    engine, result = searched(Board.from_pons("4453"), 3000, UCT)
    nodes, edges = parsed(tree_dot(engine, result, depth=1, children=7, visits=1))
    assert [fields(edge) for edge in edges] == [
        ("x", move.column, f"{move.value:.2f}", move.visits) for move in result.moves
    ]
    root = next(iter(nodes.values()))["label"]
    assert root == f"{write_drawing(Board.from_pons('4453').to_array().tolist(), first=1)}\n\nx to move\n3,000 visits"


def test_q_is_on_the_scale_of_the_rewards():
    params = SearchParams.preset("report-minimax")
    engine, result = searched(Board.from_pons("4453"), 3000, params)
    text = tree_dot(engine, result, depth=2, children=7, visits=1, q=True)
    nodes, edges = parsed(text)
    assert "mean reward Q for that player" in text
    root = next(iter(nodes))
    shown = {fields(edge)[1]: float(fields(edge)[2]) for edge in edges if edge[0] == root}
    assert shown == {move.column: pytest.approx(2 * move.value - 1, abs=0.0051) for move in result.moves}
    assert min(float(fields(edge)[2]) for edge in edges) < 0
    won = searched(Board.from_pons("112233"), 50, UctParams(rewards=(2, 1, 0)))
    _, edges = parsed(tree_dot(*won, depth=1, q=True))
    assert {fields(edge)[2] for edge in edges if fields(edge)[1] == 3} == {"2.00"}
    assert "-0.00" not in text
    with pytest.raises(TypeError, match="q must be True or False, not 1"):
        tree_dot(engine, result, q=1)


def test_everything_visited_can_be_drawn(backend):
    params = SearchParams.preset("uct", rewards=(1, 0.25, 0))
    engine, result = searched(Board.from_pons("112233"), 300, params, backend=backend)
    tree = engine.tree()
    _, edges = parsed(tree_dot(engine, result, depth=42, children=7, visits=1))
    expected = Counter()
    for node in tree[1:]:
        visits = int(node["visits"])
        if visits:
            value = int(node["value_sum"]) / (4 * visits)
            ended = node["proof"] >> 13 == 1
            expected[int(node["column"]), f"{1.0 if ended else value:.2f}", visits] += 1
    shown = Counter(fields(edge)[1:] for edge in edges if fields(edge)[3])
    assert shown == expected
    assert all(fields(edge)[2:] == ("1.00", 0) for edge in edges if not fields(edge)[3])


def test_both_backends_draw_the_same():
    native, pure = (searched(prefilled_board(), 60, backend=name) for name in ("auto", "pure"))
    assert tree_dot(*native, depth=6) == tree_dot(*pure, depth=6)


def test_a_shared_position_is_one_node():
    engine, result = searched(Board.from_pons("4444"), 2000, UctParams(probes=False))
    text = tree_dot(engine, result, depth=5, children=7, visits=2)
    _, edges = parsed(text)
    boards = boards_of(text, result.board)
    ways = Counter(end for _, end, _ in edges)
    assert any(count > 1 for count in ways.values())
    grown = {start for start, _, _ in edges}
    assert len({boards[name] for name in grown}) == len(grown)


def test_without_transpositions_nothing_is_shared():
    engine, result = searched(Board.from_pons("4444"), 2000, UCT)
    _, edges = parsed(tree_dot(engine, result, depth=5, children=7, visits=1))
    assert len({end for _, end, _ in edges}) == len(edges)


LATE = [4, 0, 5, 3, 1, 6, 0, 2, 6, 6, 0, 0, 6, 0, 5, 3, 6, 5, 2, 4, 2, 6, 0, 1]


def test_what_is_certain_is_marked_and_true():
    kinds = Counter()
    for board, params, simulations in (
        (prefilled_board(), UctParams(probes=False), 60),
        (prefilled_board(), SearchParams.preset("uct"), 500),
        (Board.from_moves(LATE), UctParams(probes=False), 60),
    ):
        engine, result = searched(board, simulations, params)
        text = tree_dot(engine, result, depth=12, children=7, visits=1)
        nodes, _ = parsed(text)
        for name, position in list(boards_of(text, board).items())[1:]:
            kinds[checked_claim(nodes[name], position)] += 1
    assert kinds.keys() == {"nothing", "the end", "wins in", "wins in at most", "draw", "at least a draw"}


def checked_claim(look, board):
    """Compare what a node says with the rules and the solver; returns the kind of claim."""
    said, player = look["label"], "xo"[board.turn]
    outcome = board.outcome()
    if outcome is not None:
        assert said == ("draw" if outcome.winner is None else f"{'xo'[outcome.winner]} has won")
        return "the end"
    assert look["shape"] == ("circle" if said == player else "box")
    if said == player:
        return "nothing"
    solution = solve(board)
    if said == "draw":
        assert solution.score == 0
        return said
    score = solution.score if said[0] == player else -solution.score
    if match := re.fullmatch(r"[xo] wins in (<= )?(\d+)", said):
        assert score > 0
        assert int(match[2]) >= solution.distance
        assert (int(match[2]) - solution.distance) % 2 == 0
        assert match[1] or int(match[2]) == solution.distance
        return "wins in at most" if match[1] else "wins in"
    assert said == f"{said[0]}: at least a draw"
    assert look["style"] == "filled,dashed"
    assert score >= 0
    return "at least a draw"


def test_the_root_and_its_moves_say_what_the_result_says():
    engine, result = searched(Board.from_pons("23754416442765"), 20_000)
    tree = engine.tree()
    first = int(tree[0]["children"])
    stored = int(tree[first + result.column]["proof"])
    assert stored & 0x1FFF > result.distance - 1  # the second phase has found a faster win than the tree holds
    nodes, edges = parsed(tree_dot(engine, result, depth=1))
    assert f"x wins in {result.distance}\n" in next(iter(nodes.values()))["label"]
    end = next(end for _, end, look in edges if "penwidth" in look)
    assert nodes[end]["label"] == f"x wins in {result.distance - 1}"
    assert nodes[end]["shape"] == "box"


def test_a_lost_position_names_the_winner():
    board = prefilled_board()
    board.push(5)
    engine, result = searched(board, 500)
    assert result.proof == "loss"
    nodes, _ = parsed(tree_dot(engine, result, depth=1))
    assert f"o to move\nx wins in {result.distance}\n" in next(iter(nodes.values()))["label"]


def test_players_differ_in_letter_shape_and_colour():
    engine, result = searched(Board(), 500)
    nodes, _ = parsed(tree_dot(engine, result, depth=2))
    looks = {look["label"]: look for look in list(nodes.values())[1:]}
    assert looks.keys() == {"x", "o"}
    assert looks["o"]["peripheries"] == "2"
    assert looks["x"]["fillcolor"] != looks["o"]["fillcolor"]


@pytest.mark.parametrize("pons", ["4", "445", "44444"])
def test_the_line_of_play_is_bold(pons):
    engine, result = searched(Board.from_pons(pons), 1000)
    _, edges = parsed(tree_dot(engine, result, depth=5, children=2))
    assert bold(edges) == list(result.pv[:5])
    starts = [start for start, _, look in edges if "penwidth" in look]
    ends = [end for _, end, look in edges if "penwidth" in look]
    assert starts[1:] == ends[:-1]


def test_limits_of_the_picture():
    engine, result = searched(Board.from_pons("4453"), 5000, UCT)
    text = tree_dot(engine, result, depth=3, children=2, visits=40)
    assert "3 plies, at most 2 moves per position, with at least 40 visits" in text
    nodes, edges = parsed(text)
    boards = boards_of(text, result.board)
    assert max(board.ply for board in boards.values()) == 4 + 3
    assert max(Counter(start for start, _, _ in edges).values()) == 2
    assert all(fields(edge)[3] >= 40 or "penwidth" in edge[2] or fields(edge)[2] == "1.00" for edge in edges)
    top = sorted((move.visits for move in result.moves), reverse=True)[:2]
    assert sorted((fields(edge)[3] for edge in edges if edge[0] == next(iter(nodes))), reverse=True) == top
    assert "at least 50 visits" in tree_dot(engine, result)
    assert "at least 2 visits" in tree_dot(*searched(Board(), 10))


def test_moves_that_win_are_drawn_however_few_their_visits():
    engine, result = searched(Board.from_pons("445"), 3000, UctParams(probes=False))
    lost = [move for move in result.moves if move.proof == "loss"]
    assert len(lost) == 5
    text = tree_dot(engine, result, children=7, visits=3)
    nodes, edges = parsed(text)
    wins = []
    for move in lost:
        end = next(edge[1] for edge in edges if edge[0] == next(iter(nodes)) and fields(edge)[1] == move.column)
        wins += [edge for edge in edges if edge[0] == end and fields(edge)[2] == "1.00"]
    assert len(wins) >= 5
    assert any(fields(edge)[3] < 3 for edge in wins)


def test_a_draw_is_worth_what_the_rewards_say():
    board = Board.from_moves([0, 1, 2], Rules(5, 1, 4))
    engine, result = searched(board, 50, UctParams(rewards=(1, 0, -1)))
    nodes, edges = parsed(tree_dot(engine, result, depth=2, children=7, visits=1))
    assert {look["label"] for look in list(nodes.values())[1:]} == {"draw"}
    assert {fields(edge)[2] for edge in edges} == {"0.50"}
    engine, result = searched(board, 50, UctParams(rewards=(1, 0, 0)))
    assert {fields(edge)[2] for edge in parsed(tree_dot(engine, result, depth=2))[1]} == {"0.00"}


def test_a_tree_without_moves_is_its_root():
    nodes, edges = parsed(tree_dot(*searched(Board(), 5, UctParams(max_nodes=1))))
    assert len(nodes) == 1
    assert edges == []


def test_large_boards():
    engine, result = searched(Board.from_moves([19, 19], Rules(20, 14, 5)), 2000)
    nodes, edges = parsed(tree_dot(engine, result, depth=1, children=20, visits=1))
    assert [fields(edge)[1] for edge in edges] == list(range(20))
    assert write_drawing(result.board.to_array().tolist(), first=1) in next(iter(nodes.values()))["label"]


def test_the_engine_says_where_its_root_is():
    engine = Engine(seed=1)
    assert engine.board is None
    board = Board.from_pons("44")
    engine.search(board, simulations=100)
    assert engine.board == board
    assert engine.board.moves == (3, 3)
    engine.board.push(0)  # a copy
    assert engine.board == board
    engine.advance(3)
    assert engine.board == Board.from_pons("444")
    engine.reset()
    assert engine.board is None


def test_wrong_arguments_are_named():
    engine, result = searched(Board(), 100)
    for arguments, error, words in (
        ((Board(), result), TypeError, "engine must be an Engine"),
        ((engine, engine), TypeError, "result must be a SearchResult"),
    ):
        with pytest.raises(error, match=words):
            tree_dot(*arguments)
    for name in ("depth", "children", "visits"):
        with pytest.raises(ValueError, match=f"{name} must be at least 1, not 0"):
            tree_dot(engine, result, **{name: 0})
        with pytest.raises(TypeError, match=f"{name} must be an integer, not 1.5"):
            tree_dot(engine, result, **{name: 1.5})
    with pytest.raises(ValueError, match="None"):
        tree_dot(Engine(), result)
    engine.advance(3)
    with pytest.raises(ValueError, match=r"result is of Board\(\), but .* Board.from_moves\(\[3\]\)"):
        tree_dot(engine, result)


def test_the_result_of_an_ensemble_may_go_with_an_engine_of_the_same_root():
    engine, _ = searched(Board(), 100)
    result = search_ensemble(Board(), trees=2, simulations=100, seed=1)
    assert bold(parsed(tree_dot(engine, result, depth=1))[1]) == [result.column]
