"""Reads, checks, queries, edits and draws the navigation meshes of real games.

>>> import navmap
>>> nav = navmap.open("corpus/source/town.nav")
>>> nav.game
'Source SDK 2013'
"""

from . import _navmap
from ._navmap import *  # noqa: F403 - what the extension exports is what there is

__version__ = _navmap.__version__
__all__ = [name for name in dir(_navmap) if not name.startswith("_")]


def _restore(data, named):
    """What a pickled mesh is made of again."""
    return _navmap.from_bytes(data, **named)


def _scan(paths, options):
    """What a pickled scan is made of again."""
    return _navmap.scan(paths, **options)


def _table(paths, options, name, columns):
    """What a pickled table is made of again."""
    table = _scan(paths, options).table(name)
    return table if columns is None else table.select(columns)
