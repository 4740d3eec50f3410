//! Paths of navjson, which name parts of a graph in commands, and values in navjson's spelling.

use super::world::{Slot, Way, Waypoint};
use crate::flags::{EntityId, Handle, LinkType, ModelIndex, NodeFlags};
use crate::iter::EdictKey;
use crate::layout::{EdictLayout, Layout, Magic};
use crate::record::{Bounds, LadderTraversal, Traversal, Vector};
use navmap_core::edit::{Name, Refusal, Value, Values, Word, nearest, number};

/// The settable members of a node.
pub(super) const OF_NODE: [&str; 3] = ["Flags", "Origin", "Radius"];
/// The settable members of a link.
pub(super) const OF_LINK: [&str; 3] = ["Edict", "Traversal", "Type"];
/// The settable members of the file.
pub(super) const OF_FILE: [&str; 1] = ["Heuristic"];

/// The file as an item.
pub(super) const SETTINGS: Name = Name { space: "Settings", id: 0 };

/// A path to a part of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path<'s> {
    /// `Nodes[12]`, with the number as typed.
    Node(&'s str),
    /// `Nodes[12].Links[15]`: from, to, and which of several.
    Link(&'s str, &'s str, usize),
    /// `Settings`.
    Settings,
}

impl<'s> Path<'s> {
    /// Parses a word as a path. `None` if it is something else, such as a selector.
    pub(super) fn parse(word: &Word<'s>) -> Result<Option<Self>, Refusal> {
        if word.text.eq_ignore_ascii_case(SETTINGS.space) {
            return Ok(Some(Self::Settings));
        }
        let Some(rest) = strip(word.text, "Nodes[") else { return Ok(None) };
        let wrong = || {
            Refusal::new(format!("{} where Nodes[12] or Nodes[12].Links[15] was expected", word.text))
                .at(word.at)
        };
        let (from, rest) = rest.split_once(']').ok_or_else(wrong)?;
        if rest.is_empty() {
            return Ok(Some(Self::Node(from)));
        }
        let link = strip(rest, ".Links[").and_then(|rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
        let (to, which) = link.split_once(':').unwrap_or((link, "0"));
        Ok(Some(Self::Link(from, to, which.parse().map_err(|_| wrong())?)))
    }
}

fn strip<'s>(text: &'s str, prefix: &str) -> Option<&'s str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| text.get(prefix.len()..)).flatten()
}

/// The context in which values are read and written: the meaning of bits and the shape of records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) magic: Magic,
    pub(super) layout: Layout,
}

impl Terms {
    /// Sets `KEY=VALUE` of a node.
    pub(super) fn set_node(self, node: &mut Waypoint, word: &Word<'_>) -> Result<(), Refusal> {
        let (key, value) = pair(word)?;
        let wrong = |what: &str| Refusal::new(format!("{value} where {what} was expected")).at(word.at);
        match known(key, &OF_NODE, "a node", word)? {
            "Origin" => node.origin = point(value).ok_or_else(|| wrong("X,Y,Z"))?,
            "Radius" => node.radius = value.parse().map_err(|_| wrong("a radius of 0 to 65535"))?,
            _ => {
                node.flags =
                    self.flags(value).ok_or_else(|| wrong("a number of 16 bits or names of flags"))?
            }
        }
        Ok(())
    }

    /// Flags as a number, or as names separated by commas.
    pub(super) fn flags(self, text: &str) -> Option<u16> {
        if let Some(bits) = bits(text) {
            return Some(bits);
        }
        text.split([',', '|']).try_fold(0_u16, |all, name| Some(all | self.flag(name.trim())?))
    }

    /// The bit with this name.
    pub(super) fn flag(self, name: &str) -> Option<u16> {
        let mut bits = (0..16).map(|bit| 1_u16 << bit);
        bits.find(|bit| {
            NodeFlags::new(self.magic, *bit).names().any(|known| known.eq_ignore_ascii_case(name))
        })
    }

