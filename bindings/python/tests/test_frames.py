"""Frames in, frames of the same kind out; what notebooks show; meshes as graphs of other libraries."""

import io
import math
import mmap
import warnings

import navmap
import numpy
import pytest
from conftest import ROOT

ADDED = ["area", "place", "height", "distance", "levels"]


@pytest.fixture(scope="module")
def town():
    nav = navmap.open(ROOT / "corpus/source/town.nav")
    return nav, nav.index()


@pytest.fixture(scope="module")
def points(town):
    nav, _ = town
    rng = numpy.random.default_rng(3)
    centers = numpy.array([area.center for area in nav.areas], dtype="f4")
    near = centers[rng.integers(0, len(centers), 400)] + rng.uniform(-70, 70, (400, 3)).astype("f4")
    return numpy.vstack([near, [[1e6, 0, 0], [numpy.nan, 0, 0]]]).astype("f4")


def plain(value):
    return None if value is None or value != value else value


def test_what_locate_adds_is_what_single_questions_answer(town, points):
    _, index = town
    rows = index.locate(points.tolist())
    assert [*rows[0]] == ["x", "y", "z", *ADDED] and len(rows) == len(points)
    inside = 0
    for row, point in zip(rows, points.tolist()):
        area, levels = index.find_area(point), index.levels(point)
        assert row["area"] == area and row["levels"] == len(levels)
        if area is None:
            assert row["place"] is None and row["height"] is None
            near = index.nearest(point)
            assert row["distance"] == (near.distance if near else math.inf)
            continue
        inside += 1
        assert row["place"] == index.place(area)
        assert math.isclose(row["height"], point[2] - dict(levels)[area], abs_tol=1e-3)
        # The floor right below is no nearer than the closest point of the area.
        assert row["distance"] <= abs(row["height"]) + 1e-3
    assert 100 < inside < len(points)


def test_a_view_of_numbers_is_a_frame_of_points(town, points):
    _, index = town
    # A NaN is no number, and so not even equal to itself.
    rows = index.locate(memoryview(points[:-1]))
    assert repr(rows) == repr(index.locate(points[:-1].tolist())) and rows[0]["x"] == float(points[0, 0])


def test_snap_finds_the_floor_that_a_point_lies_under(town):
    nav, index = town
    low = [(x, y, z - 8.0) for x, y, z in (area.center for area in nav.areas)]
    bare = [row["area"] for row in index.locate(low)]
    assert None in bare and [-1 if id is None else id for id in bare] == list(index.find_areas(low))
    rows = index.locate(low, snap=16.0)
    assert all(row["area"] is not None and row["distance"] <= 121.0 for row in rows)
    assert [row["area"] for row in rows] == list(index.find_areas(low, snap=16.0))
    assert [index.find_area(point, snap=16.0) for point in low] == [row["area"] for row in rows]
    under = [row["height"] for row, was in zip(rows, bare) if was is None]
    assert under and all(-16.0 <= height < 0.0 for height in under)
    assert index.find_area((1e6, 0, 0), snap=16.0) is None


def test_levels_are_the_floors_from_above(town, points):
    nav, index = town
    for point in points[:100].tolist():
        levels = index.levels(point)
        heights = [height for _, height in levels]
        assert heights == sorted(heights, reverse=True)
        boxes = [nav.areas.by_id(id).corners for id, _ in levels]
        for corners in boxes:
            assert min(c[0] for c in corners) <= point[0] <= max(c[0] for c in corners)
            assert min(c[1] for c in corners) <= point[1] <= max(c[1] for c in corners)
    assert index.levels((1e6, 0, 0)) == [] == index.levels((math.nan, 0, 0))


