//! Random scripts against a plain model of areas and links, on every mesh: after each command both must agree. Then
//! everything is taken back to the input, done again to the output, and replayed from the journal.

use super::*;
use navmap::edit::Editor;
use navmap_testkit::bytes::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// An area of the model: its rectangle, its attributes, and where it can be left to, side by side, in order.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    x: [f32; 2],
    y: [f32; 2],
    attributes: u32,
    place: Option<Vec<u8>>,
    links: [Vec<u32>; 4],
}

/// Areas by id, and their order.
#[derive(Clone, Debug, PartialEq)]
struct Model {
    areas: BTreeMap<u32, Plain>,
    order: Vec<u32>,
}

impl Model {
    fn new(mesh: &SourceBuf) -> Self {
        let plain = |area: &navmap::format::source::AreaBuf| {
            let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
            Plain {
                x: [x0, x1],
                y: [y0, y1],
                attributes: area.attributes.bits(),
                place: mesh.head.place(area.place).map(<[u8]>::to_vec),
                links: area.connections.clone().map(|ids| ids.iter().map(|id| id.get()).collect()),
            }
        };
        Self {
            areas: mesh.areas.iter().map(|area| (area.id.get(), plain(area))).collect(),
            order: mesh.areas.iter().map(|area| area.id.get()).collect(),
        }
    }

    fn next_id(&self) -> Option<u32> {
        self.areas.keys().last().and_then(|id| id.checked_add(1)).filter(|id| *id != u32::MAX)
    }

    fn delete(&mut self, id: u32) {
        self.areas.remove(&id);
        self.order.retain(|other| *other != id);
        for area in self.areas.values_mut() {
            area.links.iter_mut().for_each(|list| list.retain(|to| *to != id));
        }
    }

    fn link(&mut self, from: u32, side: usize, to: u32) {
        let list = &mut self.areas.get_mut(&from).unwrap().links[side];
        if from != to && !list.contains(&to) {
            list.push(to);
        }
    }

    /// The side with the widest common edge, by the book.
    fn portal(&self, from: u32, to: u32) -> Option<usize> {
        let (a, b) = (&self.areas[&from], &self.areas[&to]);
        let middle = |span: [f32; 2]| 0.5 * (span[0] + span[1]);
        let (dx, dy) = (middle(b.x) - middle(a.x), middle(b.y) - middle(a.y));
        let half = |a: [f32; 2], b: [f32; 2]| {
            let clamp = |value: f32| value.max(a[0]).min(a[1]);
            0.5 * (clamp(a[1].min(b[1])) - clamp(a[0].max(b[0])))
        };
        let all = [
            (N, dy < 0.0, half(a.x, b.x)),
            (E, dx > 0.0, half(a.y, b.y)),
            (S, dy > 0.0, half(a.x, b.x)),
            (W, dx < 0.0, half(a.y, b.y)),
        ];
        let mut best: Option<(usize, f32)> = None;
        for (side, considered, half) in all {
            if considered && half > best.map_or(0.0, |(_, half)| half) {
                best = Some((side, half));
            }
        }
        best.map(|(side, _)| side).filter(|_| from != to)
    }

