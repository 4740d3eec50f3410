//! Corners of a walk, which know the link that begins at them.

use super::area::Area;
use super::flags::CornerFlags;
use super::ground::{Geometry, Vec3, flat_closest};
use super::index::NavIndex;
use super::misuse::Misuse;
use super::portal::{Portal, portal_of};
use super::scratch::PathScratch;
use super::straighten::{Course, Sink, ends_of, filling, pull, stand};
use navmap_core::graph::{LinkKind, Point};

/// A corner of a walk. All lie on the mesh, but for a start and an end over or under their area, which stay as they are.
///
/// Where a leg begins that one does not walk ([`CornerFlags::LEG`]), `portal.left` is its own first point and
/// `portal.right` its last one: bottom and top of a ladder that leads up, take-off and landing of a jump, both ends of a
/// connection of Detour. The next corner is the dismount, where the walk goes on. A gap that is stepped over from a point has that
/// point as both ends.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Corner {
    /// Where it is.
    pub point: Point,
    /// The area in which one is there, before crossing the portal.
    pub area: Area,
    /// The number of that area along the way, from 0. The link that begins here leads to the next one.
    pub step: u32,
    /// The kind of the link that begins here. `None` where the walk begins or ends, and at a landing.
    pub kind: Option<LinkKind>,
    /// The line that is crossed here. Without a link both ends are the corner.
    pub portal: Portal,
    /// What it is.
    pub flags: CornerFlags,
}

impl Default for Corner {
    /// A corner to fill a buffer with.
    fn default() -> Self {
        let point = Point::default();
        Self {
            point,
            area: Area::new(0),
            step: 0,
            kind: None,
            portal: Portal { left: point, right: point },
            flags: CornerFlags::default(),
        }
    }
}

impl Corner {
    /// Whether any of these flags is set.
    pub fn is(&self, flags: CornerFlags) -> bool {
        self.flags.any(flags)
    }
}

impl PathScratch {
    /// The corners of the shortest walk along the latest way from `start` to `end`, like
    /// [`straighten`](Self::straighten), with the links that begin at them. Writes as many as fit to `out`, and returns how
    /// many there are: none if there is no way.
    ///
    /// The first is the start, the last the end; if a point is not on its area of the way, it is the nearest point of that
    /// area, and the last corner says so ([`CornerFlags::NEAREST`]). A jump or a drop through the side of an area is a leg as
    /// well: its take-off is where the walk crosses the side. No two corners that follow each other are the same point. Nothing is
    /// allocated.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::query::{Corner, CornerFlags, PathScratch, Query};
    ///
    /// let [from, to] = ["CTSpawn", "BombsiteB"].map(|place| index.in_place(place).next().expect("a place of this name"));
    /// let [start, end] = [from, to].map(|area| index.center(area).expect("an area of the mesh"));
    /// let (mut scratch, mut corners) = (PathScratch::new(index), [Corner::default(); 64]);
    /// scratch.path(index, from, to, &Query::default())?;
    /// let count = scratch.corners(index, start, end, &mut corners)?;
    /// assert!(corners[0].is(CornerFlags::START) && corners[count - 1].is(CornerFlags::END));
    /// assert!(corners[1..count - 1].iter().all(|corner| corner.kind.is_some()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the way was found in another index, or a point is not finite.
    pub fn corners(
        &self,
        index: &NavIndex,
        start: Point,
        end: Point,
        out: &mut [Corner],
    ) -> Result<usize, Misuse> {
        self.each_corner(index, start, end, filling(out))
    }

    /// Calls `each` with all [`corners`](Self::corners) in their order, and returns how many there are. For callers who keep corners
    /// in a form of their own.
    ///
    /// # Errors
    /// Those of [`corners`](Self::corners). `each` is then not called.
    pub fn each_corner(
        &self,
        index: &NavIndex,
        start: Point,
        end: Point,
        mut each: impl FnMut(Corner),
    ) -> Result<usize, Misuse> {
        let Some(steps) = self.course(index, [start, end])? else { return Ok(0) };
        let ends = [index.plan(start), index.plan(end)];
        Ok(Corners { index, course: &steps, each: &mut each, most: usize::MAX, whole: true }.find(ends))
    }
}

/// Who hears of corners.
pub(super) struct Corners<'o, C> {
    pub(super) index: &'o NavIndex,
    pub(super) course: &'o C,
    pub(super) each: &'o mut dyn FnMut(Corner),
    /// How many corners are looked for.
    pub(super) most: usize,
    /// Whether the start counts as a corner.
    pub(super) whole: bool,
}

