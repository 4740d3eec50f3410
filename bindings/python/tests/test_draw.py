import xml.etree.ElementTree

import navmap
import pytest
from conftest import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_drawn(family):
    place = next(o.location for o in navmap.scan(f"corpus/{family}") if o.status != "error")
    picture = navmap.open(place).draw()
    svg = picture._repr_svg_()
    assert xml.etree.ElementTree.fromstring(svg).tag.endswith("svg") and picture.svg == svg
    assert picture.png().startswith(b"\x89PNG")


def test_a_route_is_drawn_and_named():
    nav = navmap.open("corpus/source/town.nav")
    index = nav.index()
    ids = list(index.ids)
    route = next(r for r in (index.find_route(ids[0], id) for id in reversed(ids)) if r is not None and len(r) > 3)
    plain, drawn = nav.draw(color="plain").svg, nav.draw(routes=route).svg
    assert drawn != plain and f"#{route.areas[0]}" in drawn and f"#{route.areas[-1]}" in drawn
    assert nav.draw(routes=[route, route]).svg


def test_classes_color_areas():
    nav = navmap.open("corpus/source/town.nav")
    classes = {area.id: "near" if at % 2 else "far" for at, area in enumerate(nav.areas)}
    svg = nav.draw(classes=classes).svg
    assert "near" in svg and "far" in svg


def test_a_picture_is_saved_once(tmp_path):
    picture = navmap.open("corpus/quake/nav3-v6.nav").draw(width=300, dark=True, layers=["links", "grid"])
    picture.save(tmp_path / "a.svg")
    picture.save(tmp_path / "a.png")
    with pytest.raises(FileExistsError):
        picture.save(tmp_path / "a.svg")
    with pytest.raises(ValueError, match=".svg or .png"):
        picture.save(tmp_path / "a.gif")


def test_words_that_are_no_color_or_layer_are_errors():
    nav = navmap.open("corpus/source/town.nav")
    with pytest.raises(ValueError, match="no color 'hight'"):
        nav.draw(color="hight")
    with pytest.raises(ValueError, match="no layer 'lnks'"):
        nav.draw(layers=["lnks"])
    with pytest.raises(ValueError, match="exclude"):
        nav.draw(color="plain", classes={})
    with pytest.raises(TypeError, match="find_route"):
        nav.draw(routes=3)
