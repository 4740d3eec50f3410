"""Bad input: a clear exception each time, and never a crash."""

import os
import pathlib
import pickle

import navmap
import numpy
import pytest


@pytest.fixture(scope="module")
def index():
    from conftest import ROOT

    return navmap.open(ROOT / "corpus/source/town.nav").index()


@pytest.mark.parametrize("points", [
    numpy.zeros((4, 3), dtype=numpy.float16),
    numpy.zeros((4, 3), dtype=numpy.complex64),
    numpy.zeros((4, 3), dtype=bool),
    numpy.zeros((4, 3), dtype=object),
    numpy.zeros((4, 3), dtype="U4"),
    numpy.zeros((4, 3), dtype=">f4"),
    numpy.zeros(4, dtype=[("x", "f4"), ("y", "f4"), ("z", "f4")]),
    b"123123123123", bytearray(12), "abc", 3, None, {1: 2}, object(),
    [1.0, 2.0, 3.0], [("a", "b", "c")], [None], [b"abc"],
])  # fmt: skip
def test_points_of_a_wrong_type_are_a_type_error(index, points):
    for ask in (index.find_areas, index.nearest_many):
        with pytest.raises(TypeError, match="point"):
            ask(points)


@pytest.mark.parametrize("points", [
    numpy.zeros(3, dtype=numpy.float32),
    numpy.zeros((3, 4), dtype=numpy.float32),
    numpy.zeros((3, 2), dtype=numpy.float64),
    numpy.zeros((2, 3, 3), dtype=numpy.float32),
    numpy.zeros((), dtype=numpy.float32),
    [(1.0, 2.0)], [(1.0, 2.0, 3.0, 4.0)], [()],
])  # fmt: skip
def test_points_of_a_wrong_shape_are_a_value_error(index, points):
    for ask in (index.find_areas, index.nearest_many):
        with pytest.raises(ValueError, match=r"shape \(n, 3\)|three numbers"):
            ask(points)


def test_no_points_are_no_answers(index):
    assert list(index.find_areas(numpy.zeros((0, 3), dtype=numpy.float32))) == []
    assert list(index.find_areas([])) == [] and len(index.nearest_many([])) == 0


@pytest.mark.parametrize("point", ["abc", b"abc", 3, None, {}, ("1", "2", "3"), (None,) * 3, [[1], [2], [3]]])
def test_a_point_that_is_none_is_a_type_error(index, point):
    with pytest.raises(TypeError, match="point"):
        index.find_area(point)


@pytest.mark.parametrize("point", [(), (1.0,), (1, 2), (1, 2, 3, 4), [1, 2], numpy.zeros(4)])
def test_a_point_of_other_than_three_numbers_is_a_value_error(index, point):
    with pytest.raises(ValueError, match="three numbers"):
        index.find_area(point)


def test_numbers_that_are_no_places_find_nothing(index):
    for value in (float("nan"), float("inf"), -float("inf"), 1e300):
        assert index.find_area((value, 0, 0)) is None and index.find_area((0, 0, value)) is None
        assert list(index.find_areas([(value, value, value)])) == [-1]
    assert index.nearest((float("nan"), 0, 0)) is None
    assert list(index.nearest_many([(float("nan"),) * 3]).ids) == [-1]


@pytest.mark.parametrize("path", [b"corpus/source/town.nav", bytearray(b"x"), 3, None, object(), ["a"], 1.5])
def test_a_path_of_a_wrong_type_is_a_type_error(path):
    with pytest.raises(TypeError, match="path"):
        navmap.open(path)
    if not isinstance(path, list):
        with pytest.raises(TypeError, match="path"):
            navmap.scan(path)
    with pytest.raises(TypeError, match="path"):
        navmap.Index.open(path)


def test_a_path_object_of_bytes_is_a_type_error():
    class Odd:
        def __fspath__(self):
            return b"corpus"

    with pytest.raises(TypeError, match="not bytes"):
        navmap.open(Odd())
    assert navmap.open(pathlib.PurePath("corpus/source/town.nav")).family == "source"


@pytest.mark.parametrize("ask", [navmap.open, navmap.scan, navmap.Index.open, lambda p: navmap.scan([p])])
def test_nul_in_a_path_is_a_value_error(ask):
    with pytest.raises(ValueError, match="NUL"):
        ask("corpus/source/town.nav\0.txt")


def test_nul_in_other_names_is_an_ordinary_miss(index):
    nav = navmap.open("corpus/quake/nav3-v6.nav")
    with pytest.raises(ValueError):
        nav.buffer("li\0nks")
    with pytest.raises(KeyError):
        index.find_path("a\0b", index.ids[0])
    with pytest.raises(ValueError):
        navmap.open("corpus/source/town.nav", kind="sour\0ce")
    with pytest.raises(AttributeError):
        navmap.scan("corpus").table("are\0as")
    assert list(navmap.scan("corpus/quake", glob="a\0b")) == []
    with pytest.raises(navmap.NavError):
        navmap.open("corpus/quake/nav3-v6.nav!a\0b".replace("\0", "?"))


