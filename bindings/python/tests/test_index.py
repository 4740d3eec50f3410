import array
import itertools
import math
import pathlib
import random
import sys
import sysconfig
import threading
import time
import types

import navmap
import numpy
import pytest
from conftest import FAMILIES, inside, needs_corpus, real_corpus


@pytest.fixture(scope="module")
def town():
    from conftest import ROOT

    nav = navmap.open(ROOT / "corpus/source/town.nav")
    return nav, nav.index()


def spots(index, count=2000, seed=1):
    """Points around areas of a mesh, some on them and some not."""
    rng = random.Random(seed)
    centers = [center for center in map(index.center, index.ids) if center is not None]
    return numpy.array(
        [[c + rng.uniform(-60, 60) for c in rng.choice(centers)] for _ in range(count)], dtype=numpy.float32
    )


def test_a_batch_is_what_single_questions_are(town):
    nav, index = town
    points = spots(index)
    found = index.find_areas(points)
    assert isinstance(found, array.array) and found.typecode == "q"
    singles = [index.find_area(tuple(p)) for p in points.tolist()]
    assert [None if id == -1 else id for id in found] == singles
    assert 0 < sum(id != -1 for id in found) < len(points)


@pytest.mark.parametrize("change", [
    lambda p: p.astype(numpy.float64),
    lambda p: numpy.asfortranarray(p),
    lambda p: numpy.concatenate([p, p], axis=1)[:, :3],
    lambda p: [tuple(row) for row in p.tolist()],
    lambda p: p.tolist(),
    lambda p: list(p),
    lambda p: memoryview(p),
    lambda p: numpy.rint(p).astype(numpy.int32),
    lambda p: numpy.rint(p).astype(numpy.int64).tolist(),
    lambda p: numpy.rint(p).astype(numpy.int16),
])  # fmt: skip
def test_points_come_in_many_forms(town, change):
    _, index = town
    points = spots(index, 300)
    points = numpy.rint(points)  # as integers too they are the same points
    assert index.find_areas(change(points)) == index.find_areas(points)


def test_points_come_from_data_frames(town):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    _, index = town
    points = spots(index, 300)
    for library in (pandas, polars):
        frame = library.DataFrame({axis: points[:, at] for at, axis in enumerate("xyz")})
        assert index.find_areas(frame) == index.find_areas(points)
        more = library.DataFrame({"tick": list(range(300)), **{axis: points[:, at] for at, axis in enumerate("xyz")}})
        assert index.find_areas(more) == index.find_areas(points)
        other = library.DataFrame({"a": [1.0], "b": [2.0], "c": [3.0], "d": [4.0]})
        with pytest.raises(ValueError, match=rf"{library.__name__}.DataFrame has the columns a, b, c, d"):
            index.find_areas(other)
        words = library.DataFrame({axis: ["a"] for axis in "xyz"})
        with pytest.raises(TypeError, match=rf"{library.__name__}.DataFrame: points are numbers"):
            index.find_areas(words)


def test_numpy_takes_answers_without_copying(town):
    _, index = town
    found = index.find_areas(spots(index, 10))
    view = numpy.asarray(found)
    assert view.dtype == numpy.int64
    view[0] = 77
    assert found[0] == 77


def test_a_large_batch_is_shared_out_and_stays_in_order(town):
    _, index = town
    points = spots(index, 50_000)
    whole = index.find_areas(points)
    parts = [id for at in range(0, 50_000, 5000) for id in index.find_areas(points[at : at + 5000])]
    assert list(whole) == parts


def test_the_nearest_of_many_is_the_nearest_of_each(town):
    _, index = town
    points = spots(index, 500)
    near = index.nearest_many(points, 40.0)
    assert len(near) == 500 and 0 < sum(id == -1 for id in near.ids) < 500
    for row, (point, id) in enumerate(zip(points.tolist(), near.ids)):
        one = index.nearest(point, 40.0)
        assert (one is None) == (id == -1)
        if one is not None:
            assert (one.id, one.distance) == (id, near.distances[row])
            assert one.point == (near.x[row], near.y[row], near.z[row])
            assert math.isclose(math.dist(one.point, point), one.distance, rel_tol=1e-3, abs_tol=1e-2)
        else:
            assert math.isinf(near.distances[row]) and math.isnan(near.x[row])