def test_a_frame_gives_a_frame_of_its_kind(town, points):
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    _, index = town
    want = [tuple(map(plain, row.values()))[3:] for row in index.locate(points.tolist())]
    named = {"tick": numpy.arange(len(points)), "attacker_x": points[:, 0], "attacker_y": points[:, 1], "attacker_z": points[:, 2]}
    columns = ["attacker_x", "attacker_y", "attacker_z"]

    frame = index.locate(polars.DataFrame(named), columns)
    assert isinstance(frame, polars.DataFrame) and frame.columns == [*named, *ADDED]
    assert [tuple(map(plain, row)) for row in frame.select(ADDED).iter_rows()] == want

    frame = index.locate(pandas.DataFrame(named), columns)
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == [*named, *ADDED]
    assert [plain(v) if v is not pandas.NA else None for v in frame["area"]] == [row[0] for row in want]
    assert frame["levels"].tolist() == [row[4] for row in want]

    class Kills(pandas.DataFrame):
        """A frame of another library that is one of pandas, as those of geopandas are."""

        _constructor = property(lambda self: Kills)

    frame = index.locate(Kills(named), columns)
    assert isinstance(frame, Kills) and frame["levels"].tolist() == [row[4] for row in want]
    rows = index.locate(iter(points.tolist()))
    assert [tuple(map(plain, row.values()))[3:] for row in rows] == want

    table = index.locate(pyarrow.table(named), columns)
    assert isinstance(table, pyarrow.Table) and table.column_names == [*named, *ADDED]
    assert table["area"].to_pylist() == [row[0] for row in want]
    assert index.locate(table, columns).column_names == [*named, *ADDED]

    rows = index.locate(points)
    assert isinstance(rows, numpy.ndarray) and rows.dtype.names == ("x", "y", "z", *ADDED)
    assert rows["area"].tolist() == [-1 if row[0] is None else row[0] for row in want]
    assert numpy.array_equal(rows["x"], points[:, 0], equal_nan=True)

    with pytest.raises(ValueError, match="polars.DataFrame has no column 'x', but tick, attacker_x"):
        index.locate(polars.DataFrame(named))
    with pytest.raises(ValueError, match="a point has three columns"):
        index.locate(polars.DataFrame(named), ["tick"])
    assert index.locate(polars.DataFrame({axis: [] for axis in "xyz"}, schema=dict.fromkeys("xyz", polars.Float32))).height == 0


def test_locate_replaces_no_column_of_the_caller(town, points):
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    _, index = town
    for make in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        frame = make({**dict(zip("xyz", points.T)), "distance": numpy.arange(len(points)), "note": numpy.arange(len(points))})
        with pytest.raises(ValueError, match="has a column distance already: prefix="):
            index.locate(frame)
        done = index.locate(frame, prefix="at_")
        names = list(getattr(done, "column_names", None) or done.columns)
        assert names == ["x", "y", "z", "distance", "note", *(f"at_{name}" for name in ADDED)]
        assert list(map(int, done["distance"].to_numpy())) == list(range(len(points)))
        with pytest.raises(ValueError, match="column height already"):
            index.locate(make({"x": points[:, 0], "y": points[:, 1], "height": points[:, 2]}), ["x", "y", "height"])
    assert index.locate(points, prefix="at_").dtype.names == ("x", "y", "z", *(f"at_{name}" for name in ADDED))
    assert "at_area" in index.locate(points.tolist(), prefix="at_")[0]


def test_a_stream_is_read_and_a_relation_says_what_it_wants(town, points):
    duckdb, pyarrow = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    _, index = town
    table = pyarrow.table(dict(zip("xyz", points.T)))
    located = index.locate(table.to_reader())
    assert located["area"].to_pylist() == index.locate(table)["area"].to_pylist()
    with pytest.raises(TypeError, match="a relation of DuckDB"):
        index.locate(duckdb.sql("SELECT 1.0 AS x, 2.0 AS y, 3.0 AS z"))


