"""The door for scripts of awpy: its own answers on real meshes, and its own tests, where pip has brought them."""

import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys

import navmap
import pytest
from conftest import ROOT, needs_corpus, real_corpus
from navmap.awpy import Nav, NavArea, NavMesh, compute_map_control

# What is not awpy's is through ladders; see docs/python.md.
OTHER_NEIGHBORS, OTHER_PATHS = 6, 40


def write(path, areas):
    """A mesh of version 35 that ends after its areas, of squares: (id, x, y, z, [neighbors])."""
    data = struct.pack("<IIIII", 0xFEEDFACE, 35, 1, 1, 4 * len(areas))
    for _, x, y, z, _ in areas:
        for dx, dy in ((0, 0), (100, 0), (100, 100), (0, 100)):
            data += struct.pack("<fff", x + dx, y + dy, z)
    data += struct.pack("<I", len(areas))
    for at in range(len(areas)):
        data += struct.pack("<BIIIII", 4, *range(4 * at, 4 * at + 4), 0)
    data += struct.pack("<III", 0, 0, len(areas))
    for at, (id, *_, links) in enumerate(areas):
        data += struct.pack("<IqBII", id, 7, 0, at, 0)
        data += struct.pack(f"<I{2 * len(links)}I", len(links), *(word for to in links for word in (to, 0)))
        data += bytes(12 + 5 + 8)
    path.write_bytes(data)
    return path


@pytest.fixture
def row(tmp_path):
    """Five squares in a row."""
    links = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3, 5], 5: [4, 4, 99]}
    return write(tmp_path / "row.nav", [(id, id * 100.0, 0.0, 0.0, to) for id, to in links.items()])


def test_a_mesh_says_what_it_holds(row):
    polars = pytest.importorskip("polars")
    mesh = NavMesh(row)
    assert (mesh.version, mesh.sub_version, mesh.is_analyzed, mesh.area_count, len(mesh)) == (35, 1, True, 5, 5)
    assert mesh.path == row and NavMesh(str(row)).path == row and "areas=5" in repr(mesh)
    assert mesh.area(5) == {
        "area_id": 5, "hull_index": 0, "dynamic_attribute_flags": 7,
        "corners": [(500.0, 0.0, 0.0), (600.0, 0.0, 0.0), (600.0, 100.0, 0.0), (500.0, 100.0, 0.0)],
        "connections": [4, 99], "ladders_above": [], "ladders_below": [], "centroid": (550.0, 50.0, 0.0), "size": 10000.0,
    }  # fmt: skip
    assert mesh.area(6) is None and mesh.area(2**40) is None
    frame = mesh.areas
    assert frame.schema == {
        "area_id": polars.UInt32, "hull_index": polars.UInt32, "dynamic_attribute_flags": polars.Int64, "n_corners": polars.UInt32,
        "centroid_x": polars.Float32, "centroid_y": polars.Float32, "centroid_z": polars.Float32, "size": polars.Float32,
        "n_connections": polars.UInt32,
    }  # fmt: skip
    assert frame["n_connections"].to_list() == [1, 2, 2, 2, 2] and frame["n_corners"].to_list() == [4] * 5


def test_questions_take_ids_and_points(row, tmp_path):
    mesh = NavMesh(row)
    assert mesh.find_path(1, (550.0, 50.0, 9.0)) == [1, 2, 3, 4, 5] == mesh.find_path((150.0, 50.0, 0.0), 5, weight="hop")
    assert mesh.find_path(1, 6) == [] == mesh.find_path((9e9, 0.0, 0.0), 1)
    assert mesh.neighbors(5) == [4] and mesh.neighbors(6) == []
    with pytest.raises(ValueError, match="unknown weight 'bogus'"):
        mesh.find_path(1, 2, weight="bogus")
    # Below the floor too, and the closest floor wins.
    stacked = NavMesh(write(tmp_path / "stacked.nav", [(1, 0, 0, 0, []), (2, 0, 0, 100, [])]))
    assert [stacked.find_area((50, 50, z)) for z in (-500.0, 5.0, 95.0, 900.0)] == [1, 1, 2, 2]


def test_what_is_no_mesh_is_an_error(row, tmp_path):
    with pytest.raises(FileNotFoundError):
        NavMesh(tmp_path / "none.nav")
    cut = tmp_path / "cut.nav"
    cut.write_bytes(row.read_bytes()[:-60])
    with pytest.raises(ValueError, match="cut.nav"):
        NavMesh(cut)
    with pytest.raises(ValueError, match="not one of Source 2"):
        NavMesh(ROOT / "corpus/source/town.nav")
    with pytest.raises(ValueError, match="version is for the name of a map"):
        NavMesh(row, version=1)


class Wall:
    """Nothing is seen through x = 300."""

    def is_visible(self, a, b):
        return (a[0] < 300) == (b[0] < 300)


