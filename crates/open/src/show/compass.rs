//! Where things lie as seen from the middle of a node, and how high a link climbs.

use navmap_core::graph::{Aabb, Axes, Axis, Link, Point};

/// The directions of a format that has a north.
#[derive(Debug)]
pub(super) struct Compass {
    axes: Axes,
    /// North and east on the plan.
    north: Option<[[f32; 2]; 2]>,
}

impl Compass {
    pub(super) fn new(axes: Axes) -> Self {
        // Right is +x in every family, and east where north is no x, in Source too, whose south is +y.
        let east = match axes.north {
            Some(Axis::PlusX) => [0.0, -1.0],
            Some(Axis::MinusX) => [0.0, 1.0],
            _ => [1.0, 0.0],
        };
        Self { axes, north: axes.north_on_page().map(|north| [north, east]) }
    }

    /// How far north and east of one point another lies.
    fn offset(&self, from: Point, to: Point) -> Option<[f32; 2]> {
        let [from, to] = [from, to].map(|point| self.axes.plan(point));
        let [right, up] = [to[0] - from[0], to[1] - from[1]];
        let ahead = |[x, y]: [f32; 2]| right * x + up * y;
        Some(self.north?.map(ahead)).filter(|ahead| ahead.iter().all(|far| far.is_finite()))
    }