    fn split(&mut self, id: u32, along_y: bool, cut: f32) -> bool {
        let Some(first) = self.next_id() else { return false };
        let old = self.areas[&id].clone();
        let [low, high] = if along_y { old.y } else { old.x };
        if !(cut > low + 1.0 && cut < high - 1.0) || first == u32::MAX - 1 {
            return false;
        }
        let (alpha, beta) = (first, first + 1);
        let half = |low: f32, high: f32| Plain {
            x: if along_y { old.x } else { [low, high] },
            y: if along_y { [low, high] } else { old.y },
            links: Default::default(),
            ..old.clone()
        };
        self.areas.insert(alpha, half(low, cut));
        self.areas.insert(beta, half(cut, high));
        let inward = if along_y { [S, N] } else { [E, W] };
        self.link(alpha, inward[0], beta);
        self.link(beta, inward[1], alpha);
        let lists_it = |other: &u32| self.areas[other].links.iter().any(|list| list.contains(&id));
        let others: Vec<u32> = self.order.iter().copied().filter(lists_it).collect();
        for (part, inward) in [(alpha, inward[0]), (beta, inward[1])] {
            for side in (0..4).filter(|side| *side != inward) {
                let back = (side + 2) % 4;
                let faces = |model: &Self, other: u32| {
                    let (a, b) = (&model.areas[&part], &model.areas[&other]);
                    let (a, b) = if side % 2 == 0 { (a.x, b.x) } else { (a.y, b.y) };
                    a[1].min(b[1]) - a[0].max(b[0]) > 0.0
                };
                for to in &old.links[side] {
                    if *to != id && self.areas.contains_key(to) && faces(self, *to) {
                        self.link(part, side, *to);
                        if self.areas[to].links[back].contains(&id) {
                            self.link(*to, back, part);
                        }
                    }
                }
                for other in &others {
                    let one_way =
                        self.areas[other].links[back].contains(&id) && !old.links[side].contains(other);
                    if *other != id && one_way && faces(self, *other) {
                        self.link(*other, back, part);
                    }
                }
            }
        }
        self.order.extend([alpha, beta]);
        self.delete(id);
        true
    }
}

/// Whether the mesh is what the model can follow: ids once, no link of an area to itself.
fn sound(mesh: &SourceBuf) -> bool {
    let ids: BTreeSet<u32> = mesh.areas.iter().map(|area| area.id.get()).collect();
    let own = mesh.areas.iter().any(|area| area.all_connections().any(|(_, to)| to == area.id));
    ids.len() == mesh.areas.len() && !own && !ids.contains(&0)
}

/// One command of a random script, done to the model: what is typed, and whether it must be refused.
fn step(rng: &mut Rng, model: &mut Model) -> (String, bool) {
    let mut pick = || model.order[rng.below(model.order.len() as u64) as usize];
    let (a, mut b) = (pick(), pick());
    if rng.below(3) > 0 {
        // Two that are linked tell more than two that lie anywhere.
        let near: Vec<u32> =
            model.areas[&a].links.concat().into_iter().filter(|to| model.areas.contains_key(to)).collect();
        if !near.is_empty() {
            b = near[rng.below(near.len() as u64) as usize];
        }
    }
    match rng.below(9) {
        0 if model.order.len() > 2 => {
            model.delete(a);
            (format!("nav_delete #{a}"), false)
        }
        1 | 2 => {
            let along_y = rng.below(2) == 0;
            let [low, high] = if along_y { model.areas[&a].y } else { model.areas[&a].x };
            let cut = (low + (high - low) * (rng.below(7) as f32 - 1.0) / 5.0).round();
            let done = model.split(a, along_y, cut);
            (format!("nav_split #{a} {}={cut}", if along_y { "y" } else { "x" }), !done)
        }
        3 => {
            let side = model.portal(a, b);
            if let Some(side) = side {
                model.link(a, side, b);
            }
            (format!("nav_connect #{a} #{b}"), side.is_none())
        }
        4 => {
            for (from, to) in [(a, b), (b, a)] {
                let lists = &mut model.areas.get_mut(&from).unwrap().links;
                lists.iter_mut().for_each(|list| list.retain(|id| *id != to));
            }
            (format!("nav_disconnect #{a} #{b}"), false)
        }
        5 => {
            model.areas.get_mut(&a).unwrap().attributes ^= 1;
            (format!("nav_crouch #{a}"), false)
        }
        6 => {
            let by = rng.below(64) as f32;
            let moved = model.areas.get_mut(&a).unwrap();
            moved.x = moved.x.map(|x| x + by);
            (format!("nav_shift {by} 0 0 #{a}"), false)
        }
        7 => {
            let mut lists = std::mem::take(&mut model.areas.get_mut(&a).unwrap().links);
            for list in &mut lists {
                let mut seen = BTreeSet::new();
                list.retain(|to| seen.insert(*to) && model.areas.contains_key(to));
            }
            model.areas.get_mut(&a).unwrap().links = lists;
            (format!("clean_links --duplicate --dangling #{a}"), false)
        }
        _ => {
            const NAMED: [(&str, u32); 5] =
                [("CROUCH", 1), ("JUMP", 2), ("PRECISE", 4), ("NO_JUMP", 8), ("RUN", 32)];
            let (name, bits) = NAMED[rng.below(5) as usize];
            for id in [a, b] {
                model.areas.get_mut(&id).unwrap().attributes &= !bits;
            }
            (format!("nav_clear_attribute {name} #{a}+#{b}"), false)
        }
    }
}