    /// The names of flags.
    pub(super) fn flag_names(self) -> Vec<&'static str> {
        NodeFlags::new(self.magic, u16::MAX).names().collect()
    }

    /// The link types with a name.
    pub(super) fn type_names(self) -> Vec<&'static str> {
        let types = (0..=u8::MAX).map(|stored| LinkType::new(self.magic, stored));
        types.filter(|kind| !matches!(kind, LinkType::Unknown(_))).map(LinkType::name).collect()
    }

    /// The stored number of a link type, given its number or name.
    pub(super) fn link_type(self, text: &str) -> Option<u8> {
        let named = |stored: &u8| {
            let kind = LinkType::new(self.magic, *stored);
            !matches!(kind, LinkType::Unknown(_)) && kind.name().eq_ignore_ascii_case(text)
        };
        text.parse().ok().or_else(|| (0..=u8::MAX).find(named))
    }

    /// Sets `KEY=VALUE` of a link.
    pub(super) fn set_link(self, way: &mut Way, word: &Word<'_>) -> Result<(), Refusal> {
        let (key, value) = pair(word)?;
        let wrong = |what: &str| Refusal::new(format!("{value} where {what} was expected")).at(word.at);
        match known(key, &OF_LINK, "a link", word)? {
            "Type" => match (bits(value), self.link_type(value)) {
                (Some(both), _) => [way.kind, way.flags] = both.to_le_bytes(),
                (None, Some(kind)) => way.kind = kind,
                (None, None) => {
                    return Err(wrong("a number of 16 bits or a type").or(nearest(value, self.type_names())));
                }
            },
            "Traversal" if value.eq_ignore_ascii_case("none") => way.traversal = None,
            "Traversal" => {
                let points: Option<Vec<Vector>> = value.split_ascii_whitespace().map(point).collect();
                way.traversal = Some(match points.unwrap_or_default().as_slice() {
                    [funnel, start, end] => travel([funnel, start, end], [0.0; 3]),
                    [funnel, start, end, plane] if self.layout.plane => {
                        travel([funnel, start, end], plane.to_array())
                    }
                    _ if self.layout.plane => {
                        return Err(wrong("three points, or four with the plane of a ladder"));
                    }
                    _ => return Err(wrong("three points, FUNNEL START END")),
                });
            }
            _ if value.eq_ignore_ascii_case("none") => way.edicts.clear(),
            _ => {
                let edicts = value.split('+').map(|text| self.edict(text)).collect::<Option<Vec<_>>>();
                way.edicts = edicts.ok_or_else(|| wrong("MINS MAXS and what names the entity"))?;
            }
        }
        Ok(())
    }

    fn edict(self, text: &str) -> Option<(Bounds, EdictKey)> {
        let mut words = text.split_ascii_whitespace();
        let bounds = Bounds::new(point(words.next()?)?.to_array(), point(words.next()?)?.to_array());
        let key = match words.next() {
            None => self.layout.edict.unresolved(),
            Some(key) => self.key(key)?,
        };
        words.next().is_none().then_some((bounds, key))
    }

    fn key(self, text: &str) -> Option<EdictKey> {
        Some(match self.layout.edict {
            EdictLayout::Bare => return None,
            EdictLayout::Entity => EdictKey::Entity(EntityId(text.parse().ok()?)),
            EdictLayout::Model => EdictKey::Model(ModelIndex(text.parse().ok()?)),
            EdictLayout::Handles => {
                let (targetname, classname) = text.split_once(':')?;
                let handle = |text: &str| text.parse().ok().map(Handle);
                EdictKey::Handles { targetname: handle(targetname)?, classname: handle(classname)? }
            }
        })
    }

    /// The values of a node. `None` if its origin is NaN, which no word can spell.
    pub(super) fn node_values(self, node: &Waypoint) -> Option<Values> {
        node.origin.is_finite().then(|| {
            let origin = spelled(node.origin.to_array());
            let values =
                [("Flags", node.flags.to_string()), ("Origin", origin), ("Radius", node.radius.to_string())];
            values.map(|(key, value)| (key, Value::Text(value))).into()
        })
    }

    /// The values of a link. Those without a spelling are left out and make the second result false.
    pub(super) fn link_values(self, way: &Way) -> (Values, bool) {
        let mut whole = true;
        let stored = u16::from_le_bytes([way.kind, way.flags]);
        let mut values = Values::from([("Type", Value::Text(stored.to_string()))]);
        let traversal = way.traversal.as_ref();
        let traversal = match traversal {
            None => Some("none".to_owned()),
            Some(ladder) if !ladder.is_finite() => None,
            Some(ladder) => {
                let t = ladder.traversal();
                let mut points = [t.stored_funnel(), t.start(), t.end()].map(spelled).join(" ");
                let plane = ladder.plane();
                if plane.map(f32::to_bits) != [0; 3] {
                    whole &= self.layout.plane;
                    if self.layout.plane {
                        points = format!("{points} {}", spelled(plane));
                    }
                }
                Some(points)
            }
        };
        let edicts: Option<Vec<String>> =
            way.edicts.iter().map(|edict| self.spelled_edict(edict, &mut whole)).collect();
        let edicts =
            edicts.map(|edicts| if edicts.is_empty() { "none".to_owned() } else { edicts.join(" + ") });
        whole &= traversal.is_some() && edicts.is_some();
        values.extend(traversal.map(|text| ("Traversal", Value::Text(text))));
        values.extend(edicts.map(|text| ("Edict", Value::Text(text))));
        (values, whole)
    }

    fn spelled_edict(self, (bounds, key): &(Bounds, EdictKey), whole: &mut bool) -> Option<String> {
        if !bounds.is_finite() {
            return None;
        }
        let place = format!("{} {}", spelled(bounds.mins()), spelled(bounds.maxs()));
        Some(match (self.layout.edict, *key) {
            (EdictLayout::Bare, EdictKey::None) => place,
            (EdictLayout::Entity, EdictKey::Entity(id)) => format!("{place} {}", id.0),
            (EdictLayout::Model, EdictKey::Model(model)) => format!("{place} {}", model.0),
            (EdictLayout::Handles, EdictKey::Handles { targetname, classname }) => {
                format!("{place} {}:{}", targetname.0, classname.0)
            }
            _ => {
                *whole = false;
                place
            }
        })
    }
}

