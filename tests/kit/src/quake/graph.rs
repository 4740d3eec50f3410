//! A graph in memory and encoders for every version, written from the specification and independent of navmap's.

use crate::bytes::{Out, Rng};
use std::fmt::Write;

/// `N` of NAV2 or NAV3 and its number.
pub type Version = (u8, u32);

/// Every version with a documented layout.
pub const VERSIONS: [Version; 13] = [
    (2, 12),
    (2, 13),
    (2, 14),
    (2, 15),
    (2, 16),
    (2, 17),
    (2, 18),
    (3, 1),
    (3, 2),
    (3, 3),
    (3, 4),
    (3, 5),
    (3, 6),
];

/// Whether the header ends in the heuristic.
pub fn has_heuristic((family, number): Version) -> bool {
    family == 3 || number >= 16
}

/// Whether a traversal ends in a plane.
pub fn has_plane((family, number): Version) -> bool {
    family == 3 && number >= 4
}

/// A waypoint and its links.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub origin: [f32; 3],
    pub flags: u16,
    pub radius: u16,
    pub links: Vec<Link>,
}

/// A link.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub target: u16,
    pub kind: u8,
    pub byte: u8,
    pub traversal: Option<[[f32; 3]; 4]>,
    pub edict: Option<Edict>,
}

/// What a link depends on, in the words of every version.
#[derive(Debug, Clone, PartialEq)]
pub struct Edict {
    pub mins: [f32; 3],
    pub maxs: [f32; 3],
    pub handles: [i32; 2],
    pub entity: i32,
    pub model: i32,
}

/// A whole graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    pub heuristic: f32,
    pub nodes: Vec<Node>,
}

impl Link {
    /// A link without traversal and edict.
    pub fn new(target: u16, kind: u8) -> Self {
        Self { target, kind, byte: 0, traversal: None, edict: None }
    }
    /// With funnel, start and end.
    pub fn by(mut self, funnel: [f32; 3], start: [f32; 3], end: [f32; 3]) -> Self {
        self.traversal = Some([funnel, start, end, [0.0; 3]]);
        self
    }
    /// With a box of this middle and half size.
    pub fn bound(mut self, middle: [f32; 3], half: f32, handles: [i32; 2], entity: i32, model: i32) -> Self {
        let (mins, maxs) = (middle.map(|c| c - half), middle.map(|c| c + half));
        self.edict = Some(Edict { mins, maxs, handles, entity, model });
        self
    }
}

impl Graph {
    /// Nodes, links, traversals, edicts.
    pub fn counts(&self) -> [usize; 4] {
        let links = || self.nodes.iter().flat_map(|node| &node.links);
        [
            self.nodes.len(),
            links().count(),
            links().filter(|link| link.traversal.is_some()).count(),
            links().filter(|link| link.edict.is_some()).count(),
        ]
    }

    /// The binary file. Numbers beyond 16 bits are wrapped, without a check.
    pub fn encode(&self, version: Version) -> Vec<u8> {
        let [nodes, links, traversals, edicts] = self.counts();
        let mut out = Out::new();
        out.raw(if version.0 == 2 { b"NAV2" } else { b"NAV3" }).u32(version.1);
        out.u32(nodes as u32).u32(links as u32).u32(traversals as u32);
        if has_heuristic(version) {
            out.f32(self.heuristic);
        }
        let mut first = 0;
        for node in &self.nodes {
            out.u16(node.flags).u16(node.links.len() as u16).u16(first as u16).u16(node.radius);
            first += node.links.len();
        }
        for node in &self.nodes {
            out.f32s(&node.origin);
        }
        let links = || self.nodes.iter().flat_map(|node| &node.links);
        let mut next = 0;
        for link in links() {
            out.u16(link.target).u8(link.kind).u8(link.byte);
            match link.traversal {
                Some(_) => {
                    out.u16(next);
                    next += 1;
                }
                None => {
                    out.u16(0xFFFF);
                }
            }
        }
        for points in links().filter_map(|link| link.traversal.as_ref()) {
            let points = if has_plane(version) { &points[..] } else { &points[..3] };
            points.iter().for_each(|point| {
                out.f32s(point);
            });
        }
        out.u32(edicts as u32);
        for (index, link) in links().enumerate() {
            let Some(edict) = &link.edict else { continue };
            out.u16(index as u16);
            if version.0 == 3 && version.1 >= 2 {
                out.i32(edict.model);
            }
            out.f32s(&edict.mins).f32s(&edict.maxs);
            match version {
                (2, 13 | 14) => {
                    out.i32(edict.handles[0]).i32(edict.handles[1]);
                }
                (2, 15..) => {
                    out.i32(edict.entity);
                }
                _ => {}
            }
        }
        out.0
    }