fn agree(name: &str, bytes: &[u8], commands: usize, compare_every: usize, seed: u64) -> bool {
    let mut session = open_bytes(bytes, NAVMAP);
    session.editor_mut().force_odd(true);
    let first = session.editor().to_buf();
    if !sound(&first) || first.areas.len() < 2 {
        return false;
    }
    let errors = known(&first);
    let mut model = Model::new(&first);
    let mut rng = Rng(seed);
    let mut done = 0;
    for command in 0..commands {
        let (line, refused) = step(&mut rng, &mut model);
        let fared = session.line(&line);
        assert_eq!(fared.is_err(), refused, "{name} {command}: {line}: {fared:?}");
        done += usize::from(fared.is_ok());
        if command % compare_every == 0 || command + 1 == commands {
            let now = Model::new(&session.editor().to_buf());
            assert_eq!(now.order, model.order, "{name} {command}: {line}");
            for (id, area) in &model.areas {
                assert_eq!(&now.areas[id], area, "{name} {command}: #{id} after {line}");
            }
        }
    }
    assert!(done > commands / 2, "{name}: {done} of {commands} done");
    let out = session.editor().encode().unwrap_or_else(|error| panic!("{name}: {error}"));
    let read =
        SourceBuf::read(&SourceNav::parse(&out).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let new: Vec<String> = known(&read).difference(&errors).cloned().collect();
    assert!(new.is_empty(), "{name}: {new:?}");
    let journal = session.journal().to_string();
    session.line("undo all").unwrap();
    assert!(session.editor().encode().unwrap() == bytes, "{name}: everything taken back");
    session.line("redo all").unwrap();
    assert!(session.editor().encode().unwrap() == out, "{name}: everything done again");
    let mut other = open_bytes(bytes, NAVMAP);
    other.editor_mut().force_odd(true);
    other.replay(&journal, |fared| {
        fared.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        std::ops::ControlFlow::Continue(())
    });
    assert!(other.editor().encode().unwrap() == out, "{name}: replayed");
    true
}

/// The errors of a mesh, in words.
fn known(mesh: &SourceBuf) -> BTreeSet<String> {
    let mut found = navmap::format::source::odd(mesh);
    found.retain(|found| found.severity == navmap::Severity::Error);
    found.into_iter().map(|found| found.message).collect()
}

#[test]
fn random_commands_agree_with_a_plain_model_on_every_mesh() {
    // All thousand commands on a large mesh take a minute without optimisation.
    let long = std::env::var_os("NAVMAP_LONG").is_some();
    let mut compared = 0;
    for (index, (name, bytes)) in super::meshes().into_iter().enumerate() {
        // A large mesh is not compared whole after every command; each of its commands is still refused or not as the
        // model says.
        let size = bytes.len() / 40_000;
        let commands = if long { 1000 } else { 1000 / (size + 1).min(10) };
        compared += usize::from(agree(&name, &bytes, commands, size.clamp(1, 250), 7 + index as u64));
    }
    assert!(compared > 20, "{compared}");
}
