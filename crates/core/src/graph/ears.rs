//! Cuts polygons into triangles.

use super::Scene;
use super::ring::{Ring, Spikes, lead, side, slack, turn};

/// The triangles of a polygon: [`Scene::triangles`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangles {
    /// Places in the polygon; `None` if all triangles begin at its first corner.
    ears: Option<Vec<[usize; 3]>>,
    exact: bool,
}

impl Triangles {
    const FAN: Self = Self { ears: None, exact: true };

    /// The triangles, as the values of a list with one for each corner of the polygon. They run the way the polygon does, and there
    /// are two fewer than corners. Three corners on a line make a triangle without an area.
    pub fn of<'t, T: Copy>(&'t self, corners: &'t [T]) -> impl Iterator<Item = [T; 3]> + 't {
        let (hub, rim) = match (&self.ears, corners.split_first()) {
            (None, Some((hub, rim))) => (Some(*hub), rim),
            _ => (None, &[][..]),
        };
        let fan = rim.windows(2).filter_map(move |pair| Some([hub?, *pair.first()?, *pair.last()?]));
        let at = |place: usize| corners.get(place).copied();
        let ears = self.ears.iter().flatten().filter_map(move |[a, b, c]| Some([at(*a)?, at(*b)?, at(*c)?]));
        fan.chain(ears)
    }

    /// Whether they cover the polygon and nothing else. Otherwise it crosses itself, or has so many corners that its rest was cut
    /// around one of them.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Cuts ears off a polygon in a plane, until three corners are left or none is an ear: their places. Linear time.
    #[doc(hidden)]
    pub fn ears(points: Vec<[f64; 2]>) -> Vec<[usize; 3]> {
        cut(points).0
    }
}

impl Scene {
    /// Divides a polygon with these corners into triangles: around the first corner if that covers it, as it does for every convex
    /// one, otherwise by cutting ears. Corners that are not in one plane are seen along the axis that the polygon faces most.
    /// Linear time.
    pub fn triangles(&self, corners: &[u32]) -> Triangles {
        if corners.len() < 4 {
            return Triangles::FAN;
        }
        let Some(plane) = Plane::new(self, corners) else {
            let has_area = |three: [u32; 3]| cross(three.map(|corner| self.position(corner))) != [0.0; 3];
            return Triangles { exact: !Triangles::FAN.of(corners).any(has_area), ..Triangles::FAN };
        };
        let at = |corner: u32| plane.point(self.position(corner));
        let points = corners.iter().map(|corner| at(*corner));
        if runs_once(points.clone()) {
            return Triangles::FAN;
        }
        let covers = Triangles::FAN.of(corners).all(|[a, b, c]| {
            let (a, b, c) = (at(a), at(b), at(c));
            turn(a, b, c) >= -slack(a, b, c)
        });
        if covers {
            return Triangles { exact: is_free_outside(points.collect()), ..Triangles::FAN };
        }
        let (ears, whole) = cut(points.collect());
        Triangles { ears: Some(ears), exact: whole.is_some_and(is_free_outside) }
    }
}

/// The plane of two axes in which a polygon runs anticlockwise.
struct Plane([usize; 2]);

impl Plane {
    /// `None` if the polygon has no area.
    fn new(scene: &Scene, corners: &[u32]) -> Option<Self> {
        let origin = scene.position(*corners.first()?);
        let mut normal = [0.0; 3];
        for pair in corners.windows(2) {
            let [b, c] = [*pair.first()?, *pair.last()?].map(|corner| scene.position(corner));
            normal.iter_mut().zip(cross([origin, b, c])).for_each(|(sum, part)| *sum += part);
        }
        let [x, y, z] = normal.map(f64::abs);
        let (part, [u, v]) = match normal {
            [along, ..] if x > y && x > z => (along, [1, 2]),
            [_, along, _] if y > z => (along, [2, 0]),
            [.., along] => (along, [0, 1]),
        };
        (part.is_finite() && part != 0.0).then_some(Self(if part > 0.0 { [u, v] } else { [v, u] }))
    }

    fn point(&self, at: [f64; 3]) -> [f64; 2] {
        self.0.map(|axis| at.get(axis).copied().unwrap_or(0.0))
    }
}

