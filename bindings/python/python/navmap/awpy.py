"""awpy's `NavMesh` over navmap: scripts written for awpy run with one import changed.

    from navmap.awpy import NavMesh          # was: from awpy import NavMesh

Names that are not here, such as `data`, `Demo` and `VisibilityChecker`, are those of awpy itself, if it is installed. Code of
awpy that makes its own `NavMesh`, such as `awpy.plot.nav` and `awpy.map_control`, takes this one after `install()`.

`Nav` and `NavArea` are those of awpy 2, as they read there. `docs/python.md` lists what answers differ and why.
"""

import math
import os
import pathlib

import navmap
from navmap import _control, _navmap, _plain

__all__ = ["DynamicAttributeFlags", "Nav", "NavArea", "NavMesh", "compute_map_control", "install"]

_WEIGHTS = {"distance": "distance", "dist": "distance", "hops": "hops", "hop": "hops", "size": "size"}


def __getattr__(name):
    """A name of awpy's own."""
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        import awpy
    except ImportError:
        raise AttributeError(f"navmap.awpy has no {name!r}, and awpy is not installed") from None
    return getattr(awpy, name)


def _file_of(source, version):
    """The file that `NavMesh(source, version=...)` means."""
    is_path = isinstance(source, os.PathLike)
    text = os.fspath(source)
    if is_path or text.endswith(".nav") or "/" in text or "\\" in text or "!" in text:
        if version is not None:
            raise ValueError("version is for the name of a map, not for the path of a file")
        return pathlib.Path(source)
    try:
        from awpy import data
    except ImportError:
        raise FileNotFoundError(f"{text!r} is the name of a map, whose file awpy knows: install awpy, or give a path") from None
    return pathlib.Path(data.nav_path(text, version))


class NavMesh:
    """The navigation mesh of a map of Counter-Strike 2, with the names of `awpy.NavMesh`.

    `source` is a path, or the name of a map, which needs awpy. Areas are named by their ids. Paths and neighbors go over
    ladders too. Raises FileNotFoundError or ValueError.
    """

    def __init__(self, source, *, version=None):
        self.path = _file_of(source, version)
        self._nav = navmap.open(self.path, partial=True)
        self._polygons = _navmap._Polygons(self._nav)
        self._made = None

    @property
    def _index(self):
        """Made when something is asked that needs it."""
        if self._made is None:
            self._made = self._nav.index()
        return self._made

    @property
    def version(self):
        """The version of the format."""
        return self._nav.version

    @property
    def sub_version(self):
        """The version of the game's own part."""
        return self._nav.subversion

    @property
    def is_analyzed(self):
        """Whether the mesh says that it was analyzed."""
        return self._polygons.analyzed

    @property
    def area_count(self):
        """How many areas, those of all hulls."""
        return len(self._polygons)

    def __len__(self):
        return len(self._polygons)

    def __repr__(self):
        return f"NavMesh(path={str(self.path)!r}, areas={len(self)}, version={self.version}.{self.sub_version})"

    @property
    def areas(self):
        """A `polars.DataFrame` with a row for each area."""
        import polars

        kinds = {"I": polars.UInt32, "q": polars.Int64, "f": polars.Float32}
        columns = self._polygons.columns()
        return polars.DataFrame([polars.Series(name, column, kinds[column.typecode]) for name, column in columns.items()])

    def area(self, area_id):
        """Everything about an area as a dictionary, or None."""
        return self._polygons.area(area_id)

    def find_area(self, point):
        """The id of the area above, on or below the point whose center is closest to it in height, or None."""
        levels = self._index.levels(point)
        if not levels:
            return None
        center, z = self._index.center, point[2]
        return min(levels, key=lambda level: abs(center(level[0])[2] - z))[0]

    def neighbors(self, area_id):
        """The ids of the areas that can be reached directly, over ladders too. Empty for an id that does not exist."""
        return self._index.neighbors(area_id) if area_id in self._index else []

    def _area_of(self, end):
        if hasattr(end, "__index__") and not hasattr(end, "__len__"):
            return end if end in self._index else None
        return self.find_area(end)

    def find_path(self, start, end, *, weight="distance"):
        """The ids of the areas of the best path, from start to end; empty if there is none. Each end is an id or a point."""
        known = _WEIGHTS.get(str(weight).lower())
        if known is None:
            raise ValueError(f"unknown weight {weight!r}: 'distance', 'hops' or 'size'")
        start, end = self._area_of(start), self._area_of(end)
        if start is None or end is None:
            return []
        return self._index.find_path(start, end, weight=known)


