"""Reads, checks, queries, edits and draws the navigation meshes of real games.

>>> import navmap
>>> nav = navmap.open("corpus/source/town.nav")
>>> nav.game
'Source SDK 2013'
"""

from . import _navmap
from ._navmap import *  # noqa: F403 - what the extension exports is what there is

__version__ = _navmap.__version__
__all__ = [*(name for name in dir(_navmap) if not name.startswith("_")), "fetch"]


def fetch(urls, folder):
    """Brings the meshes of object stores and servers into a folder, for `scan`, `Index.open` and the rest: whatever fsspec reads,
    such as `s3://bucket/maps`, `gs://`, `https://` or `memory://`.

    Of each file the first page is read, as a range, and only meshes and archives that may hold some are brought whole, each under a
    temporary name first. A file that is there is replaced. Gives the folder as a `pathlib.Path`. FileNotFoundError if nothing lies at
    a URL; ImportError without fsspec or what it needs for that store.

    `navmap.scan(navmap.fetch("s3://bucket/maps", "maps"))`
    """
    from navmap import _remote

    return _remote.fetch(urls, folder)


def _restore(data, named):
    """What a pickled mesh is made of again."""
    return _navmap.from_bytes(data, **named)


def _scan(paths, options):
    """What a pickled scan is made of again."""
    return _navmap.scan(paths, **options)


def _table(paths, options, name, columns, globs=()):
    """What a pickled table is made of again."""
    table = _scan(paths, options).table(name)
    for glob in globs:
        table = table.glob(glob)
    return table if columns is None else table.select(columns)
