//! What is told about one node.

use navmap_core::graph::{Ids, Mark, MarkShape, Point};
use navmap_core::{Finding, Severity};
use serde::{Serialize, Serializer};
use std::fmt;

/// An id. It prints as people type it, `#12`, and serialises to a number, or to that text if it is made up of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdTold {
    /// As [`Node::id`](navmap_core::graph::Node::id).
    pub number: u64,
    /// How it is made up.
    pub ids: Ids,
}

impl fmt::Display for IdTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ids.name(self.number).fmt(f)
    }
}

impl Serialize for IdTold {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.ids {
            Ids::Numbers => to.serialize_u64(self.number),
            _ => to.collect_str(self),
        }
    }
}

/// Everything about one node, in the file's axes and units. It serialises to a row of `navmap show --format jsonl`.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Told {
    /// The format's word for a node: `area`.
    pub word: &'static str,
    /// Its id.
    pub id: IdTold,
    /// Its position in the file, from 0. Records of AAS and RCBot2 that are no nodes count too.
    pub index: u32,
    /// The first byte of its record, if that lies in the file as it is.
    pub byte: Option<u64>,
    /// How many bytes the record has.
    pub bytes: Option<u64>,
    /// The name of its place.
    pub place: Option<String>,
    /// The format's word for a group.
    pub group_word: Option<&'static str>,
    /// The name of its group.
    pub group: Option<String>,
    /// The names of its flags; `bit 7` for one without a name.
    pub flags: Vec<String>,
    /// Its corners in order, or its point.
    pub corners: Vec<[f32; 3]>,
    /// Where each corner lies, seen from the middle: `north-west`. Empty if that does not tell them apart.
    #[serde(skip)]
    pub toward: Vec<&'static str>,
    /// Whether it is a point and no polygon.
    #[serde(skip)]
    pub is_point: bool,
    /// The radius of a point.
    pub radius: Option<f32>,
    /// The mean of its corners.
    pub center: Option<[f32; 3]>,
    /// Its surface in square metres.
    pub area_m2: Option<f64>,
    /// The links that leave it.
    pub links: Vec<LinkTold>,
    /// The links that lead to it.
    pub arrivals: Vec<LinkTold>,
    /// Spots, doors, ladders and other marks in it.
    pub marks: Vec<MarkTold>,
    /// What a check finds about it, the worst first.
    pub findings: Vec<FindingTold>,
    /// Its record as `navmap dump` prints it.
    pub record: Option<serde_json::Value>,
}

/// A link of a node.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct LinkTold {
    /// The id of the node at the other end; `None` if it is not in the file.
    pub id: Option<IdTold>,
    /// The other end in the format's own numbering, if it is not in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<u64>,
    /// How one passes it: `walk`.
    pub kind: &'static str,
    /// The side that is crossed, which runs from this corner to the next one.
    pub side: Option<u8>,
    /// Where it leaves the node or enters it, seen from the middle: `north`.
    pub toward: Option<&'static str>,
    /// How much higher one is after it, in units.
    pub rise: Option<f32>,
    /// Whether a link leads back.
    pub back: bool,
    /// Whether the game can open and close it.
    pub gated: bool,
    /// The edge that is crossed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub portal: Option<[[f32; 3]; 2]>,
    /// Take-off and landing, or the ends of a ladder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<[[f32; 3]; 2]>,
    /// Its length in units, if that is not the straight line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f32>,
    /// Its cost, if the file has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f32>,
    /// The file's own number for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

/// A mark of a node.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct MarkTold {
    /// What it is: `hiding spot`.
    pub kind: &'static str,
    /// A point, or two: the ends of a line, the corners of a box.
    pub at: Vec<[f32; 3]>,
}

impl MarkTold {
    pub(super) fn new(mark: &Mark) -> Self {
        let at = match mark.shape {
            MarkShape::Point(at) => vec![at],
            MarkShape::Segment(a, b) | MarkShape::Box(a, b) => vec![a, b],
        };
        Self { kind: mark.kind.name(), at: at.into_iter().map(Point::to_array).collect() }
    }
}

/// A finding about a node.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FindingTold {
    /// How bad it is.
    #[serde(serialize_with = "severity")]
    pub severity: Severity,
    /// Its code.
    pub code: &'static str,
    /// The byte.
    pub byte: Option<u64>,
    /// What was found.
    pub message: String,
    /// Where, in the world.
    pub at: Option<[f32; 3]>,
}

impl FindingTold {
    pub(super) fn new(finding: &Finding) -> Self {
        let Finding { severity, code, at, place, message, .. } = finding;
        Self { severity: *severity, code, byte: at.offset, message: message.clone(), at: *place }
    }
}

/// A severity by its name.
fn severity<S: Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(severity.name())
}