def test_where_a_point_is_in_no_area_there_is_no_height(town):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    nav, index = town
    columns = dict(zip("xyz", ([1e6, nav.areas[0].center[0]], [0.0, nav.areas[0].center[1]], [0.0, nav.areas[0].center[2]])))
    for frame in (index.locate(polars.DataFrame(columns)).to_arrow(), index.locate(pyarrow.table(columns))):
        assert [height is None for height in frame["height"].to_pylist()] == [True, False]


def test_what_a_mask_leaves_out_is_nowhere(town):
    nav, index = town
    centers = numpy.array([area.center for area in nav.areas[:3]], dtype="f4")
    masked = numpy.ma.masked_array(centers, mask=[[False] * 3, [False, True, False], [False] * 3])
    assert (numpy.array(index.find_areas(masked)) == -1).tolist() == [False, True, False]
    assert (index.locate(masked)["area"] == -1).tolist() == [False, True, False]


def test_questions_take_the_frames_that_locate_takes(town, points):
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    _, index = town
    # As many rows as columns: columns must not pass for points. Arrow and nullable columns are no arrays of numbers.
    for count, names in ((3, "xyz"), (len(points), ("x", "tick", "y", "z")), (40, ("east", "north", "up"))):
        at = points[:count]
        values = {"tick": ["a"] * count, "x": at[:, 0], "y": at[:, 1], "z": at[:, 2]}
        values |= {"east": at[:, 0], "north": at[:, 1], "up": at[:, 2]}
        table = pyarrow.table({name: values[name] for name in names})
        want, lengths = list(index.find_areas(at)), numpy.array(index.distances(at, at[:1]))
        frames = [table, polars.DataFrame(table), table.to_pandas(), table.to_pandas(types_mapper=pandas.ArrowDtype)]
        for frame in [*frames, table.to_batches()[0], table.to_pandas().convert_dtypes()]:
            assert list(index.find_areas(frame)) == want, type(frame)
            assert numpy.array_equal(index.distances(frame, at[:1]), lengths, equal_nan=True), type(frame)
    assert list(index.find_areas(pandas.DataFrame(points))) == list(index.find_areas(points))
    holes = pyarrow.table({"x": pyarrow.array([None], pyarrow.float32()), "y": [0.0], "z": [0.0]})
    assert list(index.find_areas(holes)) == [-1]
    words = {axis: ["a"] for axis in "xyz"}
    for frame in (pyarrow.table(words), pandas.DataFrame(words)):
        for ask in (index.find_areas, index.locate):
            with pytest.raises(TypeError, match="points are numbers"):
                ask(frame)
    with pytest.raises(ValueError, match="pyarrow.Table has the columns a, b: points are"):
        index.find_areas(pyarrow.table({"a": [1.0], "b": [2.0]}))


def test_distances_are_those_of_ways(town):
    nav, index = town
    rng = numpy.random.default_rng(5)
    centers = numpy.array([area.center for area in nav.areas], dtype="f4")
    start, end = (centers[rng.integers(0, len(centers), 200)] for _ in range(2))
    lengths = list(index.distances(start, end))
    reached = 0
    for a, b, length in zip(start.tolist(), end.tolist(), lengths):
        ids = index.find_area(a), index.find_area(b)
        route = index.find_route(*ids)
        if ids[0] == ids[1]:
            assert math.isclose(length, math.dist(a, b), abs_tol=1e-3)
        elif route is None:
            assert length == math.inf
        else:
            legs = math.dist(a, index.center(ids[0])) + math.dist(b, index.center(ids[1]))
            assert math.isclose(length, route.cost + legs, rel_tol=1e-5)
            reached += 1
    assert reached > 100
    assert list(index.distances(start[:1], end)) == list(index.distances(numpy.repeat(start[:1], 200, axis=0), end))
    assert math.isnan(index.distances([(1e6, 0, 0)], end[:1])[0])
    assert math.isfinite(index.distances(start[:1] - [0, 0, 8], start[:1], snap=20)[0])
    hops = index.distances(start, end, weight="hops")
    assert [h == math.inf for h in hops] == [length == math.inf for length in lengths]
    with pytest.raises(ValueError, match="2 points to start from and 3 to end at"):
        index.distances(start[:2], end[:3])


