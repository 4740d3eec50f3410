import os
import pathlib
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, Self

_Path = str | os.PathLike[str]
_Point = Iterable[float]
_Triple = tuple[float, float, float]

class _Visibility(Protocol):
    def is_visible(self, a: Any, b: Any, /) -> bool: ...

class NavMesh:
    path: pathlib.Path
    def __init__(self, source: _Path, *, version: int | None = None) -> None: ...
    @property
    def version(self) -> int: ...
    @property
    def sub_version(self) -> int: ...
    @property
    def is_analyzed(self) -> bool: ...
    @property
    def area_count(self) -> int: ...
    @property
    def areas(self) -> Any: ...
    def __len__(self) -> int: ...
    def area(self, area_id: int) -> dict[str, Any] | None: ...
    def find_area(self, point: _Point) -> int | None: ...
    def neighbors(self, area_id: int) -> list[int]: ...
    def find_path(self, start: int | _Point, end: int | _Point, *, weight: str = "distance") -> list[int]: ...

class DynamicAttributeFlags(int): ...

class NavArea:
    area_id: int
    hull_index: int
    dynamic_attribute_flags: DynamicAttributeFlags
    corners: list[Any]
    connections: list[int]
    ladders_above: list[int]
    ladders_below: list[int]
    def __init__(
        self,
        area_id: int = 0,
        hull_index: int = 0,
        dynamic_attribute_flags: DynamicAttributeFlags = ...,
        corners: list[Any] | None = None,
        connections: list[int] | None = None,
        ladders_above: list[int] | None = None,
        ladders_below: list[int] | None = None,
    ) -> None: ...
    @property
    def connected_areas(self) -> set[int]: ...
    @property
    def size(self) -> float: ...
    @property
    def centroid(self) -> Any: ...
    def to_dict(self) -> dict[str, Any]: ...
    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self: ...

class Nav:
    MAGIC: int
    version: int
    sub_version: int
    areas: dict[int, NavArea]
    is_analyzed: bool
    def __init__(
        self,
        *,
        version: int = 0,
        sub_version: int = 0,
        areas: dict[int, NavArea] | None = None,
        is_analyzed: bool = False,
    ) -> None: ...
    @classmethod
    def from_path(cls, path: _Path) -> Self: ...
    @property
    def graph(self) -> Any: ...
    def find_path(self, start_id: int, end_id: int, weight: Literal["size", "dist"] | None = None) -> list[NavArea]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self, path: _Path) -> None: ...
    @classmethod
    def from_json(cls, path: _Path) -> Self: ...

def compute_map_control(
    nav: NavMesh,
    players: Iterable[Sequence[Any]],
    *,
    visibility: _Visibility | None = None,
    method: str = "vision",
    smokes: Iterable[Sequence[float]] = (),
    fires: Iterable[Sequence[float]] = (),
    detail: bool = True,
    eye_height: float = 64.0,
    crouch_eye_height: float = 46.0,
    target_height: float = 46.0,
    max_distance: float | None = None,
    contest_margin: float = 200.0,
    fov: float = 90.0,
) -> dict[str, Any]: ...
def install() -> None: ...
def __getattr__(name: str) -> Any: ...
