//! What a check finds in the files that a plan would write.

use super::deed::{Deed, Repair};
use super::plan::{FixPlan, Said};
use crate::check::{plugin as check_plugin, unreadable_map};
use crate::codes::CODES;
use crate::form::FormId;
use crate::loadorder::LoadOrder;
use crate::plugin::Plugin;
use crate::survey::damage;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::text::counted;
use navmap_core::{Finding, Limits, Severity};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Findings of one code about one record: the plugin and the record that they are told of, how many, and the first.
type Found = BTreeMap<(usize, FormId, &'static str), (u64, String)>;

impl FixPlan<'_, '_> {
    /// Makes what [`patch`](Self::patch) or [`plugin`](Self::plugin) would write, checks it, and adds a deed for every warning
    /// and error that no deed tells of as left, except those that were there before and that a repair not asked for is about. Does
    /// nothing if nothing would be written.
    ///
    /// # Errors
    /// Those of the two.
    pub fn verify(&mut self, light: bool) -> Result<()> {
        let mut found = Found::new();
        let changed = self.changed_plugins();
        if self.options.patch && !changed.is_empty() {
            self.look_at(&self.patch(light)?, None, &mut found)?;
        } else {
            let changed = changed.into_iter().filter(|index| self.options.touches(*index));
            for index in changed.collect::<Vec<_>>() {
                self.look_at(&self.plugin(index)?, Some(index), &mut found)?;
            }
        }
        let mut left: HashMap<_, Vec<&Deed>> = HashMap::new();
        for deed in self.deeds.iter().filter(|deed| deed.left.is_some()) {
            left.entry((deed.plugin, deed.form)).or_default().push(deed);
        }
        let mut earlier: BTreeMap<usize, BTreeSet<(FormId, &'static str)>> = BTreeMap::new();
        found.retain(|(plugin, form, code), _| {
            let was_there = Repair::told_by(code).is_some_and(|repair| !self.options.wants(repair))
                && earlier.entry(*plugin).or_insert_with(|| self.found_in(*plugin)).contains(&(*form, *code));
            let told =
                left.get(&(*plugin, *form)).is_some_and(|deeds| deeds.iter().any(|deed| tells(deed, code)));
            !was_there && !told
        });
        for ((plugin, form, code), (count, first)) in found {
            self.note_found(plugin, form, code, count, &first);
        }
        self.deeds.sort_by_key(|deed| (deed.plugin, deed.form, deed.repair));
        Ok(())
    }

    /// Tells of groups and info maps that cannot be read. No other deed knows of what is in them.
    pub(super) fn unreadable(&mut self) {
        let mut found: BTreeMap<(usize, &'static str), (u64, String)> = BTreeMap::new();
        let mut note = |index: usize, finding: Finding| {
            let (count, _) = found.entry((index, finding.code)).or_insert((0, finding.message));
            *count = count.saturating_add(1);
        };
        for (index, error) in &self.world.unread {
            note(*index, damage(error, "damaged-group"));
        }
        for index in 0..self.world.order.len() {
            if let Some((_, plugin)) = self.world.order.get(index) {
                unreadable_map(plugin, &mut Scratch::new(), &mut |finding| note(index, finding));
            }
        }
        for ((index, code), (count, first)) in found {
            if self.options.touches(index) {
                self.note_found(index, FormId::NULL, code, count, &first);
            }
        }
    }

    /// Adds a deed for findings of one code about one record, which are left.
    fn note_found(&mut self, plugin: usize, form: FormId, code: &'static str, count: u64, first: &str) {
        let more = match count {
            1 => String::new(),
            _ => format!(" (the first of {})", counted(count, "finding", "findings")),
        };
        let said = Said {
            repair: Repair::Mesh,
            what: code.to_owned(),
            before: format!("{first}{more}"),
            after: String::new(),
        };
        let key = self.world.order.key(plugin, form).filter(|_| !form.is_null());
        let place = key.and_then(|key| self.world.place(&self.world.winner(key)?));
        let known = CODES.iter().find(|known| known.code == code);
        let why = known.map_or("nothing here mends it", |known| known.remedy);
        self.note_at(plugin, form, place, said, Some(why.trim_end_matches('.').to_owned()));
    }

    /// What is found in a plugin as it is.
    fn found_in(&self, index: usize) -> BTreeSet<(FormId, &'static str)> {
        let mut found = BTreeSet::new();
        if let Some((_, plugin)) = self.world.order.get(index) {
            warnings(plugin, |form, finding| _ = found.insert((form.unwrap_or(FormId::NULL), finding.code)));
        }
        found
    }

    /// Checks a file: the new version of a plugin of the order, or a patch.
    fn look_at(&self, bytes: &[u8], index: Option<usize>, found: &mut Found) -> Result<()> {
        let order = self.world.order;
        let plugin = Plugin::parse(bytes, &Limits::default())?;
        // In an order that ends with the file, its records have the keys that they have here.
        let mut with = LoadOrder::new();
        for (name, plugin) in (0..order.len()).filter_map(|at| order.get(at)) {
            with.push(name, *plugin);
        }
        with.push("", plugin);
        let own = index.unwrap_or(order.len());
        warnings(&plugin, |form, finding| {
            let winner = form.filter(|_| index.is_none()).and_then(|form| {
                let target = self.world.winner(with.key(order.len(), form)?)?;
                Some((target.plugin, target.navm.form_id()))
            });
            let (plugin, form) = winner.unwrap_or((own, form.unwrap_or(FormId::NULL)));
            let (count, _) = found.entry((plugin, form, finding.code)).or_insert((0, finding.message));
            *count = count.saturating_add(1);
        });
        Ok(())
    }
}

/// The warnings and errors of a plugin by itself, with the navmesh that each is of.
fn warnings(plugin: &Plugin<'_>, mut each: impl FnMut(Option<FormId>, Finding)) {
    let forms: Vec<FormId> = plugin.navmeshes().flatten().map(|navm| navm.form_id()).collect();
    check_plugin(plugin, &mut Scratch::new(), &mut |finding| {
        if finding.severity >= Severity::Warning {
            let form = match finding.at.record {
                Some(("NAVM", at)) => usize::try_from(at).ok().and_then(|at| forms.get(at)).copied(),
                _ => None,
            };
            each(form, finding);
        }
    });
}

/// Whether a deed that was left tells of this code.
fn tells(deed: &Deed, code: &str) -> bool {
    deed.what == code
        || match deed.repair {
            Repair::Links => code.starts_with("edge-link-"),
            Repair::Doors => Repair::mending(code) == Some(Repair::Doors),
            Repair::Entry | Repair::Prune => code.starts_with("nvmi-") || code.starts_with("navi-"),
            Repair::Undelete => code == "deleted-navmesh",
            Repair::Counts => code == "damaged-navmesh",
            _ => false,
        }
}