def test_a_table_is_a_frame_with_plain_text():
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    areas = navmap.scan("corpus/source", glob="*town*").areas.select(["path", "id", "place"])
    frame = areas.to_polars()
    assert frame.schema == {"path": polars.String, "id": polars.UInt32, "place": polars.String}
    assert polars.DataFrame(areas).equals(frame)
    # What a category breaks.
    assert polars.concat([frame, frame.with_columns(place=polars.lit("x"))]).height == 2 * frame.height
    assert frame["path"].str.ends_with("town.nav").all()
    panda = areas.to_pandas()
    assert isinstance(panda, pandas.DataFrame) and len(panda) == frame.height
    assert panda["path"].str.endswith("town.nav").all() and panda["place"].dropna().tolist() == frame["place"].drop_nulls().to_list()


def test_source_and_source_2_are_one_table_of_areas():
    polars = pytest.importorskip("polars")
    scan = navmap.scan("corpus/source")
    areas, meshes = polars.DataFrame(scan.areas), {o.path: o for o in scan}
    counts = dict(areas.group_by("path").len().iter_rows())
    assert counts == {path: o.counts["areas"] for path, o in meshes.items() if o.counts["areas"]}
    second = areas.filter(polars.col("hull").is_not_null())
    own = polars.DataFrame(scan.source2_areas)
    same = ["path", "id", "flags", "center_x", "center_y", "center_z", "surface", "corners", "connections", "byte_offset"]
    assert second.height > 20 and second.select(same).equals(own.select(same))
    assert second["nw_z"].null_count() == second["north"].null_count() == second.height
    assert (second["width"] >= 0).all() and (second["nw_x"] <= second["center_x"]).all()
    first = areas.filter(polars.col("hull").is_null())
    assert (first["connections"] == first.select(polars.sum_horizontal("north", "east", "south", "west")).to_series()).all()


def test_nodes_say_what_they_are_connected_with():
    polars = pytest.importorskip("polars")
    networkx = pytest.importorskip("networkx")
    for path in ("corpus/source/town.nav", "corpus/quake/nav3-v6.nav", "corpus/source/v36-1.nav"):
        nav = navmap.open(path)
        nodes = polars.DataFrame(navmap.scan(path).nodes)
        graph = nav.to_networkx()
        numbers = dict(zip(nodes["id"], nodes["node"]))
        for column, parts in (("island", networkx.weakly_connected_components), ("component", networkx.strongly_connected_components)):
            theirs = {frozenset(numbers[id] for id in part) for part in parts(graph)}
            ours = {frozenset(part["node"]) for _, part in nodes.group_by(column)}
            assert theirs == ours, (path, column)
            sizes = nodes.group_by(column).len().sort(column)["len"].to_list()
            assert sizes == sorted(sizes, reverse=True)
        assert nodes["in_degree"].to_list() == [graph.in_degree(id) for id in nodes["id"]]


def test_a_mesh_is_a_graph_of_networkx(town):
    networkx = pytest.importorskip("networkx")
    nav, index = town
    graph = nav.to_networkx()
    assert set(graph) == {area.id for area in nav.areas}
    assert graph.number_of_edges() == sum(link.target is not None for link in nav.links)
    ids = list(index.ids)
    for start in ids[:5]:
        lengths = networkx.single_source_dijkstra_path_length(graph, start)
        for end, cost in zip(ids, index.distance_map(start)):
            assert math.isclose(lengths.get(end, math.inf), cost, rel_tol=1e-4, abs_tol=1e-3)
    one = nav.areas[0]
    assert graph.nodes[one.id] == {
        "x": one.center[0], "y": one.center[1], "z": one.center[2], "place": one.place, "flags": one.flags, "surface": one.surface,
    }  # fmt: skip


