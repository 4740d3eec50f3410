//! The areas and flags of polygons and connections.

use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::graph::{FlatGraph, FlatNode, LinkKind, NavGraph};

/// Areas (0 to 63) and flags (16 bits) of polygons and connections, as an editable text. Its form is that of
/// [`Mapping::DEFAULT`]: one rule per line, `#` begins a comment, and the last matching rule wins.
///
/// ```
/// use navmap::export::navmesh::Mapping;
///
/// let mapping: Mapping = "polygon * 0 0x1\nflag CROUCH 3 0x1\nlink ladder 6 0x8".parse()?;
/// assert_ne!(mapping, Mapping::default());
/// assert!("flag CROUCH 64 0x1".parse::<Mapping>().is_err());
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    rules: Vec<Rule>,
    /// Whether polygons have the areas and flags that their graph tells, whatever the rules say.
    stored: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    what: What,
    area: u8,
    flags: u16,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Polygons,
    /// Polygons with a flag of this name, in any case.
    Flag(String),
    /// Polygons of a place, or of an area, of this name, in any case.
    Place(String),
    Links(LinkKind),
}

impl What {
    fn fits(&self, graph: &FlatGraph, node: &FlatNode) -> bool {
        match self {
            Self::Polygons => true,
            Self::Flag(name) => {
                let is = |known: &str| known.eq_ignore_ascii_case(name);
                (0..64).any(|bit| node.flags >> bit & 1 == 1 && graph.flag(bit).is_some_and(is))
            }
            Self::Place(name) => {
                let place = node.place.and_then(|place| graph.place(place));
                place.is_some_and(|known| known.eq_ignore_ascii_case(name))
            }
            Self::Links(_) => false,
        }
    }
}

impl Mapping {
    /// The default rules: area 0 and flag 1 as in RecastDemo, area 5 and flag 8 for jumps.
    pub const DEFAULT: &'static str = "\
# Areas (0 to 63) and flags (16 bits) that navmap writes into a mesh of Detour.
# A line a rule; of those that fit a polygon or a link, the last one counts.
#
# what      name         area  flags
polygon     *            0     0x0001    # every polygon
# flag      CROUCH       3     0x0001    # polygons with this flag, by its name in the source
# place     BombsiteA    7     0x0001    # polygons of this place
link        walk         0     0x0001    # one-way, or without a common edge
link        border       0     0x0001
link        crouch       0     0x0001
link        jump         5     0x0008
link        drop         5     0x0008
link        ladder       6     0x0008
link        elevator     6     0x0008
link        train        6     0x0008
link        push         5     0x0008
link        teleport     7     0x0008
link        door         0     0x0001
link        rocket-jump  5     0x0008
link        other        5     0x0008
";

    /// The default rules for links, and for polygons the areas and flags that the graph of a mesh of Detour has. `None` if one of
    /// them is too large for the format.
    pub fn stored(graph: &FlatGraph) -> Option<Self> {
        let all = graph.nodes().iter().all(|node| stored(node).is_some());
        all.then(|| Self { stored: true, ..Self::default() })
    }

    /// The rules for flags and places that no polygon of the graph has, without their numbers: `flag CROUCH`.
    pub fn idle(&self, graph: &FlatGraph) -> Vec<String> {
        let idle = |rule: &Rule| {
            let text = match &rule.what {
                What::Flag(name) => format!("flag {name}"),
                What::Place(name) => format!("place {name}"),
                What::Polygons | What::Links(_) => return None,
            };
            let fits = graph.nodes().iter().any(|node| rule.what.fits(graph, node));
            (!fits).then_some(text)
        };
        self.rules.iter().filter_map(idle).collect()
    }

    /// Area and flags of a polygon.
    pub(super) fn polygon(&self, graph: &FlatGraph, node: &FlatNode) -> (u8, u16) {
        let own = stored(node).filter(|_| self.stored);
        own.unwrap_or_else(|| self.last(|what| what.fits(graph, node)))
    }

    /// Area and flags of a connection.
    pub(super) fn link(&self, kind: LinkKind) -> (u8, u16) {
        self.last(|what| matches!(what, What::Links(of) if *of == kind))
    }

    fn last(&self, fits: impl Fn(&What) -> bool) -> (u8, u16) {
        let rule = self.rules.iter().rev().find(|rule| fits(&rule.what));
        rule.map_or((0, 1), |rule| (rule.area, rule.flags))
    }
}

/// The area and the flags that a node of a mesh of Detour has, if they fit.
fn stored(node: &FlatNode) -> Option<(u8, u16)> {
    let area = u8::try_from(node.place.unwrap_or(0)).ok().filter(|area| *area < 64)?;
    Some((area, u16::try_from(node.flags).ok()?))
}

impl Default for Mapping {
    fn default() -> Self {
        Self::DEFAULT.parse().unwrap_or(Self { rules: Vec::new(), stored: false })
    }
}

impl std::str::FromStr for Mapping {
    type Err = Error;

    /// # Errors
    /// [`ErrorKind::Text`] with the line that is not a rule.
    fn from_str(text: &str) -> Result<Self> {
        let mut rules = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> = text.split('#').next().unwrap_or_default().split_whitespace().collect();
            let wrong = |message: String| Error::new(ErrorKind::Text { line, column: 1, message });
            let [what, name @ .., area, flags] = words.as_slice() else {
                match words.is_empty() {
                    true => continue,
                    false => return Err(wrong("a rule has what, name, area and flags".into())),
                }
            };
            let name = name.join(" ");
            let what = match *what {
                "polygon" if name == "*" => What::Polygons,
                "flag" => What::Flag(name),
                "place" => What::Place(name),
                "link" => {
                    let kind = LinkKind::ALL.into_iter().find(|kind| kind.name() == name);
                    What::Links(kind.ok_or_else(|| wrong(format!("{name} is no kind of link")))?)
                }
                _ => return Err(wrong(format!("{what} {name} is none of: polygon *, flag, place, link"))),
            };
            let number = |text: &str| match text.strip_prefix("0x") {
                Some(hex) => u16::from_str_radix(hex, 16).ok(),
                None => text.parse().ok(),
            };
            let area = number(area)
                .filter(|area| *area < 64)
                .ok_or_else(|| wrong(format!("{area} is no area, 0 to 63")))?;
            let flags = number(flags).ok_or_else(|| wrong(format!("{flags} are no flags of 16 bits")))?;
            rules.push(Rule { what, area: area as u8, flags });
        }
        Ok(Self { rules, stored: false })
    }
}
