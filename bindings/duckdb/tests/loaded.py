"""Loads the extension into DuckDB and asks it.

Usage: loaded.py FOLDER CORPUS. FOLDER holds the extension and schema.tsv: function, column, type.
"""

import pathlib
import sys
import time
import zipfile

import duckdb

folder, corpus = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def connect(threads=4):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": threads})
    connection.execute(f"LOAD '{folder}/navmap.duckdb_extension'")
    return connection


duck = connect()


def rows(sql, *arguments):
    return duck.execute(sql, arguments).fetchall()


def value(sql, *arguments):
    return rows(sql, *arguments)[0][0]


def refused(sql, *arguments):
    try:
        duck.execute(sql, arguments).fetchall()
    except duckdb.Error as error:
        return str(error)
    raise AssertionError(f"not refused: {sql}")


# Functions, columns and types are those of the schema, and every one of them runs, over files of all families.
expected = {}
for line in (folder / "schema.tsv").read_text().splitlines():
    function, column, kind = line.split("\t")
    expected.setdefault(function, []).append((column, kind))
listed = {row[0] for row in rows("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name LIKE 'navmap_%'")}
assert listed == set(expected), listed ^ set(expected)
filled = 0
for function, columns in expected.items():
    arguments = "" if function == "navmap_flag_names" else f"'{corpus}'"
    described = [row[:2] for row in rows(f"DESCRIBE FROM {function}({arguments})")]
    assert described == columns, function
    counted = value(f"SELECT count(*) FROM {function}({arguments})")
    assert counted == len(rows(f"FROM {function}({arguments})")), function
    filled += counted > 0
assert filled > 50, filled

# A column alone has the values that it has among the others, in whatever order columns are asked for.
source = corpus / "source"
for pair in [("id", "path"), ("place", "nw_x"), ("member", "file")]:
    alone = [set(rows(f"SELECT {column}, file, record_index FROM navmap_areas('{source}')")) for column in pair]
    both = rows(f"SELECT {pair[1]}, record_index, {pair[0]}, file FROM navmap_areas('{source}')")
    assert {(row[2], row[3], row[1]) for row in both} == alone[0]
    assert {(row[0], row[3], row[1]) for row in both} == alone[1]
assert value(f"SELECT count(*) FROM navmap_areas('{source}') WHERE place IS NULL") > 0
assert value(f"SELECT count(member) FROM navmap_areas('{source}')") == 0

# One thread hands out meshes in path order, and many the same rows.
sums = "SELECT count(*), sum(hash(n)::HUGEINT) FROM navmap_nodes(?) n"
assert len({tuple(connect(threads).execute(sums, [str(corpus)]).fetchall()) for threads in (1, 2, 4, 9)}) == 1
files = [row[0] for row in connect(1).execute(f"SELECT file FROM navmap_nodes('{corpus}')").fetchall()]
assert files == sorted(files) and len(set(files)) > 50

# Joins go over `file`, and a table may be asked twice in a statement.
joined = value(
    f"SELECT count(*) FROM navmap_areas('{source}') a JOIN navmap_connections('{source}') c ON a.file = c.file AND a.id = c.src_id"
)
assert 0 < joined <= value(f"SELECT count(*) FROM navmap_connections('{source}')")

# What lies where: files, lists, patterns, archives, members.
there = folder / "maps"
(there / "old").mkdir(parents=True)
town = (source / "town.nav").read_bytes()
(there / "a.nav").write_bytes(town)
(there / "old" / "b.nav").write_bytes(town)
(there / "readme.txt").write_text("no mesh")
with zipfile.ZipFile(there / "pack.zip", "w") as pack:
    pack.writestr("maps/c.nav", town)
    pack.writestr("maps/d.nav", town)


def maps(asked):
    return [row[0] for row in rows(f"SELECT map FROM navmap_files({asked}) ORDER BY ALL")]


for asked, found in [
    (f"'{there}'", "abcd"),
    (f"'{there}/**'", "abcd"),
    (f"'{there}/*.nav'", "a"),
    (f"'{there}/**/*.nav'", "abcd"),
    (f"'{there}/?.nav'", "a"),
    (f"'{there}/*/[a-b].nav'", "b"),
    (f"'{there}/*.zip'", "cd"),
    (f"'{there}/pack.zip!maps/d.nav'", "d"),
    (f"'{there}/pack.zip!maps/*'", "cd"),
    (f"['{there}/old', '{there}/a.nav']", "ab"),
    (f"['{there}/pack.zip!maps/d.nav', '{there}/old/*']", "bd"),
    (f"['{there}/pack.zip!maps/d.nav', '{there}/*.nav']", "ad"),
    (f"['{there}/pack.zip!maps/d.nav', '{there}/pack.zip']", "cd"),
    (f"['{there}/pack.zip', '{there}/pack.zip!maps/d.nav']", "cd"),
    (f"['{there}/pack.zip!maps/d.nav', '{there}/pack.zip!maps/*', '{there}/*.zip']", "cd"),
]:
    assert maps(asked) == list(found), (asked, maps(asked))
