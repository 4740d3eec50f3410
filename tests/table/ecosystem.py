"""Opens what navmap wrote as other programs do, compares every value, and answers questions.

Usage: ecosystem.py FOLDER ROOT [EXTENSION]. FOLDER holds parquet/, arrow/, csv/ and queries.sql (statements between lines of
`---`), all made of the files at ROOT. With EXTENSION, navmap's extension of DuckDB reads those files, and so does navmap's Python
package if it is installed. Shapes are read by geopandas and by the spatial extension of DuckDB, if they are there.
Prints JSON: the answers, a list for each statement, of the rows that each engine found, by its name; and who read the shapes.
"""

import json
import math
import pathlib
import struct
import sys
import warnings

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
try:
    import geopandas
    import shapely
except ImportError:
    geopandas = None

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
        if pa.types.is_binary(column.type):
            column = pc.cast(column, pa.large_binary())
        if pa.types.is_float32(column.type):
            column = pa.chunked_array([chunk.view(pa.uint32()) for chunk in column.chunks], pa.uint32())
        columns.append(column)
    return pa.table(columns, names=table.column_names).combine_chunks()


def wkb(text):
    """Well-known text as well-known binary."""
    if text is None:
        return None
    kind, axes = text.split(" Z ", 1)
    points = [[float(axis) for axis in point.split()] for point in axes.strip("()").split(",")]
    head = {"POINT": struct.pack("<BI", 1, 1001), "POLYGON": struct.pack("<BIII", 1, 1003, 1, len(points))}[kind]
    # The text is that of a 32-bit float.
    whole = [struct.unpack("<3f", struct.pack("<3f", *point)) for point in points]
    return head + b"".join(struct.pack("<3d", *point) for point in whole)


def shapes_are_read(path, rows):
    """Other programs read the shapes of a Parquet file, without a warning and without taking them for degrees."""
    table = pyarrow.parquet.read_table(path)
    known = table["geometry"].to_pylist()
    assert any(known) or not rows, path
    readers = []
    if geopandas:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            frame = geopandas.read_parquet(path)
            assert frame.crs is None and frame.active_geometry_name == "geometry" and len(frame) == rows, path
            assert frame.geometry.dropna().has_z.all()
            theirs = [shape and shapely.to_wkb(shape, output_dimension=3, byte_order=1, flavor="iso") for shape in frame.geometry]
            assert theirs == known, path
            if "nw_z" in frame.columns and len(frame):
                # What the format calls the surface of an area is its size seen from above.
                near = (frame.geometry.area - frame["surface"]).abs() <= 1e-4 * frame["surface"].abs() + 1e-3
                assert (near | frame["nw_z"].isna() | frame.geometry.isna() | (frame["width"] <= 0) | (frame["depth"] <= 0)).all()
        readers.append("geopandas")
    if duckdb.sql(f"SELECT geometry FROM '{path}'").types[0] == "GEOMETRY":
        # Newer ones know shapes without an extension.
        kinds = duckdb.sql(f"SELECT DISTINCT split_part(geometry::VARCHAR, ' (', 1) FROM '{path}' WHERE geometry IS NOT NULL").fetchall()
        assert {kind for (kind,) in kinds} == {{29: "POINT Z"}.get(len(one), "POLYGON Z") for one in known if one}, (path, kinds)
        readers.append("DuckDB")
    if spatial:
        shape = "geometry" if spatial.sql(f"SELECT geometry FROM '{path}'").types[0] == "GEOMETRY" else "ST_GeomFromWKB(geometry)"
        found = spatial.sql(f"SELECT count(*), count({shape}), min(ST_ZMin({shape})) FROM '{path}'").fetchall()[0]
        assert found[:2] == (rows, sum(1 for one in known if one)), path
        # Three numbers a point, after 5 bytes of a point and 13 of a polygon.
        points = [one[at : at + 24] for one in known if one for at in range(5 if len(one) == 29 else 13, len(one), 24)]
        if points:
            assert math.isclose(found[2], min(struct.unpack("<3d", point)[2] for point in points), rel_tol=1e-6), path
        readers.append("DuckDB spatial")
    return readers


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


spatial = duckdb.connect()
try:
    # It is fetched the first time.
    spatial.execute("INSTALL spatial; LOAD spatial")
except duckdb.Error:
    spatial = None

files = pyarrow.parquet.read_table(folder / "parquet/files.parquet")
damaged = files.filter(pc.equal(files["status"], "error"))["file"].combine_chunks()
tables, readers = {}, set()
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
    # A binary column of CSV is hexadecimal text, and a shape well-known text.
    is_text = lambda kind: pa.types.is_fixed_size_binary(kind) or pa.types.is_large_binary(kind)  # noqa: E731
    texts = {key: pa.string() if is_text(kind) else kind for key, kind in types.items()}
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
        elif pa.types.is_large_binary(kind):
            shapes = pa.array([wkb(text.as_py()) for text in read[key]], kind)
            read = read.set_column(at, key, pa.chunked_array([shapes]))
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
    # More of them say nothing new.
    if "geometry" in types and parquet.num_rows < 200_000:
        readers.update(shapes_are_read(path, parquet.num_rows))
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
print(json.dumps({"values": values, "answers": answers, "shapes": sorted(readers)}))
