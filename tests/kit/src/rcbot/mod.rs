//! Waypoints of RCBot2: the bundled corpus.

#![allow(missing_docs)]

use crate::Made;
use crate::bytes::Out;

#[derive(Debug, Clone)]
pub struct Waypoint {
    pub at: [f32; 3],
    pub yaw: i32,
    pub flags: u32,
    pub used: u8,
    pub targets: Vec<i32>,
    pub area: i32,
    pub radius: f32,
}

#[derive(Debug, Clone)]
pub struct File {
    pub map: &'static str,
    pub flags: u32,
    pub names: [&'static str; 2],
    pub waypoints: Vec<Waypoint>,
}

/// What lay in memory behind the zero of a text: never the same byte, so that it is told from zeros.
fn text(text: &str, len: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    while bytes.len() < len {
        bytes.push(0x80 | bytes.len() as u8);
    }
    bytes
}

impl File {
    pub fn add(&mut self, at: [f32; 3], flags: u32) -> &mut Waypoint {
        let yaw = [90, -180, 0, 45][self.waypoints.len() % 4];
        self.waypoints.push(Waypoint { at, yaw, flags, used: 1, targets: Vec::new(), area: 0, radius: 0.0 });
        self.waypoints.last_mut().expect("it was added")
    }

    /// Both ways.
    pub fn join(&mut self, a: usize, b: usize) {
        self.waypoints[a].targets.push(b as i32);
        self.waypoints[b].targets.push(a as i32);
    }

    pub fn links(&self) -> usize {
        self.waypoints.iter().map(|point| point.targets.len()).sum()
    }

