"""Shapes of nodes, areas and polygons, as geopandas takes them: no degrees, no warning, every corner."""

import subprocess
import warnings

import navmap
import pytest
from conftest import FAMILIES, program

geopandas = pytest.importorskip("geopandas")
polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
ALL = [f"corpus/{family}" for family in FAMILIES]


@pytest.fixture(autouse=True)
def _no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of the bundled meshes some are damaged.
        warnings.simplefilter("ignore", navmap.DamagedWarning)
        yield


def test_a_table_is_a_frame_of_geopandas():
    areas = navmap.scan("corpus/source").areas.select(["id", "nw_z", "surface", "center_x", "center_y", "geometry"])
    frame = geopandas.GeoDataFrame.from_arrow(pyarrow.table(areas))
    assert frame.crs is None and len(frame) > 100 and frame.geometry.dropna().has_z.all()
    # A broken area has no surface.
    whole = frame[(frame.surface > 0) & frame.geometry.notna()].reset_index(drop=True)
    assert len(whole) > 100 and (whole.geometry.area - whole.surface).abs().max() < 1e-3 * whole.surface.max()
    # What happened at a place is in the area that is there.
    events = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy(whole.center_x, whole.center_y))
    found = geopandas.sjoin(events, whole, predicate="intersects")
    assert set(found[found.index == found.index_right].index) == set(whole.index)


def test_every_family_has_shapes_and_a_mesh_with_y_up_lies_flat():
    for family in FAMILIES:
        nodes = pyarrow.table(navmap.scan(f"corpus/{family}").nodes.select(["corners", "surface", "geometry"]))
        frame = geopandas.GeoDataFrame.from_arrow(nodes)
        assert len(frame) > 0 and frame.geometry.notna().sum() > 0.9 * len(frame), family
        frame = frame[frame.geometry.notna()]
        polygons = frame[frame.corners.notna()]
        assert set(polygons.geom_type) <= {"Polygon"}, family
        assert set(frame[frame.corners.isna()].geom_type) <= {"Point"}, family
        # Seen from the side, a floor would be a line.
        assert polygons.empty or polygons.area.sum() > 0.5 * polygons.surface.sum() > 0, family
    fox = geopandas.GeoDataFrame.from_arrow(pyarrow.table(navmap.scan("corpus/fox").nodes.select(["x", "y", "z", "geometry"])))
    low, high = fox.geometry.bounds, fox[["x", "z"]]
    assert ((low.minx <= high.x) & (high.x <= low.maxx) & (low.miny <= -high.z) & (-high.z <= low.maxy)).all()


def test_what_is_not_asked_for_is_not_there():
    table = navmap.scan("corpus/source").areas
    assert "geometry" in table.columns
    assert "geometry" not in pyarrow.table(table.select(["id", "path"])).column_names
    frame = table.to_polars()
    assert polars.concat([frame, frame]).height == 2 * frame.height


def test_a_parquet_file_is_one_of_geoparquet(tmp_path):
    navmap_program = program()
    if navmap_program is None:
        pytest.skip("the program is not built")
    out = tmp_path / "out"
    done = subprocess.run(
        [navmap_program, "tables", *ALL, "-o", out, "--format", "parquet", "--tables", "nodes,areas,detour_polygons"],
        capture_output=True, text=True,
    )  # fmt: skip
    if "is not built into this navmap" in done.stderr:
        pytest.skip("the program is built without Parquet")
    for name in ("nodes", "source_areas", "detour_polygons"):
        frame = geopandas.read_parquet(out / f"{name}.parquet")
        assert frame.crs is None and frame.geometry.notna().any() and frame.geometry.dropna().has_z.all(), name
        one = geopandas.read_parquet(out / f"{name}.parquet", columns=["path", "geometry"])
        assert list(one.columns) == ["path", "geometry"] and len(one) == len(frame)
