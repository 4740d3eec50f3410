import csv
import os
import shutil

import navmap
import pytest


def parts(folder):
    """The rows of all parts, and the times at which these were written."""
    files = sorted(folder.rglob("part-*.csv"))
    rows = [row for file in files for row in csv.DictReader(file.open())]
    return rows, {file: file.stat().st_mtime_ns for file in files}


def test_tables_are_files_in_a_folder(tmp_path):
    out = tmp_path / "out"
    scan = navmap.scan("corpus/source")
    done = scan.write_tables(out, ["areas", "files"])
    areas = list(csv.DictReader((out / "source_areas.csv").open()))
    assert len(areas) > 100 and done["rows"] > len(areas) and done["tables"] == 2
    assert sorted(file.name for file in out.iterdir()) == ["files.csv", "source_areas.csv"]
    with pytest.raises(FileExistsError, match="source_areas.csv"):
        scan.write_tables(out, ["areas"])
    assert scan.write_tables(out, ["areas"], force=True)["rows"] == len(areas)
    assert scan.write_tables(tmp_path / "lines", "areas", format="jsonl")["rows"] == len(areas)


def test_an_update_writes_only_the_parts_that_changed(tmp_path):
    maps, out = tmp_path / "maps", tmp_path / "out"
    shutil.copytree("corpus/source", maps)
    for number in range(70):
        shutil.copy("corpus/source/town.nav", maps / f"{number}.nav")
    scan = navmap.scan(maps)
    first = scan.write_tables(out, ["areas"], update=True)
    rows, written = parts(out)
    assert first["rows"] == len(rows) > 100 and first["parts"] == len(written) > 1
    assert scan.write_tables(out, ["areas"], update=True) == {"changed": 0, "parts": 0, "rows": 0, "errors": 0}
    os.remove(maps / "7.nav")
    second = scan.write_tables(out, ["areas"], update=True)
    assert (second["changed"], second["parts"]) == (1, 1)
    left, again = parts(out)
    assert left == [row for row in rows if not row["path"].endswith("/7.nav")]
    assert sum(again[file] != written[file] for file in again) == 1


def test_an_update_changes_nothing_while_a_path_cannot_be_listed(tmp_path):
    maps, out = tmp_path / "maps", tmp_path / "out"
    maps.mkdir()
    shutil.copy("corpus/source/town.nav", maps)
    scan = navmap.scan(maps)
    scan.write_tables(out, ["areas"], update=True)
    before = parts(out)
    os.symlink(tmp_path / "gone", maps / "link")
    with pytest.raises(FileNotFoundError, match="link"):
        scan.write_tables(out, ["areas"], update=True)
    assert parts(out) == before


def test_what_is_no_table_and_no_folder_of_tables_is_refused(tmp_path):
    scan = navmap.scan("corpus/source")
    with pytest.raises(ValueError, match="did you mean"):
        scan.write_tables(tmp_path, ["source_area"])
    with pytest.raises(ValueError, match="formats are"):
        scan.write_tables(tmp_path, format="xlsx")
    with pytest.raises(ValueError, match="glob"):
        navmap.scan("corpus/source", glob="*.nav").write_tables(tmp_path, update=True)
    (tmp_path / "mine.txt").write_text("mine")
    for update in (False, True):
        with pytest.raises(ValueError, match="mine.txt"):
            scan.write_tables(tmp_path, ["areas"], update=update)
    with pytest.raises(FileNotFoundError):
        navmap.scan("no-such-folder").write_tables(tmp_path / "out")
