//! The way between two points, as `navmap path` finds it.

use super::load::Shown;
use navmap::graph::Point;
use navmap::query::{Area, NavIndex, Outcome, PathScratch, Query};
use serde_json::{Value, json};

/// The area at a point, or the nearest one.
fn area(index: &NavIndex, at: Point) -> Option<Area> {
    index.area_at(at, None).or_else(|| index.nearest(at, f32::INFINITY).map(|near| near.area))
}

/// The cheapest way between two points by the cost of the engine: the nodes by their names, what each step costs and how it is
/// passed, and the corners of the walk. Without a way, what is nearest to the goal of all that can be reached.
pub(super) fn way(shown: &Shown, [from, to]: [Point; 2]) -> Value {
    let index = shown.index();
    let (Some(start), Some(goal)) = (area(index, from), area(index, to)) else {
        return json!({"found": false, "why": "there is nothing to walk on"});
    };
    let mut scratch = PathScratch::new(index);
    let name = |area: Area| index.id(area).map(|id| index.ids().name(id).to_string());
    let Ok(outcome) = scratch.path(index, start, (goal, to), &Query::default().with_partial(true)) else {
        return json!({"found": false, "why": "the points are on no floor"});
    };
    let (found, end, cost) = match outcome {
        Outcome::Found { cost } => (true, to, Some(cost)),
        Outcome::Partial { closest, cost, .. } => (false, index.center(closest).unwrap_or(to), Some(cost)),
        _ => (false, to, None),
    };
    let steps: Vec<Value> = scratch
        .steps(index)
        .map(|step| {
            let way = step.way;
            json!({"id": name(step.area), "cost": step.cost, "how": way.map(|way| way.kind.name()), "length": way.map(|way| way.length)})
        })
        .collect();
    let straight = |out: &mut [Point]| scratch.straighten(index, from, end, out).unwrap_or(0);
    let mut corners = vec![Point::default(); straight(&mut [])];
    straight(&mut corners);
    let corners: Vec<[f32; 3]> = corners.into_iter().map(Point::to_array).collect();
    let why = match outcome {
        Outcome::LeavesLoadedTiles { .. } => Some("it leads out of what is loaded"),
        _ if found => None,
        _ => Some("no way"),
    };
    json!({"found": found, "cost": cost, "from": name(start), "to": name(goal), "steps": steps, "corners": corners, "why": why})
}

/// Three numbers with commas between.
pub(super) fn point(text: &str) -> Option<Point> {
    let mut numbers =
        text.split(',').map(|number| number.parse::<f32>().ok().filter(|number| number.is_finite()));
    let [x, y, z] = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then(|| Point::new(x, y, z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_three_finite_numbers() {
        assert_eq!(point("1,-2.5,3e2"), Some(Point::new(1.0, -2.5, 300.0)));
        for wrong in ["", "1,2", "1,2,3,4", "1,2,nan", "1,2,inf", "a,b,c", "1,,3"] {
            assert_eq!(point(wrong), None, "{wrong}");
        }
    }
}
