//! Meshes that more than one plugin overrides.

#![forbid(unsafe_code)]

use super::deed::FixOptions;
use super::merge::{Clash, Differences, merge};
use super::plan::FixPlan;
use super::world::{Edited, Version};
use crate::format::skyrim::buf::NavMeshBuf;
use crate::format::skyrim::check::links::Key;
use crate::format::skyrim::form::FormId;
use crate::format::skyrim::loadorder::LoadOrder;
use std::collections::BTreeMap;

/// One plugin's version of a mesh in dispute.
#[derive(Clone, Debug, PartialEq)]
pub struct Overrider {
    /// Its place in the load order.
    pub plugin: usize,
    /// Its file name.
    pub file: String,
    /// Whether it deletes the mesh.
    pub deletes: bool,
    /// What it changes of the version it overrides, the first of the order; `None` if one of both cannot be read.
    pub changes: Option<Differences>,
}

/// A mesh that at least two plugins override.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The record, as the winner names it.
    pub form: FormId,
    /// The cell or worldspace.
    pub place: Option<String>,
    /// The plugin that the mesh comes from, or the first that has it.
    pub base: String,
    /// The plugins that override it, in load order. The last wins.
    pub overriders: Vec<Overrider>,
    /// Links that do not arrive, or from which none leads back, with the winner.
    pub dangling: Vec<String>,
    /// What becomes of it.
    pub outcome: Outcome,
}

/// What becomes of a mesh in dispute.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The winner changes nothing that another does not, or all say the same: nothing is lost.
    Harmless,
    /// All changes fit together, and [`FixPlan::patch`] holds the result.
    Merged,
    /// The same was changed otherwise.
    Clashes(Vec<Clash>),
    /// The versions do not have the same triangles, or one cannot be read or is deleted: somebody has to choose.
    Choice(String),
}

impl<'o, 'a> FixPlan<'o, 'a> {
    /// Finds the meshes that more than one plugin overrides, and merges those whose versions have the same triangles. The
    /// plan holds the merged meshes, so that [`patch`](Self::patch) writes them.
    pub fn conflicts(order: &'o LoadOrder<'a>) -> (Self, Vec<Conflict>) {
        let mut plan = Self::of(order, &FixOptions { repairs: Vec::new(), ..FixOptions::default() });
        let disputed: Vec<(Key, Vec<Version<'a>>)> = plan
            .world
            .versions
            .iter()
            .filter(|(key, versions)| {
                let own = versions.first().is_some_and(|first| first.plugin == key.file as usize);
                versions.len() > if own { 2 } else { 1 }
            })
            .map(|(key, versions)| (*key, versions.clone()))
            .collect();
        let unsound = plan.unsound();
        let conflicts: Vec<Conflict> = disputed
            .into_iter()
            .filter_map(|(key, versions)| plan.conflict(key, &versions, &unsound))
            .collect();
        plan.settle();
        plan.map_entries();
        (plan, conflicts)
    }

    fn conflict(
        &mut self,
        key: Key,
        versions: &[Version<'a>],
        unsound: &BTreeMap<Key, Vec<String>>,
    ) -> Option<Conflict> {
        let order = self.world.order;
        let name = |plugin: usize| order.get(plugin).map_or_else(String::new, |(name, _)| name.to_owned());
        let (first, rest) = versions.split_first()?;
        let winner = *versions.last()?;
        let own = first.plugin == key.file as usize;
        let base = self.world.read(first, false).ok();
        // Without its master in the order, the first override stands for it.
        let others = if own { rest } else { versions };
        let meshes: Vec<Option<NavMeshBuf>> =
            others.iter().map(|version| self.world.read(version, false).ok()).collect();
        let overriders = others
            .iter()
            .zip(&meshes)
            .map(|(version, mesh)| Overrider {
                plugin: version.plugin,
                file: name(version.plugin),
                deletes: version.navm.is_deleted(),
                changes: base
                    .as_ref()
                    .zip(mesh.as_ref())
                    .map(|(base, mesh)| Differences::between(base, mesh)),
            })
            .collect();
        let outcome = match base {
            Some(base) if own => self.bring_together(key, winner, &base, others, &meshes),
            Some(_) => Outcome::Choice(format!(
                "{} is not in the load order",
                order.file_name(key.file).unwrap_or_default()
            )),
            None => Outcome::Choice(format!("the version of {} cannot be read", name(first.plugin))),
        };
        Some(Conflict {
            form: winner.navm.form_id(),
            place: self.world.place(&winner),
            base: name(first.plugin),
            overriders,
            dangling: unsound.get(&key).cloned().unwrap_or_default(),
            outcome,
        })
    }

    fn bring_together(
        &mut self,
        key: Key,
        winner: Version<'a>,
        base: &NavMeshBuf,
        others: &[Version<'a>],
        meshes: &[Option<NavMeshBuf>],
    ) -> Outcome {
        if others.iter().any(|version| version.navm.is_deleted()) {
            return Outcome::Choice("one of the plugins deletes it".to_owned());
        }
        let Some((Some(last), before)) = meshes.split_last() else {
            return Outcome::Choice("the winning version cannot be read".to_owned());
        };
        let mut merged = last.clone();
        let mut clashes = Vec::new();
        // Later plugins before earlier ones: what the winner says stands where it says something.
        for mesh in before.iter().rev() {
            let Some(mesh) = mesh else {
                return Outcome::Choice("one of the versions cannot be read".to_owned());
            };
            let Some((both, more)) = merge(base, &merged, mesh) else {
                return Outcome::Choice("the versions do not have the same triangles".to_owned());
            };
            merged = both;
            clashes.extend(more);
        }
        if !clashes.is_empty() {
            return Outcome::Clashes(clashes);
        }
        if merged == *last {
            return Outcome::Harmless;
        }
        let flags = winner.navm.header().flags();
        let edited = Edited {
            target: winner,
            source: winner,
            home: winner.plugin,
            flags,
            mesh: merged,
            before: last.clone(),
            written_anew: false,
        };
        self.world.edited.insert(key, edited);
        self.world.changed(key);
        Outcome::Merged
    }

    /// The version of a mesh that a plugin has, with FormIDs that mean the same in every version; `None` if it cannot be
    /// read. For pictures and comparisons.
    pub fn version(&mut self, plugin: usize, form: FormId) -> Option<NavMeshBuf> {
        let key = self.world.order.key(plugin, form)?;
        let version = *self.world.versions.get(&key)?.iter().find(|version| version.plugin == plugin)?;
        self.world.read(&version, false).ok()
    }

    /// The FormID by which a plugin names the record that another calls `form`.
    pub fn form_in(&self, plugin: usize, form: FormId, other: usize) -> Option<FormId> {
        let order = self.world.order;
        order.local(other, order.key(plugin, form)?)
    }
}
