//! A difference as lines for a person.

use super::{flag_names, id};
use crate::out::{Painter, Tone};
use navmap::diff::{Compared, Diff, LinkChange, Method, NodeChange, Part, Shaped};
use navmap::graph::{FlatGraph, LinkKind, NavGraph, Point, plural};
use navmap::text::{Grouped, counted, printable};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Changes of a kind that are listed, unless all are asked for.
const LISTED: usize = 10;

/// A mesh without a partner.
pub(super) fn only(out: &mut dyn Write, label: &str, added: bool) -> io::Result<()> {
    let label = printable(label.as_bytes());
    writeln!(out, "{label}: {}", if added { "only after" } else { "only before" })
}

/// Two versions of which one at least is no mesh, or that have nothing in common.
pub(super) fn unlike(out: &mut dyn Write, label: &str, why: &str) -> io::Result<()> {
    let [label, why] = [label, why].map(|text| printable(text.as_bytes()));
    writeln!(out, "{label}: cannot be compared: {why}")
}

/// One line: the name, and how many nodes and links came, went and changed.
pub(super) fn stat(out: &mut dyn Write, label: &str, compared: &Compared) -> io::Result<()> {
    write!(out, "{}: ", printable(label.as_bytes()))?;
    if compared.same_bytes {
        return writeln!(out, "the same file");
    }
    let sum = |count: fn(&Diff) -> usize| compared.parts.iter().map(|part| count(&part.diff)).sum::<usize>();
    let word = compared.parts.first().map_or("node", |part| part.after.node_word());
    if compared.is_same() {
        let renumbered = compared.parts.iter().any(|part| part.diff.renumbered > 0);
        let how = if renumbered { "the same mesh, renumbered" } else { "the same mesh" };
        return writeln!(out, "{how}");
    }
    let parts = [
        (sum(|d| d.added.len() + d.split.iter().map(|p| p.parts.len()).sum::<usize>() + d.merged.len()), "+"),
        (
            sum(|d| d.removed.len() + d.merged.iter().map(|p| p.parts.len()).sum::<usize>() + d.split.len()),
            "-",
        ),
        (sum(|d| d.changed.len()), "~"),
    ];
    let nodes: Vec<String> = parts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, sign)| format!("{sign}{}", Grouped(*n as u64)))
        .collect();
    let nodes = if nodes.is_empty() { "0".to_owned() } else { nodes.join(" ") };
    let came = sum(|d| {
        d.links.come_with_nodes as usize + d.links.changed.iter().filter(|l| l.before.is_none()).count()
    });
    let went = sum(|d| {
        d.links.gone_with_nodes as usize + d.links.changed.iter().filter(|l| l.after.is_none()).count()
    });
    let altered = sum(|d| d.links.changed.iter().filter(|l| l.before.is_some() && l.after.is_some()).count());
    write!(out, "{nodes} {}, +{came} -{went} ~{altered} links", plural(word, 2))?;
    if compared.differs_elsewhere() {
        write!(out, ", other bytes differ")?;
    }
    writeln!(out)
}

/// Everything that changed.
pub(super) fn write(
    out: &mut dyn Write,
    label: &str,
    compared: &Compared,
    all: bool,
    painter: Painter,
) -> io::Result<()> {
    let label = printable(label.as_bytes());
    if compared.is_same() {
        let renumbered: u32 = compared.parts.iter().map(|part| part.diff.renumbered).sum();
        if compared.same_bytes {
            return writeln!(out, "{label}: the same file");
        }
        write!(out, "{label}: the same mesh")?;
        if renumbered > 0 {
            write!(out, ", renumbered ({} other ids)", Grouped(renumbered.into()))?;
        }
        if compared.noise > 0 {
            let comma = if renumbered > 0 { "," } else { "" };
            let positions = noise(compared);
            write!(out, "{comma} but for noise: {positions} moved by less than 0.05 mm (--exact)")?;
        }
        return writeln!(out);
    }
    writeln!(out, "{}", painter.paint(Tone::Title, &label))?;
    let most = if all { usize::MAX } else { LISTED };
    for fact in &compared.facts {
        let by = match (fact.before.parse::<i64>(), fact.after.parse::<i64>()) {
            (Ok(before), Ok(after)) if fact.name != "version" && fact.name != "sub-version" => {
                format!(" ({:+})", after - before)
            }
            _ => String::new(),
        };
        let [before, after] = [&fact.before, &fact.after].map(|text| printable(text.as_bytes()));
        writeln!(out, "  {}: {before} → {after}{by}", fact.name)?;
    }
    for (space, after) in &compared.alone {
        writeln!(out, "  {space}: only {}", if *after { "after" } else { "before" })?;
    }
    for part in &compared.parts {
        if part.diff.is_identical() {
            continue;
        }
        if let Some(space) = &part.space {
            writeln!(out, "  {space}")?;
        }
        Lines { out, part, most, word: part.after.node_word(), painter }.write()?;
    }
    for (severity, code, [before, after]) in &compared.findings {
        let (sign, tone) = if after > before { ("more", Tone::Removed) } else { ("fewer", Tone::Added) };
        let line = format!("{severity} {code}: {} {sign} ({before} → {after})", before.abs_diff(*after));
        writeln!(out, "  {}", painter.paint(tone, &line))?;
    }
    if compared.noise > 0 {
        let positions = noise(compared);
        writeln!(out, "  {positions} moved by less than 0.05 mm, which is noise (--exact tells them)")?;
    }
    if compared.differs_elsewhere() {
        writeln!(out, "  nodes and links are the same; other bytes differ (`navmap dump` shows everything)")?;
    }
    Ok(())
}

