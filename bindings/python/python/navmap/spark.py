"""Meshes as a Spark data source, for folders that one machine does not get through.

    spark.dataSource.register(navmap.spark.MeshSource)
    areas = spark.read.format("navmap").option("table", "areas").load("/shared/maps")

Options: `path` (or what `load` is given; several with commas between them), `table`, `columns` (with commas), `glob`, and
`partitionBytes` (128 MB), which is raised so that there are at most four partitions for each core.

The paths must exist on every worker, or be addresses that fsspec reads there (`s3://bucket/maps`). The driver lists the meshes by their
first pages; each partition is a run of meshes in path order, of which one archive may be divided over several. Spark has no
unsigned numbers and no dictionaries here: they come as wider signed numbers and as text.

Only the columns in `columns`, or those of a `.schema(...)`, are read. Of a data source in Python the Spark that plans a query, to 4.3,
asks what filters it takes and never what columns: its builder of scans is no `SupportsPushDownRequiredColumns`, and the reader gets the
schema of the whole table. With `navmap.spark.register(spark)` of PySpark 4.1 conditions on `path` and `family` (`=`, `IN`, `LIKE 'a%'`,
`'%a'` and `'%a%'`) leave meshes out before they are read. On one machine, `navmap tables --format parquet` is quicker than any of this.
"""

import functools
import os
import shutil
import sys
import warnings

import navmap

# A file costs something to open, however small it is.
CHARGE = 64 << 10
TARGET = 128 << 20
PARTITIONS_A_CORE = 4
# Rows that go to Spark at once: a batch costs it something, however few rows it has, and a mesh has few.
ROWS = 64 << 10


