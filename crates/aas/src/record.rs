//! Records of fixed size, as they lie in the file: little endian, every field four bytes, alignment 1. Lengths are Quake
//! units, z up.

use super::flags::{AreaFlags, BoxFlags, Contents, FaceFlags, Presence, TravelFlags, TravelKind};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I32, U16, U32};

record! {
    /// The box of a player for which the areas were made. 32 bytes. `docs/formats/aas.md`, section 2.
    pub BoundingBox[32]: Serialize {
        /// The way of standing that it is the box of: 2 upright, 4 crouched.
        presence: I32 as Presence,
        /// Flags as stored.
        flags: I32 as BoxFlags,
        /// The smallest corner, from the player's origin.
        mins: [F32; 3] => [f32; 3],
        /// The largest corner.
        maxs: [F32; 3] => [f32; 3],
    }
    /// A corner of faces. 12 bytes.
    pub Vertex[12] {
        /// Where it is.
        position: [F32; 3] => [f32; 3],
    }
    /// A plane: the points whose product with the normal is the distance. 20 bytes. Planes come in opposite pairs.
    pub Plane[20]: Serialize {
        /// The side that counts as its front.
        normal: [F32; 3] => [f32; 3],
        /// Its distance from the origin, along the normal.
        distance: F32 => f32,
        /// 0 to 2 for planes across x, y, z; 3 to 5 for the largest part of the normal.
        kind: I32 => i32,
    }
    /// An edge between two vertices. 8 bytes. Edge 0 is none.
    pub Edge[8] {
        /// Its two vertices.
        vertices: [I32; 2] => [i32; 2],
    }
    /// A face between two areas, or between an area and the solid. 24 bytes. Face 0 is none.
    pub Face[24]: Serialize {
        /// The plane it lies on.
        plane: I32 => i32,
        /// What it is.
        flags: U32 as FaceFlags,
        /// How many entries of the edge index it has.
        edges: I32 => i32,
        /// The first of them.
        first_edge: I32 => i32,
        /// The area before it; 0 for none.
        front: I32 => i32,
        /// The area behind it; 0 for none.
        back: I32 => i32,
    }
    /// A convex volume for the player's origin, not for the body. 48 bytes. Area 0 is none.
    pub Area[48]: Row {
        /// Its own number: its index.
        number: I32 => i32,
        /// How many entries of the face index it has: 0 in files that were stripped.
        faces: I32 => i32,
        /// The first of them.
        first_face: I32 => i32,
        /// The smallest corner of its box.
        mins: [F32; 3] => [f32; 3],
        /// The largest corner of its box.
        maxs: [F32; 3] => [f32; 3],
        /// A point inside.
        center: [F32; 3] => [f32; 3],
    }
    /// What an area is. 28 bytes in versions 4 and 5. `docs/formats/aas.md`, section 3.3.
    pub Settings[28] {
        /// What fills it and what it belongs to.
        contents: U32 as Contents,
        /// What one can do in it.
        flags: U32 as AreaFlags,
        /// How one can be in it.
        presence: U32 as Presence,
        /// The cluster it belongs to; minus the number of its portal, if it is one; 0 for none.
        cluster: I32 => i32,
        /// Its number inside the cluster.
        cluster_area: I32 => i32,
        /// How many reachabilities leave it. The largest real number is 121.
        links: I32 => i32,
        /// The first of them.
        first_link: I32 => i32,
    }
    /// What an area is, in version 8: with the steepness of its ground. 32 bytes.
    pub SteepSettings[32] {
        /// What all versions have.
        settings: Settings => &Settings,
        /// 0 for flat ground to 1 for steep.
        steepness: F32 => f32,
    }
    /// A way from an area to another. 44 bytes. Reachability 0 is none. `docs/formats/aas.md`, section 4.
    pub Reachability[44] {
        /// The area it leads to.
        area: I32 => i32,
        /// What it means depends on the kind: a face, the number of a model, a speed.
        face: I32 => i32,
        /// What it means depends on the kind: an edge, a height, a speed.
        edge: I32 => i32,
        /// Where one leaves.
        start: [F32; 3] => [f32; 3],
        /// Where one arrives.
        end: [F32; 3] => [f32; 3],
        travel: U32,
        /// How long it takes, in hundredths of a second.
        time: U16 => u16,
        /// The last two bytes. 0 in every real file.
        padding: U16 => u16,
    }
    /// A node of the tree that divides space. 12 bytes. Node 0 is none.
    pub Node[12]: Serialize {
        /// The plane that divides.
        plane: I32 => i32,
        /// What lies before it: a node, minus the number of an area, or 0 for solid.
        front: I32 => i32,
        /// What lies behind it.
        back: I32 => i32,
    }
    /// An area between two clusters. 20 bytes. Portal 0 is none.
    pub Portal[20]: Serialize {
        /// The area that it is.
        area: I32 => i32,
        /// The cluster before it.
        front: I32 => i32,
        /// The cluster behind it.
        back: I32 => i32,
        /// Its number in the cluster before it.
        front_number: I32 => i32,
        /// Its number in the cluster behind it.
        back_number: I32 => i32,
    }
    /// Areas that belong together for the engine's routing tables. 16 bytes. Cluster 0 is none.
    pub Cluster[16]: Serialize {
        /// How many areas it has, its portals included.
        areas: I32 => i32,
        /// How many of them have reachabilities.
        reachable: I32 => i32,
        /// How many entries of the portal index it has.
        portals: I32 => i32,
        /// The first of them.
        first_portal: I32 => i32,
    }
}

