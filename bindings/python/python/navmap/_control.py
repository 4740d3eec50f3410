"""Who holds which area, from the positions of two teams: as awpy's `compute_map_control` computes it, for any mesh."""

import math


def compute(
    columns,
    index,
    find_area,
    players,
    *,
    visibility,
    method,
    smokes,
    fires,
    detail,
    eye_height,
    crouch_eye_height,
    target_height,
    max_distance,
    contest_margin,
    fov,
):
    """See `Index.map_control`, which says what every option is if it is not given, as `navmap.awpy.compute_map_control` does.

    `columns` are ids, centers and sizes of all areas, and `up`, the number of the axis that is up, if it is not the last; `index` gives
    the index when it is asked for; `players` are pairs of `(x, y, z, side, crouched, blind, yaw)` and 'ct', 't' or None.
    """
    method = str(method).lower()
    if method not in ("raycast", "vision", "reachability"):
        raise ValueError(f"unknown method {method!r}: 'raycast', 'vision' or 'reachability'")
    if method == "reachability":
        holds = _first(index(), find_area, columns, players, fires, contest_margin)
    else:
        if visibility is None:
            raise ValueError(f"method {method!r} requires a VisibilityChecker")
        half = math.cos(math.radians(fov) / 2.0) if method == "vision" and fov < 360.0 else None
        up = columns.get("up", 2)
        eyes = {"ct": [], "t": []}
        for (x, y, z, _, crouched, blind, *yaw), side in players:
            if side is not None and not blind:
                eye = _raised((x, y, z), up, crouch_eye_height if crouched else eye_height)
                eyes[side].append((eye, yaw[0] if yaw else None))
        sight = _Sight(visibility, smokes, max_distance, half, up)
        middles = zip(columns["centroid_x"], columns["centroid_y"], columns["centroid_z"])
        targets = [_raised(at, up, target_height) for at in middles]
        holds = [tuple(any(sight.sees(*eye, at) for eye in eyes[side]) for side in ("ct", "t")) for at in targets]
    return _shares(columns, holds, detail)


def of_teams(index, ct, t, *, method, visibility, **options):
    """See `Index.map_control`."""
    if method is None:
        method = "reachability" if visibility is None else "vision"
    players = [(player, side) for side, team in (("ct", ct), ("t", t)) for player in _players(team, side)]
    # The area whose ground is nearest to the height of the point, as awpy finds it, or else the one below.
    columns = index._grounds()
    up = columns["up"]
    middle = dict(zip(columns["area_id"], columns["centroid_y" if up == 1 else "centroid_z"]))

    def find_area(point):
        levels = index.levels(point)
        return min(levels, key=lambda level: abs(middle[level[0]] - point[up]))[0] if levels else None

    return compute(columns, lambda: index, find_area, players, visibility=visibility, method=method, **options)


def _players(team, side):
    """The players of a team, which is a frame, an array or a list of points."""
    named = getattr(team, "columns", None)
    if named is None or not hasattr(team, "to_numpy"):
        if type(team).__module__.partition(".")[0] == "pyarrow":
            named = team.column_names
        else:
            return _placed((*map(_number, point), side, False, False) for point in _points(team))
    column = {name: [value.as_py() if hasattr(value, "as_py") else value for value in team[name]] for name in named}
    axes = list("xyz")
    missing = [axis for axis in axes if axis not in column]
    if missing and len(column) == 3 and not {"crouched", "blind", "yaw"} & column.keys():
        axes = list(column)
    elif missing:
        raise ValueError(f"a team has the columns x, y and z, but no {missing[0]}: {', '.join(map(str, named))}")
    points = [column[axis] for axis in axes]
    no = [False] * len(points[0])
    rows = zip(*points, column.get("crouched", no), column.get("blind", no))
    yaws = column.get("yaw")
    return _placed(
        (*map(_number, row[:3]), side, _is_true(row[3]), _is_true(row[4]), *(() if yaws is None else (_known(yaws[at]),)))
        for at, row in enumerate(rows)
    )


def _known(value):
    """A value, or None for one that is missing, as each library writes that."""
    try:
        return value if value == value else None
    except TypeError:  # what pandas.NA says of any comparison
        return None


