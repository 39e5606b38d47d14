"""Configurations of examples/alphazero: errors name the field and the value, and folders keep theirs."""

import pytest
from alphazero.__main__ import main
from alphazero.configuration import FREE, PRESETS, Configuration, ConfigurationError, from_json
from alphazero.folder import Folder


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_json(name):
    assert from_json(PRESETS[name].to_json()) == PRESETS[name]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"games": 0}, "games must be an integer from 1 to 10000000, not 0"),
        ({"learning_rate": "high"}, "learning_rate must be a number from 0.0 to 10.0, not 'high'"),
        ({"network": "transformer"}, "network must be one of .*, or your own, as module:Class, not 'transformer'"),
        ({"network": "dense", "runtime": "onnx"}, "runtime must be torch"),
        ({"searches": 64}, "searches must be a list, not 64"),
        ({"opponents": ["nobody@1"]}, "opponents: .*nobody@1"),
        ({"threats": 1}, "threats must be true or false, not 1"),
        ({"device": 0}, "device"),
        ({"search.explorations": 1}, "search: PuctParams has no parameter 'explorations'"),
        ({"play.seed": 1}, "play must be fields of PlayParams .*, not 'seed'"),
        ({"play": {"full_share": 0.5, "fast_simulations": 65}}, "play: fast_simulations must be at most simulations"),
        ({"play": 5, "play.after_proof": "stop"}, "play must be a dictionary, not 5"),
        ({"search.temperature": 1.0}, "play: a pool needs params with temperature=0"),
        ({"gate_games": 3}, "gate_games must be an even number, not 3"),
        ({"size": 1}, "there is no field 'size'"),
    ],
    ids=str,
)
def test_wrong_values_are_named(changes, words):
    with pytest.raises(ConfigurationError, match=words):
        Configuration().changed(**changes)


def test_other_options_of_the_search_and_of_the_games_are_passed_on():
    configuration = Configuration().changed(
        **{"search.exploration": 2, "search.root_noise": [0.3, 0.5], "play.temperature": 0.5}
    )
    assert configuration.params().exploration == 2
    assert configuration.params().root_noise == (0.3, 0.5)
    assert configuration.params(root_noise=None).root_noise is None
    assert configuration.play == {"temperature": 0.5}
    assert configuration.play_params().temperature == 0.5
    assert Configuration().play == {}, "dictionaries are not shared"


def test_an_older_configuration_can_be_read():
    assert from_json('{"games": 3}') == Configuration(games=3)


def test_a_folder_keeps_its_configuration(tmp_path):
    tiny = PRESETS["tiny"]
    Folder(tmp_path / "run", tiny)
    assert Folder(tmp_path / "run", None).configuration == tiny
    with pytest.raises(ConfigurationError, match="another configuration: games = 9 instead of 8"):
        Folder(tmp_path / "run", tiny.changed(games=9))
    longer = tiny.changed(generations=99, match_games=2)
    assert {"generations", "match_games"} < FREE
    assert Folder(tmp_path / "run", longer).configuration == longer
    assert Folder(tmp_path / "run", None).configuration == longer
    with pytest.raises(ConfigurationError, match="holds no training run"):
        Folder(tmp_path / "other", None)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(ConfigurationError, match="holds something else"):
        Folder(tmp_path / "mine", tiny)


SWEEP = ["sweep", "run", "--preset", "tiny"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "run"], "a new training run needs --preset, one of tiny, small, resnet, full, gpu"),
        (["train", "run", "--preset", "tiny", "--set", "games"], "a change must be NAME=VALUE, not 'games'"),
        ([*SWEEP, "--variant", "seed=2"], "a sweep needs at least two --variant, all of them different"),
        ([*SWEEP, "--variant", "", "--variant", " "], "a sweep needs at least two --variant, all"),
        ([*SWEEP, "--variant", "", "--variant", "size=3"], "there is no field 'size'"),
        (["tournament", "one"], "one holds no training run"),
    ],
    ids=str,
)
def test_errors_on_the_command_line_are_one_line(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"alphazero: {words}")
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
