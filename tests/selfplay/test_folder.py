"""Folders of self-play: how they grow, what interrupted and killed calls leave in them, and what is refused."""

import os
import pickle
import tracemalloc
from functools import partial, reduce
from operator import add
from zipfile import ZipFile

import numpy as np
import pytest
from counting import jobs_done
from datasets import ARRAYS, CALL, MORE, SMALL, UCT, content, same
from disks import FULL, full_disk, posix
from evaluators import uniform
from forging import members, npy, with_about, with_members, zipped
from pools import generated
from stores import results_in

from c4mcts import Board, CheckpointError, PuctParams, SaveError, selfplay
from c4mcts.executors.store import Store
from c4mcts.selfplay import folder

DATA = CALL()


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games"


def kept(out):
    """The numbers of the finished games of a call that has not ended."""
    return set(results_in(out / "unfinished.sqlite"))


def test_a_folder_holds_the_arrays(out):
    out = out.parent / "generations" / out.name  # folders above it are made
    data = CALL(out=out)
    assert same(selfplay.load(out), data)
    assert same(data, DATA)
    assert [path.name for path in out.parent.iterdir()] == ["games"], "nothing is left beside it"
    assert os.listdir(out) == ["games.npz"]
    with np.load(out / "games.npz") as arrays:
        assert set(arrays) == {"about", *ARRAYS}
        for name in ARRAYS:
            np.testing.assert_array_equal(arrays[name], getattr(data, name))


def test_a_saved_folder_replaces_its_games(out):
    for data in (DATA, CALL(seed=8) + CALL(seed=9), DATA):
        data.save(out)
        assert same(selfplay.load(out), data)
        assert os.listdir(out) == ["games.npz"]


def test_memory_mapping_reads_only_what_is_asked_for(out):
    many = reduce(add, [DATA] * 40)
    many.save(out)
    selfplay.load(out, mmap=True).training(rows=[0])  # loads modules, which take memory too
    tracemalloc.start()
    try:
        mapped = selfplay.load(out, mmap=True)
        arrays = mapped.arrays
        assert all(isinstance(arrays[name], np.memmap) and arrays[name].flags.aligned for name in ARRAYS)
        assert len(mapped.training(rows=[0, -1])[0]) == 4
        assert tracemalloc.get_traced_memory()[1] < 0.6 * (out / "games.npz").stat().st_size
    finally:
        tracemalloc.stop()
    assert same(mapped, many)
    assert same(mapped + mapped, many + many)


def test_mapped_games_are_pickled_as_their_path(out):
    DATA.save(out)
    mapped, read = selfplay.load(out, mmap=True), selfplay.load(out)
    data = pickle.dumps(mapped)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert isinstance(again.policy, np.memmap)
    assert (again.policy == read.policy).all()
    assert (pickle.loads(pickle.dumps(read)).policy == read.policy).all()
    assert len(pickle.loads(pickle.dumps(mapped + mapped))) == 2 * len(read), "what is joined has no folder"


def test_a_folder_grows(out):
    CALL(out=out)
    data, games = jobs_done(partial(MORE, out=out))
    assert games == 8
    assert same(data, MORE())
    assert same(selfplay.load(out), data)
    with pytest.raises(CheckpointError, match="games holds other games: games is 20 there, 12 here"):
        CALL(out=out)
    assert selfplay.load(out).games == 20


def stopped(call, after, out):
    """Interrupt a call after some games."""

    def stop(done, _):
        if done == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(out=out, progress=stop)


def test_joined_games_do_not_grow(out):
    (DATA + CALL(seed=8)).save(out)
    with pytest.raises(CheckpointError, match="holds games joined from 2 calls, which can't be continued"):
        MORE(out=out)


class Weighted:
    """An evaluator with weights."""

    def __init__(self, fingerprint):
        self.fingerprint = fingerprint

    def __call__(self, planes, legal):
        return uniform(planes, legal)


