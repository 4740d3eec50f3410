"""Damaged meshes of every family through every call, with arguments of any kind: an exception of those that the page names, and
never a panic, a crash or a wrong length. `NAVMAP_FUZZ_ROUNDS=100000` fuzzes for longer, `NAVMAP_FUZZ_SEED` elsewhere."""

import os
import random

import navmap
import pytest
from conftest import FAMILIES, ROOT

ROUNDS = int(os.environ.get("NAVMAP_FUZZ_ROUNDS", "60"))
SEED = int(os.environ.get("NAVMAP_FUZZ_SEED", "1"))

# What a caller is told to expect. A panic of Rust is none of these.
EXPECTED = (ValueError, TypeError, KeyError, IndexError, OverflowError, OSError, AttributeError)
ODD = [None, "", "#1", "#0", "\0", b"#1", 0, 1, -1, 2**31, 2**32 - 1, 2**64, -(2**64), 0.5, float("nan"), float("inf"), (), [],
       (0, 0, 0), (float("nan"),) * 3, (1e30, -1e30, 1e30), (1, 2), "x" * 5000, "\ud800", object(), True, {}, {1: float("nan")}, [1, 2],
       [(0, 0, 0)], b"\0" * 12]  # fmt: skip
COMMANDS = ["nav_crouch all", "delete #0", "move 1 2 3", "undo; redo", "set all X=1", "select all", "nav_analyze", "what", "begin",
            "end", "clean_links", "status", "\0", "#", "nav_split #1 x=50%", "connect #0 #1"]  # fmt: skip


def files(family):
    """Small files of the bundled corpus."""
    found = [path for path in sorted((ROOT / "corpus" / family).rglob("*")) if path.is_file()]
    found = [path for path in found if path.suffix not in (".tsv", ".csv", ".txt", ".md")]
    return [path for path in found if path.stat().st_size < 64 << 10]


def damaged(dice, data):
    """Flipped, cut, copied and numbered bytes."""
    data = bytearray(data)
    for _ in range(dice.randrange(4)):
        if not data:
            break
        at = dice.randrange(len(data))
        match dice.randrange(5):
            case 0:
                data[at] ^= 1 << dice.randrange(8)
            case 1:
                del data[at:]
            case 2:
                del data[at : at + dice.randrange(40)]
            case 3:
                data[at : at + 4] = dice.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\xc0\x7f"])
            case _:
                data[at:at] = data[at : at + dice.randrange(64)]
    return bytes(data)


def tried(call, *args, **more):
    try:
        return call(*args, **more)
    except EXPECTED:
        return None


def ask(dice, nav):
    """Every call of a mesh and of what it hands out."""
    odd = lambda: dice.choice(ODD)  # noqa: E731
    for name in ("family", "kind", "form", "game", "version", "subversion", "size", "node_word", "axes", "bounds", "counts", "findings",
                 "places", "damage", "spaces", "records", "frame"):  # fmt: skip
        tried(getattr, nav, name)
    for call in (nav.summary, nav.info, nav.check, lambda: nav.check(hidden=True), lambda: bytes(nav), lambda: repr(nav)):
        tried(call)
    for name in [*(tried(lambda: nav.records) or []), odd()]:
        for group in (0, 1, odd()):
            tried(nav.buffer, name, group=group)
            tried(nav.dtype, name, group=group)
    areas, links = tried(lambda: nav.areas), tried(lambda: nav.links)
    for listed in (areas, links):
        if listed is None:
            continue
        count = len(listed)
        for at in (0, -1, count, count - 1, -count - 1, odd()):
            one = tried(listed.__getitem__, at)
            for name in dir(one) if one is not None else ():
                if not name.startswith("_"):
                    value = tried(getattr, one, name)
                    if callable(value):
                        tried(value)
        assert len(tried(listed.__getitem__, slice(None)) or [0] * count) == count
    if areas is not None:
        tried(areas.by_id, odd())
    index = tried(nav.index, space=dice.choice([None, None, "", "x"]), landmarks=dice.random() < 0.5)
    if index is not None:
        ids = list(index.ids)
        known = lambda: dice.choice(ids) if ids and dice.random() < 0.7 else odd()  # noqa: E731
        for call in (index.neighbors, index.center, index.place, index.__contains__, index.distance_map):
            tried(call, known())
        for call in (index.find_area, index.find_areas, index.nearest, index.nearest_many):
            tried(call, odd())
        tried(index.within, odd(), odd())
        tried(index.reachable, known(), known())
        for call in (index.find_path, index.find_route):
            found = tried(call, known(), known(), weight=dice.choice(["distance", "time", odd()]), avoid=odd(), factors=odd())
            assert found is None or set(found if isinstance(found, list) else found.areas) <= set(ids)
        matrix = tried(index.distance_matrix, [known()], [known(), known()])
        assert matrix is None or matrix.shape[0] <= 1
    tried(nav.draw, color=odd(), layers=odd(), width=dice.choice([64, 0, -1, odd()]), floor=odd(), area=odd())
    picture = tried(nav.draw, width=80)
    assert picture is None or "<svg" in picture.svg
    editor = tried(nav.editor)
    if editor is not None:
        before = tried(editor.encode)
        for _ in range(4):
            tried(editor.run, dice.choice(COMMANDS) if dice.random() < 0.9 else odd())
        for call in (editor.journal, editor.nav, lambda: editor.report, lambda: editor.said):
            tried(call)
        tried(editor.run, "end")
        editor.undo(1 << 20)
        assert tried(editor.encode) == before


@pytest.mark.parametrize("family", FAMILIES)
def test_damaged_meshes_raise_what_the_page_names_and_nothing_else(family):
    dice = random.Random(f"{family} {SEED}")
    sources = [path.read_bytes() for path in files(family)]
    assert sources
    opened = 0
    for _ in range(ROUNDS):
        data = damaged(dice, dice.choice(sources))
        kind = dice.choice([None, None, None, "", "source", "x\0"])
        nav = tried(navmap.from_bytes, data, kind=kind, lenient=dice.random() < 0.5, partial=dice.random() < 0.5)
        if nav is not None:
            opened += 1
            ask(dice, nav)
    assert opened > ROUNDS // 10, f"{opened} of {ROUNDS}"


def test_what_is_merged_may_be_damaged():
    dice = random.Random(SEED)
    for path in files("source") + files("quake"):
        data = path.read_bytes()
        sides = [tried(navmap.from_bytes, damaged(dice, data), lenient=True) for _ in range(3)]
        if all(side is not None for side in sides):
            tried(navmap.merge, *sides)