def test_map_control_is_who_sees_or_reaches_an_area(row):
    mesh = NavMesh(row)
    players = [(150, 50, 0, "ct", False, False, 0.0), (550, 50, 0, "terrorist", False, False, None), (150, 50, 0, "x", False, False, 0)]
    seen = compute_map_control(mesh, players, visibility=Wall(), method="raycast")
    assert seen["area_ids"] == [1, 2, 3, 4, 5] and seen["control"] == ["ct", "ct", "t", "t", "t"]
    assert math.isclose(seen["net_control"], -0.2) and math.isclose(seen["t_fraction"], 0.6)
    away = [(250, 50, 0, "ct", True, False, 0.0)]
    looked = compute_map_control(mesh, away, visibility=Wall(), method="vision")
    assert looked["control"] == ["neutral", "ct", "neutral", "neutral", "neutral"]
    assert compute_map_control(mesh, away, visibility=Wall(), fov=360)["control"][:2] == ["ct", "ct"]
    near = compute_map_control(mesh, away, visibility=Wall(), method="raycast", max_distance=50)
    assert near["control"] == ["neutral", "ct", "neutral", "neutral", "neutral"]
    first = compute_map_control(mesh, players, method="reachability", contest_margin=1)
    assert first["control"] == ["ct", "ct", "contested", "t", "t"] and first["net_control"] == 0.0
    fire = compute_map_control(mesh, players, method="reachability", fires=[(350, 50, 0, 10)])
    assert fire["control"] == ["ct", "ct", "neutral", "t", "t"]
    assert "control" not in compute_map_control(mesh, [], method="reachability", detail=False)
    with pytest.raises(ValueError, match="requires a VisibilityChecker"):
        compute_map_control(mesh, players)


def test_meshes_of_awpy_2_read_as_they_did(row, tmp_path):
    pytest.importorskip("networkx")
    nav = Nav.from_path(row)
    assert list(nav.areas) == [1, 2, 3, 4, 5] and isinstance(nav.areas[1], NavArea)
    assert nav.areas[2].centroid.x == 250.0 and nav.areas[2].size == 10000.0 and nav.areas[2].connected_areas == {1, 3}
    assert [area.area_id for area in nav.find_path(1, 4, weight="dist")] == [1, 2, 3, 4]
    nav.to_json(tmp_path / "row.json")
    again = Nav.from_json(tmp_path / "row.json")
    assert again.to_dict() == nav.to_dict() and repr(again) == "Nav(version=35.1, areas=5)"


AREA = {"area_id": 1, "dynamic_attribute_flags": 0, "corners": [{"x": 0, "y": 0.5, "z": -1e9}], "connections": [2]}


def changed(*path, to):
    mesh = {"version": 35, "areas": {"1": json.loads(json.dumps(AREA))}}
    at = mesh
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = to
    return json.dumps(mesh)


WRONG = [
    ("[" * 1_000_000, "nested too deep"),
    ('{"areas":' * 100_000, "nested too deep"),
    ("", "Expecting value: line 1 column 1 (char 0)"),
    (b'{"version": 1\xff', "byte 0xd is not UTF-8"),
    ("[]", "expected an object, found a list"),
    ("{}", "has no areas"),
    ('{"version": 1, "version": 2, "areas": {}}', "'version' stands there twice"),
    ('{"areas": {"1": %s, "01": %s}}' % ((json.dumps(AREA),) * 2), "the area 1 stands there twice"),
    ('{"areas": {"%s": {}}}' % ("9" * 5000), "the area '" + "9" * 60 + "...' has no id"),
    (changed("areas", to=[]), "areas: expected an object, found a list"),
    (changed("version", to="35"), "version: expected a whole number, found a string"),
    (changed("hulls", to=1), "'hulls' is not known"),
    (changed("areas", "1", to=None), "area 1: expected an object, found null"),
    (changed("areas", "1", "hull_index", to=True), "area 1: hull_index: expected a whole number, found true or false"),
    (changed("areas", "1", "connections", to={}), "area 1: connections: expected a list, found an object"),
    (changed("areas", "1", "connections", to=[2, None]), "area 1: connections[1]: expected a whole number, found null"),
    (changed("areas", "1", "corners", 0, "x", to="7"), "area 1: corners[0]: x: expected a number, found a string"),
    (changed("areas", "1", "corners", 0, "x", to=10**400), "area 1: corners[0]: x: a number beyond all floats"),
    (changed("areas", "1", "corners", 0, to={"x": 1, "y": 2}), "area 1: corners[0]: has no z"),
]


@pytest.mark.parametrize("text, why", WRONG, ids=range(len(WRONG)))
def test_a_json_that_is_none_is_refused_with_file_and_area(tmp_path, text, why):
    path = tmp_path / "a.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError) as refused:
        Nav.from_json(path)
    assert str(refused.value) == f"{path}: {why}"


def test_a_json_is_written_wholly_or_not_at_all(tmp_path, monkeypatch):
    path, link = tmp_path / "a.json", tmp_path / "link.json"
    Nav(version=1).to_json(path)
    path.chmod(0o640)
    link.symlink_to(path)
    Nav(version=2).to_json(link)
    assert link.is_symlink() and Nav.from_json(path).version == 2 and path.stat().st_mode & 0o777 == 0o640

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        Nav(version=3).to_json(path)
    assert Nav.from_json(path).version == 2 and sorted(os.listdir(tmp_path)) == ["a.json", "link.json"]