def test_a_network_with_other_weights_does_not_continue(out):
    params = PuctParams()
    call = partial(generated, params=params, start=SMALL, simulations=5, seed=7, out=out)
    assert call(2, evaluator=Weighted("one")).about["weights"] == "one"
    with pytest.raises(CheckpointError, match="weights is 'one' there, 'two' here"):
        call(4, evaluator=Weighted("two"))
    with pytest.raises(CheckpointError, match=r"evaluator is '.*Weighted' there, '.*uniform' here"):
        call(4, evaluator=uniform)
    assert call(4, evaluator=Weighted("one"), cache=7).games == 4, "the batches are no part of the games"


@posix
def test_a_full_disk_leaves_the_old_games(out):
    CALL(out=out)
    before = content(out)
    with full_disk(5000), pytest.raises(OSError, match=FULL):
        (DATA + DATA).save(out)
    assert content(out) == before
    with full_disk(5000), pytest.raises(OSError, match=f"{FULL}|disk I/O error"):
        MORE(out=out)
    assert same(selfplay.load(out), DATA)
    assert same(MORE(out=out), MORE())


@pytest.fixture
def interrupted(out):
    """A folder with four of twelve games."""
    stopped(CALL, 4, out)
    assert len(kept(out)) == 4
    return out


@pytest.mark.parametrize("seed", [7, None])
def test_interrupted_games_go_on(interrupted, seed):
    before = content(interrupted)
    with pytest.raises(SaveError, match="games holds no games of self-play"):
        selfplay.load(interrupted)
    with pytest.raises(SaveError, match=r"has games of a call of generate that has not ended, in unfinished.sqlite"):
        DATA.save(interrupted)
    assert content(interrupted) == before
    data, games = jobs_done(partial(CALL, out=interrupted, seed=seed))
    assert games == 8
    assert same(data, DATA)
    assert same(selfplay.load(interrupted), data)
    assert os.listdir(interrupted) == ["games.npz"]
    before = content(interrupted)
    again, games = jobs_done(partial(CALL, out=interrupted, seed=None))
    assert games == 0
    assert same(again, data)
    assert content(interrupted) == before


@pytest.mark.parametrize("games", [3, 20])
def test_an_interrupted_series_may_become_a_shorter_or_longer_one(interrupted, games):
    left = set(range(games)) - kept(interrupted)  # not always those from the fifth on
    data, played = jobs_done(partial(CALL.func, games, *CALL.args[1:], **CALL.keywords, out=interrupted))
    assert played == len(left)
    assert same(data, CALL.func(games, *CALL.args[1:], **CALL.keywords))
    assert ((interrupted / "unfinished.sqlite").exists()) == (games == 3), "more games are kept for a longer one"


CHANGES = [
    ({"temperature": 0.5}, "play: temperature is 1.0 there, 0.5 here"),
    ({"start": Board.from_pons("3", SMALL.rules)}, "board is '5/5/5/5 x 5x4x4' there"),
]


@pytest.mark.parametrize(("changes", "words"), CHANGES, ids=[words for _, words in CHANGES])
@pytest.mark.parametrize("complete", [True, False])
def test_other_games_are_refused(interrupted, changes, words, complete):
    if complete:
        CALL(out=interrupted)
    before = content(interrupted)
    arguments = {"games": 12, "params": UCT, "start": SMALL, "simulations": 30, "seed": 7, **changes}
    where = "games holds other games" if complete else "unfinished.sqlite holds another experiment"
    with pytest.raises(CheckpointError, match=f"{where}.*{words}"):
        generated(**arguments, out=interrupted)
    assert content(interrupted) == before


def test_a_call_that_is_killed_when_all_games_are_written_has_nothing_left_to_do(out, monkeypatch):
    """Before it could remove the store; and what a process leaves that is killed while it writes is removed."""

    def killed(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Store, "remove", killed)
        with pytest.raises(KeyboardInterrupt):
            CALL(out=out)
    assert set(os.listdir(out)) == {"games.npz", "unfinished.sqlite"}
    assert same(selfplay.load(out), DATA)
    data, games = jobs_done(partial(CALL, out=out))
    assert games == 0
    assert same(data, DATA)
    assert os.listdir(out) == ["games.npz"]
    (out / "c4mcts-0123abcd.part").write_bytes(b"half of a file")
    assert same(MORE(out=out), MORE())
    assert os.listdir(out) == ["games.npz"]