def test_names_that_are_no_text_are_opened_and_shown(tmp_path):
    name = os.fsencode(tmp_path) + b"/a\xff.nav"
    with open(name, "wb") as out:
        out.write(pathlib.Path("corpus/source/town.nav").read_bytes())
    assert navmap.open(os.fsdecode(name)).family == "source"
    assert [o.path.endswith("a\\xff.nav") for o in navmap.scan(tmp_path)] == [True]


def test_what_is_no_mesh_says_what_it_is(tmp_path):
    with pytest.raises(navmap.NavError) as raised:
        navmap.open("README.md")
    assert raised.value.kind == "not-a-mesh" and raised.value.path == "README.md"
    (tmp_path / "empty.nav").touch()
    with pytest.raises(navmap.NavError):
        navmap.open(tmp_path / "empty.nav")
    with pytest.raises(OSError):
        navmap.open(tmp_path)
    with pytest.raises(FileNotFoundError) as raised:
        navmap.open(tmp_path / "none.nav")
    assert raised.value.errno == 2 and raised.value.filename == str(tmp_path / "none.nav") == raised.value.path
    assert raised.value.record is raised.value.index is raised.value.byte is None


def test_a_single_dash_is_a_file_and_not_standard_input():
    with pytest.raises(FileNotFoundError):
        navmap.open("-")


@pytest.mark.parametrize("data", ["text", None, 3, [1, 2]])
def test_a_mesh_in_memory_is_a_buffer(data):
    with pytest.raises(TypeError, match="data is bytes"):
        navmap.from_bytes(data)


def test_every_hostile_file_is_read_or_raises():
    files = [path for path in pathlib.Path("corpus/hostile").rglob("*") if path.is_file() and path.suffix != ".tsv"]
    assert len(files) > 50
    for file in files:
        for partial in (False, True):
            try:
                nav = navmap.open(file, partial=partial)
                nav.counts, nav.check(), len(nav.areas), nav.links[:3], nav.places, nav.draw(width=100).svg
                index = nav.index()
                index.find_areas([(0, 0, 0)]), index.distance_map(index.ids[0]) if len(index) else None
                [nav.buffer(name) for name in nav.records]
            except navmap.NavError as error:
                assert error.path and str(error) and error.message
                assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("id", ["7", 1.5, None, (1, 2, 3)])
def test_an_id_of_a_wrong_type_is_a_type_error(index, id):
    for ask in (index.neighbors, index.center, index.place, lambda id: index.reachable(id, id), lambda id: id in index):
        with pytest.raises(TypeError, match="id is an int"):
            ask(id)


def test_ids_that_do_not_exist_are_key_errors_that_name_others(index):
    for ask in (index.neighbors, index.center, index.place, index.distance_map, lambda id: index.find_path(id, index.ids[0])):
        with pytest.raises(KeyError, match="there is no area #4000000000; the next"):
            ask(4_000_000_000)
    for id in (2**64, -(2**63) - 1):
        assert id not in index
        with pytest.raises(KeyError, match=f"there is no #{id}"):
            index.neighbors(id)
    with pytest.raises(TypeError, match="not bool"):
        index.find_path(True, index.ids[0])


def test_words_and_numbers_out_of_range_are_value_errors(index):
    first = index.ids[0]
    with pytest.raises(ValueError, match="no weight 'far'"):
        index.find_path(first, first, weight="far")
    with pytest.raises(ValueError, match="at least 1"):
        index.find_path(first, first, factors={first: 0.5})
    with pytest.raises(ValueError, match="at least 1"):
        index.find_path(first, first, factors={first: float("nan")})
    with pytest.raises(ValueError, match="at least one source"):
        index.distance_matrix([], None)
    with pytest.raises(ValueError, match="no task 'all'"):
        navmap.scan("corpus", task="all")
    with pytest.raises(ValueError, match="threads"):
        navmap.scan("corpus", threads=0)
    with pytest.raises((OverflowError, ValueError)):
        navmap.scan("corpus", threads=-1)
    with pytest.raises(ValueError, match="no kind 'doom'"):
        navmap.open("corpus/source/town.nav", kind="doom")
    with pytest.raises(TypeError, match="progress"):
        iter(navmap.scan("corpus", progress=3))


def test_classes_are_made_by_functions_alone():
    for kind in (navmap.Nav, navmap.Index, navmap.Area, navmap.Table, navmap.Scan, navmap.Editor, navmap.Picture):
        with pytest.raises(TypeError):
            kind()
    nav = navmap.open("corpus/source/town.nav")
    with pytest.raises(AttributeError):
        nav.path = "x"