    /// The JSON file of version 1, 2 or 3. Only for numbers with few digits, which are printed as Rust prints them.
    pub fn navjson(&self, version: u32, line_end: &str) -> String {
        let mut text = String::new();
        let mut line = |depth: usize, what: &str| {
            if !text.is_empty() {
                text.push_str(line_end);
            }
            text.extend(std::iter::repeat_n("  ", depth));
            text.push_str(what);
        };
        line(0, "{");
        line(1, &format!("\"Version\": {version},"));
        line(1, "\"Map\": {");
        for (key, value) in [("Name", "The Test Chamber"), ("Author", "navmap"), ("Filename", "sample")] {
            line(2, &format!("\"{key}\": \"{value}\","));
        }
        line(2, "\"Urls\": [");
        line(3, "\"https://example.org/?map=sample\\u0026version=1\"");
        line(2, "]");
        line(1, "},");
        line(1, "\"Contributors\": [");
        line(2, "\"navmap\"");
        line(1, "],");
        line(1, "\"Comments\": \"Made by hand; \\\"no\\\" real map.\",");
        if version == 3 {
            line(1, "\"Settings\": {");
            line(2, &format!("\"Heuristic\": {}", self.heuristic));
            line(1, "},");
        }
        line(1, "\"Nodes\": [");
        for (index, node) in self.nodes.iter().enumerate() {
            line(2, "{");
            vector(&mut line, 3, "\"Origin\": ", node.origin, ",");
            line(3, &format!("\"Flags\": {},", node.flags));
            if node.links.is_empty() {
                line(3, "\"Links\": [],");
            } else {
                line(3, "\"Links\": [");
                for (index, link) in node.links.iter().enumerate() {
                    self.json_link(&mut line, link, version, comma(index, node.links.len()));
                }
                line(3, "],");
            }
            line(3, &format!("\"Radius\": {}", node.radius));
            line(2, &format!("}}{}", comma(index, self.nodes.len())));
        }
        line(1, "]");
        line(0, "}");
        text
    }

    fn json_link(&self, line: &mut impl FnMut(usize, &str), link: &Link, version: u32, end: &str) {
        line(4, "{");
        vector(line, 5, "\"Target\": ", self.nodes[usize::from(link.target)].origin, ",");
        let kind = u16::from_le_bytes([link.kind, link.byte]);
        let more = if link.traversal.is_some() || link.edict.is_some() { "," } else { "" };
        line(5, &format!("\"Type\": {kind}{more}"));
        if let Some(points) = &link.traversal {
            line(5, "\"Traversal\": [");
            (0..3).for_each(|index| vector(line, 6, "", points[index], comma(index, 3)));
            line(5, if link.edict.is_some() { "]," } else { "]" });
        }
        if let Some(edict) = &link.edict {
            line(5, "\"Edict\": {");
            vector(line, 6, "\"Mins\": ", edict.mins, ",");
            vector(line, 6, "\"Maxs\": ", edict.maxs, ",");
            if version == 1 {
                line(6, &format!("\"Targetname\": {},", edict.handles[0]));
                line(6, &format!("\"Classname\": {}", edict.handles[1]));
            } else {
                line(6, &format!("\"EntityId\": {}", edict.entity));
            }
            line(5, "}");
        }
        line(4, &format!("}}{end}"));
    }
}

fn comma(index: usize, len: usize) -> &'static str {
    if index + 1 < len { "," } else { "" }
}

fn vector(line: &mut impl FnMut(usize, &str), depth: usize, key: &str, at: [f32; 3], end: &str) {
    line(depth, &format!("{key}["));
    for (index, number) in at.iter().enumerate() {
        let mut text = String::new();
        write!(text, "{number}{}", comma(index, 3)).expect("strings take everything");
        line(depth + 1, &text);
    }
    line(depth, &format!("]{end}"));
}