def naive(index, ids):
    """Lengths of all ways by Dijkstra over neighbors, center to center."""
    import heapq

    lengths = {}
    for start in ids:
        best, heap = {start: 0.0}, [(0.0, start)]
        while heap:
            cost, at = heapq.heappop(heap)
            if cost > best[at]:
                continue
            for to in index.neighbors(at):
                total = cost + math.dist(index.center(at), index.center(to))
                if total < best.get(to, math.inf):
                    best[to] = total
                    heapq.heappush(heap, (total, to))
        lengths[start] = best
    return lengths


def test_ways_are_as_short_as_a_plain_search_finds_them():
    # A mesh without ladders, whose lengths are not those between centers.
    nav = navmap.open("corpus/quake/nav3-v6.nav")
    index = nav.index()
    walk = {(link.source, link.target) for link in nav.links if link.kind == "walk" and link.length is None}
    if len(walk) != len({(link.source, link.target) for link in nav.links}):
        nav = navmap.open("corpus/fox/quads.nav2")
        index = nav.index()
    ids = list(index.ids)
    lengths = naive(index, ids[:8])
    for start in ids[:8]:
        costs = index.distance_map(start)
        for row, end in enumerate(ids):
            want = lengths[start].get(end, math.inf)
            assert math.isclose(costs[row], want, rel_tol=1e-4, abs_tol=1e-3), (start, end)
            way = index.find_path(start, end)
            assert bool(way) == (want < math.inf) == index.reachable(start, end)
            if way:
                steps = sum(math.dist(index.center(a), index.center(b)) for a, b in zip(way, way[1:]))
                assert way[0] == start and way[-1] == end and math.isclose(steps, want, rel_tol=1e-4, abs_tol=1e-3)


def test_the_matrix_is_a_row_of_maps(town):
    _, index = town
    ids = list(index.ids)
    matrix = numpy.asarray(index.distance_matrix())
    assert matrix.shape == (len(ids), len(ids)) and (matrix.diagonal() == 0).all()
    for row in range(0, len(ids), 7):
        assert numpy.array_equal(matrix[row], numpy.asarray(index.distance_map(ids[row])))
        # Sums of floats in another order.
        back = numpy.asarray(index.distance_map(ids[row], reverse=True))
        assert numpy.allclose(matrix[:, row], back, rtol=1e-5)
    part = numpy.asarray(index.distance_matrix(ids[:3], ids[5:9]))
    assert numpy.array_equal(part, matrix[:3, 5:9])


def test_weights_differ_and_hops_are_fewest(town):
    _, index = town
    ids = list(index.ids)
    matrix = {w: numpy.asarray(index.distance_matrix(weight=w)) for w in ("distance", "hops", "size", "cheapest")}
    finite = {w: numpy.isfinite(m) for w, m in matrix.items()}
    assert all((finite["hops"] == f).all() for f in finite.values())
    rng = random.Random(3)
    for _ in range(200):
        a, b = rng.randrange(len(ids)), rng.randrange(len(ids))
        way = index.find_path(ids[a], ids[b], weight="hops")
        assert (len(way) - 1 if way else math.inf) == matrix["hops"][a, b]
    assert index.find_path(ids[0], ids[1], weight="engine")


def test_areas_that_are_avoided_are_not_passed(town):
    _, index = town
    ids = list(index.ids)
    rng = random.Random(5)
    turned = 0
    for _ in range(300):
        a, b = rng.choice(ids), rng.choice(ids)
        way = index.find_path(a, b)
        if len(way) < 3:
            continue
        other = index.find_path(a, b, avoid=[way[1]])
        assert way[1] not in other
        dear = index.find_route(a, b, factors={way[1]: 1000.0})
        assert dear.cost >= index.find_route(a, b).cost
        assert dear.areas == index.find_path(a, b, factors=types.MappingProxyType({way[1]: 1000.0}))
        turned += bool(other)
    assert turned


