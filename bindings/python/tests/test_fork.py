"""A forked process has the threads that it starts itself, and none of its parent's."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, tempfile, warnings
import navmap

# What Python says of a fork beside other threads is what this is about.
warnings.simplefilter("ignore", DeprecationWarning)


def ask():
    index = navmap.Index.open("corpus/fox/set")
    points = [index.center(id) for id in index.ids]
    answers = [index.find_areas(points * 20).tolist(), index.distances(points[:1], points).tolist()]
    answers.append([row["area"] for row in index.locate(points * 20)])
    answers.append(index.distance_matrix(index.ids[:4], index.ids[:4]).tolist())
    scan = navmap.scan("corpus/skyrim", task="graph", threads=4, progress=False)
    answers.append([(outcome.path, outcome.status, outcome.counts) for outcome in scan])
    with tempfile.TemporaryDirectory() as folder:
        answers.append(scan.write_tables(folder + "/out"))
    plugin = max((navmap.open(outcome.location) for outcome in scan if outcome.form == "plugin"), key=lambda nav: len(nav.areas))
    answers += [plugin.counts, len(plugin.links), [str(one) for one in plugin.check()], plugin.draw().svg]
    town = navmap.open("corpus/source/town.nav")
    at = [area.center for area in town.areas]
    answers.append(town.draw(points=at, by="area", panels=[number % 4 for number in range(len(at))]).svg)
    answers += [bytes(town.edit("move 16 0 0")), town.view().html]
    return answers


first, begun = ask(), iter(navmap.scan("corpus", progress=False))
next(begun)
for generation in range(3):
    child = os.fork()
    if child != 0:
        break
    assert ask() == first
    try:
        next(begun)
    except RuntimeError as error:
        assert "forked" in str(error)
    else:
        raise AssertionError("another process runs this scan")
else:
    os._exit(7)
_, status = os.waitpid(child, 0)
code = os.waitstatus_to_exitcode(status)
if generation:
    os._exit(code)
assert code == 7 and ask() == first
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_answers_as_its_parent_does():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
