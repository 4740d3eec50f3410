import pathlib
import threading
import types

import navmap
import pytest
from conftest import inside


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


def test_show_answers_with_everything_about_an_area(town):
    said = town.editor().run("move 0 0 64 #1; show #1")
    assert any(line.startswith("area #1 ") for line in said) and any("middle" in line for line in said)


def test_commands_read_the_files_that_they_are_given(town):
    said = town.editor().run("nav_save_selected part #3")
    files = {"part": "\n".join(said[1:]).encode()}
    for given in (files, types.MappingProxyType(files)):
        assert len(town.edit("nav_delete #3; nav_merge_mesh part", files=given).areas) == len(town.areas)
    with pytest.raises(TypeError):
        town.editor(files=[("part", b"")])


def test_a_refused_command_says_where_and_changes_nothing(town):
    editor = town.editor()
    with pytest.raises(navmap.Refused) as raised:
        editor.run("move 1 0 0\n  moove 1 0 0")
    error = raised.value
    assert (error.line, error.column) == (2, 3) and "move" in str(error) and editor.steps == 1
    with pytest.raises(navmap.Refused):
        town.edit("move 1 0 0; nonsense")
    assert isinstance(error, ValueError)


def test_who_asks_an_editor_at_work_stops_no_other_thread(town):
    editor = town.editor()
    assert repr(editor) == "<Editor: 0 steps>"
    # It looks at the whole mesh each time, and keeps nothing.
    worker = threading.Thread(target=editor.run, args=("move 8 0 0 #1\n" + "status\n" * 4_000,))
    worker.start()
    while worker.is_alive() and repr(editor) != "<Editor: at work>":
        pass
    ran, took = inside(lambda: editor.steps)
    worker.join()
    # An answer that comes in a moment proves nothing.
    assert ran or took < 0.02
    assert editor.steps == 1 and repr(editor) == "<Editor: 1 steps>"


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
    place = next(o.location for o in navmap.scan("corpus/xray"))
    with pytest.raises(navmap.NavError, match="cannot be edited"):
        navmap.open(place).edit("move 1 0 0")


def test_areas_of_quake_iii_are_edited_and_merged():
    base = navmap.open("corpus/aas/v5.aas")
    editor = base.editor()
    assert editor.run("flag disabled #5; set_link #1 #2 Time=90") == ["changed 1 area", "changed 1 link"]
    assert editor.undo(2) == 2 and editor.encode() == bytes(base)
    ours, theirs = base.edit("flag disabled #5"), base.edit("set_link #1 #2 Time=90")
    data, conflicts = navmap.merge(base, ours, theirs)
    assert (data, conflicts) == (bytes(base.edit("flag disabled #5; set_link #1 #2 Time=90")), [])
    with pytest.raises(navmap.Refused, match="set by the compiler alone"):
        base.edit("flag grounded #4")


def test_save_keeps_what_is_there(town, tmp_path):
    file = tmp_path / "out.nav"
    town.edit("move 1 0 0").save(file)
    assert len(navmap.open(file).areas) == len(town.areas)
    with pytest.raises(FileExistsError):
        town.save(file)
    town.save(file, force=True)
    assert file.read_bytes() == bytes(town)
    assert [path.name for path in tmp_path.iterdir()] == ["out.nav"]


def test_the_parts_of_a_split_tile_are_edited_and_saved_as_one(tmp_path):
    places = ["corpus/fox/split/split_101_101_nav.nav2", "corpus/fox/split/split_101_101_nav.1.nav2"]
    editor = navmap.open(places[0]).editor()
    assert [pathlib.Path(part).name for part in editor.parts] == [pathlib.Path(place).name for place in places]
    editor.run("attribute 0x0060 island(0)")
    editor.save(tmp_path / "new.nav2")
    made = [(tmp_path / name).read_bytes() for name in ("new.nav2", "new.1.nav2")]
    assert all(new != pathlib.Path(old).read_bytes() for new, old in zip(made, places))
    (tmp_path / "new.nav2").unlink()
    with pytest.raises(FileExistsError, match="exists"):
        editor.save(tmp_path / "new.nav2")
    assert not (tmp_path / "new.nav2").exists()
    editor.save(tmp_path / "new.nav2", force=True)
    assert (tmp_path / "new.nav2").read_bytes() == made[0]
    assert navmap.from_bytes(made[0], name="new.nav2").editor().parts == []


def test_two_lines_of_change_are_merged(town):
    ours, theirs = town.edit("nav_mark_attribute CROUCH #1"), town.edit("nav_mark_attribute JUMP #3")
    data, conflicts = navmap.merge(town, ours, theirs)
    both = town.edit("nav_mark_attribute CROUCH #1; nav_mark_attribute JUMP #3")
    assert (data, conflicts) == (bytes(both), [])
    data, conflicts = navmap.merge(town, ours, town.edit("nav_mark_attribute JUMP #1"))
    assert data == bytes(ours) and [item for item, what in conflicts] == ["#1"]
    tile = navmap.open("corpus/fox/quads.nav2")
    with pytest.raises(navmap.NavError, match="fox meshes cannot be merged; Source 2 meshes, Source meshes"):
        navmap.merge(tile, tile, tile)
