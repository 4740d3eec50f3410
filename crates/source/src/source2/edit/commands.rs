//! The verbs, and what each does to items.

use super::super::record::WideLadder;
use super::editor::{Item, Source2Editor};
use super::values::{self, CORNER_KEYS, KEYS};
use crate::record::LadderId;
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};
use navmap_core::text::counted;
use std::collections::{BTreeMap, HashSet};

pub(super) type Fared = Result<(), Refusal>;
pub(super) type S = Scope<Item>;

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<Source2Editor>)] = &[
    (verb("set", "SELECTOR KEY=VALUE...", "set Attributes=NAME,NAME|none Up=L#3|none Down=L#3|none of areas, At=X,Y,Z of corners with all others there or Own=X,Y,Z alone, Top=X,Y,Z Bottom=X,Y,Z Width=N Length=N Direction=WAY TopForward=#12|none TopLeft TopRight TopBehind BottomArea BottomLeft BottomRight of ladders"), Source2Editor::set),
    (verb("flag", "NAME[,NAME] [SELECTOR]", "set attributes of areas"), |e, c, s| e.mark(c, s, |all, bits| all | bits)),
    (verb("unflag", "NAME[,NAME] [SELECTOR]", "clear attributes of areas"), |e, c, s| e.mark(c, s, |all, bits| all & !bits)),
    (verb("move", "DX DY DZ [SELECTOR]", "move corners, all those of areas, and ladders; everything when none is named or selected; corners at the same place go along"), Source2Editor::shift),
    (verb("connect", "FROM TO [--edge N] [--to N] [--both]", "link an area to another of its hull, over the edges that lie nearest to each other or those given, counted from 0"), Source2Editor::connect),
    (verb("disconnect", "A B [--one-way] [--edge N]", "remove the links between two areas, both ways, or those from A alone, or those over one of its edges"), Source2Editor::disconnect),
    (verb("isolate", "[SELECTOR]", "remove all links and ladders from and to areas, which stay"), Source2Editor::isolate),
    (verb("delete", "[SELECTOR]", "delete areas and ladders with what leads to them; refused where the game keeps data of its own about areas"), Source2Editor::delete),
    (verb("clean", "", "remove links to areas, edges and ladders that do not exist, links of areas to themselves, and links that are there twice"), Source2Editor::clean),
];

