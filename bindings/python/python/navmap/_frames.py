"""What is made of frames of other libraries, and for them. Nothing of theirs is imported before it is asked for."""

import html
import math

import navmap

ADDED = ("area", "place", "height", "distance", "levels")


def _kind(frame):
    """The library that a frame is of, or that its class extends."""
    kinds = [kind.__module__.partition(".")[0] for kind in type(frame).__mro__]
    return next((kind for kind in kinds if kind in _MADE), kinds[0])


def _column(frame, name, kind):
    if type(frame).__name__ == "LazyFrame":
        raise TypeError("a LazyFrame has no values yet: collect() it first")
    try:
        return frame[name]
    except Exception as error:
        names = ", ".join(str(n) for n in (frame.column_names if kind == "pyarrow" else frame.columns))
        raise ValueError(f"{kind}.{type(frame).__name__} has no column {name!r}, but {names}") from error


def stacked(frame, columns):
    """Three columns of a frame as an array of shape (n, 3)."""
    import numpy

    kind = _kind(frame)
    axes = [_column(frame, name, kind) for name in columns]
    try:
        return numpy.stack([numpy.asarray(axis, dtype="f4") for axis in axes], axis=1)
    except (TypeError, ValueError) as error:
        raise TypeError(f"points are numbers: {error}") from error


def unmasked(array):
    """The values of a masked array of NumPy, where what it leaves out is NaN."""
    import numpy

    return numpy.ma.filled(array.astype("f8"), numpy.nan)


def _added(frame, kind, prefix):
    """The names of the columns that are added: none of them replaces one of the frame, unless that was added before."""
    names = [prefix + name for name in ADDED]
    there = list(frame.column_names if kind == "pyarrow" else frame.columns)
    taken = [name for name in names if name in there]
    if taken and there[-len(names) :] != names:
        what = f"the frame has {'a column' if len(taken) == 1 else 'columns'} {', '.join(taken)} already"
        raise ValueError(f"{what}: prefix='at_' names what is added at_{ADDED[0]} and so on")
    return names


def locate(index, frame, columns, reach, snap, prefix=""):
    """See `Index.locate`."""
    kind = _kind(frame)
    if kind == "pyarrow" and hasattr(frame, "read_all"):
        frame = frame.read_all()
    if kind.endswith("duckdb"):
        raise TypeError("a relation of DuckDB has no values yet: .pl(), .df() or .to_arrow_table() gives a frame of them")
    columns = ["x", "y", "z"] if columns is None else columns
    if len(columns) != 3:
        raise ValueError(f"a point has three columns, not {len(columns)}: {columns}")
    if kind not in _MADE:
        if isinstance(frame, memoryview):
            # A view of several dimensions cannot be gone through.
            return _rows(frame.tolist(), index._locate(frame, reach, snap), index.places, prefix)
        # What is gone through once is gone through twice here.
        frame = frame if hasattr(frame, "__len__") else list(frame)
        return _rows(frame, index._locate(frame, reach, snap), index.places, prefix)
    import numpy

    if kind == "numpy":
        points = frame = unmasked(frame) if isinstance(frame, numpy.ma.MaskedArray) else frame
    else:
        points = stacked(frame, columns)
    added = [prefix + name for name in ADDED] if kind == "numpy" else _added(frame, kind, prefix)
    found = {name: numpy.asarray(column) for name, column in index._locate(points, reach, snap).items()}
    return _MADE[kind](frame, found, index.places, added)


def _rows(points, found, names, prefix):
    places = (names[at] if at >= 0 else None for at in found["place"])
    ids = [id if id != -1 else None for id in found["area"]]
    heights = (None if id is None else height for id, height in zip(ids, found["height"]))
    rows = zip(points, ids, places, heights, found["distance"], found["levels"])
    head = ("x", "y", "z", *(prefix + name for name in ADDED))
    return [dict(zip(head, (*point, *rest))) for point, *rest in rows]


def _to_polars(frame, found, names, added):
    import polars

    # The last of the names is none, which is where a place of -1 leads.
    places = polars.Series([*names, None], dtype=polars.String)
    ids, heights = polars.Series(found["area"]), polars.Series(found["height"])
    nowhere = ids == -1
    made = (
        ids.set(nowhere, None),
        places.gather(polars.Series(found["place"] % (len(names) + 1))),
        heights.set(nowhere, None),
        polars.Series(found["distance"]),
        polars.Series(found["levels"]),
    )
    return frame.with_columns(*(column.alias(name) for name, column in zip(added, made)))


def _to_pandas(frame, found, names, added):
    import numpy
    import pandas

    places = numpy.array([*names, None], dtype=object)[found["place"]]
    made = (
        pandas.arrays.IntegerArray(found["area"].copy(), found["area"] == -1),
        pandas.array(places, dtype="string"),
        *(found[name] for name in ("height", "distance", "levels")),
    )
    return frame.assign(**dict(zip(added, made)))