impl<C: Course> Corners<'_, C> {
    /// Pulls the string, and returns how many corners there are, or `most` if there are more, of which no one hears.
    pub(super) fn find(self, [start, end]: [Vec3; 2]) -> usize {
        let Self { index, course, each, most, whole } = self;
        let links = course.links();
        // A corridor is on its ground already.
        let on = |at: usize, p: Vec3| if whole { stand(index, course.area(at), p) } else { p };
        let from = on(0, start);
        let mut sink = Full {
            index,
            course,
            each,
            most,
            count: 0,
            open: None,
            held: None,
            last: from,
            step: 0,
            inside: 0,
            bent: false,
        };
        let first = corner(index, course.area(0), 0, from, CornerFlags::START);
        if whole {
            sink.put(first);
        } else {
            sink.held = Some(first);
        }
        let (mut from, mut at) = (from, 0);
        let mut first = usize::from(links > 0 && along_link(index, course, from));
        while at < links {
            if sink.full() {
                return sink.end();
            }
            let (area, link) = (course.area(at), course.link(at));
            if let Some([begins, ends]) = ends_of(index, area, link) {
                let mount = flat_closest(&index.parts.geometry, area, begins);
                let dismount = flat_closest(&index.parts.geometry, course.area(at + 1), ends);
                let portal = |at: usize| portal_of(index, course.area(at), course.link(at));
                pull(first, at, from, mount, portal, &mut sink);
                sink.leg(mount, at, [begins, ends], dismount);
                (from, first) = (dismount, at + 1);
            }
            at += 1;
        }
        if sink.full() {
            return sink.end();
        }
        let goal = on(links, end);
        pull(first, links, from, goal, |at| portal_of(index, course.area(at), course.link(at)), &mut sink);
        sink.finish(goal, links, goal != end);
        sink.end()
    }
}

/// Whether a walk from here need not go back to the first waypoint of its way: it stands on the way to the next.
fn along_link(index: &NavIndex, course: &impl Course, from: Vec3) -> bool {
    let Geometry::Points(points) = &index.parts.geometry else { return false };
    let (near, wide) = points.between(course.area(0), course.area(1), from);
    let off = f64::from((near[0] - from[0]).hypot(near[1] - from[1]));
    off <= wide + f64::from(super::line::room_at(from))
}

fn corner(index: &NavIndex, area: usize, step: usize, p: Vec3, flags: CornerFlags) -> Corner {
    let point = index.unplan(p);
    Corner {
        point,
        area: Area::new(area as u32),
        step: step as u32,
        kind: None,
        portal: Portal { left: point, right: point },
        flags,
    }
}

struct Full<'o, C> {
    index: &'o NavIndex,
    course: &'o C,
    each: &'o mut dyn FnMut(Corner),
    most: usize,
    count: usize,
    /// The last corner, which may still change.
    open: Option<Corner>,
    /// A start that is no corner, unless the walk ends there.
    held: Option<Corner>,
    last: Vec3,
    /// Links before this one have been passed.
    step: usize,
    /// The area that one is in behind the last corner.
    inside: usize,
    bent: bool,
}

