//! The verbs, and what each does.

use super::editor::{AasEditor, Slot};
use super::values::{self, KEYS, LINK_KEYS};
use crate::flags::{AreaFlags, Presence, TravelKind};
use crate::record::Reachability;
use navmap_core::edit::waypoints::links;
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};
use navmap_core::text::counted;

type Fared = Result<(), Refusal>;
type S = Scope<Slot>;

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<AasEditor>)] = &[
    (verb("set", "SELECTOR KEY=VALUE...", "set Flags=NAME,NAME|none Contents=NAME,NAME|none of areas; what the compiler alone knows stays"), AasEditor::set),
    (verb("flag", "NAME[,NAME] [SELECTOR]", "set flags or contents of areas: no bot enters one that is disabled"), AasEditor::flag),
    (verb("unflag", "NAME[,NAME] [SELECTOR]", "clear flags or contents of areas"), AasEditor::unflag),
    (verb("connect", "FROM TO Start=X,Y,Z End=X,Y,Z [KEY=VALUE...]", "add a link between areas of one cluster: Kind=walk Time=HUNDREDTHS Flags=not_team_1 Face=N Edge=N; heights are those of a player's origin"), AasEditor::connect),
    (verb("disconnect", "A B [--one-way | --nth N]", "remove the links between two areas, both ways, or those from A alone, or the N-th of these"), AasEditor::disconnect),
    (verb("set_link", "FROM TO [--nth N] KEY=VALUE...", "set Kind=NAME Time=HUNDREDTHS Flags=NAME,NAME|none Start=X,Y,Z End=X,Y,Z Face=N Edge=N of a link"), AasEditor::set_link),
    (verb("set_links", "SELECTOR [--kind KIND] KEY=VALUE...", "set the values of all links that leave areas, or of those of a kind"), AasEditor::set_links),
    (verb("remove_links", "SELECTOR [--kind KIND]", "remove all links that leave areas, or those of a kind"), AasEditor::remove_links),
    (verb("clean_links", "", "remove links of kind invalid, links to areas that do not exist, and links of no area"), AasEditor::clean_links),
];

/// How many areas, in words.
fn areas(count: usize) -> String {
    counted(count as u64, "area", "areas")
}

fn nothing(c: &Command<'_>, keys: &[&str]) -> Refusal {
    Refusal::new(format!("nothing to set: {}", keys.join(", "))).at(c.at())
}

/// The kind that `--kind` gives.
fn kind_of(c: &mut Command<'_>) -> Result<Option<TravelKind>, Refusal> {
    let kind = |word: Word<'_>| values::kind(word.text).map_err(|refusal| refusal.at(word.at));
    c.option("--kind")?.map(kind).transpose()
}

/// The number that `--nth` gives, from 1.
fn nth_of(c: &mut Command<'_>) -> Result<Option<usize>, Refusal> {
    let number = |word: Word<'_>| {
        let number = word.text.parse().ok().filter(|number: &usize| *number > 0);
        number.ok_or_else(|| {
            Refusal::new(format!("{} where a number from 1 was expected", word.text)).at(word.at)
        })
    };
    c.option("--nth")?.map(number).transpose()
}

