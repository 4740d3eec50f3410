"""The JSON of awpy 2's `Nav`: read with what is wrong, in which area of which file, and written wholly or not at all."""

import errno
import json
import os
import pathlib
import secrets
import shutil

_MESH = {"version": int, "sub_version": int, "is_analyzed": bool, "areas": dict}
_AREA = {
    "area_id": int,
    "hull_index": int,
    "dynamic_attribute_flags": int,
    "corners": list,
    "connections": list,
    "ladders_above": list,
    "ladders_below": list,
}
_IDS = ("connections", "ladders_above", "ladders_below")
_KINDS = {int: "a whole number", bool: "true or false", dict: "an object", list: "a list", str: "a string", float: "a number"}


class _Wrong(Exception):
    """What is wrong, without the file."""


def _shown(text):
    return repr(text if len(text) <= 60 else text[:60] + "...")


def _once(pairs):
    """An object, of which no member may be there twice: all but one of them would be lost."""
    members = {}
    for name, value in pairs:
        if members.setdefault(name, value) is not value:
            raise _Wrong(f"{_shown(name)} stands there twice")
    return members


def _is(value, kind):
    # In Python true and false are numbers too.
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is kind


def _of(value, kind):
    if not _is(value, kind):
        found = "null" if value is None else _KINDS.get(type(value))
        raise _Wrong(f"expected {_KINDS[kind]}, found {found}")
    return value


def _within(where, read, *values):
    try:
        return read(*values)
    except _Wrong as error:
        raise _Wrong(f"{where}: {error}") from None


def _members(value, kinds):
    """The members of an object; those that have a default may be missing."""
    for name, member in _of(value, dict).items():
        if name not in kinds:
            raise _Wrong(f"{_shown(name)} is not known")
        _within(name, _of, member, kinds[name])
    return value


def _number(value):
    try:
        return float(_of(value, float))
    except OverflowError:
        raise _Wrong("a number beyond all floats") from None


def _corner(value):
    _of(value, dict)
    for axis in "xyz":
        if axis not in value:
            raise _Wrong(f"has no {axis}")
        _within(axis, _number, value[axis])
    return value


def _area(value):
    _members(value, _AREA)
    for name in ("dynamic_attribute_flags", "corners"):
        if name not in value:
            raise _Wrong(f"has no {name}")
    for at, corner in enumerate(value["corners"]):
        _within(f"corners[{at}]", _corner, corner)
    for name in _IDS:
        for at, id in enumerate(value.get(name, ())):
            _within(f"{name}[{at}]", _of, id, int)
    return value


def _id(text):
    # Digits as json writes them, and not all that `int` takes.
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20):
        raise _Wrong(f"the area {_shown(text)} has no id")
    return int(text)


def _mesh(text):
    mesh = _members(json.loads(text, object_pairs_hook=_once), _MESH)
    if "areas" not in mesh:
        raise _Wrong("has no areas")
    areas = {}
    for name, area in mesh["areas"].items():
        id = _id(name)
        if id in areas:
            raise _Wrong(f"the area {id} stands there twice")
        areas[id] = _within(f"area {id}", _area, area)
    mesh["areas"] = areas
    return mesh


def read(path):
    """The members of a mesh, with areas by their ids. Raises FileNotFoundError or ValueError."""
    data = pathlib.Path(path).read_bytes()
    try:
        return _mesh(data.decode("utf-8-sig"))
    except RecursionError:
        why = "nested too deep"
    except UnicodeDecodeError as error:
        why = f"byte {error.start:#x} is not UTF-8"
    except (_Wrong, ValueError) as error:
        # That a number has too many digits is one too.
        why = str(error)
    raise ValueError(f"{os.fspath(path)}: {why}")


def write(path, mesh):
    """Writes a mesh to a file, wholly or not at all. Raises OSError or ValueError."""
    text = json.dumps(mesh) + "\n"
    target = pathlib.Path(os.path.realpath(path))
    there = target.exists()
    if there and not target.is_file():
        # A pipe or a device has nothing to lose.
        target.write_text(text, encoding="utf-8")
        return
    if there and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    beside = target.with_name(f".navmap-{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with open(beside, "x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if there:
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