places = rows(f"SELECT path, member, file FROM navmap_files('{there}') ORDER BY file")
assert [row[2] for row in places] == [0, 1, 2, 3]
assert {row[1] for row in places} == {None, "maps/c.nav", "maps/d.nav"}
prepared = duck.execute("SELECT count(*) FROM navmap_files(?)", [str(there)]).fetchall()
assert prepared == [(4,)]

# A condition on the path: what does not match is not opened, and the rest has its rows.
for glob, found in [
    ("*", "abcd"),
    ("*/old/*", "b"),
    ("*.nav", "abcd"),
    ("*!maps/c*", "c"),
    ("*.zip", "cd"),
    (f"{there}/a.nav", "a"),
    ("*.none", ""),
]:
    assert maps(f"'{there}', path_glob := '{glob}'") == list(found), (glob, found)
assert maps(f"'{there}/**', path_glob := '*/old/*'") == ["b"]
assert maps(f"'{there}', path_glob := NULL") == list("abcd")
locked = there / "locked.nav"
locked.write_bytes(b"no mesh at all")
opened = lambda more: [row[0] for row in rows(f"SELECT path FROM navmap_files('{there}'{more}) WHERE status = 'error'")]
assert opened("") == [str(locked)], "it is read without the condition"
assert opened(", path_glob := '*/old/*'") == []
# The stable C API hands no filters to a function: DuckDB filters what comes out, so a WHERE alone reads all files, and gives the same rows.
assert maps(f"'{there}', path_glob := '*/old/*'") == maps(f"'{there}') WHERE (path GLOB '*/old/*'")
locked.unlink()

# What is asked wrongly is told.
assert "nothing lies at no/such/place" in refused("FROM navmap_areas('no/such/place')")
assert "nothing lies at no/such/**" in refused("FROM navmap_areas('no/such/**')")
assert f"no mesh fits {there}/*.none" in refused(f"FROM navmap_areas('{there}/*.none')")
assert f"no mesh fits {there}/*.none" in refused(f"FROM navmap_areas(['{there}/*.nav', '{there}/*.none'])")
missing = f"navmap_files(['{there}/pack.zip!maps/no.nav', '{there}/*.nav']) WHERE status = 'error'"
assert rows(f"SELECT path, member FROM {missing}") == [(str(there / "pack.zip"), "maps/no.nav")]
for wrong in ["3", "NULL", "[['a']]", "[NULL]"]:
    assert "a path is a text" in refused(f"FROM navmap_areas({wrong})"), wrong
refused("FROM navmap_areas()")
refused(f"FROM navmap_areas('{there}', no_such_switch := true)")

# A damaged file ends no statement: it gives the rows before the damage, or with `strict` none, and `files` says why.
(there / "a.nav").write_bytes(town[: len(town) // 2])
(there / "empty.nav").write_bytes(b"")
told = rows(f"SELECT map, status, message, error_offset FROM navmap_files('{there}') ORDER BY map")
assert [row[:2] for row in told if row[1] != "ok"] == [("a", "error"), ("empty", "error")], told
assert all(row[2] for row in told if row[1] == "error") and told[0][3] is not None
whole = value(f"SELECT count(*) FROM navmap_areas('{there}/old/b.nav')")
some = value(f"SELECT count(*) FROM navmap_areas('{there}/a.nav')")
assert 0 < some < whole
assert value(f"SELECT count(*) FROM navmap_areas('{there}')") == 3 * whole + some
assert value(f"SELECT count(*) FROM navmap_areas('{there}', strict := true)") == 3 * whole
assert value(f"SELECT count(*) FROM navmap_areas('{there}', strict := false)") == 3 * whole + some
assert value(f"SELECT count(*) FROM navmap_files('{there}', strict := true)") == len(told)

# A statement that ends early stops its reader, and so does one that is left. Threads of a pool stay, and have the reader's name.
tasks = pathlib.Path("/proc/self/task")


def readers():
    return sum((task / "comm").read_text().strip() == "navmap" for task in tasks.iterdir()) if tasks.exists() else 0


def settled(most):
    for _ in range(200):
        if readers() <= most:
            return True
        time.sleep(0.05)
    return False


before = readers()
for _ in range(30):
    assert len(rows(f"FROM navmap_links('{corpus}') LIMIT 1")) == 1
    left = duck.cursor()
    left.execute(f"FROM navmap_links('{corpus}')").fetchone()
    left.close()
assert settled(before), (before, readers())
print("all is well")
