"""NetworkPlayer: the most probable column, a lookahead of two plies, and what names it."""

import random

import pytest
from random_boards import random_board

from c4mcts import PolicyValueNetwork, Rules, SaveError
from c4mcts.play import NetworkPlayer, contestant, exploit, read_game


@pytest.mark.parametrize("rules", [Rules(), Rules(9, 7)], ids=str)
def test_it_plays_the_most_probable_column_and_with_a_lookahead_wins_and_blocks(rules):
    network = PolicyValueNetwork.load()
    bare, ahead = NetworkPlayer(), NetworkPlayer(network, lookahead=True)
    chance, seen = random.Random(1), set()
    for _ in range(150):
        board = random_board(rules, chance.randrange(rules.cells), chance)
        priors = network.evaluate(board)[1]
        forced = board.winning_columns() or board.threatened_columns() or board.legal_columns
        assert bare.choose(board) == priors.argmax()
        assert ahead.choose(board) == max(forced, key=lambda column, priors=priors: priors[column])
        seen.add((bool(board.winning_columns()), bool(board.threatened_columns())))
    assert len(seen) == 4


def test_texts_name_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    PolicyValueNetwork.load().save("my.npz")
    (tmp_path / "other.npz").write_bytes(b"something else")
    player = contestant("network:lookahead,file=my.npz").make()
    assert (player.lookahead, player.network.fingerprint) == (True, PolicyValueNetwork.load().fingerprint)
    assert not contestant("network:policy").make().lookahead
    for text, words in {
        "network:": "must be network:policy, network:lookahead",
        "network:policy,path=my.npz": "must be network:policy, network:lookahead",
        "network:policy,file=none.npz": "none.npz: No such file",
        "network:policy,file=other.npz": "other.npz is not a network",
    }.items():
        with pytest.raises((ValueError, SaveError), match=words) as caught:
            contestant(text)
        assert text in str(caught.value)


@pytest.mark.native  # 180,000 positions
def test_how_the_network_of_the_package_is_beaten():
    first, second = exploit("network:policy")
    assert (len(first.line), len(second.line)) == (16, 15)
    assert first.board.result(1) == 1
    assert first.positions > 50_000
    assert read_game(first.game().line()).board == first.board
    assert "seed" not in first.game().line()
    assert second.board.result(0) == 1