    /// Where a point on the rim lies, seen from the middle of a polygon.
    pub(super) fn toward(&self, corners: &[Point], rim: Point) -> Option<&'static str> {
        let bounds: Aabb = corners.iter().copied().collect();
        if bounds.is_empty() || corners.len() < 2 {
            return None;
        }
        let [north, east] = self.offset(bounds.min.midway(bounds.max), rim)?;
        let [high, wide] = self.offset(bounds.min, bounds.max)?.map(f32::abs);
        // In a long and narrow area, the middle of a short side is as far away as that of a long one.
        let [north, east] = [north * wide.max(1.0), east * high.max(1.0)];
        Some(match north.abs() >= east.abs() {
            true if north >= 0.0 => "north",
            true => "south",
            false if east >= 0.0 => "east",
            false => "west",
        })
    }

    /// Where each corner lies, if each lies elsewhere.
    pub(super) fn corners(&self, corners: &[Point]) -> Vec<&'static str> {
        let bounds: Aabb = corners.iter().copied().collect();
        if bounds.is_empty() {
            return Vec::new();
        }
        let name = |corner: &Point| {
            let [north, east] = self.offset(bounds.min.midway(bounds.max), *corner)?;
            Some(match (north > 0.0, east > 0.0) {
                (true, false) => "north-west",
                (true, true) => "north-east",
                (false, true) => "south-east",
                (false, false) => "south-west",
            })
        };
        let names: Vec<&'static str> = corners.iter().filter_map(name).collect();
        let mut apart = names.clone();
        apart.sort_unstable();
        apart.dedup();
        if names.len() == corners.len() && apart.len() == names.len() && names.len() > 1 {
            names
        } else {
            Vec::new()
        }
    }

    /// How much higher one is after a link: over an edge, on the ground beside it on both sides; else from take-off to landing, or
    /// from middle to middle.
    pub(super) fn rise(&self, [from, to]: [&[Point]; 2], link: &Link) -> Option<f32> {
        let heights = match (link.path, link.portal) {
            (Some([start, end]), _) => [self.axes.height(start), self.axes.height(end)],
            (None, Some([a, b])) => {
                let across = a.midway(b);
                [self.ground(from, across)?, self.ground(to, across)?]
            }
            (None, None) => {
                let middle = |corners: &[Point]| {
                    let sum: f32 = corners.iter().map(|corner| self.axes.height(*corner)).sum();
                    (!corners.is_empty()).then(|| sum / corners.len() as f32)
                };
                [middle(from)?, middle(to)?]
            }
        };
        Some(heights[1] - heights[0]).filter(|rise| rise.is_finite())
    }

    /// The height of a polygon's rim where it is nearest to a point, seen from above.
    fn ground(&self, corners: &[Point], at: Point) -> Option<f32> {
        let [x, y, _] = self.axes.plan(at);
        let mut best: Option<(f32, f32)> = None;
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let ([ax, ay, az], [bx, by, bz]) = (self.axes.plan(*a), self.axes.plan(*b));
            let (dx, dy) = (bx - ax, by - ay);
            let long = dx * dx + dy * dy;
            let t = if long > 0.0 { (((x - ax) * dx + (y - ay) * dy) / long).clamp(0.0, 1.0) } else { 0.0 };
            let (px, py) = (ax + t * dx - x, ay + t * dy - y);
            let far = px * px + py * py;
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, az + t * (bz - az)));
            }
        }
        best.map(|(_, height)| height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_core::graph::LinkKind;

    fn square(x: f32, y: f32, wide: f32, high: f32, z: f32) -> [Point; 4] {
        [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)].map(|(x, y)| Point::new(x, y, z))
    }

    #[test]
    fn directions_are_those_of_the_format() {
        let source = Compass::new(Axes::z_up(1.0).with_north(Axis::MinusY));
        let long = square(0.0, 0.0, 1000.0, 10.0, 0.0);
        assert_eq!(source.corners(&long), ["north-west", "north-east", "south-east", "south-west"]);
        let toward = |x, y| source.toward(&long, Point::new(x, y, 0.0)).unwrap();
        assert_eq!(
            [toward(500.0, 0.0), toward(1000.0, 5.0), toward(700.0, 10.0), toward(0.0, 5.0)],
            ["north", "east", "south", "west"]
        );
        let skyrim = Compass::new(Axes::z_up(1.0).with_north(Axis::PlusY));
        assert_eq!(skyrim.toward(&long, Point::new(500.0, 0.0, 0.0)), Some("south"));
        assert!(skyrim.corners(&long[..3]).len() == 3 && skyrim.corners(&[long[0], long[0]]).is_empty());
        let none = Compass::new(Axes::z_up(1.0));
        assert_eq!((none.toward(&long, long[0]), none.corners(&long)), (None, vec![]));
        assert_eq!(source.toward(&long, Point::new(f32::NAN, 0.0, 0.0)), None);
        let fox = Compass::new(Axes::y_up(1.0).with_north(Axis::MinusZ));
        let flat = square(0.0, 0.0, 4.0, 4.0, 0.0).map(|p| Point::new(p.x, p.z, p.y));
        assert_eq!(fox.toward(&flat, Point::new(2.0, 0.0, 0.0)), Some("north"));
    }

    #[test]
    fn a_rise_is_measured_where_one_crosses() {
        let compass = Compass::new(Axes::z_up(1.0));
        let low = square(0.0, 0.0, 100.0, 100.0, 8.0);
        // A ramp from 20 down to 60 that begins beside it.
        let mut ramp = square(100.0, 0.0, 100.0, 100.0, 20.0);
        (ramp[1].z, ramp[2].z) = (60.0, 60.0);
        let mut link = Link::new(0, 1, LinkKind::Walk);
        assert_eq!(compass.rise([&low, &ramp], &link), Some(32.0));
        link.portal = Some([low[1], low[2]]);
        assert_eq!(compass.rise([&low, &ramp], &link), Some(12.0));
        link.path = Some([Point::new(0.0, 0.0, 1.0), Point::new(0.0, 0.0, 65.0)]);
        assert_eq!(compass.rise([&low, &ramp], &link), Some(64.0));
        link.path = Some([Point::new(0.0, 0.0, f32::NAN); 2]);
        assert_eq!(compass.rise([&low, &ramp], &link), None);
        assert_eq!(compass.rise([&[], &ramp], &Link::new(0, 1, LinkKind::Walk)), None);
    }
}
