"""Who sees whom, and who holds what."""

import math

import navmap
import pytest


@pytest.fixture(scope="module")
def index():
    from conftest import ROOT

    return navmap.open(ROOT / "corpus/source/town.nav").index(tactics=True)


def test_sight_is_that_of_the_file(index):
    centers = [index.center(id) for id in index.ids]
    pairs = [(a, b) for a in range(0, len(centers), 3) for b in range(0, len(centers), 3)]
    seen = index.visible([centers[a] for a, _ in pairs], [centers[b] for _, b in pairs])
    assert len(seen) == len(pairs) and set(seen) <= {-1, 0, 1, 2} and 0 in seen and max(seen) > 0
    assert index.visible(centers[:1], centers).tolist() == [index.visible(centers[:1], [at])[0] for at in centers]
    assert list(index.visible([(1e6, 0, 0)], centers[:1])) == [-1]
    with pytest.raises(ValueError, match="2 points to start from and 3"):
        index.visible(centers[:2], centers[:3])


def test_a_mesh_without_sight_says_so():
    with pytest.raises(ValueError, match="tactics=True"):
        navmap.open("corpus/source/town.nav").index().visible([(0, 0, 0)], [(0, 0, 0)])
    nav = navmap.open("corpus/quake/nav3-v6.nav")
    with pytest.raises(ValueError, match="does not say who sees whom|without sight"):
        nav.index(tactics=True).visible([(0, 0, 0)], [(0, 0, 0)])


def test_who_is_there_first_holds_an_area(index):
    ids = list(index.ids)
    first, last = ids[0], max(ids, key=lambda id: index.distance_map(ids[0])[ids.index(id)] if index.reachable(ids[0], id) else -1)
    held = index.map_control([index.center(first)], [index.center(last)], contest_margin=0)
    ct, t = index.distance_map(first), index.distance_map(last)
    for at, (id, control) in enumerate(zip(held["area_ids"], held["control"])):
        assert id == ids[at]
        if math.isinf(ct[at]) and math.isinf(t[at]):
            assert control == "neutral"
        elif ct[at] != t[at]:
            assert control == ("ct" if ct[at] < t[at] else "t"), id
    shares = [held[f"{name}_fraction"] for name in ("ct", "t", "contested", "neutral")]
    assert math.isclose(sum(shares), 1) and held["net_control"] == shares[0] - shares[1] and min(shares[:2]) > 0
    wide = index.map_control([index.center(first)], [index.center(last)], contest_margin=1e9, detail=False)
    assert wide["contested_fraction"] > held["contested_fraction"] and "control" not in wide
    assert index.map_control([], [])["neutral_fraction"] == 1
    # Nobody walks through a fire.
    burnt = index.map_control([index.center(first)], [], fires=[(*index.center(first), 1.0)])
    assert burnt["ct_fraction"] == 0
    fires = ((*index.center(id), 1.0) for id in ids)
    assert index.map_control([index.center(first)], [index.center(last)], fires=fires)["neutral_fraction"] == 1


def test_what_is_missing_of_a_player_is_not_true(index):
    class Everywhere:
        def is_visible(self, eye, target):
            return True

    def held(team):
        return index.map_control(team, [], method="raycast", visibility=Everywhere())["ct_fraction"]

    x, y, z = index.center(index.ids[0])
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for missing in (None, math.nan, pandas.NA):
        team = pandas.DataFrame({"x": [x], "y": [y], "z": [z], "blind": pandas.Series([missing], dtype=object)})
        assert held(team) == 1.0, missing
    for make in (pandas.DataFrame, polars.DataFrame):
        for blind, want in ((None, 1.0), (True, 0.0)):
            assert held(make({"x": [x, None], "y": [y, y], "z": [z, z], "blind": [blind, None]})) == want
        assert held(make({"x": [None], "y": [y], "z": [z]})) == 0.0, "nobody is there"


def test_a_team_is_what_find_areas_takes(index):
    numpy, polars = pytest.importorskip("numpy"), pytest.importorskip("polars")
    points = numpy.array([index.center(id) for id in index.ids[:3]], dtype="f4")
    held = index.map_control(points, [])
    frame = polars.DataFrame({name: points[:, at] for at, name in enumerate(("east", "north", "height"))})
    for team in (points.tolist(), memoryview(points), frame, frame.to_arrow(), frame.to_pandas()):
        assert index.map_control(team, []) == held


class Everything:
    def is_visible(self, a, b):
        return True


class Seen:
    def __init__(self):
        self.eyes, self.targets = set(), set()

    def is_visible(self, a, b):
        self.eyes.add(a)
        self.targets.add(b)
        return False


@pytest.mark.parametrize("place, up", [("corpus/fox/standalone.nav2", 1), ("corpus/source/town.nav", 2)])
def test_eyes_are_above_the_ground_whichever_axis_is_up(place, up):
    index, seen = navmap.open(place).index(), Seen()
    at = index.center(index.ids[0])
    index.map_control([at], [], visibility=seen, method="raycast", eye_height=10, target_height=3)
    raised = [value + 10 * (axis == up) for axis, value in enumerate(at)]
    assert seen.eyes == {tuple(raised)}
    centers = [index.center(id) for id in index.ids]
    assert seen.targets == {tuple(value + 3 * (axis == up) for axis, value in enumerate(center)) for center in centers}


def test_a_view_turns_over_the_ground_whichever_axis_is_up():
    polars = pytest.importorskip("polars")
    index = navmap.open("corpus/fox/standalone.nav2").index()
    x, y, z = (sum(index.center(id)[axis] for id in index.ids) / len(index) for axis in range(3))
    for yaw, axis, side in ((0.0, 0, 1), (180.0, 0, -1), (90.0, 2, 1), (270.0, 2, -1)):
        team, seen = polars.DataFrame({"x": [x], "y": [y], "z": [z], "yaw": [yaw]}), Seen()
        index.map_control(team, [], visibility=seen, method="vision")
        assert seen.targets and all((at[axis] - (x, y, z)[axis]) * side >= 0 for at in seen.targets)


def test_who_looks_there_holds_it(index):
    at = index.center(index.ids[0])
    assert index.map_control([at], [], visibility=Everything(), method="raycast")["ct_fraction"] == pytest.approx(1)
    polars = pytest.importorskip("polars")
    team = polars.DataFrame({"x": [at[0]], "y": [at[1]], "z": [at[2]], "yaw": [0.0]})
    looks = index.map_control(team, [], visibility=Everything())
    away = index.map_control(team.with_columns(yaw=polars.lit(180.0)), [], visibility=Everything())
    assert 0 < looks["ct_fraction"] <= 1 and looks["ct"] != away["ct"]
    assert index.map_control(team.with_columns(blind=polars.lit(True)), [], visibility=Everything())["ct_fraction"] == 0
    assert index.map_control(team.to_arrow(), [], visibility=Everything()) == looks
    with pytest.raises(ValueError, match="requires a VisibilityChecker"):
        index.map_control(team, [], method="vision")
    with pytest.raises(ValueError, match="unknown method"):
        index.map_control(team, [], method="guess")
    with pytest.raises(ValueError, match="no z"):
        index.map_control(team.drop("z"), [])
    with pytest.raises(ValueError, match="three numbers"):
        index.map_control([(1, 2)], [])
