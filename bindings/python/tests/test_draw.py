import re
import types
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
    assert nav.draw(classes=types.MappingProxyType(classes)).svg == svg
    for wrong in ([1], "near"):
        with pytest.raises(TypeError):
            nav.draw(classes=wrong)


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


def spread(nav, count=300):
    import numpy

    rng = numpy.random.default_rng(9)
    centers = numpy.array([area.center for area in nav.areas], dtype="f4")
    return centers[rng.integers(0, len(centers) // 4, count)]


@pytest.mark.parametrize("by", ["point", "area", "cell", "density"])
def test_points_are_drawn_over_a_mesh(by):
    polars = pytest.importorskip("polars")
    nav = navmap.open("corpus/source/town.nav")
    points = spread(nav)
    frame = polars.DataFrame({axis: points[:, at] for at, axis in enumerate("xyz")}).with_columns(damage=polars.lit(2.5))
    plain = nav.draw(color="plain").svg
    counted = nav.draw(points=points, by=by).svg
    assert counted != plain and "points" in counted
    summed = nav.draw(points=frame, values="damage", by=by, cell=100, dark=True).svg
    assert summed != counted and ">damage<" in summed
    assert xml.etree.ElementTree.fromstring(summed).tag.endswith("svg")
    log = nav.draw(points=points, by=by, log=True, clip=(1, 50), values=range(1, 301), title="hits").svg
    assert ">hits<" in log and log != nav.draw(points=points, by=by, clip=(1, 50), values=range(1, 301), title="hits").svg
    assert nav.draw(points=points[:0], by=by).svg
    with pytest.warns(UserWarning, match="all 1 points lie .*another map"):
        assert nav.draw(points=[(1e9, 0, 0)], by=by).png()
    with pytest.warns(UserWarning, match="1 of 2 points lie"):
        assert nav.draw(points=[points[0], (1e9, 0, 0)], by=by).svg
    assert nav.draw(points=[(float("nan"), 0, 0)], values=[None], by=by).svg


def fills(svg):
    """The color of each area, by what it is called."""
    style = dict(re.findall(r"\.(\w+)\{([^}]*)\}", svg))
    return {title: style[name].split(";")[0] for name, title in re.findall(r'<path class="(\w+)" d="[^"]*"><title>([^,<]+)', svg)}


def test_areas_are_coloured_by_the_points_in_them():
    nav = navmap.open("corpus/source/town.nav")
    index = nav.index()
    one, two = index.ids[0], index.ids[1]
    points = [index.center(one)] * 9 + [index.center(two)] * 3
    drawn, plain = nav.draw(points=points, by="area").svg, nav.draw(color="plain").svg

    def fill(svg, id):
        return fills(svg)[f"area #{id}"]

    assert fill(drawn, one) != fill(drawn, two) != fill(plain, two)
    for id in index.ids[2:]:
        assert fill(drawn, id) == fill(plain, id)
    # The most points have the lightest color of the ramp, as bright as the slope lets it be.
    red, green, blue = (int(fill(drawn, one)[6:][at : at + 2], 16) for at in (0, 2, 4))
    assert red > 180 and green > 160 and blue < 130


def test_areas_of_a_space_are_coloured_by_the_points_in_them():
    nav = navmap.open("corpus/skyrim/se/village.esp")
    for space in nav.spaces:
        index = nav.index(space=space)
        for id in index.ids[:8]:
            points = [index.center(id)]
            drawn, plain = (fills(nav.draw(space=space, **more).svg) for more in ({"points": points, "by": "area"}, {"color": "plain"}))
            coloured = [name for name, color in drawn.items() if color != plain[name]]
            assert len(drawn) == len(index) and coloured == [f"triangle {id >> 32:08X}#{id & 0xFFFFFFFF}"]
    seen = {nav.view(space=space, points=[nav.index(space=space).center(id)], by="area").html for id in nav.index(space=space).ids[:3]}
    assert len(seen) == 3


def test_points_that_cannot_be_drawn_are_an_error():
    nav = navmap.open("corpus/source/town.nav")
    one = [(0.0, 0.0, 0.0)]
    for wrong, words in [
        ({"points": one, "by": "place"}, "'point', 'area', 'cell', 'density' or 'track'"),
        ({"points": one, "values": [1, 2]}, "1 points and 2 values"),
        ({"points": one, "by": "cell", "cell": 0}, "above 0"),
        ({"points": one, "clip": (2, 1)}, "low below high"),
        ({"points": one, "clip": (0, 1), "log": True}, "above 0 with log"),
        ({"by": "cell"}, "of which there are none"),
        ({"panels": [1]}, "of which there are none"),
        ({"points": one, "track": [1]}, "track is for by='track'"),
        ({"points": one, "by": "track", "track": [1, 2]}, "1 points and 2 names in track"),
        ({"points": one * 65, "panels": range(65)}, "at most 64 panels, not 65"),
    ]:
        with pytest.raises(ValueError, match=words):
            nav.draw(**wrong)
    with pytest.raises(TypeError, match="points are"):
        nav.draw(points=3)


def test_tracks_are_lines_through_time():
    nav = navmap.open("corpus/source/town.nav")
    index = nav.index()
    one, two, three = (index.center(id) for id in index.ids[:3])
    walked = nav.draw(points=[one, two, three], by="track", values=[30, 10, 20], title="tick").svg
    assert ">tick<" in walked and ">30<" in walked and ">10<" in walked
    # The order of time counts, and not that of rows; two tracks are not joined.
    assert walked == nav.draw(points=[two, three, one], by="track", values=[10, 20, 30], title="tick").svg
    assert walked != nav.draw(points=[one, two, three], by="track", values=[30, 10, 20], title="tick", track=list("aab")).svg
    assert nav.draw(points=[one, two], by="track").png().startswith(b"\x89PNG")


def test_times_keep_their_seconds():
    nav = navmap.open("corpus/source/town.nav")
    index = nav.index()
    points = [index.center(id) for id in index.ids[:3]]
    # Seconds since 1970, of which a float of 32 bits knows every 128th.
    now = 1_700_000_000
    walked = nav.draw(points=points, by="track", values=[now, now + 4, now + 10]).svg
    assert f">{now:,}<" in walked and f">{now + 10:,}<" in walked
    assert walked != nav.draw(points=points, by="track", values=[now, now + 8, now + 10]).svg
    assert f">\u2265 {now + 5:,}<" in nav.draw(points=points, values=[now, now + 4, now + 10], clip=(now, now + 5)).svg


def test_panels_share_a_scale():
    polars = pytest.importorskip("polars")
    nav = navmap.open("corpus/source/town.nav")
    points = spread(nav, 30)
    frame = polars.DataFrame({axis: points[:, at] for at, axis in enumerate("xyz")})
    frame = frame.with_columns(round=polars.Series(["first"] * 10 + ["second"] * 20), hits=polars.Series([1.0] * 10 + [8.0] * 20))
    page = nav.draw(points=frame, values="hits", by="area", panels="round", columns=2, width=900)
    svg = page.svg
    root = xml.etree.ElementTree.fromstring(svg)
    words = ["".join(text.itertext()) for text in root.iter() if text.tag.endswith("text")]
    assert "first" in words and "second" in words
    (shared,) = {word for word in words if word.startswith("hits 0 to ")}
    most = float(shared.removeprefix("hits 0 to "))
    assert most >= 8 and words.count(shared) == 3, "the key, and below each of two panels"
    assert page.png().startswith(b"\x89PNG") and 880 <= float(root.get("width").removesuffix("px")) <= 910
    with pytest.raises(ValueError, match="not over panels"):
        nav.draw(points=frame, panels="round", routes=[])
