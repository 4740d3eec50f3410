//! What a picture shows.

use super::heat::Heat;
use super::plan::Plan;
use super::theme::Theme;
use navmap_core::graph::{FlatGraph, LinkKind, MarkKind, Stats};
use std::sync::Arc;

/// Options of a picture.
#[derive(Debug, Clone)]
pub struct DrawOptions {
    /// Width of the page in pixels.
    pub width: u32,
    /// Height of the page. By default as high as the mesh needs.
    pub height: Option<u32>,
    /// If the page has a given height, cuts off the part without mesh.
    pub fit: bool,
    /// Paper and ink.
    pub theme: Theme,
    /// The meaning of colours. By default height.
    pub colour: Option<ColourBy>,
    /// The layers shown besides the mesh. By default [`Layers::usual`].
    pub layers: Option<Layers>,
    /// Heights to show, in file units. The rest of the mesh is a faint outline.
    pub floor: Option<[f32; 2]>,
    /// The part of the world to show, as two corners in the file's horizontal coordinates (x and y, or x and z if y is up). By
    /// default the whole world.
    pub area: Option<[f32; 4]>,
    /// The floor plan of the map, drawn below the mesh.
    pub plan: Option<Arc<Plan>>,
    /// What happened where, drawn over the mesh. Without a [`colour`](Self::colour) the mesh is plain then.
    pub heat: Option<Arc<Heat>>,
    /// What the footer counts, if that is not the graph that is drawn: of two meshes on one map, one.
    pub counted: Option<Stats>,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self {
            width: 1600,
            height: None,
            fit: false,
            theme: Theme::Light,
            colour: None,
            layers: None,
            floor: None,
            area: None,
            plan: None,
            heat: None,
            counted: None,
        }
    }
}

/// What colours mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ColourBy {
    /// Height above zero.
    #[default]
    Height,
    /// The place that a node belongs to.
    Place,
    /// The island that a node belongs to. No link joins two islands.
    Island,
    /// The set of flags.
    Flags,
    /// Chosen flags (bits), each with its own colour. For a node with several, the first one counts. `None` stands for a flag
    /// that this mesh lacks but others on the same sheet have; it reserves the colour.
    Chosen(Vec<Option<u32>>),
    /// The group: segment, navmesh, hull.
    Group,
    /// Classes given by the caller.
    Classes(Classes),
    /// The [value](navmap_core::graph::NavGraph::value) of this number that the file tells of nodes, along a ramp from 0, or the
    /// lowest value if that is below, to the highest.
    Value(u32),
    /// Nothing.
    Plain,
}

/// Classes of nodes, each with its own colour.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Classes {
    /// The title in the key.
    pub title: String,
    /// The name of each class.
    pub names: Vec<String>,
    /// For each node, the number of its class. Nodes without a class are plain.
    pub of: Vec<Option<u32>>,
    /// The name in the key for nodes without a class.
    pub without: String,
}

impl Classes {
    /// The groups of a graph as classes, each with the colour of its place among them whatever its size. Group 0 is plain.
    pub fn of_groups(graph: &FlatGraph) -> Self {
        use navmap_core::graph::NavGraph;
        let without = graph.group(0).map(std::borrow::Cow::into_owned).unwrap_or_default();
        // By place and not by number: a number is only what a file claims.
        let groups = graph.groups().iter().filter(|(group, _)| **group != 0);
        let (numbers, names): (Vec<u32>, Vec<String>) =
            groups.map(|(group, name)| (*group, name.clone())).unzip();
        let class = |group: u32| numbers.binary_search(&group).ok().map(|place| place as u32);
        Self {
            title: graph.group_word().unwrap_or("group").to_owned(),
            names,
            of: graph.nodes().iter().map(|node| node.group.and_then(class)).collect(),
            without,
        }
    }
}

impl ColourBy {
    /// Whether this distinguishes nodes of this graph. For example, a mesh without places cannot be coloured by place.
    pub fn tells(&self, graph: &FlatGraph) -> bool {
        let mut nodes = graph.nodes().iter();
        match self {
            Self::Place => nodes.any(|node| node.place.is_some()),
            Self::Group => nodes.any(|node| node.group.is_some()),
            Self::Flags => nodes.any(|node| node.flags != 0),
            Self::Value(number) => {
                (0..graph.nodes().len() as u32).any(|node| graph.value_of(*number, node).is_some())
            }
            _ => true,
        }
    }

    /// Parses a name: `height`, `place`, `island`, `flag`, `plain`, `group` or the format's word for it (`segment`), the name of a
    /// value that the file tells of nodes (`cover`, `light`), or names of flags in the format's spelling, in any case, separated by
    /// commas.
    pub fn named(name: &str, graph: &FlatGraph) -> Option<Self> {
        Self::of_sheet(name, graph).filter(|colour| match colour {
            Self::Chosen(bits) => bits.iter().all(Option::is_some),
            _ => true,
        })
    }

    /// Like [`named`](Self::named), for one of many meshes: the mesh needs to have only one of the flags.
    pub fn of_sheet(name: &str, graph: &FlatGraph) -> Option<Self> {
        use navmap_core::graph::NavGraph;
        let is = |word: &str| name.eq_ignore_ascii_case(word);
        Some(match name.to_ascii_lowercase().as_str() {
            "height" => Self::Height,
            "place" => Self::Place,
            "island" => Self::Island,
            "flag" | "flags" => Self::Flags,
            "plain" | "none" => Self::Plain,
            "group" => Self::Group,
            _ if graph.group_word().is_some_and(is) => Self::Group,
            _ => match value(name, graph) {
                Some(number) => Self::Value(number),
                None => {
                    let bits: Vec<_> = name.split(',').map(|name| flag(name.trim(), graph)).collect();
                    Self::Chosen(bits.iter().any(Option::is_some).then_some(bits)?)
                }
            },
        })
    }
}

