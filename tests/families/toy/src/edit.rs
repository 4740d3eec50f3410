//! Edits a string: `move`, `delete`. A point keeps its number for as long as the session lasts.

use super::view::ToyNav;
use navmap_core::edit::{
    Apply, Atom, Changes, Command, EditFormat, Editor, Matching, Opened, Opening, Refusal, Report, ReportRow, Scope, Step,
    Verb, Version, Deed, Name, verb,
};
use navmap_core::error::{Error, Result};
use navmap_core::graph::FlatGraph;
use std::collections::BTreeSet;
use std::fmt;

type Fared = std::result::Result<(), Refusal>;

/// The points of a string, and the bytes behind them.
#[derive(Debug, Clone, PartialEq)]
pub struct ToyBuf {
    knots: Vec<[f32; 3]>,
    trailing: Vec<u8>,
}

impl ToyBuf {
    fn read(nav: &ToyNav<'_>) -> Result<Self> {
        let knots = nav.knots().iter().map(|knot| knot.position()).collect();
        Ok(Self { knots, trailing: nav.trailing().to_vec() })
    }
}

/// A string that is edited: its points, of which some may be gone.
#[derive(Debug)]
pub struct ToyEditor {
    opened: ToyBuf,
    knots: Vec<Option<[f32; 3]>>,
    change: Vec<(u32, Option<[f32; 3]>)>,
}

impl ToyEditor {
    fn put(&mut self, key: u32, knot: Option<[f32; 3]>) {
        if let Some(place) = self.knots.get_mut(key as usize) {
            self.change.push((key, std::mem::replace(place, knot)));
        }
    }

    fn shift(&mut self, c: &mut Command<'_>, s: &mut Scope<u32>) -> Fared {
        let [dx, dy, dz] = [c.number("x")?, c.number("y")?, c.number("z")?];
        let named = c.take();
        c.finish()?;
        let keys = match named {
            Some(word) => s.select(self, &word)?,
            None => self.all(),
        };
        for key in keys {
            let Some(Some([x, y, z])) = self.knots.get(key as usize).copied() else { continue };
            self.put(key, Some([x + dx, y + dy, z + dz]));
        }
        Ok(())
    }

    fn delete(&mut self, c: &mut Command<'_>, s: &mut Scope<u32>) -> Fared {
        let word = c.need("a selector")?;
        c.finish()?;
        for key in s.select(self, &word)? {
            self.put(key, None);
        }
        Ok(())
    }
}

impl Editor for ToyEditor {
    type Key = u32;
    type Change = Vec<(u32, Option<[f32; 3]>)>;

    const VERBS: &'static [(Verb, Apply<Self>)] = &[
        (verb("move", "DX DY DZ [SELECTOR]", "move points; everything when none is named"), Self::shift),
        (verb("delete", "SELECTOR", "delete points"), Self::delete),
    ];

    fn take_change(&mut self) -> Option<Self::Change> {
        (!self.change.is_empty()).then(|| std::mem::take(&mut self.change))
    }

    fn swap(&mut self, change: &mut Self::Change) {
        for (key, knot) in change.iter_mut().rev() {
            self.knots.get_mut(*key as usize).into_iter().for_each(|place| std::mem::swap(place, knot));
        }
        change.reverse();
    }

    fn all(&self) -> Vec<u32> {
        (0..).zip(&self.knots).filter(|(_, knot)| knot.is_some()).map(|(key, _)| key).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<u32> {
        let key: u32 = id.parse().ok().filter(|_| space.is_empty())?;
        self.knots.get(key as usize)?.map(|_| key)
    }

    fn name(&self, key: u32) -> String {
        format!("#{key}")
    }

    fn footprint(&self, key: u32) -> Option<String> {
        let [x, y, z] = self.knots.get(key as usize).copied().flatten()?;
        Some(format!("{x} {y} {z}"))
    }

    fn find_footprint(&self, _: &str, footprint: &str) -> Option<u32> {
        self.all().into_iter().find(|key| self.footprint(*key).as_deref() == Some(footprint))
    }

    fn select(&self, atom: &Atom<'_>) -> std::result::Result<Vec<u32>, Refusal> {
        Err(Refusal::unknown("selector", format_args!("{atom:?}")))
    }

    fn encode(&self) -> Result<Vec<u8>> {
        let count = u32::try_from(self.all().len()).map_err(|_| Error::invalid("knots", "there are too many"))?;
        let mut bytes = [&b"TOY1"[..], &count.to_le_bytes()].concat();
        self.knots.iter().flatten().flatten().for_each(|value| bytes.extend(value.to_le_bytes()));
        bytes.extend(&self.opened.trailing);
        Ok(bytes)
    }

    fn report(&self) -> Report {
        let bits = |knot: &[f32; 3]| knot.map(f32::to_bits);
        let was = self.opened.knots.iter().map(bits).collect();
        let is = self.knots.iter().flatten().map(bits).collect();
        Report { rows: vec![ReportRow::of_lists("knots", was, is)], notes: Vec::new() }
    }
}

impl<'a> EditFormat<'a> for ToyNav<'a> {
    const CALLED: &'static str = "toys";
    const VERSION: Option<fn(&Self) -> Result<ToyBuf>> = Some(ToyBuf::read);

    type Editor = ToyEditor;
    type Version = ToyBuf;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<ToyEditor>> {
        let opened = ToyBuf::read(self)?;
        let knots = opened.knots.iter().copied().map(Some).collect();
        Ok(Opened::new(ToyEditor { opened, knots, change: Vec::new() }))
    }
}

/// Points that are gone are deleted; nothing else is said.
impl Version for ToyBuf {
    fn difference(&self, after: &Self, [was, is]: [&FlatGraph; 2], matching: &dyn Matching) -> Result<Changes> {
        let kept: BTreeSet<u32> = matching.pairs(was, is).into_iter().map(|(before, _)| before).collect();
        let gone = (0..).zip(&self.knots).filter(|(key, _)| !kept.contains(key));
        let steps = gone.map(|(key, _)| Step { item: Name::new(key), deed: Deed::Delete }).collect();
        let new = after.knots.len().saturating_sub(kept.len());
        let unreached = if new > 0 { vec![format!("{new} new points")] } else { Vec::new() };
        let spell = |step: &Step, f: &mut fmt::Formatter<'_>| write!(f, "delete {}", step.item);
        Ok(Changes::new(steps, unreached, spell))
    }
}
