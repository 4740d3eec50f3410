"""The planner and the casts run everywhere. The job on two executors is asked for: NAVMAP_SPARK=1, where PySpark is installed."""

import os
import pathlib
import subprocess
import sys
import zipfile

import navmap
import navmap.spark as source
import pytest
from conftest import ROOT, program


def test_partitions_are_runs_in_order_of_about_the_size_that_was_asked_for():
    meshes = [(f"{n}.nav", f"{n}.nav", 100_000, n) for n in range(100)]
    parts = source.plan(meshes, target=1 << 20, cores=100)
    assert [place for _, places, _ in parts for place in places] == [place for _, place, _, _ in meshes]
    assert [number for _, _, numbers in parts for number in numbers] == list(range(100))
    assert all(1 <= len(places) <= 6 for _, places, _ in parts) and len(parts) == 17


def test_there_are_at_most_four_partitions_a_core():
    meshes = [(f"{n}.nav", f"{n}.nav", 1 << 20, n) for n in range(1000)]
    assert 7 <= len(source.plan(meshes, target=1, cores=2)) <= 8
    assert source.plan([], target=1) == []
    assert len(source.plan([("big", "big", 1 << 40, 0)], target=1)) == 1


def test_an_archive_is_divided_by_member():
    meshes = [("a.vpk", f"a.vpk!{n}.nav", 1 << 20, n) for n in range(10)]
    parts = source.plan(meshes, target=2 << 20, cores=10)
    assert len(parts) == 10 and all(paths == ["a.vpk"] for paths, _, _ in parts)