class DynamicAttributeFlags(int):
    """Attributes of an area, as a number."""


class _Vector(tuple):
    """A point with names, as `awpy.vector.Vector3`."""

    __slots__ = ()

    x = property(lambda self: self[0])
    y = property(lambda self: self[1])
    z = property(lambda self: self[2])

    def to_tuple(self):
        """The three numbers."""
        return tuple(self)

    def to_dict(self):
        """The three numbers by name."""
        return {"x": self[0], "y": self[1], "z": self[2]}

    def __repr__(self):
        return f"Vector3(x={self[0]}, y={self[1]}, z={self[2]})"


class NavArea:
    """An area, with the names of awpy 2's `awpy.nav.NavArea`."""

    def __init__(
        self,
        area_id=0,
        hull_index=0,
        dynamic_attribute_flags=DynamicAttributeFlags(0),
        corners=None,
        connections=None,
        ladders_above=None,
        ladders_below=None,
    ):
        self.area_id = area_id
        self.hull_index = hull_index
        self.dynamic_attribute_flags = dynamic_attribute_flags
        self.corners = corners or []
        self.connections = connections or []
        self.ladders_above = ladders_above or []
        self.ladders_below = ladders_below or []

    @property
    def connected_areas(self):
        """The ids of the areas that connections lead to."""
        return set(self.connections)

    @property
    def size(self):
        """The size as seen from above."""
        next_ones = [*self.corners[1:], *self.corners[:1]]
        return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(self.corners, next_ones))) / 2.0

    @property
    def centroid(self):
        """The mean of the corners."""
        count = len(self.corners) or 1
        return _Vector(sum(corner[axis] for corner in self.corners) / count for axis in range(3))

    def __repr__(self):
        points = [tuple(corner) for corner in self.corners]
        return f"NavArea(id={self.area_id}, connected_ids={sorted(self.connected_areas)}, points={points}, size={self.size})"

    def to_dict(self):
        """The area as plain values."""
        return {
            "area_id": self.area_id,
            "hull_index": self.hull_index,
            "dynamic_attribute_flags": int(self.dynamic_attribute_flags),
            "corners": [dict(zip("xyz", corner)) for corner in self.corners],
            "connections": self.connections,
            "ladders_above": self.ladders_above,
            "ladders_below": self.ladders_below,
        }

    @classmethod
    def from_dict(cls, data):
        """An area of what `to_dict` gives."""
        corners = [_Vector(corner[axis] for axis in "xyz") for corner in data["corners"]]
        flags = DynamicAttributeFlags(data["dynamic_attribute_flags"])
        return cls(**{**data, "corners": corners, "dynamic_attribute_flags": flags})