def test_a_route_has_points_kinds_and_a_cost(town):
    _, index = town
    ids = list(index.ids)
    start, end = next((a, b) for a in ids for b in reversed(ids) if len(index.find_path(a, b)) > 4)
    route = index.find_route(start, end)
    assert route.areas == index.find_path(start, end) and len(route.kinds) == len(route) - 1
    assert route.points[0] == index.center(start) and route.points[-1] == index.center(end)
    walked = sum(math.dist(a, b) for a, b in zip(route.points, route.points[1:]))
    assert 0 < walked <= route.cost * 1.5
    assert index.find_route(index.center(start), index.center(end)).areas[0] == index.find_area(index.center(start))


def test_ends_are_ids_points_or_places(town):
    nav, index = town
    assert nav.places
    name = nav.places[0].name
    way = index.find_path(name, nav.areas[0].id)
    assert not way or nav.areas.by_id(way[0]).place == name
    assert index.find_path((1e7, 0, 0), nav.areas[0].id) == [] == index.find_path(nav.areas[0].id, (1e7, 0, 0))
    with pytest.raises(KeyError, match="no place is called"):
        index.find_path("Atlantis", nav.areas[0].id)
    assert index.find_path(numpy.int64(index.ids[0]), numpy.uint32(index.ids[0])) == [index.ids[0]]


def test_an_index_needs_no_mesh_and_opens_tiles_and_folders():
    index = navmap.open("corpus/source/town.nav").index(landmarks=False)
    assert index.find_area(index.center(index.ids[0])) is not None
    tiles = navmap.Index.open("corpus/fox/set")
    files = sorted(pathlib.Path("corpus/fox/set").glob("*.nav2"))
    assert len(tiles) >= max(len(navmap.open(file).areas) for file in files)
    assert index.ids[0] in index and 4_000_000_000 not in index


def test_threads_share_an_index(town):
    _, index = town
    points = spots(index, 400)
    want = list(index.find_areas(points))
    ids = list(index.ids)
    ways = [index.find_path(ids[0], id) for id in ids]
    wrong = []

    def ask():
        for _ in range(20):
            if list(index.find_areas(points)) != want or [index.find_path(ids[0], id) for id in ids] != ways:
                wrong.append(True)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_asked_the_same_way(family):
    asked = 0
    for outcome in navmap.scan(f"corpus/{family}", progress=False):
        nav = navmap.open(outcome.location)
        index = nav.index()
        for id in list(index.ids)[:5]:
            center = index.center(id)
            if center is None or not all(map(math.isfinite, center)):
                continue
            assert index.nearest(center) is not None
            assert index.find_path(id, id) == [id]
            assert set(index.neighbors(id)) == set(nav.areas.by_id(id).neighbors) or len(nav.areas) != len(set(index.ids))
            asked += 1
    assert asked


@needs_corpus
def test_real_source_2_meshes_answer():
    maps = [o for o in navmap.scan(real_corpus() / "source", progress=False) if (o.version or 0) >= 30 and o.status != "error"]
    for outcome in maps[:4]:
        index = navmap.open(outcome.location).index()
        if len(index):
            matrix = numpy.asarray(index.distance_matrix(list(index.ids)[:3]))
            assert matrix.shape == (3, len(index)) and (matrix[0, 0] == 0)


def test_other_threads_run_during_batches(town):
    _, index = town
    many = numpy.tile(spots(index, 10_000), (200, 1))
    for work in (lambda: index.find_areas(many), lambda: index.nearest_many(many[:200_000]), lambda: index.distance_matrix()):
        # A call that is over in a moment proves nothing.
        ran, took = inside(work)
        assert ran or took < 0.02


@pytest.mark.parametrize("ask", ["find_path", "find_route"])
def test_other_threads_run_during_searches(town, ask):
    _, index = town
    ids = list(index.ids)
    go, ran = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: (go.wait(), ran.set()))
    thread.start()
    interval = sys.getswitchinterval()
    # Nobody takes the lock away from this thread: another one runs only if a search hands it over.
    sys.setswitchinterval(60)
    try:
        go.set()
        ends = itertools.cycle(ids)
        until = time.perf_counter() + 5
        while not ran.is_set() and time.perf_counter() < until:
            getattr(index, ask)(ids[0], next(ends))
        overlapped = ran.is_set()
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    assert overlapped


def test_the_interpreters_lock_stays_off_where_there_is_none():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter has a lock")
    assert not sys._is_gil_enabled()