/// Twice the area of a triangle, along its normal.
fn cross([[ax, ay, az], [bx, by, bz], [cx, cy, cz]]: [[f64; 3]; 3]) -> [f64; 3] {
    let ([ux, uy, uz], [vx, vy, vz]) = ([bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az]);
    [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}

/// Whether the outline of a polygon, as its first corner sees it, runs anticlockwise, not through that corner, and around it once at
/// most: then the triangles around that corner cover the polygon and lie nowhere over each other.
fn runs_once(mut points: impl Iterator<Item = [f64; 2]> + Clone) -> bool {
    let Some(hub) = points.next() else { return true };
    let rays = points.map(|point| side(hub, point));
    let Some(first) = rays.clone().next() else { return true };
    let mut is_past_half = false;
    rays.clone().zip(rays.skip(1)).all(|(u, v)| {
        let (across, along, rounding) = lead(u, v);
        let goes_on = across > rounding || across >= -rounding && along > 0.0;
        let (across, _, rounding) = lead(first, v);
        is_past_half |= across < -rounding;
        goes_on && !(is_past_half && across > rounding)
    })
}

/// Whether a polygon whose triangles all turn anticlockwise covers nothing twice. What lies between it and an outline that
/// [runs once](runs_once) is cut into such triangles as well: all of them together cover what that outline goes around, and that once.
fn is_free_outside(mut points: Vec<[f64; 2]>) -> bool {
    points.iter_mut().for_each(mirror);
    let mut outside = Ring::new(points);
    let first = outside.cut(Spikes::First, |_| ());
    runs_once(outside.corners(first).map(|place| {
        let mut point = outside.point(place);
        mirror(&mut point);
        point
    }))
}

fn mirror([x, y]: &mut [f64; 2]) {
    std::mem::swap(x, y);
}

/// The triangles of a polygon, and its corners, anticlockwise, if all triangles turn that way.
fn cut(mut points: Vec<[f64; 2]>) -> (Vec<[usize; 3]>, Option<Vec<[f64; 2]>>) {
    let [origin, ..] = points[..] else { return (Vec::new(), Some(points)) };
    let area: f64 =
        points.windows(2).filter_map(|pair| Some(turn(origin, *pair.first()?, *pair.last()?))).sum();
    if area < 0.0 {
        points.iter_mut().for_each(mirror);
    }
    let mut triangles = Vec::with_capacity(points.len().saturating_sub(2));
    let mut ring = Ring::new(points);
    let at = ring.cut(Spikes::Last, |triangle| triangles.push(triangle));
    let is_cut = ring.count <= 3 && (ring.turn(at) >= 0.0 || ring.is_straight(at));
    // The last triangle, or a fan of what could not be cut.
    let (mut second, mut third) = (ring.beside(at).1, ring.beside(ring.beside(at).1).1);
    for _ in 2..ring.count {
        triangles.push([at, second, third]);
        (second, third) = (third, ring.beside(third).1);
    }
    (triangles, is_cut.then_some(ring.points))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(points: &[[f64; 3]]) -> (Scene, Vec<u32>) {
        let mut scene = Scene::new();
        scene.positions = points.to_vec();
        (scene, (0..).take(points.len()).collect())
    }

    /// The triangles of a polygon, of which each turns as it does and all together are as large.
    #[track_caller]
    fn exact(outline: &[[f64; 2]]) -> Triangles {
        let whole = |list: &[[f64; 2]]| -> f64 {
            let around = list.iter().zip(list.iter().cycle().skip(1));
            around.map(|([ax, ay], [bx, by])| ax * by - bx * ay).sum()
        };
        let mut first = None;
        for back in [false, true] {
            let mut outline = outline.to_vec();
            if back {
                outline.reverse();
            }
            // Lying, upright either way, and tilted.
            let lay: [fn([f64; 2]) -> [f64; 3]; 4] = [
                |[x, y]| [x, 0.0, y],
                |[x, y]| [3.0, x, y],
                |[x, y]| [x, y, -1.0],
                |[x, y]| [x, y, 0.3 * x - y],
            ];
            for lay in lay {
                let points: Vec<[f64; 3]> = outline.iter().map(|at| lay(*at)).collect();
                let (scene, corners) = scene(&points);
                let cut = scene.triangles(&corners);
                assert!(cut.is_exact(), "{outline:?}");
                let areas: Vec<f64> =
                    cut.of(&outline).map(|[a, b, c]| turn(a, b, c) * whole(&outline).signum()).collect();
                assert_eq!(areas.len(), outline.len() - 2);
                assert!(areas.iter().all(|area| *area >= -1e-6), "{areas:?} {outline:?}");
                let off = areas.iter().sum::<f64>() - whole(&outline).abs();
                assert!(off.abs() < 1e-6, "{off} {outline:?}");
                first.get_or_insert(cut);
            }
        }
        first.unwrap()
    }

    #[test]
    fn a_convex_polygon_is_cut_around_its_first_corner_and_others_by_ears() {
        let octagon: Vec<[f64; 2]> =
            (0..8).map(|i| f64::from(i) * 0.785).map(|angle| [angle.cos(), angle.sin()]).collect();
        assert_eq!(exact(&octagon).ears, None);
        // Corners on its sides change nothing.
        assert_eq!(
            exact(&[[0.0, 0.0], [1.0, 0.0], [4.0, 0.0], [4.0, 1.0], [4.0, 4.0], [0.0, 4.0]]).ears,
            None
        );
        let l = [[0.0, 0.0], [9.0, 0.0], [9.0, 3.0], [3.0, 3.0], [3.0, 9.0], [0.0, 9.0]];
        for first in 0..6 {
            let mut turned = l;
            turned.rotate_left(first);
            // The outline is seen whole from two of its corners.
            assert_eq!(exact(&turned).ears.is_none(), [0, 3].contains(&first), "{first}");
        }
        exact(&[[0.0, 0.0], [2.0, 1.0], [4.0, 0.0], [2.0, 5.0]]);
        // A square with a hole, joined by a side that runs there and back.
        exact(&[
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 9.0],
            [0.0, 9.0],
            [0.0, 0.0],
            [3.0, 3.0],
            [3.0, 6.0],
            [6.0, 6.0],
            [6.0, 3.0],
            [3.0, 3.0],
        ]);
    }

    #[test]
    fn combs_stars_and_spirals_are_cut_whole() {
        let comb = |teeth: u32| {
            let tooth = |i: u32| [[f64::from(2 * i), 0.0], [f64::from(2 * i) + 1.0, 9.0]];
            let mut outline: Vec<[f64; 2]> =
                (0..teeth).rev().flat_map(|i| tooth(i).into_iter().rev()).collect();
            outline.extend([[-3.0, 12.0], [-3.0, -2.0], [f64::from(2 * teeth), -2.0]]);
            outline
        };
        let star = |points: u32| -> Vec<[f64; 2]> {
            let far = |i: u32| if i.is_multiple_of(2) { 9.0 } else { 2.0 };
            let angle = |i: u32| f64::from(i) * std::f64::consts::TAU / f64::from(points);
            (0..points).map(|i| [far(i) * angle(i).cos(), far(i) * angle(i).sin()]).collect()
        };
        let spiral = |half: u32| -> Vec<[f64; 2]> {
            let arm = |i: u32, off: f64| {
                let (angle, far) = (f64::from(i) * 0.2, 10.0 + f64::from(i) * 0.5 + off);
                [far * angle.cos(), far * angle.sin()]
            };
            (0..half).map(|i| arm(i, 0.0)).chain((0..half).rev().map(|i| arm(i, 5.0))).collect()
        };
        for size in [4, 10, 60] {
            exact(&comb(size));
            exact(&star(2 * size));
            exact(&spiral(size));
        }
    }

    #[test]
    fn an_outline_that_winds_around_twice_is_told() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let inner = [[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]];
        let angle = |i: u32| f64::from(i) * std::f64::consts::TAU / 5.0;
        let star: Vec<[f64; 2]> = (0..5).map(|i| [angle(2 * i).cos(), angle(2 * i).sin()]).collect();
        // At the corner of a spike the outline turns back as far as it had turned.
        let spike = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [6.0, 6.0], [4.0, 4.0], [0.0, 4.0]];
        let spiked = [&spike[..], &square].concat();
        // Crosses itself and turns around once.
        let over = vec![[3.0, 3.0], [4.0, 1.0], [0.0, 1.0], [4.0, 4.0], [2.0, 0.0], [3.0, 2.0]];
        for outline in [[square, square].concat(), [square, inner].concat(), star, spiked, over] {
            for first in 0..outline.len() {
                let mut outline = outline.clone();
                outline.rotate_left(first);
                for back in [false, true] {
                    if back {
                        outline.reverse();
                    }
                    let points: Vec<[f64; 3]> = outline.iter().map(|[x, y]| [*x, 0.0, *y]).collect();
                    let (scene, corners) = scene(&points);
                    let cut = scene.triangles(&corners);
                    assert!(!cut.is_exact(), "{outline:?}");
                    assert_eq!(cut.of(&corners).count(), corners.len() - 2);
                }
            }
        }
        // Two triangles that touch, and sides that lead there and back, lie over nothing.
        for outline in [
            [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 0.0], [0.0, 4.0], [-4.0, 4.0]],
            spike,
            // A spike that lies across another side.
            [[2.0, 2.0], [2.0, -2.0], [2.0, 2.0], [0.0, 0.0], [4.0, 0.0], [0.0, 4.0]],
        ] {
            let (scene, corners) = scene(&outline.map(|[x, y]| [x, 1.0, y]));
            assert!(scene.triangles(&corners).is_exact(), "{outline:?}");
        }
    }

    #[test]
    fn no_outline_with_spikes_that_is_told_to_be_exact_covers_a_place_twice() {
        // How often an outline runs around a place.
        let around = |outline: &[[f64; 2]], at: [f64; 2]| {
            let sides = outline.iter().zip(outline.iter().cycle().skip(1));
            let passed = sides.map(|(a, b)| match (a[1] < at[1], b[1] < at[1], turn(*a, *b, at) > 0.0) {
                (true, false, true) => 1,
                (false, true, false) => -1,
                _ => 0,
            });
            passed.sum::<i32>()
        };
        let mut seed = 1_u64;
        let mut chance = |of: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % of
        };
        let mut twice = 0;
        for _ in 0..8_000 {
            let mut outline: Vec<[f64; 2]> = Vec::new();
            for _ in 0..4 + chance(8) {
                let back = outline.len().checked_sub(2).filter(|_| chance(3) == 0);
                outline.push(match back {
                    Some(place) => outline[place],
                    None => [chance(4) as f64, chance(4) as f64],
                });
            }
            let (scene, corners) = scene(&outline.iter().map(|[x, y]| [*x, *y, 0.0]).collect::<Vec<_>>());
            let is_exact = scene.triangles(&corners).is_exact();
            let places = (0..144).map(|i| [i % 12, i / 12].map(|i| f64::from(i) * 0.25 + 0.11));
            let times: Vec<i32> = places.map(|[x, y]| around(&outline, [x, y + 0.007])).collect();
            let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
            twice += u32::from(most - least > 1);
            assert!(!is_exact || most - least < 2, "{outline:?}");
        }
        assert!(twice > 1_000, "{twice}");
    }

    #[test]
    fn an_outline_that_crosses_itself_or_is_too_long_is_told_and_has_as_many_triangles() {
        let bow = [[0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]];
        let (bow, corners) = scene(&bow);
        assert!(!bow.triangles(&corners).is_exact());
        // Each corner twice, so that no three in a row have an area.
        let twice = corners.iter().flat_map(|corner| [*corner; 2]).collect::<Vec<_>>();
        assert!(!bow.triangles(&twice).is_exact());
        let (line, corners) = scene(&[[0.0; 3], [1.0; 3], [2.0; 3], [5.0; 3]]);
        assert!(line.triangles(&corners).is_exact());
        // Corners by chance, so many that all comparisons would take hours.
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f64
        };
        let points: Vec<[f64; 3]> = (0..40_000).map(|_| [next(), 0.0, next()]).collect();
        let (scene, corners) = scene(&points);
        let cut = scene.triangles(&corners);
        assert!(!cut.is_exact());
        assert_eq!(cut.of(&corners).count(), corners.len() - 2);
    }
}