def _number(value):
    known = _known(value)
    return math.nan if known is None else float(known)


def _is_true(value):
    """Whether a value says so; a missing one does not."""
    known = _known(value)
    return known is not None and bool(known)


def _placed(players):
    """Players without a position are nowhere, and see nothing."""
    return [player for player in players if not any(map(math.isnan, player[:3]))]


def _points(team):
    # A view of several dimensions cannot be gone through.
    points = team.tolist() if isinstance(team, memoryview) else list(team)
    for point in points:
        if len(point) != 3:
            raise ValueError(f"a point is three numbers, (x, y, z), not {len(point)}")
    return points


def _raised(at, up, height):
    return tuple(value + height if axis == up else value for axis, value in enumerate(at))


def _distance2(a, b):
    return sum((p - q) ** 2 for p, q in zip(a, b))


class _Sight:
    """What stands between an eye and a point."""

    def __init__(self, visibility, smokes, most, half, up):
        self.visibility, self.smokes, self.most, self.half = visibility, list(smokes), most, half
        # A yaw turns from the first of the level axes to the second.
        self.level = [axis for axis in range(3) if axis != up]

    def sees(self, eye, yaw, target):
        if self.half is not None and yaw is not None:
            dx, dy = (target[axis] - eye[axis] for axis in self.level)
            away, facing = math.hypot(dx, dy), math.radians(yaw)
            if away > 1e-3 and (math.cos(facing) * dx + math.sin(facing) * dy) / away < self.half:
                return False
        if self.most is not None and _distance2(eye, target) > self.most**2:
            return False
        if any(self.meets(eye, target, smoke) for smoke in self.smokes):
            return False
        return self.visibility.is_visible(eye, target)

    @staticmethod
    def meets(a, b, sphere):
        """Whether a line passes through a sphere."""
        along = [q - p for p, q in zip(a, b)]
        length2 = sum(d * d for d in along)
        t = 0.0
        if length2 > 0.0:
            t = min(1.0, max(0.0, sum((c - p) * d for c, p, d in zip(sphere, a, along)) / length2))
        return _distance2([p + d * t for p, d in zip(a, along)], sphere[:3]) <= sphere[3] ** 2


def _first(index, find_area, columns, players, fires, margin):
    """Who can be in each area first."""
    ids, fires = list(columns["area_id"]), list(fires)
    middles = zip(ids, columns["centroid_x"], columns["centroid_y"], columns["centroid_z"])
    burning = {id for id, *at in middles if any(_distance2(at, fire[:3]) <= fire[3] ** 2 for fire in fires)}
    best = {side: dict.fromkeys(ids, math.inf) for side in ("ct", "t")}
    for player, side in players:
        start = find_area(player[:3]) if side is not None else None
        if start is None or start in burning:
            continue
        near = best[side]
        for id, cost in zip(index.ids, index.distance_map(start, avoid=burning)):
            if cost < near[id] and id not in burning:
                near[id] = cost
    holds = []
    for id in ids:
        ct, t = best["ct"][id], best["t"][id]
        if ct == t == math.inf:
            holds.append((False, False))
        elif abs(ct - t) <= margin:
            holds.append((True, True))
        else:
            holds.append((ct < t, t < ct))
    return holds


def _shares(columns, holds, detail):
    names = {(True, True): "contested", (True, False): "ct", (False, True): "t", (False, False): "neutral"}
    control = [names[hold] for hold in holds]
    total = math.fsum(columns["size"])
    size = dict.fromkeys(names.values(), 0.0)
    for name, area in zip(control, columns["size"]):
        size[name] += area
    # A map without any area is nobody's.
    share = {name: part / total if total > 0 else float(name == "neutral") for name, part in size.items()}
    done = {f"{name}_fraction": share[name] for name in ("ct", "t", "contested", "neutral")}
    done["net_control"] = share["ct"] - share["t"]
    if detail:
        done |= {"area_ids": list(columns["area_id"]), "control": control}
        done |= {"ct": [ct for ct, _ in holds], "t": [t for _, t in holds]}
    return done
