//! The small numbers of an area that only some versions store: times, light, what may spawn.

use super::world::{Slot, World};
use crate::buf::AreaBuf;
use crate::flags::SpawnAttributes;
use crate::layout::Layout;
use navmap_core::edit::{Unreached, Values, number};
use navmap_core::text::counted;
use std::mem::swap;
use zerocopy::byteorder::little_endian::F32;

/// The small numbers of one area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stored {
    pub(super) times: [F32; 2],
    light: [F32; 4],
    spawn: SpawnAttributes,
    after_spawn: u16,
}

/// Their names in `area set`.
pub(super) const KEYS: [&str; 4] = ["times", "light", "spawn", "after-spawn"];

impl Stored {
    pub(super) fn new(area: &AreaBuf) -> Self {
        Self {
            times: area.occupy_times,
            light: area.light,
            spawn: area.spawn_attributes,
            after_spawn: area.unknown_after_spawn_attributes,
        }
    }

    pub(super) fn exchange(&mut self, area: &mut AreaBuf) {
        swap(&mut self.times, &mut area.occupy_times);
        swap(&mut self.light, &mut area.light);
        swap(&mut self.spawn, &mut area.spawn_attributes);
        swap(&mut self.after_spawn, &mut area.unknown_after_spawn_attributes);
    }

    /// Parses a value. `Err` says what was expected, or why this mesh has none.
    pub(super) fn read(&mut self, key: &str, value: &str, layout: Layout) -> Result<(), String> {
        let (stored, since) = match key {
            "times" => (layout.has_occupy_times(), "version 8"),
            "light" => (layout.has_light(), "version 11"),
            _ => (layout.has_spawn_attributes(), "Left 4 Dead"),
        };
        if !stored {
            return Err(format!("{key} is stored from {since} on, not in this mesh")
                .replace("Left 4 Dead on", "Left 4 Dead"));
        }
        match key {
            "times" => self.times = numbers(value)?,
            "light" => self.light = numbers(value)?,
            "spawn" => {
                let bits = super::exact::bits(value);
                self.spawn = SpawnAttributes(
                    bits.ok_or_else(|| format!("{value} where a number of 32 bits was expected"))?,
                );
            }
            _ => {
                let word = value.parse();
                self.after_spawn =
                    word.map_err(|_| format!("{value} where a number of 16 bits was expected"))?;
            }
        }
        Ok(())
    }

    /// The values that differ from the old ones, if a mesh of this layout stores them.
    pub(super) fn values(&self, was: &Self, layout: Layout, unreached: &mut Unreached) -> Values {
        let mut values = Values::new();
        let mut floats = |key: &'static str, what, stored: bool, new: &[F32], old: &[F32]| {
            let bits = |all: &[F32]| all.iter().map(|v| v.get().to_bits()).collect::<Vec<_>>();
            if bits(new) == bits(old) {
                return;
            }
            let spelled = stored && new.iter().all(|v| v.get().is_finite());
            unreached.note(what, !spelled);
            let text = new.iter().map(|v| v.get().to_string()).collect::<Vec<_>>().join(",");
            values.extend(spelled.then(|| (key, text.into())));
        };
        floats("times", "occupy times", layout.has_occupy_times(), &self.times, &was.times);
        floats("light", "light", layout.has_light(), &self.light, &was.light);
        let stored = layout.has_spawn_attributes();
        if self.spawn != was.spawn {
            unreached.note("spawn attributes", !stored);
            values.extend(stored.then(|| ("spawn", format!("0x{:x}", self.spawn.bits()).into())));
        }
        if self.after_spawn != was.after_spawn {
            unreached.note("the number after spawn attributes", !stored);
            values.extend(stored.then(|| ("after-spawn", self.after_spawn.to_string().into())));
        }
        values
    }
}

fn numbers<const N: usize>(text: &str) -> Result<[F32; N], String> {
    let all: Option<Vec<F32>> = text.split(',').map(|part| number(part).map(F32::new)).collect();
    all.and_then(|all| <[F32; N]>::try_from(all).ok())
        .ok_or_else(|| format!("{text} where {} were expected", counted(N as u64, "number", "numbers")))
}

impl World {
    pub(super) fn set_stored(&mut self, slot: Slot, stored: Stored) {
        if self.area(slot).is_some_and(|area| Stored::new(area) != stored) {
            self.record(super::change::Delta::Stored(slot, Box::new(stored)));
        }
    }
}
