"""Folders of self-play: what is in them, how they grow, and how they are mapped into memory."""

import json
import pickle
import tracemalloc
from functools import partial, reduce
from operator import add

import numpy as np
import pytest
from counting import jobs_done
from datasets import ARRAYS, CALL, MORE, SMALL, content, same, same_games
from disks import FULL, full_disk, posix
from evaluators import uniform

from c4mcts import CheckpointError, PuctParams, selfplay


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games"


# content


def test_a_folder_holds_the_arrays(out):
    data = CALL(out=out)
    assert same(selfplay.load(out), data)
    assert same(data, CALL())
    assert [path.name for path in out.parent.iterdir()] == ["games"], "nothing is left beside it"
    assert {path.name for path in out.iterdir()} == {"index.json", *(f"000000-{name}.npy" for name in ARRAYS)}
    for name in ARRAYS:
        np.testing.assert_array_equal(np.load(out / f"000000-{name}.npy"), getattr(data, name))
    index = json.loads((out / "index.json").read_text())
    assert index["sources"] == [data.about]
    assert index["shards"][0]["rows"] == len(data)


def test_a_saved_folder_replaces_its_games(out):
    for data in (CALL(), CALL(seed=8) + CALL(seed=9), CALL()):
        data.save(out)
        assert same(selfplay.load(out), data)
        assert len(list(out.iterdir())) == 1 + len(ARRAYS) * len(data.shards), "nothing is left of the old ones"


def test_memory_mapping_reads_only_what_is_asked_for(out):
    many = reduce(add, [CALL()] * 40)
    joined = {name: getattr(many, name) for name in ARRAYS}
    (selfplay.SelfPlay(many.sources, (joined,)) + CALL()).save(out)
    whole = sum(path.stat().st_size for path in out.glob("*.npy"))
    selfplay.load(out, mmap=True).training(rows=[0])  # loads modules, which take memory too
    tracemalloc.start()
    try:
        mapped = selfplay.load(out, mmap=True)
        assert all(isinstance(shard[name], np.memmap) for shard in mapped.shards for name in ARRAYS)
        assert len(mapped.training(rows=[0, -1])[0]) == 4
        assert not vars(mapped).keys() & set(ARRAYS), "no array has been joined"
        assert tracemalloc.get_traced_memory()[1] < 0.6 * whole, "that of the checks"
    finally:
        tracemalloc.stop()
    assert same(mapped, selfplay.load(out))


def test_a_mapped_folder_can_be_saved_into_itself(out):
    data = CALL(out=out)
    mapped = selfplay.load(out, mmap=True)
    (mapped + mapped).save(out)
    assert same(selfplay.load(out), data + data)


def test_mapped_games_are_pickled_as_their_path(out):
    CALL(out=out)
    mapped, read = selfplay.load(out, mmap=True), selfplay.load(out)
    data = pickle.dumps(mapped)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert all(isinstance(shard["policy"], np.memmap) for shard in again.shards)
    assert (again.policy == read.policy).all()
    assert (pickle.loads(pickle.dumps(read)).policy == read.policy).all()
    assert len(pickle.loads(pickle.dumps(mapped + mapped))) == 2 * len(read), "what is joined has no folder"


def test_mapped_games_are_joined_unread(out):
    CALL(out=out)
    both = selfplay.load(out, mmap=True) + selfplay.load(out, mmap=True)
    assert all(isinstance(shard["policy"], np.memmap) for shard in both.shards)
    assert same(both, CALL() + CALL())


# growth


def test_a_folder_grows(out):
    CALL(out=out)
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    data, games = jobs_done(partial(MORE, out=out))
    assert games == 8
    assert same_games(data, MORE())
    assert same(selfplay.load(out), selfplay.load(out, mmap=True))
    assert same_games(selfplay.load(out), data)
    for name, data in first.items():
        assert name == "index.json" or (out / name).read_bytes() == data, "what was there is not written again"


def test_a_folder_does_not_shrink(out):
    MORE(out=out)
    with pytest.raises(CheckpointError, match="games holds other games: games is 20 there, 12 here"):
        CALL(out=out)
    assert selfplay.load(out).games == 20


def test_growth_that_is_interrupted_goes_on(out):
    CALL(out=out)

    def stop(done, total):
        assert total == 8
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        MORE(out=out, progress=stop)
    assert same(selfplay.load(out), CALL())
    data, games = jobs_done(partial(MORE, out=out))
    assert games == 5
    assert same_games(data, MORE())


def test_joined_games_do_not_grow(out):
    (CALL() + CALL(seed=8)).save(out)
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
    call = partial(selfplay.generate, params=params, start=SMALL, simulations=5, seed=7, out=out)
    assert call(2, evaluator=Weighted("one")).about["weights"] == "one"
    with pytest.raises(CheckpointError, match="weights is 'one' there, 'two' here"):
        call(4, evaluator=Weighted("two"))
    with pytest.raises(CheckpointError, match=r"evaluator is '.*Weighted' there, '.*uniform' here"):
        call(4, evaluator=uniform)
    assert call(4, evaluator=Weighted("one")).games == 4


@posix
def test_a_full_disk_leaves_the_old_games(out):
    data = CALL(out=out)
    before = content(out)
    for call in ((data + data).save, lambda out: MORE(out=out)):
        with full_disk(5000), pytest.raises(OSError, match=FULL):
            call(out)
        assert content(out) == before
    assert same_games(MORE(out=out), MORE())