impl AasEditor {
    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a selector")?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(nothing(c, &KEYS));
        }
        let meaning = self.meaning();
        self.mark_all(Some(word), s, |marks| {
            given.iter().try_for_each(|word| values::set(marks, word, meaning))
        })
    }

    fn flag(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        self.change_flags(c, s, |marks, bits| marks | bits)
    }

    fn unflag(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        self.change_flags(c, s, |marks, bits| marks & !bits)
    }

    fn change_flags(&mut self, c: &mut Command<'_>, s: &mut S, change: fn(u64, u64) -> u64) -> Fared {
        let names = c.need("names of flags")?;
        let word = c.take();
        c.finish()?;
        let bits = values::bits(names.text, self.meaning()).map_err(|refusal| refusal.at(names.at))?;
        self.mark_all(word, s, |marks| {
            *marks = change(*marks, bits);
            Ok(())
        })
    }

    fn mark_all(&mut self, word: Option<Word<'_>>, s: &mut S, change: impl Fn(&mut u64) -> Fared) -> Fared {
        let mut changed = 0_usize;
        for area in s.nodes(self, word)? {
            let Some(was) = self.marks.get(area as usize).copied() else { continue };
            let mut now = was;
            change(&mut now)?;
            values::allowed(was, now, self.meaning())?;
            changed = changed.saturating_add(self.mark(area, now).into());
        }
        s.say(format!("changed {}", areas(changed)));
        Ok(())
    }

    fn connect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let [from, to] = s.ends(self, c)?;
        let given = c.rest()?;
        let has = |key: &str| {
            let is =
                |word: &Word<'_>| word.text.split_once('=').is_some_and(|(k, _)| k.eq_ignore_ascii_case(key));
            given.iter().any(is)
        };
        if !has("start") || !has("end") {
            return Err(
                Refusal::new("Start=X,Y,Z and End=X,Y,Z say where a bot leaves and arrives").at(c.at())
            );
        }
        self.may_join(from, to)?;
        let mut link = Reachability::default();
        link.set_kind(TravelKind::WALK);
        link.set_area(i32::try_from(to).map_err(|_| Refusal::new("its number is too large for a link"))?);
        let mut link = self.set_values(&link, &given)?;
        if matches!(link.kind().0, 11 | 18 | 19) && !(has("face") && has("edge")) {
            let why =
                format!("{} has numbers in Face and Edge without which no bot can take it", link.kind());
            return Err(Refusal::new(why).at(c.at()));
        }
        if !has("time") {
            link.set_time(self.time_of(from, &link));
        }
        self.push(from, link);
        s.say(format!("{} from #{from} to #{to}, {} hundredths of a second", link.kind(), link.time()));
        Ok(())
    }

    /// How long a straight way takes at the pace of an area, in hundredths of a second.
    fn time_of(&self, from: Slot, link: &Reachability) -> u16 {
        let between = |(a, b): (f32, f32)| (b - a) * (b - a);
        let far = link.start().into_iter().zip(link.end()).map(between).sum::<f32>().sqrt();
        let of = self.frame.settings.get(from as usize).copied().unwrap_or_default();
        let pace = match of.flags().contains(AreaFlags::LIQUID) {
            true => 1.0,
            false if of.presence().contains(Presence::NORMAL) => 0.33,
            false => 1.3,
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between the bounds
        let time = (far * pace).clamp(1.0, 30_000.0) as u16;
        time
    }

    fn disconnect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (one, nth) = (c.flag("--one-way"), nth_of(c)?);
        let [a, b] = s.ends(self, c)?;
        c.finish()?;
        let mut places = match nth {
            Some(_) => vec![self.nth(a, b, nth)?],
            None => self.between(a, b),
        };
        if nth.is_none() && !one && a != b {
            places.extend(self.between(b, a));
        }
        if places.is_empty() {
            return Err(Refusal::new(format!("no link joins #{a} and #{b}")));
        }
        self.remove(&places);
        s.say(format!("removed {}", links(places.len())));
        Ok(())
    }

    fn remove(&mut self, places: &[Slot]) {
        for place in places {
            self.change(*place, |way| way.used = false);
        }
    }

    /// The link from one area to another: the one that there is, or the `nth`.
    fn nth(&self, from: Slot, to: Slot, nth: Option<usize>) -> Result<Slot, Refusal> {
        let places = self.between(from, to);
        match (nth, places.as_slice()) {
            (_, []) => Err(Refusal::new(format!("there is no link from #{from} to #{to}"))),
            (None, [only]) => Ok(*only),
            (None, _) => {
                let kind = |place: &Slot| self.link(*place).map_or(TravelKind::INVALID, Reachability::kind);
                let kinds =
                    places.iter().take(8).zip(1..).map(|(place, nth)| format!("--nth {nth} {}", kind(place)));
                let kinds = kinds.collect::<Vec<_>>().join(", ");
                Err(Refusal::new(format!("{} links lead from #{from} to #{to}: {kinds}", places.len())))
            }
            (Some(nth), _) => places.get(nth.saturating_sub(1)).copied().ok_or_else(|| {
                Refusal::new(format!("{} from #{from} to #{to}: there is no link {nth}", links(places.len())))
            }),
        }
    }

    fn set_link(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let nth = nth_of(c)?;
        let [from, to] = s.ends(self, c)?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(nothing(c, &LINK_KEYS));
        }
        let place = self.nth(from, to, nth)?;
        let changed = self.set_at(&[place], &given)?;
        s.say(format!("changed {}", links(changed)));
        Ok(())
    }

    fn set_at(&mut self, places: &[Slot], given: &[Word<'_>]) -> Result<usize, Refusal> {
        let mut changed = 0_usize;
        for place in places {
            let Some(link) = self.link(*place).copied() else { continue };
            let link = self.set_values(&link, given)?;
            changed = changed.saturating_add(self.change(*place, |way| way.link = link).into());
        }
        Ok(changed)
    }

    /// The links that leave areas, or those of a kind.
    fn leaving(&self, word: Word<'_>, kind: Option<TravelKind>, s: &mut S) -> Result<Vec<Slot>, Refusal> {
        let mut places = Vec::new();
        for area in s.nodes(self, Some(word))? {
            let wanted = |link: &Reachability| kind.is_none_or(|kind| link.kind() == kind);
            places.extend(self.links(area).filter(|(_, link)| wanted(link)).map(|(place, _)| place));
        }
        Ok(places)
    }

    fn set_links(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (kind, word) = (kind_of(c)?, c.need("a selector")?);
        let given = c.rest()?;
        if given.is_empty() {
            return Err(nothing(c, &LINK_KEYS));
        }
        let places = self.leaving(word, kind, s)?;
        let changed = self.set_at(&places, &given)?;
        s.say(format!("changed {}", links(changed)));
        Ok(())
    }

    fn remove_links(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (kind, word) = (kind_of(c)?, c.need("a selector")?);
        c.finish()?;
        let places = self.leaving(word, kind, s)?;
        self.remove(&places);
        s.say(format!("removed {}", links(places.len())));
        Ok(())
    }

    fn clean_links(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        c.finish()?;
        self.look(self.ways.len());
        // The first one is a placeholder.
        let gone: Vec<Slot> = (0..self.ways.len() as Slot)
            .zip(&self.ways)
            .skip(1)
            .filter(|(_, way)| {
                let leads = Slot::try_from(way.link.area()).is_ok_and(|to| self.is_area(to));
                way.used && (way.from == 0 || !leads || way.link.kind() == TravelKind::INVALID)
            })
            .map(|(place, _)| place)
            .collect();
        self.remove(&gone);
        s.say(format!("removed {}", links(gone.len())));
        Ok(())
    }
}