def test_a_mesh_is_a_graph_of_igraph(town):
    pytest.importorskip("igraph")
    nav, index = town
    graph = nav.to_igraph()
    assert graph.vs["name"] == [area.id for area in nav.areas] and graph.is_directed()
    row = graph.distances(0, weights="weight")[0]
    for end, cost in zip(row, index.distance_map(index.ids[0])):
        assert math.isclose(end, cost, rel_tol=1e-4, abs_tol=1e-3)


def test_notebooks_show_meshes_tables_and_scans(tmp_path):
    nav = navmap.open("corpus/source/town.nav")
    shown = nav._repr_html_()
    assert "<svg" in shown and "town.nav" in shown and f"{len(nav.areas):,} areas" in shown
    shown = navmap.scan("corpus/source").areas._repr_html_()
    assert "<td>place</td>" in shown and "text?" in shown
    odd = tmp_path / "<b>.nav"
    odd.write_bytes((ROOT / "corpus/source/town.nav").read_bytes()[:500])
    shown = navmap.scan(tmp_path, progress=False)._repr_html_()
    assert "&lt;b&gt;.nav" in shown and "<b>.nav" not in shown and "error" in shown
    assert "damaged" in navmap.open(odd)._repr_html_()


def test_a_mesh_is_read_from_any_buffer_and_file():
    path = ROOT / "corpus/source/town.nav"
    data = path.read_bytes()
    want = len(navmap.open(path).areas)
    wide = numpy.frombuffer(data + bytes(-len(data) % 4), dtype="u4")
    for buffer in (data, bytearray(data), memoryview(data), numpy.frombuffer(data, dtype="u1")):
        nav = navmap.from_bytes(buffer, name="a.nav")
        assert len(nav.areas) == want and bytes(nav) == data
    assert navmap.from_bytes(wide, lenient=True).size == len(data) + -len(data) % 4
    array = bytearray(data)
    nav = navmap.from_bytes(array)
    array[:4] = b"\0\0\0\0"
    assert bytes(nav) == data, "a buffer that changes is copied"
    with path.open("rb") as file:
        assert navmap.open(file).path == str(path)
        file.seek(0)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert len(navmap.from_bytes(mapped).areas) == want
    assert navmap.open(io.BytesIO(data)).path == "file"
    with pytest.raises(TypeError, match="reading bytes"):
        navmap.open(io.StringIO("x"))
    with pytest.raises(navmap.NavError):
        navmap.open(io.BytesIO(b"no mesh"))
    with pytest.raises(TypeError, match="data is bytes or another buffer, not str"):
        navmap.from_bytes("x")


def test_meshes_editors_and_scans_are_context_managers():
    with navmap.open("corpus/source/town.nav") as nav, nav.editor() as editor:
        editor.run("move 1 0 0")
    with iter(navmap.scan("corpus/source", progress=False)) as outcomes:
        first = next(outcomes)
    assert first.status and list(outcomes) == []
    with pytest.raises(ZeroDivisionError), navmap.open("corpus/source/town.nav"):
        1 / 0


def test_a_table_warns_once_of_damaged_files_and_can_raise(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    town = (ROOT / "corpus/source/town.nav").read_bytes()
    for name, cut in (("a", 2), ("b", 3), ("c", 1)):
        (tmp_path / f"{name}.nav").write_bytes(town[: len(town) // cut])
    scan = navmap.scan(tmp_path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = pyarrow.table(scan.areas).num_rows
        pyarrow.table(scan.files)
    assert [(w.category, str(w.message).split()[0]) for w in caught] == [(navmap.DamagedWarning, "2")] and rows > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error", navmap.DamagedWarning)
        with pytest.raises(Exception, match="2 of the files could not be read"):
            pyarrow.table(scan.areas)
        assert pyarrow.table(navmap.scan(tmp_path / "c.nav").areas).num_rows
