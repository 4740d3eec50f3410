import os
import pathlib
import pickle
import signal
import subprocess
import sys

import navmap
import pytest
from conftest import FAMILIES


def test_outcomes_come_in_path_order_and_again():
    scan = navmap.scan([f"corpus/{family}" for family in FAMILIES])
    first = [(o.path, o.status, o.counts) for o in scan]
    assert len(first) > 50 and first == [(o.path, o.status, o.counts) for o in scan]
    paths = [path for path, _, _ in first if path.startswith("corpus/source")]
    assert paths == sorted(paths, key=lambda p: pathlib.Path(p).parts)


def test_what_cannot_be_read_is_an_outcome_with_an_error():
    outcomes = list(navmap.scan(["corpus/hostile/source", "corpus/nothing.nav"]))
    errors = [o for o in outcomes if o.status == "error"]
    assert errors and all(o.error.path and o.message for o in errors)
    broken = [o.error for o in errors if isinstance(o.error, navmap.NavError)]
    assert any(error.record is not None and error.index is not None and error.byte is not None for error in broken)
    assert isinstance(errors[-1].error, FileNotFoundError) and errors[-1].error.path == "corpus/nothing.nav"


def test_totals_are_there_at_the_end():
    outcomes = iter(navmap.scan("corpus/quake"))
    assert outcomes.totals is None
    count = sum(1 for _ in outcomes)
    assert outcomes.totals["meshes"] == count and next(outcomes, None) is None


def test_tasks_do_what_they_say():
    head = {o.path: o for o in navmap.scan("corpus/source", task="head")}
    check = {o.path: o for o in navmap.scan("corpus/source", task="check")}
    graph = {o.path: o for o in navmap.scan("corpus/source", task="graph")}
    assert head.keys() == check.keys() == graph.keys()
    assert sum(len(o.findings) for o in check.values()) > sum(len(o.findings) for o in head.values())
    assert all("components" in o.counts for o in graph.values() if o.status != "error")


def test_a_pattern_and_a_list_leave_files_and_members_out(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "maps.zip", "w") as out:
        for name in ("town", "v16"):
            file = pathlib.Path(f"corpus/source/{name}.nav")
            if file.exists():
                out.write(file, f"maps/{name}.nav")
        out.write("corpus/source/town.nav", "other/town.nav")
    (tmp_path / "loose.nav").write_bytes(pathlib.Path("corpus/source/town.nav").read_bytes())
    places = [o.location for o in navmap.scan(tmp_path)]
    assert len(places) >= 3
    assert [o.location for o in navmap.scan(tmp_path, glob="*!maps/*")] == [p for p in places if "!maps/" in p]
    assert [o.location for o in navmap.scan(tmp_path, glob="*loose.na?")] == [str(tmp_path / "loose.nav")]
    assert [o.location for o in navmap.scan(tmp_path, only=places[1:])] == places[1:]
    assert list(navmap.scan(tmp_path, glob="nothing")) == []


def test_a_file_that_is_left_out_is_not_opened(tmp_path):
    if os.getuid() == 0:
        os.mkfifo(tmp_path / "pipe.nav")  # opening it would wait for ever
        assert list(navmap.scan([tmp_path / "pipe.nav"], glob="*.other")) == []


def test_progress_is_told_and_can_be_a_function():
    told = []
    count = sum(1 for _ in navmap.scan("corpus/source", progress=lambda *row: told.append(row)))
    files, meshes, size, errors, done = told[-1]
    assert done and meshes == count and size > 0 and files >= meshes


def test_progress_is_a_line_in_a_terminal_and_silent_elsewhere(capsys):
    list(navmap.scan("corpus/quake"))
    assert capsys.readouterr().err == ""
    list(navmap.scan("corpus/quake", progress=True))
    assert "\r" in capsys.readouterr().err


def test_progress_in_a_notebook_is_updated_in_place(monkeypatch):
    import types

    shown = []

    class Handle:
        def update(self, data, raw):
            shown.append(data["text/plain"])

    class ZMQInteractiveShell:
        pass

    ipython = types.SimpleNamespace(get_ipython=lambda: ZMQInteractiveShell())
    display = types.SimpleNamespace(display=lambda data, raw, display_id: Handle())
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    count = sum(1 for _ in navmap.scan("corpus/quake"))
    assert f"{count:,} meshes" in shown[-1]


def test_an_iterator_that_is_dropped_ends_its_scan():
    outcomes = iter(navmap.scan("corpus"))
    next(outcomes)
    outcomes.close()
    assert next(outcomes, None) is None


INTERRUPTED = """
import navmap, os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
os.mkfifo(sys.argv[1])
if sys.argv[2] != "list":
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    if sys.argv[2] == "scan":
        for outcome in navmap.scan([sys.argv[1], "corpus/source"], progress=False): pass
    elif sys.argv[2] == "list":
        # Outcomes come one after the other, and no Python runs between them.
        many = os.path.join(os.path.dirname(sys.argv[1]), "many")
        os.mkdir(many)
        with open("corpus/source/town.nav", "rb") as town:
            data = town.read()
        for at in range(4000):
            with open(os.path.join(many, f"{at}.nav"), "wb") as copy:
                copy.write(data)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        list(navmap.scan([many], task="check", progress=False))
    else:
        import pyarrow
        try:
            pyarrow.table(navmap.scan([sys.argv[1]], progress=False).areas)
        except pyarrow.ArrowInvalid as error:
            # What reads a stream makes its own error of an interrupt.
            raise KeyboardInterrupt if "interrupted by Ctrl-C" in str(error) else error
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - began < 5)
    sys.stdout.flush()
    os._exit(0)
print("went on")
os._exit(1)
"""


@pytest.mark.parametrize("what", ["scan", "list", "table"])
def test_ctrl_c_ends_a_scan_that_waits(tmp_path, what):
    if what == "table":
        pytest.importorskip("pyarrow")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path / "pipe.nav"), what], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "interrupted True\n", done


def test_other_threads_run_during_a_scan(tmp_path):
    import threading

    # The scan waits for a pipe that nobody writes to: whoever holds the interpreter's lock meanwhile stops the timer.
    pipe = tmp_path / "pipe.nav"
    os.mkfifo(pipe)
    threading.Timer(0.3, lambda: pipe.write_bytes(b"")).start()
    assert [o.status for o in navmap.scan([pipe], progress=False)] == ["error"]


def test_a_scan_pickles():
    scan = navmap.scan("corpus/quake", glob="*.nav", threads=1)
    again = pickle.loads(pickle.dumps(scan))
    assert [o.path for o in scan] == [o.path for o in again]
    assert signal.getsignal(signal.SIGINT) is not None
