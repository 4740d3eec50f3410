# %% [markdown]
# # Navigation meshes in a notebook
#
# Open this file in Jupyter (with jupytext), VS Code or Spyder, cell by cell; or run it as a program. It uses the bundled
# corpus, so it runs in the root of the repository.

# %%
import navmap
import numpy
import polars

# %% [markdown]
# ## One mesh
# `open` reads a file, or a member of an archive, and tells what it is.

# %%
nav = navmap.open("corpus/source/town.nav")
print(nav.game, nav.version, nav.counts)

# %% [markdown]
# Areas, links and places are objects that are made when you ask for them.

# %%
area = nav.areas[0]
print(area, area.flag_names, [link.kind for link in area.links])
for place in nav.places:
    print(place.name, len(place))

# %% [markdown]
# ## Questions
# An index answers where a point is, what is near, and how one gets there. It needs no file any more.

# %%
index = nav.index()
here = index.find_area(area.center)
near = index.nearest((0.0, 0.0, 4000.0))
print(here == area.id, near)

# %% [markdown]
# Ask for many points at once: a thousand players in one call. The answer is an array of ids, -1 where there is no area.

# %%
rng = numpy.random.default_rng(7)
low, high = nav.bounds
points = rng.uniform(low, high, size=(1000, 3)).astype(numpy.float32)
found = numpy.asarray(index.find_areas(points))
print(f"{(found != -1).mean():.0%} of the points are on the mesh")

# %% [markdown]
# ## A map with a path drawn on it
# The two areas that are farthest apart, of those between which there is a way.

# %%
matrix = numpy.asarray(index.distance_matrix())
reach = numpy.where(numpy.isfinite(matrix), matrix, -1.0)
start, end = numpy.unravel_index(reach.argmax(), reach.shape)
ids = numpy.asarray(index.ids)
route = index.find_route(ids[start], ids[end])
print(f"{len(route)} areas, {route.cost:.0f} units, {len(route.points)} corners")
picture = nav.draw(routes=route)
picture  # a notebook shows it

# %% [markdown]
# Close an area in the middle, and the way goes around it, if there is a way around.

# %%
blocked = route.areas[len(route) // 2]
around = index.find_route(ids[start], ids[end], avoid=[blocked])
print("no way around" if around is None else f"{around.cost - route.cost:.0f} units longer")

# %% [markdown]
# ## How central is a place?
# The mean length of the ways to an area from everywhere: maps of heat are one call more.

# %%
mean = numpy.nanmean(numpy.where(numpy.isfinite(matrix), matrix, numpy.nan), axis=0)
quarter = numpy.nanquantile(mean, [0.25, 0.75])
classes = {int(id): "central" if m < quarter[0] else "remote" if m > quarter[1] else "between" for id, m in zip(ids, mean)}
heat = nav.draw(classes=classes)

# %% [markdown]
# ## Thousands of files
# A scan gives one outcome a mesh. What cannot be read is an outcome too, and not an exception.

# %%
for outcome in navmap.scan(["corpus/source", "corpus/quake"]):
    if outcome.status != "ok":
        print(outcome.location, outcome.message)

# %% [markdown]
# Tables are read by polars, pandas, pyarrow and DuckDB. Name the columns that you need: the others are not even decoded.

# %%
scan = navmap.scan("corpus/source")
areas = polars.DataFrame(scan.areas.select(["path", "id", "place", "surface", "north", "east", "south", "west"]))
degree = polars.sum_horizontal("north", "east", "south", "west").alias("degree")
by_place = (
    areas.with_columns(degree, polars.col("place").cast(polars.String))
    .group_by("place")
    .agg(polars.len().alias("areas"), polars.col("surface").sum(), polars.col("degree").mean())
    .sort("areas", descending=True)
)
print(by_place)

# %% [markdown]
# ## Records as they lie in the file
# Links of Quake and vertices of Fox are buffers: NumPy reads them in place.

# %%
quake = navmap.open("corpus/quake/nav3-v6.nav")
links = numpy.frombuffer(quake.buffer("links"), dtype=quake.dtype("links"))
print(numpy.bincount(links["kind"]))

# %% [markdown]
# ## An edit
# The commands are those of `navmap edit`, with the same undo. The mesh that was opened stays as it is.

# %%
editor = nav.editor()
editor.run("move 128 0 0")
print(editor.report)
moved = editor.nav()
print(moved.areas[0].center, nav.areas[0].center)
