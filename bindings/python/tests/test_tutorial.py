"""The tutorial runs, cell by cell, and its results are what it tells."""

import json

import numpy
import pytest
from conftest import ROOT

TUTORIAL = ROOT / "bindings/python/examples/tutorial.py"


def cells():
    """The code of each cell, and whether it is prose."""
    for cell in TUTORIAL.read_text().split("# %%")[1:]:
        head, _, body = cell.partition("\n")
        yield "[markdown]" in head, body


@pytest.fixture(scope="module")
def ran():
    import os

    pytest.importorskip("polars")
    os.chdir(ROOT)
    known = {"__name__": "__main__"}
    for prose, body in cells():
        if not prose:
            exec(compile(body, str(TUTORIAL), "exec"), known)
    return known


def test_it_is_a_notebook_of_prose_and_code():
    kinds = [prose for prose, _ in cells()]
    assert kinds.count(True) >= 8 and kinds.count(False) >= 8
    for prose, body in cells():
        if prose:
            assert all(line.startswith("#") for line in body.strip().splitlines())
    as_notebook = [{"cell_type": "markdown" if prose else "code", "source": body} for prose, body in cells()]
    assert json.dumps(as_notebook)


def test_the_path_on_the_map_is_the_longest_of_the_shortest(ran):
    route, matrix = ran["route"], ran["matrix"]
    assert route.cost == pytest.approx(matrix[numpy.isfinite(matrix)].max(), rel=1e-4)
    svg = ran["picture"]._repr_svg_()
    assert f"#{route.areas[0]}" in svg and f"#{route.areas[-1]}" in svg and "<svg" in svg
    assert ran["blocked"] not in (ran["around"].areas if ran["around"] else [])


def test_the_analytics_add_up(ran):
    assert ran["by_place"]["areas"].sum() == ran["areas"].height > 100
    assert ran["by_place"]["degree"].max() > 0 and ran["by_place"]["surface"].sum() > 0
    assert 0 < (ran["found"] != -1).mean() < 1
    assert {"central", "remote", "between"} == set(ran["classes"].values()) and "central" in ran["heat"].svg
    assert len(ran["links"]) == ran["quake"].counts["links"]
    assert ran["moved"].areas[0].center[0] == ran["nav"].areas[0].center[0] + 128
