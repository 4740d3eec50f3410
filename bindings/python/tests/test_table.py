import pickle
import subprocess
import threading
import warnings

import navmap
import pytest
from conftest import FAMILIES, ROOT, program

pyarrow = pytest.importorskip("pyarrow")
polars = pytest.importorskip("polars")
ALL = [f"corpus/{family}" for family in FAMILIES]


def test_a_table_is_read_by_four_libraries_alike():
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    areas = navmap.scan("corpus/source").areas
    arrow = pyarrow.table(areas)
    want = sum(len(navmap.open(o.location).areas) for o in navmap.scan("corpus/source"))
    assert arrow.num_rows == want > 100
    frame = polars.DataFrame(areas)
    assert frame.height == want and frame["id"].sum() == sum(arrow["id"].to_pylist())
    assert duckdb.sql("SELECT count(*), sum(id) FROM areas").fetchall() == [(want, frame["id"].sum())]
    panda = pandas.DataFrame.from_arrow(areas) if hasattr(pandas.DataFrame, "from_arrow") else arrow.to_pandas()
    assert len(panda) == want and panda["id"].sum() == frame["id"].sum()


@pytest.mark.parametrize("name", navmap.scan(str(ROOT / "corpus/quake")).tables)
def test_every_table_has_the_columns_that_it_says_and_fits_the_arrow_schema(name):
    table = navmap.scan(ALL).table(name)
    arrow = pyarrow.table(table)
    assert arrow.schema.names == table.columns == [column["name"] for column in table.schema]
    assert pyarrow.schema(table).names == table.columns
    arrow.validate(full=True)
    assert table.description
    if name != "flag_names":
        assert len(table.columns) > 3


def test_a_selection_is_those_columns_in_that_order():
    table = navmap.scan(ALL).areas
    whole = polars.DataFrame(table)
    part = polars.DataFrame(table.select(["flags", "path", "id"]))
    assert part.columns == ["flags", "path", "id"] and part.equals(whole.select("flags", "path", "id"))
    assert polars.DataFrame(table.select(["path"])).height == whole.height


def test_a_table_reads_anew_each_time(tmp_path):
    town = (ROOT / "corpus/source/town.nav").read_bytes()
    (tmp_path / "a.nav").write_bytes(town)
    files = navmap.scan(tmp_path).files
    assert pyarrow.table(files).num_rows == 1
    (tmp_path / "b.nav").write_bytes(town)
    assert pyarrow.table(files).num_rows == 2
    assert pyarrow.table(files.glob("*b.nav"))["map"].to_pylist() == ["b"]