/// `2 areas, 1 corner and 3 ladders`, without those of which there are none.
fn told([areas, corners, ladders]: [usize; 3]) -> String {
    let all = [(areas, "area", "areas"), (corners, "corner", "corners"), (ladders, "ladder", "ladders")];
    let some: Vec<String> = all
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(*count as u64, one, many))
        .collect();
    match some.split_last() {
        None => "0 areas".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

impl Source2Editor {
    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a selector")?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(Refusal::new(format!("nothing to set: {}", KEYS.join(", "))).at(c.at()));
        }
        let (mut areas, mut corners, mut ladders) = (0_usize, 0_usize, 0_usize);
        for item in s.nodes(self, Some(word))? {
            match item {
                Item::Area(slot) => {
                    let Some(mut now) = self.ground(slot).cloned() else { continue };
                    given.iter().try_for_each(|word| self.set_area(&mut now, word, s))?;
                    areas = areas.saturating_add(self.change(slot, |ground| *ground = now).into());
                }
                Item::Corner(corner) => {
                    let moved = self.set_corner(corner, &given, s)?;
                    corners = corners.saturating_add(moved);
                }
                Item::Ladder(slot) => {
                    let Some(mut now) = self.climb(slot).copied() else { continue };
                    given.iter().try_for_each(|word| self.set_ladder(&mut now.record, word, s))?;
                    ladders = ladders.saturating_add(self.change_climb(slot, |climb| *climb = now).into());
                }
            }
        }
        s.say(format!("changed {}", told([areas, corners, ladders])));
        Ok(())
    }

    /// Puts a corner somewhere. Gives how many corners went.
    fn set_corner(&mut self, corner: u32, given: &[Word<'_>], s: &mut S) -> Result<usize, Refusal> {
        let mut moved = 0_usize;
        for word in given {
            let (key, value) = values::pair(word, &CORNER_KEYS)?;
            let at = values::place(word, value)?;
            let corners = if key == "Own" { [corner].into() } else { self.together([corner]) };
            let went = corners.iter().filter(|corner| {
                self.corner(**corner).is_none_or(|was| was.map(f32::to_bits) != at.map(f32::to_bits))
            });
            moved = moved.saturating_add(went.count());
            let places = corners.into_iter().map(|corner| (corner, at)).collect();
            let (_, torn) = self.put_all(&places).map_err(|refusal| refusal.at(word.at))?;
            self.torn(&torn).into_iter().for_each(|line| s.say(line));
        }
        Ok(moved)
    }

    fn mark(&mut self, c: &mut Command<'_>, s: &mut S, change: fn(u64, u64) -> u64) -> Fared {
        let names = c.need("names of attributes")?;
        let word = c.take();
        c.finish()?;
        let bits = values::bits(names.text).map_err(|refusal| refusal.at(names.at))?;
        let mut changed = 0_usize;
        for item in s.nodes(self, word)? {
            let slot = self.area(item)?;
            let mark = |ground: &mut super::editor::Ground| {
                ground.attributes.0 = change(ground.attributes.0, bits);
            };
            changed = changed.saturating_add(self.change(slot, mark).into());
        }
        s.say(format!("changed {}", told([changed, 0, 0])));
        Ok(())
    }

    /// The area that an item is.
    pub(super) fn area(&self, item: Item) -> Result<u32, Refusal> {
        use navmap_core::edit::Editor;
        match item {
            Item::Area(slot) => Ok(slot),
            Item::Corner(_) | Item::Ladder(_) => Err(Refusal::new(format!("{} is no area", self.name(item)))),
        }
    }

    fn shift(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (by, word) = c.shift()?;
        let all = |word: &Word<'_>| word.text.eq_ignore_ascii_case("all");
        let whole = word.as_ref().map_or(s.selection.is_empty(), all);
        let mut items = s.nodes_or_all(self, word)?;
        if whole {
            items.extend(self.ladders().map(|(slot, _)| Item::Ladder(slot)));
        }
        let left = self.ladders_left(&items);
        let plus = |at: [f32; 3]| {
            let [[x, y, z], [dx, dy, dz]] = [at, by];
            [x + dx, y + dy, z + dz]
        };
        let corners = self.together(self.corners_of(&items));
        let place = |corner: &u32| Some((*corner, plus(self.corner(*corner)?)));
        let places: BTreeMap<u32, [f32; 3]> = corners.iter().filter_map(place).collect();
        let (areas, torn) = self.put_all(&places)?;
        if let Some(why) = self.torn(&torn) {
            return Err(Refusal::new(format!("{why}: move fewer corners, or less far")));
        }
        let mut ladders = 0_usize;
        for item in items {
            let Item::Ladder(slot) = item else { continue };
            let moved = self.change_climb(slot, |climb| {
                let ladder = climb.record.ladder_mut();
                ladder.set_ends(plus(ladder.top()), plus(ladder.bottom()));
            });
            ladders = ladders.saturating_add(moved.into());
        }
        let corners = if areas == 0 { 0 } else { places.len() };
        let other =
            if areas > 0 { format!("; {} with other outlines", told([areas, 0, 0])) } else { String::new() };
        s.say(format!("moved {}{other}", told([0, corners, ladders])));
        if left > 0 {
            s.say(format!("not moved: {} of these areas", counted(left as u64, "ladder", "ladders")));
        }
        Ok(())
    }

    /// How many ladders that are not among these items lead from or to areas that are.
    fn ladders_left(&self, items: &[Item]) -> usize {
        self.look(items.len());
        let (mut areas, mut named) = (HashSet::new(), HashSet::new());
        let mut listed: HashSet<LadderId> = HashSet::new();
        for item in items {
            match item {
                Item::Area(slot) => {
                    areas.insert(self.id(*slot));
                    listed
                        .extend(self.ground(*slot).iter().flat_map(|ground| ground.ladders.iter().flatten()));
                }
                Item::Ladder(slot) => _ = named.insert(*slot),
                Item::Corner(_) => {}
            }
        }
        let leads = |ladder: &WideLadder| {
            let ends = ladder.ladder().areas().map(|(_, area)| area);
            let mut ends = ends.into_iter().chain([ladder.bottom_left(), ladder.bottom_right()]);
            listed.contains(&ladder.ladder().id())
                || ends.any(|area| area.get() != 0 && areas.contains(&area))
        };
        self.ladders().filter(|(slot, climb)| !named.contains(slot) && leads(&climb.record)).count()
    }

    fn delete(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let items = s.nodes(self, word)?;
        let [areas, ladders] = self.delete_all(&items)?;
        s.say(format!("deleted {}", told([areas, 0, ladders])));
        Ok(())
    }

    fn isolate(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let items = s.nodes(self, word)?;
        let before = self.link_count();
        for item in &items {
            let slot = self.area(*item)?;
            self.change(slot, |ground| {
                ground.edges.iter_mut().for_each(Vec::clear);
                ground.ladders.iter_mut().for_each(Vec::clear);
            });
        }
        self.forget(&items);
        let removed = before.saturating_sub(self.link_count());
        s.say(format!("removed {}", navmap_core::edit::waypoints::links(removed)));
        Ok(())
    }
}
