import gc
import pathlib

import navmap
import numpy
import pytest


def test_links_of_quake_are_those_of_the_objects():
    for file in sorted(pathlib.Path("corpus/quake").glob("*.nav")):
        nav = navmap.open(file)
        links = numpy.frombuffer(nav.buffer("links"), dtype=nav.dtype("links"))
        nodes = numpy.frombuffer(nav.buffer("nodes"), dtype=nav.dtype("nodes"))
        origins = numpy.frombuffer(nav.buffer("origins"), dtype=nav.dtype("origins"))
        assert len(links) == nav.counts["links"] and len(nodes) == len(nav.areas) == len(origins)
        for area, node, origin in zip(nav.areas, nodes, origins):
            own = links[node["first_link"] : node["first_link"] + node["link_count"]]
            assert [link.target for link in area.links] == own["target"].tolist()
            assert area.center == tuple(origin.tolist())
        for name in nav.records:
            dtype = numpy.dtype(nav.dtype(name))
            assert len(nav.buffer(name)) == nav.counts.get(name, len(nodes)) * dtype.itemsize


def test_vertices_of_fox_are_the_corners_of_faces():
    nav = navmap.open("corpus/fox/quads.nav2")
    origin, divisors = nav.frame
    vertices = numpy.frombuffer(nav.buffer("vertices"), dtype=nav.dtype("vertices"))
    placed = {
        tuple(numpy.float32(v) / numpy.float32(d) + numpy.float32(o) for v, d, o in zip(row, divisors, origin))
        for row in vertices.tolist()
    }
    faces = [area for area in nav.areas if area.group in (None, 0)] or list(nav.areas)
    found = sum(tuple(map(numpy.float32, corner)) in placed for area in faces for corner in area.corners)
    assert found > 0
    assert {tuple(map(numpy.float32, c)) for area in nav.areas for c in area.corners} >= set() and len(vertices) > 3


def test_a_buffer_is_a_part_of_the_file_and_outlives_the_mesh():
    nav = navmap.open("corpus/quake/nav3-v6.nav")
    buffer = nav.buffer("links")
    assert buffer.readonly and buffer.obj is bytes(nav)
    want = bytes(buffer)
    del nav
    gc.collect()
    assert bytes(buffer) == want
    with pytest.raises(TypeError):
        buffer[0] = 1


def test_a_buffer_does_not_change_with_the_file(tmp_path):
    file = tmp_path / "a.nav"
    file.write_bytes(pathlib.Path("corpus/quake/nav3-v6.nav").read_bytes())
    buffer = navmap.open(file).buffer("links")
    want = bytes(buffer)
    file.write_bytes(b"")
    assert bytes(buffer) == want


def test_records_that_are_not_there_are_errors():
    nav = navmap.open("corpus/quake/nav3-v6.nav")
    with pytest.raises(ValueError, match="edicts, links, nodes, origins, traversals"):
        nav.buffer("vertices")
    with pytest.raises(ValueError, match="no group 9"):
        navmap.open("corpus/fox/quads.nav2").buffer("vertices", group=9)
    with pytest.raises(ValueError, match="no records of fixed size"):
        navmap.open("corpus/source/town.nav").buffer("areas")
    assert navmap.open("corpus/source/town.nav").records == []