class Nav:
    """A mesh, with the names of awpy 2's `awpy.nav.Nav`. `graph` needs networkx."""

    MAGIC = 0xFEEDFACE

    def __init__(self, *, version=0, sub_version=0, areas=None, is_analyzed=False):
        self.version, self.sub_version = version, sub_version
        self.areas, self.is_analyzed = areas or {}, is_analyzed
        self._graph = None

    @classmethod
    def from_path(cls, path):
        """Reads a file."""
        mesh = NavMesh(pathlib.Path(path))
        areas = {}
        for id in mesh._polygons.columns()["area_id"]:
            found = mesh.area(id)
            del found["centroid"], found["size"]
            found["corners"] = [_Vector(corner) for corner in found["corners"]]
            found["dynamic_attribute_flags"] = DynamicAttributeFlags(found["dynamic_attribute_flags"])
            areas[id] = NavArea(**found)
        return cls(version=mesh.version, sub_version=mesh.sub_version, areas=areas, is_analyzed=mesh.is_analyzed)

    @property
    def graph(self):
        """The connections as a `networkx.DiGraph` with `size` and `dist` on its edges."""
        if self._graph is None:
            import networkx

            self._graph = networkx.DiGraph()
            for id, area in self.areas.items():
                self._graph.add_node(id, node=area)
            for id, area in self.areas.items():
                for to in area.connected_areas & self.areas.keys():
                    other = self.areas[to]
                    flat = math.dist(area.centroid[:2], other.centroid[:2])
                    self._graph.add_edge(id, to, size=area.size + other.size, dist=flat)
        return self._graph

    def find_path(self, start_id, end_id, weight=None):
        """The areas of the best path; empty if there is none. `weight` is 'size', 'dist' or None, for the fewest areas."""
        import networkx

        try:
            return [self.areas[id] for id in networkx.shortest_path(self.graph, start_id, end_id, weight=weight)]
        except networkx.NetworkXNoPath:
            return []

    def __repr__(self):
        return f"Nav(version={self.version}.{self.sub_version}, areas={len(self.areas)})"

    def to_dict(self):
        """The mesh as plain values."""
        areas = {id: area.to_dict() for id, area in self.areas.items()}
        return {"version": self.version, "sub_version": self.sub_version, "is_analyzed": self.is_analyzed, "areas": areas}

    def to_json(self, path):
        """Writes `to_dict` to a file, wholly or not at all. Raises OSError."""
        _plain.write(path, self.to_dict())

    @classmethod
    def from_json(cls, path):
        """Reads what `to_json` has written. Raises OSError, or ValueError that names the file, the area and the member."""
        data = _plain.read(path)
        areas = {id: NavArea.from_dict(area) for id, area in data.pop("areas").items()}
        return cls(areas=areas, **data)


_SIDES = {"ct": "ct", "counter-terrorist": "ct", "t": "t", "terrorist": "t"}


def compute_map_control(
    nav,
    players,
    *,
    visibility=None,
    method="vision",
    smokes=(),
    fires=(),
    detail=True,
    eye_height=64.0,
    crouch_eye_height=46.0,
    target_height=46.0,
    max_distance=None,
    contest_margin=200.0,
    fov=90.0,
):
    """Who holds which area of a `NavMesh`, as `awpy` computes it.

    `players` are `(x, y, z, side, crouched, blind, yaw)`. `method` is 'raycast' (who sees it), 'vision' (who looks there and sees
    it) or 'reachability' (who is there first; the paths go over ladders too). `visibility` has `is_visible(a, b)`, as
    `awpy.VisibilityChecker`. `smokes` and `fires` are spheres `(x, y, z, radius)`. Returns the shares of the map by size, and
    with `detail` the lists `area_ids`, `control`, `ct` and `t`.
    """
    return _control.compute(
        nav._polygons.columns(),
        lambda: nav._index,
        nav.find_area,
        [(player, _SIDES.get(str(player[3]).lower())) for player in players],
        visibility=visibility,
        method=method,
        smokes=smokes,
        fires=fires,
        detail=detail,
        eye_height=eye_height,
        crouch_eye_height=crouch_eye_height,
        target_height=target_height,
        max_distance=max_distance,
        contest_margin=contest_margin,
        fov=fov,
    )


def install():
    """Puts `NavMesh` and `compute_map_control` into awpy itself, so that its own modules use them."""
    import awpy
    from awpy import _awpy, map_control

    for place in (awpy, _awpy, map_control):
        place.NavMesh = NavMesh
    for place in (_awpy, map_control):
        place.compute_map_control = compute_map_control
