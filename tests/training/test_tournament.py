"""Sweeps and tournaments of examples/alphazero."""

from alphazero import training
from alphazero.__main__ import main
from alphazero.configuration import PRESETS
from alphazero.folder import Folder
from stores import results_in

SETTINGS = ["--preset", "tiny", "--set", "games=4", "--set", "evaluate=false", "--set", "generations=1"]


def test_a_sweep_trains_all_variants_and_lets_them_play(tmp_path, capsys):
    path = tmp_path / "sweep"
    command = ["sweep", str(path), *SETTINGS, "--games", "4"]
    command += ["--variant", "", "--variant", "learning_rate=0.1  play.after_proof=stop", "--variant", "seed=2"]
    assert main(command) == 0
    said = capsys.readouterr().out
    names = ["unchanged", "learning_rate=0.1 play.after_proof=stop", "seed=2"]
    for number, name in enumerate(names, 1):
        assert f"{name}: {path / str(number)}\ngeneration 1: " in said
    configuration = Folder(path / "2", None).configuration
    assert (configuration.learning_rate, configuration.play["after_proof"]) == (0.1, "stop")
    table = said[said.rindex("generation 1: ") :].partition("\n")[2]
    assert all(name in table for name in names)
    assert "95 %" in table
    (games,) = path.glob("tournament-*.checkpoint")
    kept = results_in(games)
    assert main(command) == 0, "all of it is there"
    assert capsys.readouterr().out.endswith(table)
    assert results_in(games) == kept
    folders = [str(path / str(number)) for number in (1, 3)]
    assert main(["tournament", *folders, "--games", "2"]) == 0
    assert capsys.readouterr().out.startswith(f"{folders[0]} against {folders[1]}: ")
    assert main(["tournament", *folders, "--games", "3"]) == 1
    assert capsys.readouterr().err == "alphazero: --games must be an even number above 0, not 3\n"


def test_a_budget_in_seconds_ends_a_training_run(tmp_path):
    folder = Folder(tmp_path / "run", PRESETS["tiny"].changed(games=4, evaluate=False, generations=50))
    training.train(folder, lambda _: None, seconds=0.2)
    assert 1 <= folder.last_network() < 50
    assert training.spent(folder) >= 0.2
    last = folder.last_network()
    training.train(folder, lambda _: None, seconds=0.2)
    assert folder.last_network() == last