def test_reading_partition_by_partition_is_reading_at_once(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as out:
        for file in sorted(pathlib.Path("corpus/source").glob("*.nav")):
            out.write(file, f"maps/{file.name}")
    (tmp_path / "z.nav").write_bytes(pathlib.Path("corpus/source/town.nav").read_bytes())
    meshes = [(o.path, o.location, o.bytes, n) for n, o in enumerate(navmap.scan(tmp_path, task="head"))]
    parts = source.plan(meshes, target=80 << 10, cores=100)
    assert len(parts) > 3
    for name in ("areas", "files", "connections"):
        batches = []
        for paths, places, numbers in parts:
            table = navmap.scan(paths, only=places).table(name)
            batches += [source.cast(batch, numbers) for batch in pyarrow.RecordBatchReader.from_stream(table)]
        whole = [source.cast(b, range(len(meshes))) for b in pyarrow.RecordBatchReader.from_stream(navmap.scan(tmp_path).table(name))]
        assert pyarrow.Table.from_batches(batches).equals(pyarrow.Table.from_batches(whole))


def test_batches_are_joined_until_there_are_enough_rows():
    pyarrow = pytest.importorskip("pyarrow")
    table = navmap.scan("corpus/source").areas
    apart = list(pyarrow.RecordBatchReader.from_stream(table))
    whole = pyarrow.Table.from_batches(apart)
    assert len(apart) > 5
    for rows in (1, 100, source.ROWS):
        together = list(source.joined(iter(apart), rows))
        assert pyarrow.Table.from_batches(together).equals(whole)
        assert all(batch.num_rows >= rows for batch in together[:-1])
    assert len(together) == 1 and list(source.joined(iter([]))) == []


def test_what_lies_at_an_address_is_divided_and_read_as_files_are():
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("pyspark")
    memory = fsspec.filesystem("memory")
    memory.put("corpus/quake", "/navmap-spark", recursive=True)
    try:
        options = source._options({"path": "memory://navmap-spark", "table": "files", "columns": "path,file,status", "partitionBytes": "1"})
        reader = source.Reader(options, [])
        parts = reader.partitions()
        rows = [row for part in parts for batch in reader.read(part) for row in batch.to_pylist()]
    finally:
        memory.rm("/navmap-spark", recursive=True)
    here = [(o.path.replace("corpus/quake", "memory://navmap-spark"), n, o.status) for n, o in enumerate(navmap.scan("corpus/quake"))]
    assert len(parts) > 1 and [(row["path"], row["file"], row["status"]) for row in rows] == here != []


def test_spark_tells_a_source_in_python_no_columns():
    datasource = pytest.importorskip("pyspark.sql.datasource")
    told = {name for name in dir(datasource.DataSourceReader) if not name.startswith("_")}
    assert told <= {"partitions", "pushFilters", "read"}, "there is more to implement now"


def test_every_table_has_types_that_spark_knows():
    pyarrow = pytest.importorskip("pyarrow")
    for name in navmap.scan("corpus/quake").tables:
        for field in pyarrow.schema(navmap.scan("corpus/quake").table(name)):
            kind = source.signed(field.type)
            assert not pyarrow.types.is_unsigned_integer(kind) and not pyarrow.types.is_dictionary(kind)


def test_the_options_are_read_as_they_are_said():
    said = source._options({"Path": "a, b", "columns": "id ,path", "partitionBytes": "7"})
    assert said == {"paths": ["a", "b"], "table": "files", "columns": ["id", "path"], "glob": None, "target": 7}
    with pytest.raises(ValueError, match="which meshes"):
        source._options({})
    with pytest.raises(ValueError, match="no option 'colums': the options are path, table"):
        source._options({"path": "a", "colums": "id"})


def kind(name, **more):
    from types import SimpleNamespace

    return type(name, (SimpleNamespace,), {})(**more)


@pytest.mark.parametrize(("name", "value", "kept"), [
    ("EqualTo", "maps/a.nav", ["maps/a.nav"]), ("In", ("maps/a.nav", "b.vpk"), ["maps/a.nav", "b.vpk"]),
    ("StringStartsWith", "maps/", ["maps/a.nav", "maps/c.nav2"]), ("StringEndsWith", ".nav", ["maps/a.nav"]),
    ("StringContains", "c.", ["maps/c.nav2"]), ("GreaterThan", "z", ["maps/a.nav", "b.vpk", "maps/c.nav2"]),
])  # fmt: skip
def test_conditions_on_a_path_leave_meshes_out(name, value, kept):
    fits = source.condition([kind(name, attribute=("path",), value=value), kind("EqualTo", attribute=("id",), value=3)])
    assert [path for path in ("maps/a.nav", "b.vpk", "maps/c.nav2") if fits(path, None)] == kept


def test_meshes_that_are_left_out_keep_their_numbers():
    pyarrow = pytest.importorskip("pyarrow")
    files = sorted(str(file) for file in pathlib.Path("corpus/source").glob("*.nav"))
    listed = list(enumerate(navmap.scan(files, task="head")))
    fits = source.condition([kind("StringEndsWith", attribute=("path",), value="/v9.nav")])
    chosen = [(o.path, o.location, o.bytes, number) for number, o in listed if fits(o.path, o.family)]
    ((paths, places, numbers),) = source.plan(chosen)
    assert len(paths) == 1 and numbers[0] > 0
    table = navmap.scan(paths, only=places).table("areas")
    rows = [source.cast(batch, numbers) for batch in pyarrow.RecordBatchReader.from_stream(table)]
    whole = pyarrow.RecordBatchReader.from_stream(navmap.scan(files).table("areas"))
    whole = [row for batch in whole for row in source.cast(batch, range(len(listed))).to_pylist()]
    assert [row for batch in rows for row in batch.to_pylist()] == [row for row in whole if row["path"] == paths[0]] != []


def test_an_error_of_a_worker_is_one_line():
    with pytest.raises(OSError) as raised:
        navmap.open("corpus/source/nothing.nav")
    said = source.one_line(raised.value)
    assert said.startswith("corpus/source/nothing.nav: ") and "\n" not in said
    cut = pathlib.Path("corpus/source/town.nav").read_bytes()[:900]
    with pytest.raises(navmap.NavError) as raised:
        list(navmap.from_bytes(cut, name="cut.nav").areas)
    said, error = source.one_line(raised.value), raised.value
    assert "\n" not in said and "cut.nav" in said and f"byte {error.byte:#x}" in said and error.record in said


def test_another_python_of_the_workers_is_told():
    assert source.workers_python({"PYSPARK_PYTHON": "x"}, None, None) is None
    assert source.workers_python({}, "x", "/usr/bin/other") is None
    assert source.workers_python({}, None, sys.executable) is None
    assert "PYSPARK_PYTHON is not set" in source.workers_python({}, None, "/usr/bin/other")
    assert "no python3 here" in source.workers_python({}, None, None)


def test_filters_of_spark_reach_the_reader():
    datasource = pytest.importorskip("pyspark.sql.datasource")
    if not hasattr(datasource, "EqualTo"):
        pytest.skip("PySpark before 4.1 hands over no filters")
    reader = source.FilteringReader(source._options({"path": "corpus/source,corpus/quake", "table": "files"}), [])
    every = [place for part in reader.partitions() for place in part.places]
    filters = [datasource.EqualTo(("family",), "quake"), datasource.StringEndsWith(("path",), ".nav")]
    assert list(reader.pushFilters(filters)) == filters
    chosen = [place for part in reader.partitions() for place in part.places]
    assert 0 < len(chosen) < len(every) and all("quake" in place and place.endswith(".nav") for place in chosen)


# The session on two executors, and a reader of tables.
SESSION = r"""
import json, os, sys
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["PYSPARK_PYTHON"] = sys.executable
import pyspark
os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
from pyspark.sql import SparkSession
import navmap.spark
spark = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("navmap")
    .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.ui.enabled", "false").config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    .config("spark.driver.memory", "512m").getOrCreate())
navmap.spark.register(spark)
paths = sys.argv[1]
read = lambda table, columns: (spark.read.format("navmap").option("table", table).option("columns", columns)
    .option("partitionBytes", str(96 << 10)).load(paths))
"""

JOB = SESSION + r"""
areas = read("areas", "path,file,id,flags,place")
areas.createOrReplaceTempView("areas")
read("connections", "file,src_id,dst_id").createOrReplaceTempView("connections")
out = {}
for name, statement in json.loads(sys.argv[2]).items():
    out[name] = sorted(json.dumps(list(row)) for row in spark.sql(statement).collect())
from pyspark import TaskContext
def where(batches):
    for batch in batches:
        import os, pyarrow as pa
        yield pa.RecordBatch.from_arrays([pa.array([os.getppid()])], names=["parent"])
parents = areas.mapInArrow(where, "parent long").distinct().collect()
out["executors"] = len(parents)
out["partitions"] = areas.rdd.getNumPartitions()
print("RESULT" + json.dumps(out))
spark.stop()
"""

STATEMENTS = {
    "by file": "SELECT path, file, count(*), sum(id), sum(flags) FROM areas GROUP BY path, file",
    "by place": "SELECT place, count(*) FROM areas GROUP BY place",
    "joined": "SELECT a.file, count(*), sum(a.id) FROM areas a JOIN connections c ON a.file = c.file AND a.id = c.src_id GROUP BY a.file",
}


# Each first batch of a partition leaves a line: the partition, the executor. The last executor to do so is killed once there are three, and
# the memory of each process of the driver is watched: of itself, of its JVM and of what that starts to plan, but not of executors.
MANY = SESSION + r"""
import pathlib, signal, threading, time
from pyspark import TaskContext
log = pathlib.Path(sys.argv[2])
log.touch()

def parent(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

def watched(batches):
    import os, pathlib
    from pyspark import TaskContext
    executor = int(pathlib.Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])
    for number, batch in enumerate(batches):
        if number == 0:
            with log.open("a") as out:
                out.write(f"{TaskContext.get().partitionId()} {executor}\n")
        yield batch

def kill():
    while True:
        lines = log.read_text().splitlines()
        if len(lines) >= 3:
            os.kill(int(lines[-1].split()[1]), signal.SIGKILL)
            return
        time.sleep(0.02)

def children():
    below = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            pid = int(stat.parent.name)
            below.setdefault(parent(pid), []).append(pid)
        except (OSError, IndexError):
            pass
    return below

def resident(pid, below):
    try:
        if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
            return 0
        own = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
    return max([own, *(resident(child, below) for child in below.get(pid, ()))])

peak = 0
def watch():
    global peak
    while True:
        peak = max(peak, resident(os.getpid(), children()))
        time.sleep(0.2)

for work in (kill, watch):
    threading.Thread(target=work, daemon=True).start()
areas = read("areas", "path,file,id,place")
seen = areas.mapInArrow(watched, areas.schema)
rows = seen.groupBy("place").agg({"id": "sum", "path": "count", "file": "sum"}).collect()
out = {"rows": sorted([row["place"] or "", row["count(path)"], row["sum(id)"], row["sum(file)"]] for row in rows)}
out["status"] = sorted([row["status"], row["count"]] for row in read("files", "status").groupBy("status").count().collect())
out["log"] = [line.split() for line in log.read_text().splitlines()]
out["peak"] = peak
print("RESULT" + json.dumps(out))
spark.stop()
"""


@pytest.mark.skipif(not os.environ.get("NAVMAP_SPARK"), reason="a job on two executors is asked for: NAVMAP_SPARK=1")
def test_a_hundred_thousand_meshes_outlive_an_executor(tmp_path):
    import json

    pytest.importorskip("pyspark")
    built, maps = program(), tmp_path / "maps"
    assert built, "the program with SQL is needed: cargo build -p navmap-cli --features sql, or NAVMAP_PROGRAM"
    originals = [(ROOT / f"corpus/source/{name}.nav").resolve() for name in ("v9", "v16", "v31")]
    cut = tmp_path / "cut.nav"
    cut.write_bytes(originals[0].read_bytes()[:-40])
    # Names by the hundred thousand; the bytes lie there three times.
    copies = []
    for number, file in enumerate([*originals, cut]):
        copies.append(tmp_path / f"original-{number}")
        copies[-1].write_bytes(file.read_bytes())
    for number in range(100_000):
        folder = maps / f"{number // 1000:03}"
        if number % 1000 == 0:
            folder.mkdir(parents=True)
        os.link(copies[3 if number == 50_000 else number % 3], folder / f"{number:06}.nav")
    done = subprocess.run([sys.executable, "-c", MANY, str(maps), str(tmp_path / "log")], capture_output=True, text=True, timeout=900)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    assert lines, done.stdout[-2000:] + done.stderr[-8000:]
    out = json.loads(lines[0].removeprefix("RESULT"))
    print({"peak": out["peak"], "partitions read": len(out["log"])})

    def told(statement):
        sql = subprocess.run([built, "sql", statement, str(maps), "--format", "jsonl"], capture_output=True, text=True)
        assert sql.returncode == 1, "a file is damaged"
        return sorted(list(json.loads(line).values()) for line in sql.stdout.splitlines())

    assert out["rows"] == told("SELECT coalesce(place, ''), count(*), sum(id), sum(file) FROM areas GROUP BY place")
    assert out["status"] == told("SELECT status, count(*) FROM files GROUP BY status")
    assert dict(out["status"])["error"] == 1 and sum(count for _, count in out["status"]) == 100_000
    # What the killed executor had read was read again by another.
    by = {}
    for partition, executor in out["log"]:
        by.setdefault(partition, set()).add(executor)
    assert len({executor for of in by.values() for executor in of}) >= 3 and any(len(of) > 1 for of in by.values()), by
    assert out["peak"] < 1 << 30, out["peak"]


@pytest.mark.skipif(not os.environ.get("NAVMAP_SPARK"), reason="a job on two executors is asked for: NAVMAP_SPARK=1")
def test_two_executors_give_what_navmap_sql_gives(tmp_path):
    import json

    pytest.importorskip("pyspark")
    built = program()
    assert built, "the program with SQL is needed: cargo build -p navmap-cli --features sql, or NAVMAP_PROGRAM"
    for copy in range(6):
        for file in sorted((ROOT / "corpus/source").glob("*.nav")):
            (tmp_path / f"{file.stem}_{copy}.nav").write_bytes(file.read_bytes())
    done = subprocess.run([sys.executable, "-c", JOB, str(tmp_path), json.dumps(STATEMENTS)], capture_output=True, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    assert lines, done.stdout[-2000:] + done.stderr[:8000]
    out = json.loads(lines[0].removeprefix("RESULT"))
    assert out["executors"] == 2 and out["partitions"] >= 2
    for name, statement in STATEMENTS.items():
        sql = subprocess.run([built, "sql", statement, str(tmp_path), "--format", "jsonl"], capture_output=True, text=True, check=True)
        theirs = sorted(json.dumps(list(json.loads(line).values())) for line in sql.stdout.splitlines())
        assert theirs == out[name] and theirs, name