fn travel([funnel, start, end]: [&Vector; 3], plane: [f32; 3]) -> LadderTraversal {
    LadderTraversal::new(Traversal::new(Some(funnel.to_array()), start.to_array(), end.to_array()), plane)
}

/// `KEY=VALUE`.
fn pair<'s>(word: &Word<'s>) -> Result<(&'s str, &'s str), Refusal> {
    let wrong = || Refusal::new(format!("{} where KEY=VALUE was expected", word.text)).at(word.at);
    word.setting().ok_or_else(wrong)
}

fn known(key: &str, keys: &[&'static str], what: &str, word: &Word<'_>) -> Result<&'static str, Refusal> {
    let found = keys.iter().find(|known| known.eq_ignore_ascii_case(key)).copied();
    found.ok_or_else(|| {
        Refusal::new(format!("{what} has no {key}")).or(nearest(key, keys.iter().copied())).at(word.at)
    })
}

/// Reads `Heuristic=VALUE`.
pub(super) fn heuristic(word: &Word<'_>) -> Result<f32, Refusal> {
    let (key, value) = pair(word)?;
    known(key, &OF_FILE, "the file", word)?;
    number(value).ok_or_else(|| Refusal::new(format!("{value} where a number was expected")).at(word.at))
}

/// `1,2,3`.
pub(super) fn point(text: &str) -> Option<Vector> {
    let mut numbers = text.split(',').map(|part| number(part.trim()));
    let point = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then(|| point.into())
}

fn spelled([x, y, z]: [f32; 3]) -> String {
    format!("{x},{y},{z}")
}

fn bits(text: &str) -> Option<u16> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u16::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The index of a node's link number `which` to another node.
pub(super) fn link_to(node: &Waypoint, to: Slot, which: usize) -> Option<usize> {
    (0..).zip(&node.links).filter(|(_, way)| way.to == to).nth(which).map(|(at, _)| at)
}