/// How many nodes, links and marks moved by no more than noise.
fn noise(compared: &Compared) -> String {
    counted(compared.noise as u64, "position", "positions")
}

struct Lines<'o> {
    out: &'o mut dyn Write,
    part: &'o Part,
    most: usize,
    word: &'static str,
    painter: Painter,
}

impl Lines<'_> {
    /// A line that says what kind of change follows.
    fn head(&mut self, tone: Tone, line: &str) -> io::Result<()> {
        writeln!(self.out, "  {}", self.painter.paint(tone, line))
    }

    fn write(&mut self) -> io::Result<()> {
        let diff = &self.part.diff;
        if diff.method != Method::Ids || diff.matched() < 1.0 {
            let percent = (diff.matched() * 1000.0).floor() / 10.0;
            let by = match diff.method {
                Method::Ids => "by ids",
                Method::Geometry => "by where they lie, since ids differ",
                _ => "by ids and by where they lie",
            };
            let words = plural(self.word, 2);
            let [before, after] = diff.nodes.map(|n| Grouped(n.into()));
            writeln!(self.out, "  {before} → {after} {words}, {percent} % matched {by}")?;
        }
        if diff.renumbered > 0 {
            let count = self.nodes(diff.renumbered as usize);
            writeln!(self.out, "  {count} renumbered")?;
        }
        self.list(Tone::Removed, "removed", &diff.removed, |part, &node| at(&part.before, node))?;
        self.list(Tone::Added, "added", &diff.added, |part, &node| at(&part.after, node))?;
        let parts = |graph: &FlatGraph, nodes: &[u32]| {
            nodes.iter().map(|&node| id(graph, node)).collect::<Vec<_>>().join(", ")
        };
        self.list(Tone::Changed, "split", &diff.split, |part, cut| {
            format!("{} into {}", at(&part.before, cut.whole), parts(&part.after, &cut.parts))
        })?;
        self.list(Tone::Changed, "merged", &diff.merged, |part, one| {
            format!("{} into {}", parts(&part.before, &one.parts), at(&part.after, one.whole))
        })?;
        self.changes()?;
        self.links()?;
        self.marks()?;
        self.reach()?;
        self.places()?;
        self.lists()
    }

    fn places(&mut self) -> io::Result<()> {
        let places = &self.part.places;
        let ends = |was: bool| places.ends.iter().filter(move |way| way.before.is_some() == was);
        let (lost, gained): (Vec<_>, Vec<_>) = (ends(true).collect(), ends(false).collect());
        let name = |name: &str| printable(name.as_bytes());
        let ways = |many: usize| counted(many as u64, "way", "ways");
        for (list, what, tone) in
            [(lost, "that was there is gone", Tone::Removed), (gained, "is new", Tone::Added)]
        {
            if list.is_empty() {
                continue;
            }
            let what = if list.len() > 1 {
                what.replace("is ", "are ").replace("was ", "were ")
            } else {
                what.to_owned()
            };
            self.head(tone, &format!("{} between places {what}", ways(list.len())))?;
            for way in list.iter().take(self.most) {
                writeln!(self.out, "    {} to {}", name(&way.from), name(&way.to))?;
            }
            self.more(list.len())?;
        }
        if !places.lengths.is_empty() {
            let line = format!("{} between places of another length", ways(places.lengths.len()));
            self.head(Tone::Changed, &line)?;
            for way in places.lengths.iter().take(self.most) {
                let (Some(before), Some(after)) = (way.before, way.after) else { continue };
                let (from, to) = (name(&way.from), name(&way.to));
                writeln!(self.out, "    {from} to {to}: {before:.0} → {after:.0} ({:+.0})", after - before)?;
            }
            self.more(places.lengths.len())?;
        }
        if places.left_out > 0 {
            let count = counted(places.left_out.into(), "place", "places");
            writeln!(self.out, "  ways from {count} were not measured: the mesh is large")?;
        }
        Ok(())
    }

    fn lists(&mut self) -> io::Result<()> {
        for list in &self.part.lists {
            for (entries, what) in [(&list.removed, "removed"), (&list.added, "added")] {
                if entries.is_empty() {
                    continue;
                }
                let count = counted(entries.len() as u64, list.what, &plural(list.what, 2));
                let spell = |[first, second]: &[u32; 2]| match list.what {
                    "encounter path" => format!("#{first} to #{second}"),
                    _ => format!("#{first}"),
                };
                let entries = entries.iter().map(spell).collect::<Vec<_>>().join(", ");
                writeln!(self.out, "  #{}: {count} {what}: {entries}", list.node)?;
            }
        }
        Ok(())
    }

    fn nodes(&self, count: usize) -> String {
        counted(count as u64, self.word, &plural(self.word, 2))
    }

    fn list<T>(
        &mut self,
        tone: Tone,
        what: &str,
        items: &[T],
        line: impl Fn(&Part, &T) -> String,
    ) -> io::Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        let count = self.nodes(items.len());
        self.head(tone, &format!("{count} {what}"))?;
        for item in items.iter().take(self.most) {
            writeln!(self.out, "    {}", line(self.part, item))?;
        }
        self.more(items.len())
    }

    fn more(&mut self, count: usize) -> io::Result<()> {
        match count.checked_sub(self.most) {
            None | Some(0) => Ok(()),
            Some(more) => writeln!(self.out, "    and {} more (--all)", Grouped(more as u64)),
        }
    }

    fn changes(&mut self) -> io::Result<()> {
        let changed = &self.part.diff.changed;
        let shaped = |wanted: fn(&Shaped) -> bool| -> Vec<&NodeChange> {
            changed.iter().filter(|change| change.shape.as_ref().is_some_and(wanted)).collect()
        };
        self.list(Tone::Changed, "moved", &shaped(|s| matches!(s, Shaped::Moved(_))), |part, change| {
            let Some(Shaped::Moved([x, y, z])) = change.shape else { return String::new() };
            format!("{} by {x} {y} {z}", at(&part.before, change.before))
        })?;
        self.list(
            Tone::Changed,
            "reshaped",
            &shaped(|s| matches!(s, Shaped::Reshaped { .. })),
            |part, change| {
                let Some(Shaped::Reshaped { by, area: [was, is] }) = change.shape else {
                    return String::new();
                };
                let by = by.map_or("other corners".to_owned(), |by| format!("corners by up to {by:.1}"));
                format!("{}: {by}, {was:.0} → {is:.0} square units", at(&part.before, change.before))
            },
        )?;
        self.list(
            Tone::Changed,
            "with another radius",
            &shaped(|s| matches!(s, Shaped::Radius(_))),
            |part, change| {
                let Some(Shaped::Radius([was, is])) = change.shape else { return String::new() };
                let radius = |r: Option<f32>| r.map_or("none".to_owned(), |r| r.to_string());
                format!("{}: {} → {}", at(&part.before, change.before), radius(was), radius(is))
            },
        )?;
        let flagged: Vec<&NodeChange> = changed.iter().filter(|c| c.set | c.cleared != 0).collect();
        self.list(Tone::Changed, "with other flags", &flagged, |part, change| {
            let names = |graph, flags, sign: &str| -> Vec<String> {
                flag_names(graph, flags).into_iter().map(|name| format!("{sign}{name}")).collect()
            };
            let mut names_of = names(&part.after, change.set, "+");
            names_of.extend(names(&part.before, change.cleared, "-"));
            format!("{}: {}", at(&part.before, change.before), names_of.join(" "))
        })?;
        let named =
            |name: &Option<String>| name.as_deref().map_or("none".to_owned(), |n| printable(n.as_bytes()));
        let placed: Vec<&NodeChange> = changed.iter().filter(|change| change.place.is_some()).collect();
        self.list(Tone::Changed, "in another place", &placed, |part, change| {
            let Some(place) = &change.place else { return String::new() };
            format!("{}: {} → {}", at(&part.before, change.before), named(&place.before), named(&place.after))
        })?;
        let word = self.part.after.group_word().unwrap_or("group");
        let grouped: Vec<&NodeChange> = changed.iter().filter(|change| change.group.is_some()).collect();
        self.list(Tone::Changed, &format!("in another {word}"), &grouped, |part, change| {
            let Some(group) = &change.group else { return String::new() };
            format!("{}: {} → {}", at(&part.before, change.before), named(&group.before), named(&group.after))
        })
    }

    fn links(&mut self) -> io::Result<()> {
        let links = &self.part.diff.links;
        let with_nodes =
            [(links.gone_with_nodes, "went", Tone::Removed), (links.come_with_nodes, "came", Tone::Added)];
        for (count, what, tone) in with_nodes {
            if count > 0 {
                let count = counted(count.into(), "link", "links");
                let words = plural(self.word, 2);
                self.head(tone, &format!("{count} {what} with {words} that {what}, were split or merged"))?;
            }
        }
        let of = |wanted: fn(&LinkChange) -> bool| -> Vec<&LinkChange> {
            links.changed.iter().filter(|link| wanted(link)).collect()
        };
        let groups = [
            (of(|l| l.after.is_none()), "removed", Tone::Removed),
            (of(|l| l.before.is_none()), "added", Tone::Added),
            (of(|l| l.before.is_some() && l.after.is_some()), "passed in another way", Tone::Changed),
        ];
        for (links, what, tone) in groups {
            if links.is_empty() {
                continue;
            }
            self.head(tone, &format!("{} {what}", counted(links.len() as u64, "link", "links")))?;
            for link in links.iter().take(self.most) {
                let from = at(&self.part.before, link.from);
                let to = link.to.map_or("outside".to_owned(), |to| id(&self.part.before, to));
                let how = |way: Option<(LinkKind, bool)>| {
                    way.map(|(kind, gated)| format!("{kind}{}", if gated { " (gated)" } else { "" }))
                };
                let way = match (how(link.before), how(link.after)) {
                    (Some(before), Some(after)) if before == after => format!("{after}, other ends"),
                    (Some(before), Some(after)) => format!("{before} → {after}"),
                    (before, after) => before.or(after).unwrap_or_default(),
                };
                writeln!(self.out, "    {from} to {to}: {way}")?;
            }
            self.more(links.len())?;
        }
        Ok(())
    }

    fn marks(&mut self) -> io::Result<()> {
        for mark in &self.part.diff.marks {
            let kind = mark.kind.name();
            let head = |text: &mut Self, tone, count, what| {
                text.head(tone, &format!("{} {what}", counted(count as u64, kind, &plural(kind, 2))))
            };
            let both = [(&mark.removed, "removed", Tone::Removed), (&mark.added, "added", Tone::Added)];
            for (points, what, tone) in both {
                if !points.is_empty() {
                    head(self, tone, points.len(), what)?;
                }
                if self.most == usize::MAX {
                    for Point { x, y, z } in points {
                        writeln!(self.out, "    at {x} {y} {z}")?;
                    }
                }
            }
            if !mark.moved.is_empty() {
                head(self, Tone::Changed, mark.moved.len(), "moved")?;
            }
            if self.most == usize::MAX {
                for [was, Point { x, y, z }] in &mark.moved {
                    writeln!(self.out, "    from {} {} {} to {x} {y} {z}", was.x, was.y, was.z)?;
                }
            }
        }
        Ok(())
    }

    fn reach(&mut self) -> io::Result<()> {
        let main = &self.part.diff.main_part;
        let [before, after] = main.islands;
        if before != after {
            writeln!(self.out, "  islands: {before} → {after}")?;
        }
        self.list(
            Tone::Removed,
            "no longer joined both ways to the largest part",
            &main.lost,
            |part, &node| format!("{}{}", at(&part.before, node), place(&part.before, node)),
        )?;
        self.list(Tone::Added, "now joined both ways to the largest part", &main.gained, |part, &node| {
            format!("{}{}", at(&part.before, node), place(&part.before, node))
        })?;
        let mut places: BTreeMap<&str, u64> = BTreeMap::new();
        for &node in &main.lost {
            if let Some(name) = place_of(&self.part.before, node) {
                *places.entry(name).or_default() += 1;
            }
        }
        if !places.is_empty() {
            let names: Vec<String> = places
                .iter()
                .map(|(name, count)| format!("{} {count}", printable(name.as_bytes())))
                .collect();
            writeln!(self.out, "    by place: {}", names.join(", "))?;
        }
        Ok(())
    }
}

fn place_of(graph: &FlatGraph, node: u32) -> Option<&str> {
    let place = graph.nodes().get(node as usize)?.place?;
    graph.places().get(&place).map(String::as_str)
}

fn place(graph: &FlatGraph, node: u32) -> String {
    place_of(graph, node).map_or_else(String::new, |name| format!(", {}", printable(name.as_bytes())))
}

/// A node by its id, with the middle of it: `#12 at 100 200 0`.
fn at(graph: &FlatGraph, node: u32) -> String {
    let center = graph.nodes().get(node as usize).and_then(|node| graph.shape(node).center());
    let at = center.map_or_else(String::new, |Point { x, y, z }| format!(" at {x:.0} {y:.0} {z:.0}"));
    format!("{}{at}", id(graph, node))
}