def test_damaged_meshes_give_the_rows_before_the_damage(tmp_path):
    town = (ROOT / "corpus/source/town.nav").read_bytes()
    (tmp_path / "cut.nav").write_bytes(town[: len(town) // 2])
    scan = navmap.scan(tmp_path)
    files = polars.DataFrame(scan.files)
    assert files["status"].to_list() == ["error"] and files["error_offset"][0] is not None
    assert 0 < polars.DataFrame(scan.areas).height < len(navmap.open(ROOT / "corpus/source/town.nav").areas)

    # polars lets go of the interpreter before it reads, and is called by us here.
    with pytest.warns(navmap.DamagedWarning, match="^1 of the files"):
        assert scan.areas.to_polars().height > 0


def test_damage_is_told_on_whatever_thread_rows_are_read(tmp_path):
    whole = (ROOT / "corpus/source/town.nav").read_bytes()
    (tmp_path / "cut.nav").write_bytes(whole[: len(whole) // 2])
    areas = navmap.scan(tmp_path).areas
    done = []

    def read(reader):
        try:
            done.append(reader.read_all().num_rows)
        except Exception as error:  # noqa: BLE001 - of whatever kind pyarrow makes it
            done.append(error)

    def elsewhere():
        thread = threading.Thread(target=read, args=(pyarrow.RecordBatchReader.from_stream(areas),))
        thread.start()
        thread.join()
        return done.pop()

    with pytest.warns(navmap.DamagedWarning, match="^1 of the files"):
        assert elsewhere() > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error", navmap.DamagedWarning)
        assert "1 of the files" in str(elsewhere())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert elsewhere() > 0


def test_a_glob_narrows_what_the_scan_and_earlier_globs_leave():
    scan = navmap.scan("corpus/source", glob="*town*")
    assert {path.rpartition("/")[2] for path in scan.files.glob("*.nav").to_polars()["path"]} == {"town.nav"}
    assert scan.files.glob("*v9*").to_polars().height == 0
    narrow = navmap.scan("corpus/source").files.glob("*v1*").glob("*6*")
    paths = narrow.to_polars()["path"].to_list()
    assert paths and all("v1" in path and "6" in path for path in paths)
    assert pickle.loads(pickle.dumps(narrow)).to_polars()["path"].to_list() == paths


def test_rows_are_those_of_the_objects():
    for outcome in navmap.scan("corpus/quake"):
        nav = navmap.open(outcome.location)
        nodes = polars.DataFrame(navmap.scan(outcome.path).nodes)
        assert nodes["id"].to_list() == [area.id for area in nav.areas]
        links = polars.DataFrame(navmap.scan(outcome.path).links)
        assert links.height == len(nav.links)


def test_tables_are_attributes_and_unknown_ones_are_errors():
    scan = navmap.scan("corpus/quake")
    assert scan.quake_links.name == "quake_links" and "areas" in dir(scan) and "source_areas" in dir(scan)
    with pytest.raises(AttributeError, match="quake_links"):
        scan.quake_linsk
    with pytest.raises(ValueError, match="has no column 'tarjet'"):
        scan.quake_links.select(["tarjet"])
    with pytest.raises(ValueError, match="twice"):
        scan.quake_links.select(["path", "path"])
    with pytest.raises(ValueError, match="at least one"):
        scan.quake_links.select([])
    with pytest.raises(TypeError, match="list of names"):
        scan.quake_links.select("path")
    with pytest.raises(TypeError):
        scan.quake_links.select([3])


def test_a_wrong_path_is_an_error_and_not_an_empty_table():
    with pytest.raises(FileNotFoundError) as raised:
        pyarrow.table(navmap.scan("corpus/sorce").areas)
    assert raised.value.path == "corpus/sorce"


def test_a_stream_that_is_not_read_ends():
    stream = navmap.scan(ALL).links.__arrow_c_stream__()
    del stream
    reader = pyarrow.RecordBatchReader.from_stream(navmap.scan(ALL).links)
    reader.read_next_batch()
    reader.close()


def test_a_table_pickles():
    table = navmap.scan("corpus/source", glob="*town*").areas.select(["id", "path"])
    again = pickle.loads(pickle.dumps(table))
    assert repr(again) == repr(table) and pyarrow.table(again).equals(pyarrow.table(table))


def test_tables_are_what_the_command_line_writes(tmp_path):
    navmap_program = program()
    if navmap_program is None:
        pytest.skip("the program is not built")
    out = tmp_path / "out"
    subprocess.run(
        [navmap_program, "tables", "corpus/source", "corpus/quake", "-o", out, "--format", "jsonl", "--tables", "source_areas,quake_links"],
        check=True, capture_output=True,
    )  # fmt: skip
    for name in ("source_areas", "quake_links"):
        theirs = polars.read_ndjson(out / f"{name}.jsonl", infer_schema_length=None)
        ours = polars.DataFrame(navmap.scan(["corpus/source", "corpus/quake"]).table(name))
        assert theirs.height == ours.height > 0
        for column in ("path", "file", *[c for c in ours.columns if ours[c].dtype.is_integer()]):
            assert theirs[column].to_list() == ours[column].to_list(), (name, column)
