"""Meshes as a Spark data source, for folders that one machine does not get through.

    spark.dataSource.register(navmap.spark.MeshSource)
    areas = spark.read.format("navmap").option("table", "areas").load("/shared/maps")

Options: `path` (or what `load` is given; several with commas between them), `table`, `columns` (with commas), `glob`, and
`partitionBytes` (128 MB), which is raised so that there are at most four partitions for each core.

The paths must exist on every worker. The driver lists the meshes by their first pages; each partition is a run of
meshes in path order, of which one archive may be divided over several. Spark has no unsigned numbers and no dictionaries
here: they come as wider signed numbers and as text. It prunes no columns either, so name those that you need in
`columns`. On one machine, `navmap tables --format parquet` is quicker than any of this.
"""

import functools
import os

import navmap

# A file costs something to open, however small it is.
CHARGE = 64 << 10
TARGET = 128 << 20
PARTITIONS_A_CORE = 4


def plan(meshes, target=TARGET, cores=1):
    """Divides (path, place, bytes), in order, into partitions: (paths, places, number of the first mesh).

    >>> plan([("a.nav", "a.nav", 10), ("m.vpk", "m.vpk!x", 10), ("m.vpk", "m.vpk!y", 10)], target=(64 << 10) + 10)
    [(['a.nav'], ['a.nav'], 0), (['m.vpk'], ['m.vpk!x'], 1), (['m.vpk'], ['m.vpk!y'], 2)]
    """
    meshes = list(meshes)
    whole = sum(size + CHARGE for _, _, size in meshes)
    target = max(target, -(-whole // (PARTITIONS_A_CORE * max(cores, 1))))
    parts, paths, places, held, first = [], [], [], 0, 0
    for number, (path, place, size) in enumerate(meshes):
        if places and held + size + CHARGE > target:
            parts.append((paths, places, first))
            paths, places, held, first = [], [], 0, number
        if not paths or paths[-1] != path:
            paths.append(path)
        places.append(place)
        held += size + CHARGE
    if places:
        parts.append((paths, places, first))
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


def cast(batch, first):
    """A batch as Spark takes it, with the numbers of meshes in the whole run."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = []
    for name, column in zip(batch.schema.names, batch.columns):
        column = column.cast(signed(column.type))
        columns.append(pc.add(column, pa.scalar(first, column.type)) if name == "file" else column)
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


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
        def __init__(self, paths, places, first):
            super().__init__((paths, places, first))
            self.paths, self.places, self.first = paths, places, first

    class Reader(DataSourceReader):
        def __init__(self, options, wanted):
            self.options = options
            if wanted and not options["columns"]:
                self.options = {**options, "columns": wanted}

        def partitions(self):
            from pyspark.sql import SparkSession

            session = SparkSession.getActiveSession()
            cores = session.sparkContext.defaultParallelism if session else os.cpu_count()
            # Every mesh has a number, those that a pattern leaves out not: as in a run on one machine.
            listed = navmap.scan(self.options["paths"], task="head", glob=self.options["glob"], progress=False)
            meshes = [(outcome.path, outcome.location, outcome.bytes) for outcome in listed]
            return [Part(*part) for part in plan(meshes, self.options["target"], cores)] or [Part([], [], 0)]

        def read(self, partition):
            import pyarrow as pa

            if not partition.places:
                return
            table = _table(self.options, paths=partition.paths, only=partition.places, threads=1)
            for batch in pa.RecordBatchReader.from_stream(table):
                yield cast(batch, partition.first)

    class Source(DataSource):
        @classmethod
        def name(cls):
            return "navmap"

        def schema(self):
            return _spark_schema(_table(_options(self.options)))

        def reader(self, schema):
            return Reader(_options(self.options), schema.names)

    # Workers import this module and ask for the class by name.
    for made in (Part, Reader, Source):
        made.__module__, made.__qualname__ = __name__, made.__name__
    Source.__name__ = Source.__qualname__ = "MeshSource"
    return {"MeshSource": Source, "Part": Part, "Reader": Reader}


def __getattr__(name):
    if name in ("MeshSource", "Part", "Reader"):
        return _classes()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def register(spark):
    """Makes `spark.read.format("navmap")` known to a session."""
    spark.dataSource.register(_classes()["MeshSource"])
