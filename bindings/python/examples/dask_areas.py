"""Counts areas by place over a folder of maps, in two processes of Dask.

    python examples/dask_areas.py maps/

A table over some files is handed to a process as what was asked for (a few hundred bytes), and read there.
"""

import sys

import dask
import navmap
import polars


def read(table):
    """Runs in a worker: reads the meshes, and sums up what the answer needs."""
    return polars.DataFrame(table).group_by("place").len()


def count(paths, processes=2):
    files = [outcome.path for outcome in navmap.scan(paths, task="head", progress=False) if outcome.member is None]
    parts = [files[at::processes] for at in range(processes)]
    tables = [navmap.scan(part, threads=1, progress=False).areas.select(["place"]) for part in parts if part]
    counted = dask.compute(*[dask.delayed(read)(table) for table in tables], scheduler="processes", num_workers=processes)
    return polars.concat(counted).group_by("place").agg(polars.col("len").sum()).sort("len", "place", descending=True)


if __name__ == "__main__":
    print(count(sys.argv[1:]))
