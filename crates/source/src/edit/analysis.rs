//! `nav_analyze`: with the map if the editor has it, else as far as the mesh alone allows.

use super::editor::SourceEditor;
use super::state::Item;
use crate::analyze::{AnalyzeOptions, Map, Phase, analyze};
use navmap_core::edit::{Command, Refusal, Scope, Word, nearest};
use std::sync::Arc;

/// The names of phases, including the mappers' own words.
const NAMES: [(&str, Phase); 8] = [
    ("hiding", Phase::Hiding),
    ("spots", Phase::Hiding),
    ("approach", Phase::Approach),
    ("encounters", Phase::Encounters),
    ("snipers", Phase::Snipers),
    ("visibility", Phase::Visibility),
    ("visibility-encoding", Phase::Visibility),
    ("times", Phase::Times),
];

impl SourceEditor {
    pub(super) fn nav_analyze(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let (full, quick) = (c.flag("--full"), c.flag("--quick"));
        let only = c.option("--only")?.map(|word| phases(&word)).transpose()?.unwrap_or_default();
        c.finish()?;
        if full && quick {
            return Err(Refusal::new("--full and --quick contradict each other").at(c.at()));
        }
        let spawns = self.ground.as_ref().map(|ground| ground.spawns.clone()).unwrap_or_default();
        let all = only.is_empty();
        let options = AnalyzeOptions {
            only,
            full: (full || quick).then_some(full),
            spawns,
            ..AnalyzeOptions::default()
        };
        // An area of an analysis takes as long as a thousand that are looked at.
        self.world.look_at_everything(1024);
        let slots = self.world.slots();
        let mut mesh = self.world.to_buf();
        let map = self.ground.as_ref().map(|ground| Arc::clone(&ground.map));
        let asked = map.as_ref().map(|map| &**map as &dyn Map);
        let report = analyze(&mut mesh, &options, asked).map_err(|error| Refusal::new(error.to_string()))?;
        for (slot, area) in slots.into_iter().zip(mesh.areas) {
            self.world.set_spots(slot, area.hiding_spots);
            self.world.set_approaches(slot, area.approaches);
            self.world.set_encounters(slot, area.encounters);
            self.world.set_visibility(slot, area.visible_areas, area.inherits);
            self.world.set_times(slot, area.occupy_times);
        }
        self.world.set_head(mesh.head);
        self.world.with_state(|state| state.fresh = all);
        report.to_string().lines().for_each(|line| s.say(line.to_owned()));
        Ok(())
    }
}

fn phases(word: &Word<'_>) -> Result<Vec<Phase>, Refusal> {
    let named = |name: &str| {
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, phase)| *phase).ok_or_else(|| {
            let names = NAMES.map(|(name, _)| name);
            Refusal::new(format!("{name} is no part of an analysis: {}", names.join(", ")))
                .or(nearest(name, names))
                .at(word.at)
        })
    };
    word.text.split(',').map(str::trim).map(named).collect()
}
