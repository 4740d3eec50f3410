"""Opens what navmap wrote as other programs do, compares every value, and answers questions.

Usage: ecosystem.py FOLDER ROOT [EXTENSION]. FOLDER holds parquet/, arrow/, csv/ and queries.sql (statements between lines of
`---`), all made of the files at ROOT. With EXTENSION, navmap's extension of DuckDB reads those files, and so does navmap's Python
package if it is installed.
Prints the answers as JSON: a list for each statement, of the rows that each engine found, by its name.
"""

import json
import math
import pathlib
import sys

import duckdb
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

try:
    import navmap
except ImportError:
    navmap = None

folder, root = pathlib.Path(sys.argv[1]), sys.argv[2]
scan = navmap and navmap.scan(root)
over_files = None
if len(sys.argv) > 3:
    # One thread hands out rows in the order of the files.
    over_files = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
    over_files.execute(f"LOAD '{sys.argv[3]}'")


def plain(table):
    """Dictionaries and long texts become texts; floats become their bits, so that every NaN is equal to itself."""
    columns = []
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            column = pc.cast(column, column.type.value_type)
        if pa.types.is_large_string(column.type):
            column = pc.cast(column, pa.string())
        if pa.types.is_float32(column.type):
            column = pa.chunked_array([chunk.view(pa.uint32()) for chunk in column.chunks], pa.uint32())
        columns.append(column)
    return pa.table(columns, names=table.column_names).combine_chunks()


def same(name, ours, theirs, how):
    assert ours.column_names == theirs.column_names, (name, how)
    assert ours.num_rows == theirs.num_rows, (name, how, ours.num_rows, theirs.num_rows)
    for column in ours.column_names:
        a, b = ours[column], theirs[column]
        assert a.type == b.type, (name, column, how, a.type, b.type)
        if not a.equals(b):
            at = next(i for i in range(len(a)) if a[i].as_py() != b[i].as_py())
            raise AssertionError((name, column, how, at, a[at], b[at]))


def same_if_sound(name, ours, theirs, how):
    """Of a damaged mesh, how many rows come before the damage depends on what else is read of it."""
    sound = [pc.invert(pc.is_in(side["file"], damaged)) for side in (ours, theirs)]
    same(name, ours.filter(sound[0]), plain(theirs.filter(sound[1])), how)


files = pyarrow.parquet.read_table(folder / "parquet/files.parquet")
damaged = files.filter(pc.equal(files["status"], "error"))["file"].combine_chunks()
tables = {}
values = 0
for path in sorted((folder / "parquet").iterdir()):
    name = path.stem
    parquet = pyarrow.parquet.read_table(path)
    metadata = pyarrow.parquet.read_schema(path).metadata
    assert metadata[b"navmap.schema"] == b"1", name
    units = {field.name: (field.metadata or {}).get(b"unit") for field in parquet.schema}
    if "nw_x" in units:
        assert units["nw_x"] == b"u" and units["byte_len"] == b"B", units
    arrow = pa.ipc.open_stream(folder / "arrow" / f"{name}.arrows").read_all()
    assert arrow.schema.metadata[b"navmap.schema"] == b"1", name
    for ours, theirs in zip(parquet.schema, arrow.schema):
        assert (ours.name, ours.type, ours.nullable) == (theirs.name, theirs.type, theirs.nullable), (name, ours, theirs)
    ours = plain(parquet)
    same(name, ours, plain(arrow), "arrow")
    if over_files:
        read = over_files.sql(f"FROM navmap_{name}('{root}')").to_arrow_table()
        for at, field in enumerate(parquet.schema):
            if pa.types.is_fixed_size_binary(field.type):
                read = read.set_column(at, field.name, pc.cast(read[field.name], field.type))
        same_if_sound(name, ours, read, "extension")
    if scan:
        same_if_sound(name, ours, pa.table(scan.table(name)), "stream")
    types = {
        field.name: field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in parquet.schema
    }
    # A binary column of CSV is hexadecimal text.
    texts = {key: pa.string() if pa.types.is_fixed_size_binary(kind) else kind for key, kind in types.items()}
    csv = pyarrow.csv.read_csv(
        folder / "csv" / f"{name}.csv",
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=texts, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    )
    read = plain(csv)
    for at, (key, kind) in enumerate(types.items()):
        if pa.types.is_fixed_size_binary(kind):
            binary = pa.array([bytes.fromhex(text.as_py()) for text in read[key]], kind)
            read = read.set_column(at, key, pa.chunked_array([binary]))
        elif pa.types.is_float32(kind):
            # Whatever NaN a text stands for.
            bits = [None if v is None or math.isnan(v) else b for v, b in zip(csv[key].to_pylist(), read[key].to_pylist())]
            mine = [None if v is None or math.isnan(v) else b for v, b in zip(parquet[key].to_pylist(), ours[key].to_pylist())]
            read = read.set_column(at, key, pa.chunked_array([pa.array(bits, pa.uint32())]))
            ours = ours.set_column(at, key, pa.chunked_array([pa.array(mine, pa.uint32())]))
    same(name, ours, read, "csv")
    frame = polars.read_parquet(path)
    assert frame.height == parquet.num_rows, name
    counted = duckdb.execute(f"SELECT count(*) FROM '{path}'").fetchall()[0][0]
    assert counted == parquet.num_rows, name
    tables[name] = polars.read_ipc_stream(folder / "arrow" / f"{name}.arrows")
    values += parquet.num_rows * parquet.num_columns


def rows(fetched):
    return [[float(v) if isinstance(v, float) else v if v is None or isinstance(v, str) else int(v) for v in row] for row in fetched]


over_parquet, over_csv, over_stream = duckdb.connect(), duckdb.connect(), duckdb.connect()
for name in tables:
    over_parquet.execute(f"CREATE VIEW {name} AS FROM '{folder}/parquet/{name}.parquet'")
    if over_files:
        over_files.execute(f"CREATE VIEW {name} AS FROM navmap_{name}('{root}')")
    if scan:
        over_stream.register(name, pa.table(scan.table(name)))
    over_csv.execute(f"CREATE VIEW {name} AS FROM read_csv('{folder}/csv/{name}.csv', header = true, sample_size = -1)")
if over_files:
    # Questions are asked of many threads.
    over_files.execute("SET threads = 4")
context = polars.SQLContext(tables)
answers = []
for sql in (folder / "queries.sql").read_text().split("---\n"):
    found = {
        "DuckDB over Parquet": rows(over_parquet.execute(sql).fetchall()),
        "polars over Arrow": rows(context.execute(sql, eager=True).rows()),
        "DuckDB over CSV": rows(over_csv.execute(sql).fetchall()),
    }
    if over_files:
        found["DuckDB over the files"] = rows(over_files.execute(sql).fetchall())
    if scan:
        found["the Python stream"] = rows(over_stream.execute(sql).fetchall())
    answers.append(found)
print(json.dumps({"values": values, "answers": answers}))