@needs_corpus
def test_a_real_mesh_answers_as_awpy_does():
    awpy = pytest.importorskip("awpy")
    path = real_corpus() / "source/cs2-v35/de_mirage.nav"
    if not path.exists():
        pytest.skip("no mesh of Counter-Strike 2")
    ours, theirs = NavMesh(path), awpy.NavMesh(path)
    assert ours.areas.equals(theirs.areas)
    ids = theirs.areas["area_id"].to_list()
    assert [ours.area(id) for id in ids] == [theirs.area(id) for id in ids]
    assert sum(ours.neighbors(id) != theirs.neighbors(id) for id in ids) <= OTHER_NEIGHBORS
    rng = random.Random(7)
    for id in ids:
        x, y, z = theirs.area(id)["centroid"]
        for point in ((x, y, z), (x, y, z - 5), (x + rng.uniform(-40, 40), y + rng.uniform(-40, 40), z + rng.uniform(-90, 90))):
            assert ours.find_area(point) == theirs.find_area(point), point
    for weight in ("distance", "hops", "size"):
        pairs = [(rng.choice(ids), rng.choice(ids)) for _ in range(300)]
        lengths = {}
        other = 0
        for a, b in pairs:
            way, known = ours.find_path(a, b, weight=weight), theirs.find_path(a, b, weight=weight)
            if weight == "distance":
                other += way != known
            elif weight == "hops":
                # Of two ways of the same length either is right. A ladder is a way that awpy does not know.
                assert len(way) <= len(known) or not known
        assert other <= OTHER_PATHS, other


def tests_of_awpy():
    """The folder of awpy's own tests: `NAVMAP_AWPY` names it."""
    folder = os.environ.get("NAVMAP_AWPY")
    return pathlib.Path(folder) if folder else None


@pytest.mark.skipif(tests_of_awpy() is None, reason="no tests of awpy: set NAVMAP_AWPY to crates/awpy-python/tests of its sources")
def test_awpys_own_tests_run_with_one_line_changed(tmp_path):
    pytest.importorskip("awpy")
    for name in ("test_nav.py", "test_map_control.py", "test_plot.py", "conftest.py", "spatial_fixtures.py", "fixture_store.py"):
        text = (tests_of_awpy() / name).read_text()
        if name == "test_nav.py":
            assert text.count("from awpy import NavMesh, data\n") == 1
            text = text.replace("from awpy import NavMesh, data\n", "from navmap.awpy import NavMesh, data\n")
        if name == "test_map_control.py":
            first = "from awpy import NavMesh, VisibilityChecker\n"
            assert text.count(first) == 1
            text = text.replace(first, "import navmap.awpy; navmap.awpy.install(); from awpy import NavMesh, VisibilityChecker\n")
        (tmp_path / name).write_text(text)
    names = ["test_nav.py", "test_map_control.py"]
    try:
        import matplotlib  # noqa: F401

        # Here awpy's own stand-in takes the place of a mesh; ours must not be in its way.
        names.append("test_plot.py")
    except ImportError:
        pass
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *names], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "passed" in done.stdout and "failed" not in done.stdout


def test_plot_nav_of_awpy_draws_this_mesh(row, tmp_path, monkeypatch):
    awpy, matplotlib = pytest.importorskip("awpy"), pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from awpy import plot

    import navmap.awpy

    before = (awpy.NavMesh, awpy._awpy.NavMesh, awpy.map_control.NavMesh)
    controls = (awpy._awpy.compute_map_control, awpy.map_control.compute_map_control)
    navmap.awpy.install()
    try:
        assert awpy.NavMesh is NavMesh and awpy.map_control.compute_map_control is compute_map_control
        monkeypatch.setattr(awpy.data, "nav_path", lambda name, version=None: row)
        monkeypatch.setattr(plot, "radar", lambda *a, ax=None, **k: matplotlib.pyplot.subplots())
        for name in ("is_lower_level", "has_lower_level"):
            monkeypatch.setattr(plot, name, lambda *a, **k: False)
        monkeypatch.setattr(plot, "world_to_pixel", lambda name, point, version=None: point)
        _, ax = plot.nav("de_row", highlight=NavMesh("de_row").find_path(1, 3))
        assert len(ax.patches) == 5 and "3 highlighted" in ax.texts[0].get_text()
    finally:
        awpy.NavMesh, awpy._awpy.NavMesh, awpy.map_control.NavMesh = before
        awpy._awpy.compute_map_control, awpy.map_control.compute_map_control = controls


def test_names_that_are_not_here_are_awpys():
    import navmap.awpy

    if "awpy" in sys.modules or __import__("importlib.util").util.find_spec("awpy"):
        import awpy

        assert navmap.awpy.VisibilityChecker is awpy.VisibilityChecker
    else:
        with pytest.raises(AttributeError, match="awpy is not installed"):
            navmap.awpy.VisibilityChecker
    with pytest.raises(AttributeError):
        navmap.awpy.nothing_of_the_kind
