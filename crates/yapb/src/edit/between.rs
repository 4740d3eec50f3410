//! One version of waypoints of several.

use crate::buf::{Form, YapbBuf, length};
use crate::flags::NodeFlags;
use crate::record::{Link, Node};
use navmap_core::edit::listed::{self, Listed, Tie};
use navmap_core::edit::{Changes, Matching, Merger, Unreached, Value, Values, Version};
use navmap_core::error::Result;
use navmap_core::graph::FlatGraph;

/// Waypoints as one version of several.
#[derive(Debug)]
pub struct YapbVersion(pub(super) YapbBuf);

impl Version for YapbVersion {
    const MERGE: Option<Merger<Self>> =
        Some(|base, [ours, theirs], matched| Ok(listed::merge(&base.0, [&ours.0, &theirs.0], matched)));

    fn difference(
        &self,
        after: &Self,
        [before, now]: [&FlatGraph; 2],
        matching: &dyn Matching,
    ) -> Result<Changes> {
        Ok(listed::difference(&self.0, &after.0, &matching.pairs(before, now)))
    }
}

impl YapbBuf {
    fn node(&self, slot: u32) -> Option<&Node> {
        self.nodes.get(slot as usize)
    }

    /// The first link from one node to another.
    fn link(&self, [from, to]: [u32; 2]) -> Option<&Link> {
        let leads = |link: &&Link| u32::try_from(link.target()) == Ok(to);
        self.node(from)?.links().map(|(_, link)| link).find(leads)
    }
}

/// What surrounds the nodes, without how they were packed.
fn frame(form: &Form) -> (bool, i32, Vec<u8>) {
    match form {
        Form::Graph { magic, version, options, extension, .. } => {
            (true, *version, [&magic[..], &options.0.to_le_bytes(), extension].concat())
        }
        Form::Pwf { version, map, author, .. } => (false, *version, [&map[..], author].concat()),
    }
}

impl Listed for YapbBuf {
    const WHOLE: &'static [&'static str] =
        &["form", "version", "map, authors and options", "bytes after the end"];
    const PLACED: bool = true;

    fn slots(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn is_used(&self, slot: u32) -> bool {
        self.node(slot).is_some()
    }

    fn note(&self, after: &Self, unreached: &mut Unreached) {
        let ((old_form, old_version, old), (form, version, new)) = (frame(&self.form), frame(&after.form));
        unreached.note("form", old_form != form);
        unreached.note("version", old_form == form && old_version != version);
        unreached.note("map, authors and options", old_form == form && old != new);
        unreached.note("bytes after the end", self.trailing != after.trailing);
    }

    fn values(&self, was: Option<u32>, after: &Self, is: u32, unreached: &mut Unreached) -> Values {
        let bare = Node::new(0, NodeFlags(0), [0.0; 3]);
        let old = was.and_then(|was| self.node(was));
        let (from, mut values) = (old.unwrap_or(&bare), Values::new());
        let Some(now) = after.node(is) else { return values };
        let own =
            |node: &Node, slot: Option<u32>| slot.is_none_or(|slot| i64::from(node.number()) == slot.into());
        let kept = own(from, was) && own(now, Some(is)) || !own(from, was) && from.number() == now.number();
        unreached.note("stored number", !kept);
        let rest = |node: &Node| (node.seen(), node.display_time().to_bits());
        unreached.note("what is seen", rest(from) != rest(now));
        let mut set = |key: &'static str, was: &[f32], is: &[f32], text: &dyn Fn() -> String| {
            let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>();
            if bits(was) == bits(is) && (old.is_some() || key != "Origin") {
                return;
            }
            let whole = is.iter().all(|number| number.is_finite());
            unreached.note("values that are no numbers", !whole);
            if whole {
                values.insert(key, Value::Text(text()));
            }
        };
        let list = |numbers: [f32; 3]| move || numbers.map(|number| number.to_string()).join(",");
        set("Origin", &from.origin(), &now.origin(), &list(now.origin()));
        set("CampStart", &from.camp_start(), &now.camp_start(), &list(now.camp_start()));
        set("CampEnd", &from.camp_end(), &now.camp_end(), &list(now.camp_end()));
        let radius = [from, now].map(Node::stored_radius);
        set("Radius", &radius[..1], &radius[1..], &|| now.stored_radius().to_string());
        let light = [from, now].map(|node| node.light().unwrap_or(Node::UNLIT));
        let lit = || now.light().map_or_else(|| "none".to_owned(), |light| light.to_string());
        set("Light", &light[..1], &light[1..], &lit);
        if from.flags() != now.flags() {
            values.insert("Flags", Value::Text(now.flags().0.to_string()));
        }
        values
    }

    fn ties(&self, slot: u32) -> Vec<Tie> {
        let tie = |link: &Link| match u32::try_from(link.target()) {
            _ if !link.is_used() => Tie::Free,
            Ok(to) if self.is_used(to) => Tie::To(to),
            _ => Tie::Nowhere(link.target().into()),
        };
        self.node(slot).map_or_else(Vec::new, |node| node.slots().iter().map(tie).collect())
    }

    fn link_values(&self, was: Option<[u32; 2]>, after: &Self, is: [u32; 2]) -> Values {
        let mut values = Values::new();
        let Some(now) = after.link(is) else { return values };
        let at = |list: &Self, slot: u32| list.node(slot).map(Node::origin);
        let measured = || {
            let [from, to] =
                is.map(|end| at(after, end).filter(|at| at.iter().all(|value| value.is_finite())));
            from.zip(to).map(|(from, to)| length(from, to))
        };
        let old = was.and_then(|was| self.link(was));
        // An end that is made only now leaves the length of a link that waited for it.
        let moved = |(was, is): (&u32, &u32)| {
            let was = at(self, *was).map(|at| at.map(f32::to_bits));
            was.is_some() && was != at(after, *is).map(|at| at.map(f32::to_bits))
        };
        let is_moved = was.is_some_and(|was| was.iter().zip(&is).any(moved));
        let distance = match old {
            Some(old) if !is_moved => Some(old.distance()),
            Some(old) => measured().or(Some(old.distance())),
            None => Some(measured().unwrap_or(0)),
        };
        let mut set = |key, differs: bool, text: String| {
            if differs {
                values.insert(key, Value::Text(text));
            }
        };
        let velocity = old.map_or([0.0; 3], Link::velocity).map(f32::to_bits);
        let whole = now.velocity().iter().all(|value| value.is_finite());
        let faster = whole && velocity != now.velocity().map(f32::to_bits);
        set("Velocity", faster, now.velocity().map(|number| number.to_string()).join(","));
        set("Flags", old.map_or(0, |old| old.flags().0) != now.flags().0, now.flags().0.to_string());
        set("Distance", distance != Some(now.distance()), now.distance().to_string());
        values
    }
}