def plan(meshes, target=TARGET, cores=1):
    """Divides (path, place, bytes, number), in order, into partitions: (paths, places, numbers of the meshes).

    >>> plan([("a.nav", "a.nav", 10, 0), ("m.vpk", "m.vpk!x", 10, 1), ("m.vpk", "m.vpk!y", 10, 2)], target=(64 << 10) + 10)
    [(['a.nav'], ['a.nav'], [0]), (['m.vpk'], ['m.vpk!x'], [1]), (['m.vpk'], ['m.vpk!y'], [2])]
    """
    meshes = list(meshes)
    whole = sum(size + CHARGE for _, _, size, _ in meshes)
    target = max(target, -(-whole // (PARTITIONS_A_CORE * max(cores, 1))))
    parts, paths, places, numbers, held = [], [], [], [], 0
    for path, place, size, number in meshes:
        if places and held + size + CHARGE > target:
            parts.append((paths, places, numbers))
            paths, places, numbers, held = [], [], [], 0
        if not paths or paths[-1] != path:
            paths.append(path)
        # One text and not two is pickled for a file that is no archive.
        places.append(path if place == path else place)
        numbers.append(number)
        held += size + CHARGE
    if places:
        parts.append((paths, places, numbers))
    return parts


def signed(kind):
    """The Arrow type that Spark knows instead of this one."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind) or pa.types.is_large_string(kind):
        return pa.string()
    wider = {pa.uint8(): pa.int16(), pa.uint16(): pa.int32(), pa.uint32(): pa.int64(), pa.uint64(): pa.int64()}
    if pa.types.is_fixed_size_binary(kind) or pa.types.is_large_binary(kind):
        return pa.binary()
    return wider.get(kind, kind)


def cast(batch, numbers):
    """A batch as Spark takes it, with the numbers that its meshes have in the whole run: a sequence, or an array of integers."""
    import pyarrow as pa

    numbers, columns = pa.array(numbers, pa.int64()), []
    for name, column in zip(batch.schema.names, batch.columns):
        kind = signed(column.type)
        columns.append(numbers.take(column).cast(kind) if name == "file" else column.cast(kind))
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def joined(batches, rows=ROWS):
    """Batches of about so many rows in place of one for each mesh. They are held until there are enough."""
    import pyarrow as pa

    held, count = [], 0
    for batch in batches:
        held.append(batch)
        count += batch.num_rows
        if count >= rows:
            yield from pa.Table.from_batches(held).combine_chunks().to_batches()
            held, count = [], 0
    if held:
        yield from pa.Table.from_batches(held).combine_chunks().to_batches()


_TESTS = {
    "EqualTo": lambda value, wanted: value == wanted,
    "EqualNullSafe": lambda value, wanted: value == wanted,
    "In": lambda value, wanted: value in wanted,
    "StringStartsWith": lambda value, wanted: value.startswith(wanted),
    "StringEndsWith": lambda value, wanted: value.endswith(wanted),
    "StringContains": lambda value, wanted: wanted in value,
}


def condition(filters):
    """Whether a mesh of this path and family can have rows under these filters of Spark, of which most say nothing of it.

    >>> from types import SimpleNamespace as Is
    >>> EqualTo = type("EqualTo", (Is,), {})
    >>> fits = condition([EqualTo(attribute=("family",), value="source"), EqualTo(attribute=("id",), value=3)])
    >>> fits("a.nav", "source"), fits("a.nav", "quake"), fits("a.nav", None)
    (True, False, False)
    """
    known = []
    for filter in filters:
        test = _TESTS.get(type(filter).__name__)
        if test is not None and filter.attribute in (("path",), ("family",)):
            known.append((filter.attribute[0], test, filter.value))

    def fits(path, family):
        values = {"path": path, "family": family}
        # A null fits none of these but the one that asks for it.
        return all(wanted is None if values[name] is None else wanted is not None and test(values[name], wanted) for name, test, wanted in known)

    return fits


class MeshError(RuntimeError):
    """A mesh could not be read: path, record and byte in one line."""


def one_line(error):
    """What went wrong and where, in one line.

    >>> one_line(FileNotFoundError(2, "No such file or directory", "a.nav"))
    'a.nav: No such file or directory'
    """
    said = getattr(error, "message", None) or getattr(error, "strerror", None) or str(error) or type(error).__name__
    path = getattr(error, "path", None) or getattr(error, "filename", None)
    named = [] if path is None or str(path) in str(said) else [str(path)]
    record, index, byte = (getattr(error, name, None) for name in ("record", "index", "byte"))
    at = [] if record is None or str(record) in str(said) else [f"{record} {index}" if index is not None else str(record)]
    at += [] if byte is None or "byte" in str(said) else [f"byte {byte}"]
    return " ".join(": ".join([*named, str(said)]).split()) + (f" ({', '.join(at)})" if at else "")


def workers_python(environment, configured, found):
    """A warning for workers that would run another Python than this one, or None."""
    if environment.get("PYSPARK_PYTHON") or configured:
        return None
    if found is not None and os.path.realpath(found) == os.path.realpath(sys.executable):
        return None
    runs = "no python3" if found is None else found
    return (
        f"PYSPARK_PYTHON is not set: workers run the python3 on their PATH ({runs} here), and navmap has to be installed there; "
        f"this Python is {sys.executable}"
    )


# In lower case, as Spark hands them over.
KNOWN = ("path", "table", "columns", "glob", "partitionbytes")


def _options(options):
    given = {key.lower(): value for key, value in options.items()}
    unknown = [key for key in options if key.lower() not in KNOWN]
    if unknown:
        raise ValueError(f"there is no option {unknown[0]!r}: the options are path, table, columns, glob and partitionBytes")
    if not given.get("path"):
        raise ValueError("which meshes? .load(path) or .option('path', ...)")
    columns = [name.strip() for name in given.get("columns", "").split(",") if name.strip()]
    return {
        "paths": [path.strip() for path in given["path"].split(",")],
        "table": given.get("table", "files"),
        "columns": columns,
        "glob": given.get("glob"),
        "target": int(given.get("partitionbytes", TARGET)),
    }


def _table(options, **more):
    table = navmap.scan(more.pop("paths", options["paths"]), progress=False, **more).table(options["table"])
    return table.select(options["columns"]) if options["columns"] else table


def _spark_schema(table):
    import pyarrow as pa
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = pa.schema(table)
    # All may be null: Spark compares what it is given with what was promised, and batches carry no promise.
    return from_arrow_schema(pa.schema([pa.field(f.name, signed(f.type)) for f in schema]))


@functools.cache
def _classes():
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

    class Part(InputPartition):
        def __init__(self, paths, places, numbers):
            super().__init__((paths, places, numbers))
            self.paths, self.places, self.numbers = paths, places, numbers

    class Reader(DataSourceReader):
        def __init__(self, options, wanted):
            self.options, self.filters = options, []
            if wanted and not options["columns"]:
                self.options = {**options, "columns": wanted}

        def partitions(self):
            from pyspark.sql import SparkSession

            session = SparkSession.getActiveSession()
            cores = session.sparkContext.defaultParallelism if session else os.cpu_count()
            # Every mesh has a number, those that a pattern leaves out not: as in a run on one machine.
            listed = navmap.scan(self.options["paths"], task="head", glob=self.options["glob"], progress=False)
            fits = condition(self.filters)
            meshes = [
                (outcome.path, outcome.location, outcome.bytes, number)
                for number, outcome in enumerate(listed)
                if fits(outcome.path, outcome.family)
            ]
            return [Part(*part) for part in plan(meshes, self.options["target"], cores)] or [Part([], [], [])]

        def read(self, partition):
            import pyarrow as pa

            if not partition.places:
                return
            try:
                table = _table(self.options, paths=partition.paths, only=partition.places, threads=1)
                numbers = pa.array(partition.numbers, pa.int64())
                for batch in joined(pa.RecordBatchReader.from_stream(table)):
                    yield cast(batch, numbers)
            except (OSError, ValueError) as error:
                raise MeshError(one_line(error)) from None

    class FilteringReader(Reader):
        def pushFilters(self, filters):
            # Spark tests each row too: what is left out here is whole meshes.
            self.filters = list(filters)
            return self.filters

    class Source(DataSource):
        @classmethod
        def name(cls):
            return "navmap"

        def schema(self):
            return _spark_schema(_table(_options(self.options)))

        def reader(self, schema):
            return Reader(_options(self.options), schema.names)

    class FilteringSource(Source):
        def reader(self, schema):
            return FilteringReader(_options(self.options), schema.names)

    # Workers import this module and ask for the class by name.
    Source.__name__, FilteringSource.__name__ = "MeshSource", "FilteringMeshSource"
    made = {made.__name__: made for made in (Part, Reader, FilteringReader, Source, FilteringSource)}
    for name, one in made.items():
        one.__module__, one.__qualname__ = __name__, name
    return made


def __getattr__(name):
    if name in ("MeshSource", "FilteringMeshSource", "Part", "Reader", "FilteringReader"):
        return _classes()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def register(spark):
    """Makes `spark.read.format("navmap")` known to a session, with conditions on `path` and `family` where Spark hands them over."""
    from pyspark.sql.datasource import DataSourceReader

    said = workers_python(os.environ, spark.conf.get("spark.pyspark.python", None), shutil.which("python3"))
    if said is not None:
        warnings.warn(said, RuntimeWarning, stacklevel=2)
    filters = hasattr(DataSourceReader, "pushFilters")
    if filters:
        # Without it Spark refuses a source that asks for filters.
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(_classes()["FilteringMeshSource" if filters else "MeshSource"])