    pub fn bytes(&self, version: i32) -> Vec<u8> {
        let mut out = Out::new();
        out.raw(&text("RCBot2", 16)).raw(&text(self.map, 64));
        out.i32(version).i32(self.waypoints.len() as i32).u32(self.flags);
        if version >= 4 {
            self.names.iter().for_each(|name| _ = out.raw(&text(name, 32)));
        }
        for point in &self.waypoints {
            out.f32s(&point.at).i32(point.yaw).u32(point.flags).u8(point.used);
            out.i32(point.targets.len() as i32);
            point.targets.iter().for_each(|target| _ = out.i32(*target));
            if version >= 2 {
                out.i32(point.area);
            }
            if version >= 3 {
                out.f32(point.radius);
            }
        }
        out.0
    }
}

/// A yard with a ledge, a ladder, a lift, a drop, a point to capture, and a slot whose waypoint was deleted.
pub fn sample() -> File {
    let mut map = File { map: "cp_yard", flags: 0, names: ["Zoë", "Bot Keeper"], waypoints: Vec::new() };
    map.add([0.0, 0.0, 32.0], 0).area = 1; // 0
    map.add([200.0, 0.0, 32.0], 0x20).radius = 64.0; // 1 to capture
    map.add([200.0, 200.0, 96.0], 0x1); // 2 on the ledge
    map.add([0.0, 200.0, 32.0], 0x800 | 0x40); // 3 a sniper
    map.add([0.0, 400.0, 32.0], 0x8); // 4 foot of a ladder
    map.add([0.0, 400.0, 232.0], 0x8); // 5 top of it
    map.add([100.0, 300.0, 32.0], 0x4).used = 0; // 6 deleted
    map.add([200.0, 400.0, 232.0], 0x80_0000); // 7 on a lift
    map.add([300.0, 400.0, 32.0], 0x200_0000); // 8 below a drop
    map.add([300.0, 200.0, 160.0], 0x400); // 9 behind a rocket jump
    map.add([900.0, 900.0, 32.0], 0); // 10 alone
    for (a, b) in [(0, 1), (0, 3), (1, 2), (3, 4), (4, 5), (5, 7)] {
        map.join(a, b);
    }
    map.waypoints[7].targets.push(8);
    map.waypoints[8].targets.push(9);
    map.waypoints[9].targets.push(1);
    map
}

/// The bundled corpus.
pub fn files() -> Vec<Made> {
    let mut files = Vec::new();
    let mut add = |path: &str, version: i32, map: Option<&File>, status: &str, bytes: Vec<u8>, note: &str| {
        let mut row = vec![("form", "rcw".to_owned()), ("version", version.to_string())];
        if let Some(map) = map {
            let unused = map.waypoints.iter().filter(|point| point.used == 0).count();
            let counts = [("nodes", map.waypoints.len()), ("links", map.links()), ("unused", unused)];
            row.extend(counts.map(|(name, count)| (name, count.to_string())));
        }
        row.extend([("status", status.to_owned()), ("note", note.to_owned())]);
        files.push(Made { path: path.to_owned(), bytes, row });
    };
    let map = sample();
    let mut dod = sample();
    (dod.map, dod.flags) = ("dod_yard", 1);
    add("v3.rcw", 3, Some(&dod), "ok", dod.bytes(3), "Day of Defeat, a visibility file beside it");
    add("v4.rcw", 4, Some(&map), "ok", map.bytes(4), "Team Fortress 2, author and editor");
    let none = File { waypoints: Vec::new(), ..sample() };
    add("odd/none.rcw", 4, Some(&none), "ok", none.bytes(4), "no waypoints");
    let mut bare = sample();
    bare.waypoints.iter_mut().for_each(|point| point.targets.clear());
    add("odd/no-links.rcw", 3, Some(&bare), "ok", bare.bytes(3), "no links");
    add("odd/v1.rcw", 1, Some(&map), "ok", map.bytes(1), "a version known from source alone");
    add("odd/v2.rcw", 2, Some(&map), "ok", map.bytes(2), "a version known from source alone");
    add("odd/v9.rcw", 9, Some(&map), "warning", map.bytes(9), "an unknown version, laid out as version 4");
    let tail = [map.bytes(4), vec![0x55; 5]].concat();
    add("odd/trailing.rcw", 4, Some(&map), "warning", tail, "five bytes behind the end");
    let mut odd = sample();
    odd.waypoints[0].targets.extend([0, 1, 6]);
    odd.waypoints[1].radius = -4.0;
    odd.waypoints[2].yaw = 400;
    odd.waypoints[3].flags |= 0x80 | 1 << 31;
    odd.waypoints[6].targets.push(2);
    odd.waypoints[8].at = odd.waypoints[7].at;
    odd.waypoints[10].at[1] = f32::NAN;
    add("odd/values.rcw", 4, Some(&odd), "warning", odd.bytes(4), "what check finds in waypoints and links");
    let mut many = File { waypoints: Vec::new(), ..sample() };
    for nth in 0..1_025_u16 {
        many.add([f32::from(nth) * 64.0, 0.0, 32.0], 0);
    }
    many.join(0, 1_024);
    add("odd/many.rcw", 3, Some(&many), "warning", many.bytes(3), "more waypoints than the bot loads");

    let mut far = sample();
    far.waypoints[0].targets = vec![11, -1];
    add("hostile/targets.rcw", 4, Some(&far), "error", far.bytes(4), "links to waypoints that do not exist");
    let whole = map.bytes(4);
    let patched = |at: usize, value: i32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let mut refused = |path: &str, bytes: Vec<u8>, note: &str| add(path, 4, None, "error", bytes, note);
    refused("hostile/most-waypoints.rcw", patched(84, i32::MAX), "more waypoints than the file has");
    refused("hostile/negative-waypoints.rcw", patched(84, -1), "-1 waypoints claimed");
    refused("hostile/most-links.rcw", patched(156 + 21, i32::MAX), "more links than the file has");
    refused("hostile/negative-links.rcw", patched(156 + 21, -2), "-2 links claimed");
    refused("hostile/cut.rcw", whole[..200].to_vec(), "ends in the second waypoint");
    refused("hostile/version.rcw", patched(80, -3), "a version that nothing fits");
    files
}