/// What an editor changes. Everything else hangs together with the tree.
impl Settings {
    /// Sets what fills it.
    pub fn set_contents(&mut self, contents: Contents) {
        self.contents.set(contents.0);
    }
    /// Sets what one can do in it: [`AreaFlags::DISABLED`] takes it out of all routes.
    pub fn set_flags(&mut self, flags: AreaFlags) {
        self.flags.set(flags.0);
    }
    /// Sets which reachabilities leave it.
    pub(super) fn set_run(&mut self, first: i32, links: i32) {
        self.first_link.set(first);
        self.links.set(links);
    }
}

impl SteepSettings {
    pub(super) fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }
}

impl Reachability {
    /// Sets how one travels. [`TravelKind::INVALID`] deletes it: removing the record would move all that follow.
    pub fn set_kind(&mut self, kind: TravelKind) {
        self.travel.set(self.flags().0 | kind.0 & 0x00FF_FFFF);
    }
    /// Sets who may not travel.
    pub fn set_flags(&mut self, flags: TravelFlags) {
        self.travel.set(self.kind().0 | flags.0 & 0xFF00_0000);
    }
    /// Sets how long it takes, in hundredths of a second.
    pub fn set_time(&mut self, time: u16) {
        self.time.set(time);
    }
    /// Sets which area it leads to.
    pub(super) fn set_area(&mut self, area: i32) {
        self.area.set(area);
    }
    /// Sets face and edge, whatever they mean by its kind.
    pub(super) fn set_numbers(&mut self, face: i32, edge: i32) {
        self.face.set(face);
        self.edge.set(edge);
    }
    /// Sets where one leaves and arrives, in the heights of a player's origin.
    pub(super) fn set_ends(&mut self, start: [f32; 3], end: [f32; 3]) {
        for (points, values) in [(&mut self.start, start), (&mut self.end, end)] {
            points.iter_mut().zip(values).for_each(|(point, value)| point.set(value));
        }
    }
}

fn shift(points: &mut [F32; 3], by: [f32; 3]) {
    points.iter_mut().zip(by).for_each(|(value, by)| value.set(value.get() + by));
}

impl Vertex {
    pub(super) fn shift(&mut self, by: [f32; 3]) {
        shift(&mut self.position, by);
    }
}

impl Plane {
    pub(super) fn shift(&mut self, by: [f32; 3]) {
        let [x, y, z] = self.normal();
        let [dx, dy, dz] = by;
        self.distance.set(self.distance.get() + x * dx + y * dy + z * dz);
    }
}

impl Area {
    pub(super) fn shift(&mut self, by: [f32; 3]) {
        [&mut self.mins, &mut self.maxs, &mut self.center].into_iter().for_each(|point| shift(point, by));
    }
}

impl Reachability {
    pub(super) fn shift(&mut self, by: [f32; 3]) {
        shift(&mut self.start, by);
        shift(&mut self.end, by);
    }
}

impl Plane {
    /// How far before the plane a point is; negative behind it.
    #[inline]
    pub fn before(&self, point: [f64; 3]) -> f64 {
        let [x, y, z] = self.normal().map(f64::from);
        let [px, py, pz] = point;
        x * px + y * py + z * pz - f64::from(self.distance())
    }
}

impl Reachability {
    /// How one travels.
    #[inline]
    pub fn kind(&self) -> TravelKind {
        TravelKind(self.travel.get() & 0x00FF_FFFF)
    }
    /// Who may not travel.
    #[inline]
    pub fn flags(&self) -> TravelFlags {
        TravelFlags(self.travel.get() & 0xFF00_0000)
    }
}
