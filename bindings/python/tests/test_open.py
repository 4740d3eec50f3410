import copy
import pathlib
import pickle

import navmap
import pytest
from conftest import FAMILIES, ROOT, needs_corpus, real_corpus

BUNDLED = [str(outcome.location) for outcome in navmap.scan([str(ROOT / "corpus" / f) for f in FAMILIES], progress=False)]


@pytest.mark.parametrize("place", BUNDLED, ids=lambda place: place.removeprefix(str(ROOT)))
def test_every_bundled_mesh_is_walked_whole(place):
    nav = navmap.open(place)
    counts = nav.counts
    assert nav.damage is None
    assert nav.size == len(bytes(nav)) > 0
    areas = nav.areas
    ids = {area.id for area in areas}
    assert len(areas) == len(list(areas))
    for area in areas:
        assert len(area.corners) >= 1
        assert set(area.neighbors) <= ids
    assert len(nav.links) == sum(len(area.links) for area in areas)
    assert all(link.source in ids for link in nav.links)
    assert counts and nav.summary()["counts"] == counts
    assert sum(len(place) for place in nav.places) <= len(areas)
    assert nav.info()
    index = nav.index()
    assert len(index) == len(areas) == len(index.ids)


@needs_corpus
def test_every_real_mesh_is_what_the_scan_says():
    meshes = 0
    for outcome in navmap.scan(real_corpus(), progress=False):
        if outcome.status == "error" or outcome.bytes > 64 << 20:
            continue
        nav = navmap.open(outcome.location)
        assert (nav.family, nav.game, nav.version) == (outcome.family, outcome.game, outcome.version)
        assert nav.counts == outcome.counts, outcome.location
        meshes += 1
    assert meshes > 50


def test_areas_are_a_sequence():
    areas = navmap.open("corpus/source/town.nav").areas
    assert areas[-1] == areas[len(areas) - 1] != areas[0]
    assert [area.id for area in areas[1:4]] == [areas[i].id for i in (1, 2, 3)]
    assert [area.id for area in areas[::-1]][0] == areas[-1].id
    assert areas.by_id(areas[3].id) == areas[3]
    assert len({areas[0], areas[0], areas[1]}) == 2
    with pytest.raises(IndexError):
        areas[len(areas)]
    with pytest.raises(KeyError, match="area #4000000000"):
        areas.by_id(4_000_000_000)
    with pytest.raises(TypeError, match="int or a slice"):
        areas["0"]


def test_links_and_places_name_areas():
    nav = navmap.open("corpus/source/town.nav")
    link = nav.links[0]
    assert link == nav.links[0] != nav.links[1] and len({nav.links[0], nav.links[0], nav.links[1]}) == 2
    assert nav.areas.by_id(link.source).links[0] in list(nav.links)
    assert nav.places == nav.places and nav.places[0] != nav.places[1] and len({*nav.places, *nav.places}) == len(nav.places)
    other = navmap.open("corpus/source/town.nav")
    assert other.links[0] != link and other.places[0] != nav.places[0] and link != 0
    assert link.kind in ("walk", "crouch", "jump", "ladder", "drop") and isinstance(link.gated, bool)
    assert link.target in nav.areas.by_id(link.source).neighbors
    for place in nav.places:
        assert all(nav.areas.by_id(id).place == place.name for id in place.areas)


def test_a_path_object_opens_and_so_do_bytes_in_memory():
    path = pathlib.Path("corpus/quake/nav3-v6.nav")
    one, two = navmap.open(path), navmap.from_bytes(path.read_bytes(), name="x.nav")
    assert one.counts == two.counts and one.path == str(path) and two.path == "x.nav"


def test_a_member_of_an_archive_opens(tmp_path):
    import zipfile

    archive = tmp_path / "maps.zip"
    with zipfile.ZipFile(archive, "w") as out:
        out.write("corpus/source/town.nav", "maps/town.nav")
    nav = navmap.open(f"{archive}!maps/town.nav")
    assert nav.counts == navmap.open("corpus/source/town.nav").counts
    for one in (nav, copy.copy(nav), pickle.loads(pickle.dumps(nav)), nav.edit("nav_delete #3")):
        assert (one.path, one.member) == (str(archive), "maps/town.nav")
    data = bytes(nav)[:-40]
    with pytest.raises(navmap.NavError) as raised:
        navmap.from_bytes(data, name=archive, member="maps/town.nav").counts
    assert raised.value.path == f"{archive}!maps/town.nav"


def test_a_mesh_pickles_and_is_the_same_elsewhere():
    nav = navmap.open("corpus/source/town.nav")
    again = pickle.loads(pickle.dumps(nav))
    assert bytes(again) == bytes(nav) and again.counts == nav.counts and again.path == nav.path
    assert copy.copy(nav).size == nav.size


def test_a_mesh_that_is_copied_is_for_the_same_hull():
    everyone, nav = (navmap.open("corpus/nodegraph/v57.ain", hull=hull) for hull in (None, "1"))
    assert len(nav.links) != len(everyone.links)
    again = [copy.copy(nav), copy.deepcopy(nav), pickle.loads(pickle.dumps(nav)), navmap.open("corpus/nodegraph/v57.ain", hull=1)]
    assert [len(one.links) for one in again] == [len(nav.links)] * 4
    for wrong in (True, 1.0, b"1"):
        with pytest.raises(TypeError, match="a hull is a name or a number, not"):
            navmap.open("corpus/nodegraph/v57.ain", hull=wrong)


def test_findings_have_codes_and_places():
    found = [f for o in navmap.scan("corpus/source", task="check", progress=False) for f in o.findings]
    assert found and all(f.code in str(f) and f.severity in ("info", "deviation", "warning", "error") for f in found)
    nav = navmap.open("corpus/source/town.nav")
    assert len(nav.check(hidden=True)) >= len(nav.check()) >= len(nav.findings)


def test_a_damaged_mesh_raises_or_gives_what_comes_before(tmp_path):
    cut = tmp_path / "cut.nav"
    whole = pathlib.Path("corpus/source/town.nav").read_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    nav = navmap.open(cut)
    for ask in (lambda: nav.areas, lambda: nav.links, lambda: nav.counts, lambda: nav.index(), lambda: nav.check()):
        with pytest.raises(navmap.NavError) as raised:
            ask()
        error = raised.value
        assert error.path == str(cut) and error.byte is not None and str(cut) in str(error)
        assert error.kind in ("truncated", "count")
    partial = navmap.open(cut, partial=True)
    assert 0 < len(partial.areas) < len(navmap.open("corpus/source/town.nav").areas)
    assert len(partial.index()) == len(partial.areas)
    assert isinstance(partial.damage, navmap.NavError) and partial.damage.record is not None


def test_spaces_of_a_plugin_are_asked_one_by_one():
    plugins = [o.location for o in navmap.scan("corpus/skyrim", progress=False) if o.form == "plugin"]
    many = [nav for nav in map(navmap.open, plugins) if len(nav.spaces) > 1]
    assert many
    nav = many[0]
    parts = [len(nav.index(space=space)) for space in nav.spaces]
    assert sum(parts) == len(nav.areas) and parts == sorted(parts, reverse=True)
    with pytest.raises(navmap.NavError):
        nav.index(space="Nowhere")
