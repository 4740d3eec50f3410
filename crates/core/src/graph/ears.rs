//! Cuts polygons into triangles.

use super::Scene;

/// Comparisons of corners allowed for each corner of a polygon. Outlines of some hundred corners need fewer.
const STEPS: usize = 1024;
/// A turn, as a part of what its sides allow, that may come from rounding.
const STRAIGHT: f64 = 1e-9;

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

    /// Cuts ears off a polygon in a plane, until three corners are left or none is an ear. Linear time.
    #[doc(hidden)]
    pub fn cut(points: Vec<[f64; 2]>) -> Self {
        let (ears, exact) = Ring::new(points).cut();
        Self { ears: Some(ears), exact }
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
        // If the outline runs once around, triangles that all turn its way cover it and nothing else.
        let covers = Triangles::FAN.of(corners).all(|[a, b, c]| {
            let (a, b, c) = (at(a), at(b), at(c));
            turn(a, b, c) >= -slack(a, b, c)
        });
        if covers {
            let exact = !winds_again(corners.iter().map(|corner| at(*corner)));
            return Triangles { exact, ..Triangles::FAN };
        }
        Triangles::cut(corners.iter().map(|corner| at(*corner)).collect())
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

/// Twice the area of a triangle, positive if it runs anticlockwise.
fn turn([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// The area that rounding may make of three corners on a line.
fn slack([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    STRAIGHT * (bx - ax).hypot(by - ay) * (cx - ax).hypot(cy - ay).max((cx - bx).hypot(cy - by))
}

/// Whether an anticlockwise outline turns around more than once, so that it covers a part twice. Sides that lead straight back turn
/// either way.
fn winds_again(points: impl Iterator<Item = [f64; 2]> + Clone) -> bool {
    let sides = points.clone().zip(points.cycle().skip(1));
    let sides = sides.map(|([ax, ay], [bx, by])| [bx - ax, by - ay]).filter(|[x, y]| *x != 0.0 || *y != 0.0);
    let is_upper = |[x, y]: [f64; 2]| y > 0.0 || y == 0.0 && x > 0.0;
    let mut turns = 0_i64;
    for (u, v) in sides.clone().zip(sides.cycle().skip(1)) {
        let ([ux, uy], [vx, vy]) = (u, v);
        let (across, along) = (ux * vy - uy * vx, ux * vx + uy * vy);
        let leads_back = along < 0.0 && across.abs() <= STRAIGHT * ux.hypot(uy) * vx.hypot(vy);
        // Every whole turn passes the east once.
        match (is_upper(u), is_upper(v)) {
            (false, true) if across > 0.0 && !leads_back => turns = turns.saturating_add(1),
            (true, false) if across < 0.0 || leads_back => turns = turns.saturating_sub(1),
            _ => {}
        }
    }
    turns > 1
}

/// The corners of a polygon that are left.
struct Ring {
    points: Vec<[f64; 2]>,
    next: Vec<usize>,
    before: Vec<usize>,
    /// Corners where the outline does not turn its own way: if anything lies in an ear, one of these does.
    bent: Vec<usize>,
    is_bent: Vec<bool>,
    left: usize,
}

impl Ring {
    fn new(mut points: Vec<[f64; 2]>) -> Self {
        let count = points.len();
        let [origin, ..] = points[..] else { return Self::empty() };
        let area: f64 =
            points.windows(2).filter_map(|pair| Some(turn(origin, *pair.first()?, *pair.last()?))).sum();
        if area < 0.0 {
            points.iter_mut().for_each(|[x, y]| std::mem::swap(x, y));
        }
        let after = |place: usize| if place.saturating_add(1) == count { 0 } else { place.saturating_add(1) };
        let ahead = |place: usize| place.checked_sub(1).unwrap_or(count.saturating_sub(1));
        let mut ring = Self {
            points,
            next: (0..count).map(after).collect(),
            before: (0..count).map(ahead).collect(),
            bent: Vec::new(),
            is_bent: vec![false; count],
            left: count.saturating_mul(STEPS),
        };
        for place in 0..count {
            if ring.turn(place) <= 0.0 {
                ring.bent.push(place);
                ring.is_bent.get_mut(place).into_iter().for_each(|bent| *bent = true);
            }
        }
        ring
    }

    fn empty() -> Self {
        let none = Vec::new;
        Self { points: Vec::new(), next: none(), before: none(), bent: none(), is_bent: Vec::new(), left: 0 }
    }

    fn point(&self, place: usize) -> [f64; 2] {
        self.points.get(place).copied().unwrap_or_default()
    }

    /// The corners around one.
    fn beside(&self, place: usize) -> (usize, usize) {
        let at = |list: &[usize]| list.get(place).copied().unwrap_or(place);
        (at(&self.before), at(&self.next))
    }

    fn turn(&self, place: usize) -> f64 {
        let (before, next) = self.beside(place);
        turn(self.point(before), self.point(place), self.point(next))
    }

    /// Whether a corner can be cut off without changing the rest of the outline.
    fn is_ear(&mut self, place: usize) -> bool {
        let (before, next) = self.beside(place);
        let (a, b, c) = (self.point(before), self.point(place), self.point(next));
        if turn(a, b, c) <= 0.0 {
            return false;
        }
        self.left = self.left.saturating_sub(self.bent.len());
        let inside = |p: [f64; 2]| {
            // Holes are cut in along sides that run there and back, over corners that lie on each other.
            ![a, b, c].contains(&p) && turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0
        };
        !self.bent.iter().any(|other| inside(self.point(*other)))
    }

    /// Whether three corners are on a line, so that nothing changes if the middle one is cut off.
    fn is_straight(&self, place: usize) -> bool {
        let (before, next) = self.beside(place);
        let (a, b, c) = (self.point(before), self.point(place), self.point(next));
        turn(a, b, c).abs() <= slack(a, b, c)
    }

    /// Takes a corner out.
    fn take(&mut self, place: usize) -> [usize; 3] {
        let (before, next) = self.beside(place);
        self.next.get_mut(before).into_iter().for_each(|after| *after = next);
        self.before.get_mut(next).into_iter().for_each(|ahead| *ahead = before);
        let mut fewer = false;
        for (place, stays) in [(place, false), (before, true), (next, true)] {
            let bent = stays && self.turn(place) <= 0.0;
            if let Some(was) = self.is_bent.get_mut(place) {
                fewer |= *was && !bent;
                // A corner that becomes bent shows an outline that crosses itself.
                *was &= bent;
            }
        }
        if fewer {
            self.left = self.left.saturating_sub(self.bent.len());
            let is_bent = &self.is_bent;
            self.bent.retain(|place| is_bent.get(*place) == Some(&true));
        }
        [before, place, next]
    }

    fn cut(mut self) -> (Vec<[usize; 3]>, bool) {
        let mut count = self.points.len();
        let mut triangles = Vec::with_capacity(count.saturating_sub(2));
        // Corners seen since the last one that was cut off.
        let (mut at, mut seen) = (0, 0_usize);
        while count > 3 && self.left > 0 {
            self.left = self.left.saturating_sub(1);
            // Those on a line are cut off if nothing else can be.
            let cuts = if seen < count { self.is_ear(at) } else { self.is_straight(at) };
            let (_, next) = self.beside(at);
            if cuts {
                triangles.push(self.take(at));
                (count, seen) = (count.saturating_sub(1), 0);
            } else {
                seen = seen.saturating_add(1);
                if seen > count.saturating_mul(2) {
                    break;
                }
            }
            at = next;
        }
        let is_cut = count <= 3 && (self.turn(at) >= 0.0 || self.is_straight(at));
        let exact = is_cut && !winds_again(self.points.iter().copied());
        // The last triangle, or a fan of what could not be cut.
        let (mut second, mut third) = (self.beside(at).1, self.beside(self.beside(at).1).1);
        for _ in 2..count {
            triangles.push([at, second, third]);
            (second, third) = (third, self.beside(third).1);
        }
        (triangles, exact)
    }
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
        for outline in [[square, square].concat(), [square, inner].concat(), star] {
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
            [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [6.0, 6.0], [4.0, 4.0], [0.0, 4.0]],
        ] {
            let (scene, corners) = scene(&outline.map(|[x, y]| [x, 1.0, y]));
            assert!(scene.triangles(&corners).is_exact(), "{outline:?}");
        }
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
