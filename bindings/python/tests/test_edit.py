import pathlib

import navmap
import pytest


@pytest.fixture
def town():
    return navmap.open("corpus/source/town.nav")


def test_a_script_moves_a_mesh_and_leaves_the_first_alone(town):
    moved = town.edit("move 16 0 -8")
    for before, after in zip(town.areas, moved.areas):
        assert after.center == pytest.approx(tuple(c + d for c, d in zip(before.center, (16, 0, -8))), abs=1e-3)
    assert bytes(town) == pathlib.Path("corpus/source/town.nav").read_bytes()
    assert moved.check() is not None


def test_undo_gives_the_file_back_byte_for_byte(town):
    editor = town.editor()
    assert editor.encode() == bytes(town)
    editor.run("move 16 0 0; move 0 16 0")
    assert editor.steps == 2 and "areas" in editor.report and editor.encode() != bytes(town)
    assert editor.undo(9) == 2 and editor.encode() == bytes(town)
    assert editor.redo() == 1 and editor.steps == 1
    assert bytes(editor.nav()) == editor.encode()


def test_a_refused_command_says_where_and_changes_nothing(town):
    editor = town.editor()
    with pytest.raises(navmap.Refused) as raised:
        editor.run("move 1 0 0\n  moove 1 0 0")
    error = raised.value
    assert (error.line, error.column) == (2, 3) and "move" in str(error) and editor.steps == 1
    with pytest.raises(navmap.Refused):
        town.edit("move 1 0 0; nonsense")
    assert isinstance(error, ValueError)


def test_a_journal_is_a_script(town):
    editor = town.editor()
    editor.run("move 5 0 0")
    assert "move 5 0 0" in editor.journal()
    assert any(name == "undo" for name, usage, text in editor.commands)


@pytest.mark.parametrize("place", ["corpus/source/town.nav", "corpus/quake/nav3-v6.nav", "corpus/fox/quads.nav2"])
def test_families_that_can_be_edited_move_there_and_back(place):
    nav = navmap.open(place)
    assert bytes(nav.edit("move 16 0 0\nundo")) == bytes(nav)


def test_a_family_that_cannot_be_edited_says_so():
    place = next(o.location for o in navmap.scan("corpus/aas"))
    with pytest.raises(navmap.NavError, match="cannot be edited"):
        navmap.open(place).edit("move 1 0 0")


def test_save_keeps_what_is_there(town, tmp_path):
    file = tmp_path / "out.nav"
    town.edit("move 1 0 0").save(file)
    assert len(navmap.open(file).areas) == len(town.areas)
    with pytest.raises(FileExistsError):
        town.save(file)
    town.save(file, force=True)
    assert file.read_bytes() == bytes(town)
    assert [path.name for path in tmp_path.iterdir()] == ["out.nav"]
