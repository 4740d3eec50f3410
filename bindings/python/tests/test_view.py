"""The page of a mesh: what is in it, and what a notebook gets."""

import base64
import html
import json
import re
import zlib

import navmap
import pytest
from conftest import FAMILIES


def scene(view):
    """The head of the mesh inside a page, and its columns as the page reads them."""
    packed = re.search(r'<script type="text/plain" id="scene">([^<]*)<', view.html)[1]
    whole = zlib.decompress(base64.b64decode(packed))
    end = 4 + int.from_bytes(whole[:4], "little")
    return json.loads(whole[4:end])


def columns(head):
    return {column["name"]: column["length"] for part in head["parts"].values() for column in part["columns"]}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_a_page(family):
    nav = navmap.open(next(o.location for o in navmap.scan(f"corpus/{family}") if o.status != "error"))
    head = scene(nav.view())
    # Links that lead somewhere, as pictures and scans count them.
    assert (head["nodes"], head["links"]) == (len(nav.areas), sum(link.target is not None for link in nav.links))


def test_a_notebook_gets_a_frame_that_can_reach_nothing():
    view = navmap.open("corpus/source/town.nav").view(height=321)
    frame = view._repr_html_()
    start, end = re.fullmatch(r'(<iframe title="town" [^>]*height: 321px[^>]* srcdoc=)"([^"]*)"></iframe>', frame).groups()
    assert 'sandbox="allow-scripts allow-forms allow-modals allow-downloads"' in start and "allow-same-origin" not in start
    assert html.unescape(end) == view.html
    # Nothing is fetched from anywhere.
    assert not re.search(r'(?:src|href)="(?!data:)', view.html) and "http:" not in view.html and "https:" not in view.html


def test_a_page_says_what_a_picture_says():
    nav = navmap.open("corpus/source/town.nav")
    plain = scene(nav.view())
    assert plain["colours"][0]["name"] == "height" and plain["ends"] == [] and plain["dots"] is None
    assert scene(nav.view(color="place"))["colours"][0]["name"] == "place"
    classes = {area.id: "near" if at % 2 else "far" for at, area in enumerate(nav.areas)}
    first = scene(nav.view(classes=classes))["colours"][0]
    assert first["name"] == "class" and {entry["name"] for entry in first["entries"]} == {"near", "far"}
    index = nav.index()
    ids = list(index.ids)
    route = next(r for r in (index.find_route(ids[0], id) for id in reversed(ids)) if r is not None and len(r) > 3)
    head = scene(nav.view(routes=route))
    assert [end["name"] for end in head["ends"]] == [f"#{route.areas[0]}", f"#{route.areas[-1]}"]
    assert (columns(head)["way"], columns(head)["way_of"]) == (3 * len(route.points), 1)
    assert head["colours"][0]["name"] == "plain"


def test_points_are_dots_or_colors_of_areas():
    nav = navmap.open("corpus/source/town.nav")
    points = [area.center for area in nav.areas][:40]
    head = scene(nav.view(points=points, title="kills"))
    assert head["dots"] == {"title": "kills", "count": 40, "ramp": None}
    assert columns(head)["dot"] == 120 and "dot_ink" not in columns(head)
    head = scene(nav.view(points=points, values=range(40), clip=(0, 10)))
    assert head["dots"]["ramp"] == [0.0, 10.0] and columns(head)["dot_ink"] == 120
    head = scene(nav.view(points=points, by="area", title="kills"))
    assert head["dots"] is None and head["colours"][0]["name"] == "kills" and head["colours"][0]["ramp"] == [0.0, 1.0]


@pytest.mark.parametrize("by", ["cell", "density"])
def test_points_are_squares_of_the_ground(by):
    nav = navmap.open("corpus/source/town.nav")
    points = [area.center for area in nav.areas][:40]
    head = scene(nav.view(points=points, by=by, cell=64.0, title="kills"))
    squares = head["squares"]
    assert head["dots"] is None and squares["title"] == "kills" and squares["ramp"][1] > squares["ramp"][0]
    assert squares["side"] == 64.0 if by == "cell" else squares["side"] < 64.0
    assert (columns(head)["square"], columns(head)["square_ink"]) == (2 * squares["count"], 4 * squares["count"])


def test_a_space_of_a_plugin_has_a_page_of_its_own():
    nav = navmap.open("corpus/skyrim/se/village.esp")
    heads = [scene(nav.view(space=space)) for space in nav.spaces]
    assert len(heads) == 3 and sum(head["nodes"] for head in heads) == len(nav.areas)


def test_a_page_is_saved_once(tmp_path):
    view = navmap.open("corpus/quake/nav3-v6.nav").view()
    view.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == view.html
    with pytest.raises(FileExistsError):
        view.save(tmp_path / "a.html")
    view.save(tmp_path / "a.html", force=True)
    with pytest.raises(ValueError, match="ends in .html"):
        view.save(tmp_path / "a.svg")


def test_what_a_page_cannot_show_is_an_error():
    nav = navmap.open("corpus/source/town.nav")
    one = [(0.0, 0.0, 0.0)]
    for wrong, words in [
        ({"color": "hight"}, "no color 'hight'"),
        ({"points": one, "by": "track"}, "by 'track' too"),
        ({"points": one, "by": "cell", "cell": -1}, "a length above 0"),
        ({"values": [1]}, "of which there are none"),
        ({"color": "plain", "classes": {}}, "exclude"),
    ]:
        with pytest.raises(ValueError, match=words):
            nav.view(**wrong)
    with pytest.raises(navmap.NavError):
        nav.view(space="Nowhere")


def test_a_page_that_is_too_large_is_told_of():
    nav = navmap.open("corpus/source/town.nav")
    view = nav.view(limit=1000)
    assert "<iframe" not in view._repr_html_() and "view.save" in view._repr_html_()
    assert view.html == nav.view().html and "<iframe" in nav.view(limit=len(view.html.encode()))._repr_html_()