/// The number of the value with this name, in any case.
fn value(name: &str, graph: &FlatGraph) -> Option<u32> {
    (0..)
        .zip(graph.value_names())
        .find(|(_, known)| known.eq_ignore_ascii_case(name))
        .map(|(number, _)| number)
}

/// The bit of the flag with this name, in any case.
fn flag(name: &str, graph: &FlatGraph) -> Option<u32> {
    use navmap_core::graph::NavGraph;
    (0..64).find(|&bit| graph.flag(bit).is_some_and(|known| known.eq_ignore_ascii_case(name)))
}

/// A set of things to show besides the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Layers(u32);

impl Layers {
    /// Nothing but the mesh.
    pub const NONE: Self = Self(0);
    /// Every link.
    pub const LINKS: Self = Self(1);
    /// Links without a link back.
    pub const ONE_WAY: Self = Self(1 << 1);
    /// Links that are not on foot: jumps, drops, teleporters, elevators.
    pub const TRAVERSALS: Self = Self(1 << 2);
    /// Ladders.
    pub const LADDERS: Self = Self(1 << 3);
    /// Hiding and sniper spots, waypoints.
    pub const SPOTS: Self = Self(1 << 4);
    /// Doors.
    pub const DOORS: Self = Self(1 << 5);
    /// Cover and ledges.
    pub const COVER: Self = Self(1 << 6);
    /// Boxes of entities that links are bound to.
    pub const ENTITIES: Self = Self(1 << 7);
    /// Names of places.
    pub const NAMES: Self = Self(1 << 8);
    /// Ids of nodes.
    pub const IDS: Self = Self(1 << 9);
    /// A grid in file units.
    pub const GRID: Self = Self(1 << 10);

    /// Islands that hide the map below them ([`Ceiling`](navmap_core::graph::Ceiling)), drawn as floors instead of outlines.
    pub const CEILINGS: Self = Self(1 << 11);

    /// Every layer with its name.
    pub const NAMED: [(&'static str, Self); 12] = [
        ("links", Self::LINKS),
        ("one-way", Self::ONE_WAY),
        ("traversals", Self::TRAVERSALS),
        ("ladders", Self::LADDERS),
        ("spots", Self::SPOTS),
        ("doors", Self::DOORS),
        ("cover", Self::COVER),
        ("entities", Self::ENTITIES),
        ("names", Self::NAMES),
        ("ids", Self::IDS),
        ("grid", Self::GRID),
        ("ceilings", Self::CEILINGS),
    ];

    /// Where the bits of kinds of link begin that are not shown.
    const HIDDEN: u32 = 16;

    /// No links of this kind, whatever layers would show them.
    pub fn without(kind: LinkKind) -> Self {
        Self(1 << (Self::HIDDEN + kind as u32))
    }

    /// Whether links of this kind are shown if their layer is.
    pub fn shows(self, kind: LinkKind) -> bool {
        !self.has(Self::without(kind))
    }

    /// Parses a name. `none` is the empty set, `all` is everything except ids and ceilings, which hide the mesh below them, and `no-`
    /// before the name of a kind of link (`no-jump`) takes these links out.
    pub fn named(name: &str) -> Option<Self> {
        if let Some(kind) = name.strip_prefix("no-") {
            return LinkKind::ALL.into_iter().find(|known| known.name() == kind).map(Self::without);
        }
        let hiding = Self::IDS.with(Self::CEILINGS);
        match name {
            "all" => Some(Self(Self::NAMED.iter().fold(0, |all, (_, layer)| all | layer.0) & !hiding.0)),
            "none" => Some(Self::NONE),
            _ => Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, layer)| layer),
        }
    }

    /// The layers that show most of this graph without hiding it: all links for a graph of points, and for a mesh the links that
    /// are not on foot.
    pub fn usual(graph: &FlatGraph, colour: &ColourBy) -> Self {
        let always = Self::TRAVERSALS.with(Self::LADDERS).with(Self::DOORS).with(Self::GRID);
        let points = graph.nodes().first().is_some_and(|node| graph.shape(node).area().is_none());
        let links = if points { Self::LINKS.with(Self::ENTITIES) } else { Self::NONE };
        let names = if *colour == ColourBy::Place { Self::NAMES } else { Self::NONE };
        always.with(links).with(names)
    }

    /// The layer that shows marks of this kind.
    pub fn of_mark(kind: MarkKind) -> Self {
        match kind {
            MarkKind::HidingSpot | MarkKind::SniperSpot | MarkKind::Waypoint => Self::SPOTS,
            MarkKind::Ladder => Self::LADDERS,
            MarkKind::Door => Self::DOORS,
            MarkKind::Cover | MarkKind::Ledge => Self::COVER,
            _ => Self::ENTITIES,
        }
    }

    /// The union of both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it contains all of `other`.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The words above a picture.
#[derive(Debug, Clone, Default)]
pub struct Caption {
    /// The map.
    pub title: String,
    /// Game and version.
    pub subtitle: String,
    /// The error of a damaged file, which explains why the picture ends there.
    pub error: Option<String>,
    /// The path of the map, with `/` or `!` between its parts. A sheet uses it to distinguish maps with the same title.
    pub origin: String,
}