def test_a_folder_belongs_to_one_call_until_its_games_are_written(out, monkeypatch):
    write, refused = folder.write, []

    def while_another_calls(*arguments):
        for call in (CALL, MORE):
            with pytest.raises(CheckpointError, match=r"unfinished.sqlite is in use, by another process or call"):
                call(out=out)
            refused.append(call)
        write(*arguments)

    monkeypatch.setattr(folder, "write", while_another_calls)
    CALL(out=out)
    assert len(refused) == 2
    assert same(selfplay.load(out), DATA)


def test_games_that_another_call_has_just_written_are_not_replaced(out, monkeypatch):
    """It ended between the look at the folder and the opening of the store."""
    begin = folder.begin

    def after_another_call(path):
        monkeypatch.setattr(folder, "begin", begin)
        MORE(out=path)
        begin(path)

    monkeypatch.setattr(folder, "begin", after_another_call)
    with pytest.raises(CheckpointError, match="games is in use, by another process or call"):
        CALL(out=out)
    assert same(selfplay.load(out), MORE())


def array_of(name, change):
    return lambda data: with_members(data, **{name: change(getattr(DATA, name))})


def source(**values):
    return lambda data: with_about(data, lambda about: {"sources": [{**about["sources"][0], **values}]})


WRONG = {
    "a text": lambda data: b"no numbers",
    "doubles": array_of("q", lambda q: q.astype(float)),
    "fewer rows": array_of("q", lambda q: q[1:]),
    "columns first": array_of("q", np.asfortranarray),
    "no rows": lambda data: with_members(data, **{name: npy(getattr(DATA, name)[:0]) for name in ARRAYS}),
    "an array less": lambda data: zipped({k: v for k, v in members(data).items() if k != "q.npy"}, method=0),
    "other work": source(experiment="x"),
    "another board": source(board=Board().to_fen()),
    "no seed": source(seed=None),
    "games of nothing": source(games=0),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refused_by_any_reader(out, name):
    DATA.save(out)
    wrong = WRONG[name]((out / "games.npz").read_bytes())
    if wrong.startswith(b"PK"):
        wrong = zipped(members(wrong), method=0)  # not compressed, as `save` writes it
    (out / "games.npz").write_bytes(wrong)
    before = content(out)
    for call in (selfplay.load, partial(selfplay.load, mmap=True), lambda path: CALL(out=path)):
        with pytest.raises(SaveError, match=r"games.npz holds no games of self-play, or is damaged") as caught:
            call(out)
        assert "\n" not in str(caught.value)
    assert content(out) == before


def test_a_changed_bit_is_found_where_the_numbers_are_read(out):
    reduce(add, [DATA] * 20).save(out)
    data = bytearray((out / "games.npz").read_bytes())
    with ZipFile(out / "games.npz") as archive:
        member = archive.getinfo("visits.npy")
    data[member.header_offset + member.file_size // 2] ^= 1
    (out / "games.npz").write_bytes(data)
    selfplay.load(out, mmap=True)
    for call in (selfplay.load, lambda path: CALL(out=path)):
        with pytest.raises(SaveError, match="is damaged"):
            call(out)


def test_what_is_no_folder_of_games_is_left_alone(tmp_path):
    (tmp_path / "file").write_bytes(b"a text")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.txt").write_bytes(b"a text")
    before = content(tmp_path)
    for name, error, words in (
        ("file", OSError, "file"),
        ("foreign", SaveError, "foreign holds something other than games of self-play: 'thesis.t"),
    ):
        for call in (partial(CALL, out=tmp_path / name), partial(DATA.save, tmp_path / name)):
            with pytest.raises(error, match=words):
                call()
    with pytest.raises(NotADirectoryError):
        selfplay.load(tmp_path / "file")
    with pytest.raises(SaveError, match="foreign holds no games of self-play"):
        selfplay.load(tmp_path / "foreign")
    assert content(tmp_path) == before


def test_folders_that_are_not_there(out):
    with pytest.raises(FileNotFoundError):
        selfplay.load(out)
    out.mkdir()
    assert same(CALL(out=out), selfplay.load(out))
