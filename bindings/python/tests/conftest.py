"""Every test runs in the root of the repository, so that `corpus/` is the bundled corpus."""

import os
import pathlib
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FAMILIES = ("source", "quake", "fox", "skyrim", "detour", "aas", "yapb", "nodegraph", "rcbot", "xray")


@pytest.fixture(autouse=True)
def _root(monkeypatch):
    monkeypatch.chdir(ROOT)


def manifest(family):
    """The rows of the bundled corpus of a family, as dictionaries."""
    return rows(ROOT / "corpus" / family)


def rows(folder):
    lines = (folder / "MANIFEST.tsv").read_text().splitlines()
    head = lines[0].lstrip("#").split("\t")
    return [dict(zip(head, line.split("\t")), folder=folder) for line in lines[1:] if line and line[0] != "#"]


def real_corpus():
    """The folder of real files, or None."""
    folder = os.environ.get("NAVMAP_CORPUS")
    return pathlib.Path(folder) if folder else None


needs_corpus = pytest.mark.skipif(real_corpus() is None, reason="no corpus of real files: set NAVMAP_CORPUS")


def inside(work):
    """Whether another thread ran in the midst of a call, and how long the call took."""
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.perf_counter()
    work()
    ended = time.perf_counter()
    stop.set()
    thread.join()
    margin = (ended - begun) / 5
    return any(begun + margin < tick < ended - margin for tick in ticks), ended - begun


def program():
    """The program `navmap`, if it is built."""
    built = [os.environ.get("NAVMAP_PROGRAM"), ROOT / "target/debug/navmap", ROOT / "target/release/navmap"]
    return next((path for path in built if path and os.path.exists(path)), None)