impl<C: Course> Full<'_, C> {
    fn put(&mut self, corner: Corner) {
        self.tell();
        self.open = Some(corner);
        self.last = self.index.plan(corner.point);
        self.count += 1;
        self.held = None;
        self.bent = false;
    }

    /// Tells the last corner, unless there are too many.
    fn tell(&mut self) {
        if let Some(corner) = self.open.take().filter(|_| self.count <= self.most) {
            (self.each)(corner);
        }
    }

    /// Tells the last corner, and returns how many there are.
    fn end(mut self) -> usize {
        self.tell();
        self.count.min(self.most)
    }

    /// How one gets from the last corner to one in this area.
    fn manner(&self, step: usize) -> CornerFlags {
        let labels = &self.index.parts.labels;
        let mut bits = 0;
        for at in self.inside..=step {
            bits |= labels.manner(self.course.area(at));
        }
        for at in self.step..step {
            let how = self.index.parts.rows.how(self.course.link(at));
            if how.kind() == LinkKind::Crouch {
                bits |= CornerFlags::CROUCH.0;
            }
            if how.gated() || how.kind() == LinkKind::Door {
                bits |= CornerFlags::DOOR.0;
            }
        }
        CornerFlags(bits)
    }

    /// Puts the legs that the line from the last corner to `p` crosses before it is in area `step`.
    fn cross(&mut self, p: Vec3, step: usize) {
        for at in self.step..step {
            let (area, link) = (self.course.area(at), self.course.link(at));
            let how = self.index.parts.rows.how(link);
            if how.kind().on_foot() {
                continue;
            }
            let sides = portal_of(self.index, area, link);
            let takes_off = meet(sides, self.last, p);
            let lands = flat_closest(&self.index.parts.geometry, self.course.area(at + 1), takes_off);
            self.leg(takes_off, at, [takes_off, lands], lands);
        }
    }

    /// Puts a corner in area `step` at `p`, or takes the one that is there. Returns it.
    fn at(&mut self, p: Vec3, step: usize) -> Option<&mut Corner> {
        let over = self.last[0] == p[0] && self.last[1] == p[1];
        let taken = (self.count > 0 || self.held.is_some()) && (p == self.last || self.bent && over);
        let manner = self.manner(step);
        if taken {
            if let Some(held) = self.held.take() {
                self.put(held);
            }
            let area = Area::new(self.course.area(step) as u32);
            let index = self.index;
            self.last = p;
            (self.step, self.inside, self.bent) = (step, step, false);
            let corner = self.open.as_mut()?;
            let point = index.unplan(p);
            (corner.point, corner.area, corner.step) = (point, area, step as u32);
            (corner.kind, corner.portal) = (None, Portal { left: point, right: point });
            corner.flags.0 |= manner.0;
            return Some(corner);
        }
        let made = corner(self.index, self.course.area(step), step, p, manner);
        self.put(made);
        (self.step, self.inside) = (step, step);
        self.open.as_mut()
    }

    /// Puts both ends of a link that is not walked, or that has ends of its own.
    fn leg(&mut self, mount: Vec3, at: usize, [begins, ends]: [Vec3; 2], dismount: Vec3) {
        // A leg that ends where it begins is none.
        if mount == dismount || !mount.iter().chain(&dismount).all(|v| v.is_finite()) {
            return;
        }
        let (index, link) = (self.index, self.course.link(at));
        let how = index.parts.rows.how(link);
        self.cross(mount, at);
        let leg = if how.kind().on_foot() { CornerFlags::default() } else { CornerFlags::LEG };
        // What is walked is crossed where one leaves, in a point.
        let [begins, ends] = if leg.is_empty() { [mount; 2] } else { [begins, ends] };
        let portal = Portal { left: index.unplan(begins), right: index.unplan(ends) };
        // Who stands at the edge of a gap that is walked over goes on.
        let stands = leg.is_empty() && self.held.is_some() && mount == self.last;
        if !stands && let Some(corner) = self.at(mount, at) {
            (corner.kind, corner.portal) = (Some(how.kind()), portal);
            corner.flags.0 |= leg.0;
        }
        let door = how.gated() || how.kind() == LinkKind::Door;
        (self.step, self.inside) = (at + 1, at + 1);
        let landing = if leg.is_empty() { leg } else { CornerFlags::LANDING };
        let mut lands = corner(index, self.course.area(at + 1), at + 1, dismount, landing);
        if door {
            lands.flags.0 |= CornerFlags::DOOR.0;
        }
        self.put(lands);
    }

    fn finish(&mut self, goal: Vec3, step: usize, moved: bool) {
        self.cross(goal, step);
        let flags = if moved { CornerFlags::END.0 | CornerFlags::NEAREST.0 } else { CornerFlags::END.0 };
        if let Some(corner) = self.at(goal, step) {
            corner.flags.0 |= flags;
        }
    }
}

impl<C: Course> Sink for Full<'_, C> {
    fn bend(&mut self, p: Vec3, step: usize) {
        if !p.iter().all(|v| v.is_finite()) {
            return;
        }
        self.cross(p, step);
        let over = self.last[0] == p[0] && self.last[1] == p[1];
        if over {
            return;
        }
        let (index, area, link) = (self.index, self.course.area(step), self.course.link(step));
        let [left, right] = portal_of(index, area, link).map(|end| index.unplan(end));
        let kind = index.parts.rows.how(link).kind();
        if let Some(corner) = self.at(p, step) {
            (corner.kind, corner.portal) = (Some(kind), Portal { left, right });
        }
        self.bent = true;
    }

    fn full(&self) -> bool {
        self.count > self.most
    }
}

/// Where the line from `a` to `b` crosses a portal, or comes closest to it, as seen from above.
fn meet([l, r]: [Vec3; 2], a: Vec3, b: Vec3) -> Vec3 {
    let d = |p: Vec3, q: Vec3, axis: usize| f64::from(q[axis]) - f64::from(p[axis]);
    let whole = d(l, r, 0) * d(a, b, 1) - d(l, r, 1) * d(a, b, 0);
    let t = (d(l, a, 0) * d(a, b, 1) - d(l, a, 1) * d(a, b, 0)) / whole;
    if whole == 0.0 || !t.is_finite() {
        return super::portal::closest_on_line(l, r, a);
    }
    let t = t.clamp(0.0, 1.0);
    [0, 1, 2].map(|axis| (f64::from(l[axis]) + d(l, r, axis) * t) as f32)
}