/// A small map with every link type and node flag of a version, doors, lifts and a train, made by hand.
pub fn sample(version: Version) -> Graph {
    let nav3 = version.0 == 3;
    let unset = if nav3 && version.1 >= 4 { [1e30; 3] } else { [0.0; 3] };
    let node = |x: f32, y: f32, z: f32, flags: u16, radius: u16, links: Vec<Link>| Node {
        origin: [x, y, z],
        flags,
        radius,
        links,
    };
    let (lift_top, lift_bottom) = if nav3 { (4, 4) } else { (4, 8) };
    let (door, lift, train) = ([64.0, 256.0, 24.0], [128.0, 256.0, -40.0], [-192.0, 0.0, 8.0]);
    let mut nodes = vec![
        node(0.0, 0.0, 24.03125, 0, 36, vec![Link::new(1, 0), Link::new(9, 0)]),
        node(128.0, 0.0, 24.03125, 32, 36, vec![Link::new(0, 0), Link::new(2, 0)]),
        node(256.0, 0.0, 24.03125, 1, 24, vec![Link::new(3, 2)]),
        node(
            256.0,
            256.0,
            24.03125,
            128,
            48,
            vec![
                Link::new(4, 3).by(unset, [256.0, 280.5, 24.0], [256.0, 300.25, -103.96875]),
                Link::new(6, 1).by([232.0, 256.0, 24.0], [220.0, 256.0, 24.0], [140.0, 256.0, 24.0]),
            ],
        ),
        node(256.0, 256.0, -103.96875, 0, 64, vec![Link::new(5, 0)]),
        node(128.0, 256.0, -103.96875, lift_bottom, 24, {
            let ride =
                Link::new(6, 6).by([128.0, 250.0, -104.0], [128.0, 256.0, -104.0], [128.0, 256.0, 24.0]);
            vec![ride.bound(lift, 72.5, [-12, -47], -33, 5)]
        }),
        node(
            128.0,
            256.0,
            24.03125,
            lift_top,
            24,
            vec![Link::new(5, 3), Link::new(7, 0).bound(door, 33.0, [0, -18], -17, 2)],
        ),
        node(0.0, 256.0, 24.03125, 16, 32, {
            let climb = Link::new(6, 5).by([16.0, 256.0, 0.0], [24.0, 256.0, 0.0], [120.0, 256.0, 24.5]);
            vec![climb, Link::new(8, 0)]
        }),
        node(-128.0, 256.0, 24.03125, 2, 32, vec![Link::new(9, 4)]),
        node(-128.0, 0.0, 24.53125, 64, 40, {
            let ride = Link::new(10, 7).by(unset, [-150.0, 0.0, 24.0], [-240.0, 0.0, 24.0]);
            vec![Link::new(0, 0), ride.bound(train, 48.0, [-240, -12], 0, 157)]
        }),
        node(-256.0, 0.0, 24.25, 0, 332, {
            let ride = Link::new(9, 7).by(unset, [-240.0, 0.0, 24.0], [-150.0, 0.0, 24.0]);
            vec![
                ride.bound(train, 48.0, [-240, -12], -317, 300),
                Link::new(0, 8).by([-230.0, 0.0, 24.0], [-220.0, 0.0, 24.0], [-20.0, 0.0, 24.0]),
            ]
        }),
    ];
    if nav3 {
        let mut ladder = Link::new(12, 10).by(unset, [0.0, -120.0, 24.0], [0.0, -120.0, 152.0]);
        if let Some(points) = &mut ladder.traversal {
            points[3] = [0.0, 1.0, 0.0];
        }
        nodes[0].links.push(Link::new(11, 0));
        nodes[1].links.push(Link::new(13, 9));
        nodes.extend([
            node(0.0, -128.0, 24.0, 8, 24, vec![ladder]),
            node(0.0, -128.0, 152.0, 8 | 1024, 24, vec![Link::new(0, 3), Link::new(11, 14)]),
            node(128.0, -128.0, 24.0, 512 | 2048 | 4096, 24, {
                let rocket = Link::new(0, 13).by(unset, [120.0, -120.0, 24.0], [10.0, -10.0, 24.0]);
                let up = Link::new(11, 11).by(unset, [110.0, -128.0, 24.0], [10.0, -128.0, 24.0]);
                vec![rocket, Link::new(1, 12), up]
            }),
        ]);
    }
    // No link leads here, and the last node's links begin at the end of the links.
    nodes.push(node(512.0, 512.0, 24.0, 256, 16, vec![]));
    let mut graph = Graph { heuristic: if version == (3, 5) { 0.95 } else { 0.8 }, nodes };
    graph.stamp(version);
    graph
}

impl Graph {
    /// Sets byte 3 of all links to the values that real files of this version have.
    pub fn stamp(&mut self, version: Version) {
        let links = self.nodes.iter_mut().flat_map(|node| &mut node.links);
        for (index, link) in links.enumerate() {
            link.byte = match (version, index) {
                ((2, 18), 0) => 1,
                ((2, 18), n) if n % 2 == 1 => 0xFF,
                ((2, _), _) => 0,
                ((3, ..3), _) => 0xFF,
                ((3, 3..=5), _) => 0x0F,
                (_, 1) => 0x0B,
                (_, 4) => 0x33,
                _ => 3,
            };
        }
    }
}

/// A graph of this many nodes, each linked to the next `degree` ones; every eighth link has a traversal, every 64th an edict. For
/// benches, and for sizes beyond real maps. Origins never repeat.
pub fn grid(nodes: usize, degree: usize) -> Graph {
    let mut rng = Rng(7);
    let side = (nodes as f64).sqrt().ceil() as usize;
    let origin = |n: usize| {
        [(n % side) as f32 * 96.0 - 2048.125, (n / side) as f32 * 96.0 - 1024.5, (n % 7) as f32 * 32.03125]
    };
    let mut serial = 0_u32;
    let nodes = (0..nodes)
        .map(|n| {
            let mut link = |step: usize| {
                let target = (n + step) % nodes;
                let mut link = Link::new(target as u16, 0);
                serial += 1;
                if serial.is_multiple_of(8) {
                    let (from, to) = (origin(n), origin(target));
                    link.kind = 3;
                    link = link.by([0.0; 3], from.map(|c| c + 8.25), to.map(|c| c - 8.75));
                }
                if serial.is_multiple_of(64) {
                    link = link.bound(origin(n), 24.5, [0, -18], -1 - (serial % 300) as i32, 2);
                }
                link
            };
            let links = (1..=degree.min(nodes - 1)).map(&mut link).collect();
            Node {
                origin: origin(n),
                flags: [0, 0, 0, 16, 64][rng.below(5) as usize],
                radius: 16 + rng.below(64) as u16,
                links,
            }
        })
        .collect();
    Graph { heuristic: 0.8, nodes }
}
