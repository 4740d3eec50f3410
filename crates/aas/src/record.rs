//! Records of fixed size, as they lie in the file: little endian, every field four bytes, alignment 1. Lengths are Quake
//! units, z up.

use super::flags::{AreaFlags, BoxFlags, Contents, FaceFlags, Presence, TravelFlags, TravelKind};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I32, U16, U32};

/// x, y, z of three stored floats.
#[inline]
fn floats(stored: &[F32; 3]) -> [f32; 3] {
    stored.map(F32::get)
}

record! {
    /// The box of a player for which the areas were made. 32 bytes. `docs/formats/aas.md`, section 2.
    pub BoundingBox[32] { presence: I32, flags: I32, mins: [F32; 3], maxs: [F32; 3] }
    /// A corner of faces. 12 bytes.
    pub Vertex[12] { position: [F32; 3] }
    /// A plane: the points whose product with the normal is the distance. 20 bytes. Planes come in opposite pairs.
    pub Plane[20] { normal: [F32; 3], distance: F32, kind: I32 }
    /// An edge between two vertices. 8 bytes. Edge 0 is none.
    pub Edge[8] { vertices: [I32; 2] }
    /// A face between two areas, or between an area and the solid. 24 bytes. Face 0 is none.
    pub Face[24] { plane: I32, flags: U32, edges: I32, first_edge: I32, front: I32, back: I32 }
    /// A convex volume for the player's origin, not for the body. 48 bytes. Area 0 is none.
    pub Area[48] { number: I32, faces: I32, first_face: I32, mins: [F32; 3], maxs: [F32; 3], center: [F32; 3] }
    /// What an area is. 28 bytes in versions 4 and 5. `docs/formats/aas.md`, section 3.3.
    pub Settings[28] {
        contents: U32, flags: U32, presence: U32, cluster: I32, cluster_area: I32, links: I32, first_link: I32,
    }
    /// What an area is, in version 8: with the steepness of its ground. 32 bytes.
    pub SteepSettings[32] { settings: Settings, steepness: F32 }
    /// A way from an area to another. 44 bytes. Reachability 0 is none. `docs/formats/aas.md`, section 4.
    pub Reachability[44] {
        area: I32, face: I32, edge: I32, start: [F32; 3], end: [F32; 3], travel: U32, time: U16, padding: U16,
    }
    /// A node of the tree that divides space. 12 bytes. Node 0 is none.
    pub Node[12] { plane: I32, front: I32, back: I32 }
    /// An area between two clusters. 20 bytes. Portal 0 is none.
    pub Portal[20] { area: I32, front: I32, back: I32, front_number: I32, back_number: I32 }
    /// Areas that belong together for the engine's routing tables. 16 bytes. Cluster 0 is none.
    pub Cluster[16] { areas: I32, reachable: I32, portals: I32, first_portal: I32 }
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

impl BoundingBox {
    /// The way of standing that it is the box of: 2 upright, 4 crouched.
    #[inline]
    pub fn presence(&self) -> Presence {
        Presence(self.presence.get().cast_unsigned())
    }
    /// Flags as stored.
    #[inline]
    pub fn flags(&self) -> BoxFlags {
        BoxFlags(self.flags.get().cast_unsigned())
    }
    /// The smallest corner, from the player's origin.
    #[inline]
    pub fn mins(&self) -> [f32; 3] {
        floats(&self.mins)
    }
    /// The largest corner.
    #[inline]
    pub fn maxs(&self) -> [f32; 3] {
        floats(&self.maxs)
    }
}

impl Vertex {
    /// Where it is.
    #[inline]
    pub fn position(&self) -> [f32; 3] {
        floats(&self.position)
    }
}

impl Plane {
    /// The side that counts as its front.
    #[inline]
    pub fn normal(&self) -> [f32; 3] {
        floats(&self.normal)
    }
    /// Its distance from the origin, along the normal.
    #[inline]
    pub fn distance(&self) -> f32 {
        self.distance.get()
    }
    /// 0 to 2 for planes across x, y, z; 3 to 5 for the largest part of the normal.
    #[inline]
    pub fn kind(&self) -> i32 {
        self.kind.get()
    }
    /// How far before the plane a point is; negative behind it.
    #[inline]
    pub fn before(&self, point: [f64; 3]) -> f64 {
        let [x, y, z] = self.normal().map(f64::from);
        let [px, py, pz] = point;
        x * px + y * py + z * pz - f64::from(self.distance())
    }
}

impl Edge {
    /// Its two vertices.
    #[inline]
    pub fn vertices(&self) -> [i32; 2] {
        self.vertices.map(I32::get)
    }
}

impl Face {
    /// The plane it lies on.
    #[inline]
    pub fn plane(&self) -> i32 {
        self.plane.get()
    }
    /// What it is.
    #[inline]
    pub fn flags(&self) -> FaceFlags {
        FaceFlags(self.flags.get())
    }
    /// How many entries of the edge index it has.
    #[inline]
    pub fn edges(&self) -> i32 {
        self.edges.get()
    }
    /// The first of them.
    #[inline]
    pub fn first_edge(&self) -> i32 {
        self.first_edge.get()
    }
    /// The area before it; 0 for none.
    #[inline]
    pub fn front(&self) -> i32 {
        self.front.get()
    }
    /// The area behind it; 0 for none.
    #[inline]
    pub fn back(&self) -> i32 {
        self.back.get()
    }
}

impl Area {
    /// Its own number: its index.
    #[inline]
    pub fn number(&self) -> i32 {
        self.number.get()
    }
    /// How many entries of the face index it has: 0 in files that were stripped.
    #[inline]
    pub fn faces(&self) -> i32 {
        self.faces.get()
    }
    /// The first of them.
    #[inline]
    pub fn first_face(&self) -> i32 {
        self.first_face.get()
    }
    /// The smallest corner of its box.
    #[inline]
    pub fn mins(&self) -> [f32; 3] {
        floats(&self.mins)
    }
    /// The largest corner of its box.
    #[inline]
    pub fn maxs(&self) -> [f32; 3] {
        floats(&self.maxs)
    }
    /// A point inside.
    #[inline]
    pub fn center(&self) -> [f32; 3] {
        floats(&self.center)
    }
}

impl Settings {
    /// What fills it and what it belongs to.
    #[inline]
    pub fn contents(&self) -> Contents {
        Contents(self.contents.get())
    }
    /// What one can do in it.
    #[inline]
    pub fn flags(&self) -> AreaFlags {
        AreaFlags(self.flags.get())
    }
    /// How one can be in it.
    #[inline]
    pub fn presence(&self) -> Presence {
        Presence(self.presence.get())
    }
    /// The cluster it belongs to; minus the number of its portal, if it is one; 0 for none.
    #[inline]
    pub fn cluster(&self) -> i32 {
        self.cluster.get()
    }
    /// Its number inside the cluster.
    #[inline]
    pub fn cluster_area(&self) -> i32 {
        self.cluster_area.get()
    }
    /// How many reachabilities leave it. The largest real number is 121.
    #[inline]
    pub fn links(&self) -> i32 {
        self.links.get()
    }
    /// The first of them.
    #[inline]
    pub fn first_link(&self) -> i32 {
        self.first_link.get()
    }
}

impl SteepSettings {
    /// What all versions have.
    #[inline]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
    /// 0 for flat ground to 1 for steep.
    #[inline]
    pub fn steepness(&self) -> f32 {
        self.steepness.get()
    }
}

impl Reachability {
    /// The area it leads to.
    #[inline]
    pub fn area(&self) -> i32 {
        self.area.get()
    }
    /// What it means depends on the kind: a face, the number of a model, a speed.
    #[inline]
    pub fn face(&self) -> i32 {
        self.face.get()
    }
    /// What it means depends on the kind: an edge, a height, a speed.
    #[inline]
    pub fn edge(&self) -> i32 {
        self.edge.get()
    }
    /// Where one leaves.
    #[inline]
    pub fn start(&self) -> [f32; 3] {
        floats(&self.start)
    }
    /// Where one arrives.
    #[inline]
    pub fn end(&self) -> [f32; 3] {
        floats(&self.end)
    }
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
    /// How long it takes, in hundredths of a second.
    #[inline]
    pub fn time(&self) -> u16 {
        self.time.get()
    }
    /// The last two bytes. 0 in every real file.
    #[inline]
    pub fn padding(&self) -> u16 {
        self.padding.get()
    }
}

impl Node {
    /// The plane that divides.
    #[inline]
    pub fn plane(&self) -> i32 {
        self.plane.get()
    }
    /// What lies before it: a node, minus the number of an area, or 0 for solid.
    #[inline]
    pub fn front(&self) -> i32 {
        self.front.get()
    }
    /// What lies behind it.
    #[inline]
    pub fn back(&self) -> i32 {
        self.back.get()
    }
}

impl Portal {
    /// The area that it is.
    #[inline]
    pub fn area(&self) -> i32 {
        self.area.get()
    }
    /// The cluster before it.
    #[inline]
    pub fn front(&self) -> i32 {
        self.front.get()
    }
    /// The cluster behind it.
    #[inline]
    pub fn back(&self) -> i32 {
        self.back.get()
    }
    /// Its number in the cluster before it.
    #[inline]
    pub fn front_number(&self) -> i32 {
        self.front_number.get()
    }
    /// Its number in the cluster behind it.
    #[inline]
    pub fn back_number(&self) -> i32 {
        self.back_number.get()
    }
}

impl Cluster {
    /// How many areas it has, its portals included.
    #[inline]
    pub fn areas(&self) -> i32 {
        self.areas.get()
    }
    /// How many of them have reachabilities.
    #[inline]
    pub fn reachable(&self) -> i32 {
        self.reachable.get()
    }
    /// How many entries of the portal index it has.
    #[inline]
    pub fn portals(&self) -> i32 {
        self.portals.get()
    }
    /// The first of them.
    #[inline]
    pub fn first_portal(&self) -> i32 {
        self.first_portal.get()
    }
}