def _to_pyarrow(frame, found, names, added):
    import pyarrow

    nowhere = found["area"] == -1
    made = (
        pyarrow.array(found["area"], mask=nowhere),
        pyarrow.array(names, pyarrow.string()).take(pyarrow.array(found["place"], mask=found["place"] < 0)),
        pyarrow.array(found["height"], mask=nowhere),
        *(pyarrow.array(found[name]) for name in ("distance", "levels")),
    )
    for name, column in zip(added, made):
        at = frame.schema.get_field_index(name)
        frame = frame.append_column(name, column) if at < 0 else frame.set_column(at, name, column)
    return frame


def _to_numpy(points, found, names, added):
    import numpy

    places = numpy.array([*names, ""])
    kinds = zip(added, ("i8", places.dtype, "f4", "f4", "i4"))
    rows = numpy.zeros(len(points), dtype=[*((axis, points.dtype) for axis in "xyz"), *kinds])
    for at, axis in enumerate("xyz"):
        rows[axis] = points[:, at]
    for name, of in zip(added, ADDED):
        rows[name] = places[found[of]] if of == "place" else found[of]
    return rows


_MADE = {"polars": _to_polars, "pandas": _to_pandas, "pyarrow": _to_pyarrow, "numpy": _to_numpy}


def to_polars(table):
    """See `Table.to_polars`."""
    import polars

    return polars.DataFrame(table)


def to_pandas(table):
    """See `Table.to_pandas`."""
    import pyarrow

    return pyarrow.table(table).to_pandas()


def _nodes(nav):
    for area in nav.areas:
        x, y, z = area.center or (None, None, None)
        yield area.id, {"x": x, "y": y, "z": z, "place": area.place, "flags": area.flags, "surface": area.surface}


def _edges(nav):
    """The links that lead to an area of the mesh, with what they are and how long."""
    centers = {area.id: area.center for area in nav.areas}
    for link in nav.links:
        if link.target is None:
            continue
        length = link.length
        ends = centers[link.source], centers[link.target]
        if length is None and None not in ends:
            length = sum((a - b) ** 2 for a, b in zip(*ends)) ** 0.5
            # A center may have a coordinate that is no number.
            length = None if math.isnan(length) else length
        yield link.source, link.target, {"kind": link.kind, "gated": link.gated, "length": length, "weight": length}


def to_networkx(nav):
    """See `Nav.to_networkx`."""
    import networkx

    graph = networkx.MultiDiGraph(path=nav.path, family=nav.family)
    graph.add_nodes_from(_nodes(nav))
    graph.add_edges_from(_edges(nav))
    return graph


def to_igraph(nav):
    """See `Nav.to_igraph`."""
    import igraph

    nodes, edges = list(_nodes(nav)), list(_edges(nav))
    number = {id: at for at, (id, _) in enumerate(nodes)}
    graph = igraph.Graph(n=len(nodes), edges=[(number[a], number[b]) for a, b, _ in edges], directed=True)
    graph.vs["name"] = [id for id, _ in nodes]
    for name in nodes[0][1] if nodes else ():
        graph.vs[name] = [of[name] for _, of in nodes]
    for name in edges[0][2] if edges else ():
        graph.es[name] = [of[name] for *_, of in edges]
    return graph


def _html(head, rows):
    cells = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    lines = [f"<tr>{cells}</tr>"]
    for row in rows:
        lines.append("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"


def nav_html(nav):
    """What a notebook shows of a mesh."""
    place = nav.path if nav.member is None else f"{nav.path}!{nav.member}"
    said = f"<p><b>{html.escape(place)}</b>: {html.escape(nav.game or nav.family)}"
    if nav.version is not None:
        said += f", version {nav.version}"
    try:
        picture = nav.draw(width=700).svg
        return f"{said}, {len(nav.areas):,} {nav.node_word}s, {len(nav.links):,} links</p>{picture}"
    except navmap.NavError as error:
        return f"{said}</p><p>damaged: {html.escape(error.message)}</p>"


def table_html(table):
    """What a notebook shows of a table."""
    rows = [(c["name"], c["type"] + ("?" if c["null"] else ""), c["unit"], c["description"]) for c in table.schema]
    return f"<p><b>{table.name}</b>: {html.escape(table.description)}</p>" + _html(("column", "type", "unit", ""), rows)


# Outcomes that are shown of a scan.
SHOWN = 100


def scan_html(scan):
    """What a notebook shows of a scan."""
    rows, more = [], 0
    with iter(scan) as outcomes:
        for outcome in outcomes:
            if len(rows) == SHOWN:
                more = 1
                break
            game = outcome.game or outcome.family or ""
            rows.append((outcome.location, game, outcome.version or "", outcome.status, outcome.message or ""))
    end = "<p>and more</p>" if more else ""
    return _html(("mesh", "game", "version", "status", ""), rows) + end
