import os
import subprocess
import sys

import navmap
import pytest
from conftest import ROOT

polars = pytest.importorskip("polars")
dask = pytest.importorskip("dask")
sys.path.insert(0, str(ROOT / "bindings/python/examples"))


def test_two_processes_count_what_one_counts():
    from dask_areas import count

    counted = count("corpus/source")
    want = polars.DataFrame(navmap.scan("corpus/source").areas.select(["place"])).group_by("place").len()
    assert counted["len"].sum() == want["len"].sum() > 100
    assert sorted(counted.rows(), key=str) == sorted(want.rows(), key=str)


def test_the_tables_are_read_in_other_processes():
    def where(table):
        return os.getpid(), polars.DataFrame(table).height

    tables = [navmap.scan("corpus/source", glob=f"*{letter}*").areas for letter in "aeiou"]
    read = dask.compute(*[dask.delayed(where)(table) for table in tables], scheduler="processes", num_workers=2)
    assert os.getpid() not in {pid for pid, _ in read}
    assert [height for _, height in read] == [polars.DataFrame(table).height for table in tables]


def test_the_example_runs_as_a_program():
    program = ROOT / "bindings/python/examples/dask_areas.py"
    done = subprocess.run([sys.executable, program, "corpus/source"], capture_output=True, text=True, check=True)
    assert "place" in done.stdout
