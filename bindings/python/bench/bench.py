"""Times of the Python package, with awpy beside it where that is installed.

    NAVMAP_CORPUS=... python bindings/python/bench/bench.py

Needs a corpus of real files with meshes of Counter-Strike 2; the table also needs polars. Each row is the quickest of
several runs. Build the package with optimisation (`pip install`), or the numbers mean nothing.
"""

import os
import pathlib
import random
import subprocess
import sys
import time

import navmap
import numpy
from navmap.awpy import NavMesh


def quickest(work, runs=7):
    best = float("inf")
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


def row(what, seconds, bar, unit="us"):
    scale = {"us": 1e6, "ns": 1e9, "ms": 1e3, "s": 1.0}[unit]
    value = seconds * scale
    judged = "" if bar is None else f"   bar {bar:g} {unit}: {'held' if value <= bar else 'MISSED'}"
    print(f"{what:<58}{value:10.3f} {unit}{judged}")


def main():
    corpus = pathlib.Path(os.environ["NAVMAP_CORPUS"])
    maps = [o for o in navmap.scan(corpus / "source", progress=False) if (o.version or 0) >= 30 and o.status != "error"]
    near = min(maps, key=lambda o: abs(o.counts["areas"] - 2500))
    nav = navmap.open(near.location)
    index = nav.index()
    print(f"{near.location}: {len(index)} areas")

    rng = random.Random(1)
    areas = [area for area in nav.areas if area.group in (None, 0)]
    spots = [tuple(c + d for c, d in zip(rng.choice(areas).center, (0, 0, rng.uniform(0, 60)))) for _ in range(20_000)]
    array = numpy.array(spots, dtype=numpy.float32)
    assert list(index.find_areas(array[:50])) == [-1 if id is None else id for id in map(index.find_area, spots[:50])]
    few = spots[:2000]

    def singles():
        find = index.find_area
        for spot in few:
            find(spot)

    row("find_area, one point", quickest(singles) / len(few), 1.5)
    row("find_areas, 20,000 points, a point", quickest(lambda: index.find_areas(array)) / len(spots), 150, "ns")
    row("nearest_many, 20,000 points, a point", quickest(lambda: index.nearest_many(array)) / len(spots), None, "ns")
    ids = [area.id for area in areas]
    pairs = [(rng.choice(ids), rng.choice(ids)) for _ in range(1000)]

    def ways(find, **more):
        for a, b in pairs:
            find(a, b, **more)

    row("find_path, random pairs", quickest(lambda: ways(index.find_path)) / len(pairs), 15)
    row("distance_map", quickest(lambda: index.distance_map(ids[0])), None)
    row("open and index", quickest(lambda: navmap.open(near.location).index()), 1.4, "ms")
    row("navmap.awpy.NavMesh", quickest(lambda: NavMesh(near.location)), 1.4, "ms")
    row("locate, 20,000 points of an array, a point", quickest(lambda: index.locate(array)) / len(spots), 100, "ns")
    try:
        from awpy import NavMesh as Theirs
    except ImportError:
        print("awpy is not installed")
    else:
        try:
            other = Theirs(pathlib.Path(near.location))
            row("awpy: open", quickest(lambda: Theirs(pathlib.Path(near.location))), None, "ms")
        except ValueError as error:
            print(f"awpy does not read this mesh: {error}")
        else:
            row("awpy: find_area, one point", quickest(lambda: [other.find_area(s) for s in few[:300]], 3) / 300, None)
            row("awpy: find_path", quickest(lambda: [other.find_path(a, b) for a, b in pairs[:100]], 3) / 100, None)

    program = "import time; t = time.perf_counter(); import navmap; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in range(7)]
    row("import navmap", min(float(run.stdout) for run in runs), 30, "ms")

    try:
        import polars
        import pyarrow
    except ImportError:
        print("polars or pyarrow is not installed")
        return
    scan = navmap.scan(corpus / "source", progress=False)
    rows = polars.DataFrame(scan.areas).height

    def stream():
        for _ in pyarrow.RecordBatchReader.from_stream(scan.areas):
            pass

    bare = quickest(stream, 5)
    row(f"areas as batches, all columns, {rows:,} rows", bare, None, "ms")
    frame = quickest(lambda: polars.DataFrame(scan.areas), 5)
    row("areas into polars, all columns", frame, bare * 2e3, "ms")
    part = ["path", "id", "flags"]
    row("areas into polars, 3 columns", quickest(lambda: polars.DataFrame(scan.areas.select(part)), 5), None, "ms")


if __name__ == "__main__":
    main()
