//! Meshes that more than one plugin overrides.

use super::deed::FixOptions;
use super::merge::{Clash, Differences, apart, merge};
use super::plan::FixPlan;
use super::rows::Version;
use super::world::Edited;
use crate::buf::NavMeshBuf;
use crate::check::links::Key;
use crate::form::FormId;
use crate::loadorder::LoadOrder;
use navmap_core::error::{Error, Result};
use std::collections::BTreeSet;

/// One plugin's version of a mesh in dispute.
#[derive(Clone, Debug, PartialEq)]
pub struct Overrider {
    /// Its index in the load order.
    pub plugin: usize,
    /// Its file name.
    pub file: String,
    /// The record, as this plugin names it.
    pub form: FormId,
    /// Whether it deletes the mesh.
    pub deletes: bool,
    /// Its changes to the version it overrides, that of the mesh's own file or else the first of the order; `None` if either cannot
    /// be read.
    pub changes: Option<Differences>,
    /// Links from and to the mesh that do not arrive, or without a link back, if this version wins.
    pub dangling: Vec<String>,
}

/// A mesh that at least two plugins override.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The record, as the winner names it.
    pub form: FormId,
    /// The record, as plugin editors show it: with the place of its file in the load order.
    pub number: FormId,
    /// The cell as plugin editors write it: `[CELL:00009BF1] (Tamriel -4,12)`.
    pub place: Option<String>,
    /// The file that the mesh comes from, also if it is not in the order.
    pub base: String,
    /// The plugins that override it, in load order. The last wins.
    pub overriders: Vec<Overrider>,
    /// What becomes of it.
    pub outcome: Outcome,
}

/// The result for a mesh in dispute.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// All versions are equal: no conflict at all.
    Alike,
    /// The winner contains every change, or was made over the versions that it changes back: nothing is lost.
    Harmless,
    /// All changes fit together, and [`FixPlan::patch`] holds the result.
    Merged,
    /// The version of this file was [chosen](Choice). The patch holds it if it does not win anyway.
    Chosen(String),
    /// Versions changed the same thing differently.
    Clashes(Vec<Clash>),
    /// The versions differ in their triangles or pieces of cover, or one cannot be read or is deleted: a person has to choose.
    Choice(String),
}

/// The readable versions of a mesh in dispute.
struct Meshes {
    base: Option<NavMeshBuf>,
    others: Vec<Option<NavMeshBuf>>,
}

/// Whether several plugins [change](Key::is_of) a mesh.
fn is_dispute(key: Key, versions: &[Version<'_>]) -> bool {
    versions.iter().filter(|version| !key.is_of(version.plugin)).count() > 1
}

/// The version that plugins override: that of the mesh's own file, or the first if that file is not in the order.
fn overridden<'a>(key: Key, versions: &[Version<'a>]) -> Option<Version<'a>> {
    versions.iter().find(|version| key.is_of(version.plugin)).or(versions.first()).copied()
}

/// The versions of plugins that override a mesh. If its own file is not in the order, that includes the first, which stands for it.
/// If it loads last, it overrides the others.
fn overriding<'a>(key: Key, versions: &[Version<'a>]) -> Vec<Version<'a>> {
    let last = versions.last().map(|version| version.plugin);
    let overrides = |plugin| !key.is_of(plugin) || Some(plugin) == last;
    versions.iter().filter(|version| overrides(version.plugin)).copied().collect()
}

impl Conflict {
    /// The version chosen by a person, by name or (not `named`) as part of its plugin. Marks the choices used.
    fn choice(
        &self,
        order: &LoadOrder<'_>,
        choices: &[Choice],
        used: &mut [bool],
        named: bool,
    ) -> Option<usize> {
        let mut chosen = None;
        for (choice, used) in choices.iter().zip(used).filter(|(choice, _)| choice.form.is_some() == named) {
            let mut overriders = self.overriders.iter();
            let at = overriders.position(|each| {
                let owners = order.owners(each.plugin);
                each.plugin == choice.plugin && choice.form.is_none_or(|form| owners.same(form, each.form))
            });
            *used |= at.is_some();
            chosen = chosen.or(at);
        }
        chosen
    }
}

/// A version that should win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The plugin of the version, as an index in the load order.
    pub plugin: usize,
    /// The mesh, as that plugin names it. `None`: each of its meshes that needs a choice.
    pub form: Option<FormId>,
}

impl<'o, 'a> FixPlan<'o, 'a> {
    /// Finds the meshes that more than one plugin overrides, and merges those whose versions have the same triangles. The plan
    /// contains the merged meshes, so that [`patch`](Self::patch) writes them. A plugin's version was made over those of its
    /// masters, and what it changes back of them stays as it has it.
    ///
    /// For a chosen version, the patch contains that version, and the links around it are [repaired](super::Repair::Links): these
    /// repairs are the plan's [deeds](Self::deeds), and so are doors that stand elsewhere with the patch, and whose records no patch
    /// can change. A choice that names a mesh takes precedence over a merge.
    ///
    /// # Errors
    /// If a choice names a mesh that is not in dispute, or a version that deletes the mesh or cannot be read.
    pub fn conflicts(order: &'o LoadOrder<'a>, choices: &[Choice]) -> Result<(Self, Vec<Conflict>)> {
        Self::disputes(order, choices, None)
    }

    /// [`conflicts`](Self::conflicts) of one navmesh alone, by its number in the load order, as plugin editors show it. If no mesh
    /// in dispute has that number, those whose last six digits are the same are meant, whatever their file. There may be none.
    ///
    /// # Errors
    /// If a choice names another mesh, or a version that deletes the mesh or cannot be read.
    pub fn conflicts_of(
        order: &'o LoadOrder<'a>,
        mesh: FormId,
        choices: &[Choice],
    ) -> Result<(Self, Vec<Conflict>)> {
        Self::disputes(order, choices, Some(mesh))
    }

    fn disputes(
        order: &'o LoadOrder<'a>,
        choices: &[Choice],
        only: Option<FormId>,
    ) -> Result<(Self, Vec<Conflict>)> {
        let mut plan = Self::new(order, &FixOptions { repairs: Vec::new(), ..FixOptions::default() });
        let mut disputed: Vec<(Key, Vec<Version<'a>>)> = plan
            .world
            .rows
            .all_versions()
            .filter(|(key, versions)| is_dispute(*key, versions))
            .map(|(key, versions)| (key, versions.to_vec()))
            .collect();
        if let Some(form) = only {
            let winner = |versions: &[Version<'a>]| versions.last().copied();
            let is = |winner: Version<'a>| order.number(winner.plugin, winner.navm.form_id()) == form;
            let exact = disputed.iter().any(|(_, versions)| winner(versions).is_some_and(is));
            let ends = |winner: Version<'a>| winner.navm.form_id().object_id() == form.object_id();
            disputed.retain(|(_, versions)| {
                winner(versions).is_some_and(|winner| if exact { is(winner) } else { ends(winner) })
            });
        }
        let sources = plan.sources(&disputed.iter().map(|(key, _)| *key).collect());
        let mut conflicts = Vec::new();
        let (mut used, mut chosen) = (vec![false; choices.len()], BTreeSet::new());
        for (key, versions) in disputed {
            let sources = sources.get(&key).cloned().unwrap_or_default();
            let Some((mut conflict, meshes)) = plan.conflict(key, &versions, &sources) else { continue };
            let choice = conflict.choice(order, choices, &mut used, true);
            if choice.is_none() {
                conflict.outcome = plan.bring_together(key, &versions, &meshes);
            }
            let open = matches!(conflict.outcome, Outcome::Clashes(_) | Outcome::Choice(_));
            let choice =
                choice.or_else(|| conflict.choice(order, choices, &mut used, false).filter(|_| open));
            if let Some(at) = choice {
                conflict.outcome = plan.choose(key, &versions, &meshes, at)?;
                chosen.insert(key);
            }
            conflicts.push(conflict);
        }
        if let Some((choice, _)) = choices.iter().zip(used).find(|(_, used)| !used) {
            let file = plan.world.file_name(choice.plugin);
            let which = choice.form.map_or_else(|| "any navmesh".to_owned(), |form| form.to_string());
            return Err(Error::invalid("choice", format!("no other plugin disputes {which} of {file}")));
        }
        plan.doors_of_patch();
        if !chosen.is_empty() {
            plan.links_around(&chosen);
        }
        plan.deeds.sort_by_key(|deed| (deed.plugin, deed.form, deed.repair));
        plan.settle();
        plan.map_entries();
        Ok((plan, conflicts))
    }

    /// A mesh in dispute, and its versions but for the one of its own file.
    fn conflict(
        &mut self,
        key: Key,
        versions: &[Version<'a>],
        sources: &BTreeSet<Key>,
    ) -> Option<(Conflict, Meshes)> {
        let (first, winner) = (overridden(key, versions)?, *versions.last()?);
        let base = self.world.read(&first, false).ok();
        let others = overriding(key, versions);
        let meshes: Vec<Option<NavMeshBuf>> =
            others.iter().map(|version| self.world.read(version, false).ok()).collect();
        let mut overriders = Vec::with_capacity(others.len());
        for (version, mesh) in others.iter().zip(&meshes) {
            let changes = base.as_ref().zip(mesh.as_ref());
            overriders.push(Overrider {
                plugin: version.plugin,
                file: self.world.file_name(version.plugin),
                form: version.navm.form_id(),
                deletes: version.navm.is_deleted(),
                changes: changes.map(|(base, mesh)| Differences::between(base, mesh)),
                dangling: self.dangling_with(key, mesh.as_ref(), sources),
            });
        }
        let conflict = Conflict {
            form: winner.navm.form_id(),
            number: self.world.order.number(winner.plugin, winner.navm.form_id()),
            place: self.world.place(&winner),
            base: self.world.order.file_name(key.file).unwrap_or_default(),
            overriders,
            outcome: Outcome::Harmless,
        };
        Some((conflict, Meshes { base, others: meshes }))
    }

    /// Makes a version the one that the game uses.
    ///
    /// # Errors
    /// If it deletes the mesh, or cannot be read.
    fn choose(&mut self, key: Key, versions: &[Version<'a>], meshes: &Meshes, at: usize) -> Result<Outcome> {
        let chosen = overriding(key, versions).get(at).copied();
        let (Some(version), Some(winner)) = (chosen, versions.last()) else {
            return Err(Error::invalid("choice", "is none of the versions"));
        };
        let file = self.world.file_name(version.plugin);
        let refuse =
            |why: &str| Err(Error::invalid("choice", format!("{} of {file} {why}", version.navm.form_id())));
        if version.navm.is_deleted() {
            return refuse("is deleted: choose a version that can be walked on");
        }
        let Some(mesh) = meshes.others.get(at).and_then(Option::as_ref) else {
            return refuse("cannot be read");
        };
        if version.plugin != winner.plugin {
            let flags = version.navm.header().flags();
            let mesh = mesh.clone();
            let home = winner.plugin;
            let edited = Edited {
                target: *winner,
                source: version,
                home,
                flags,
                mesh,
                before: None,
                written_anew: true,
            };
            self.world.edited.insert(key, edited);
            self.world.changed(key);
        }
        Ok(Outcome::Chosen(file))
    }

    fn bring_together(&mut self, key: Key, versions: &[Version<'a>], meshes: &Meshes) -> Outcome {
        let others = overriding(key, versions);
        let (Some(first), Some(winner)) = (overridden(key, versions), versions.last()) else {
            return Outcome::Harmless;
        };
        // Versions that say the same leave nothing to choose, whatever they say of the first.
        let deleted = others.iter().filter(|version| version.navm.is_deleted()).count();
        let same = meshes
            .others
            .first()
            .is_some_and(|first| first.is_some() && meshes.others.iter().all(|each| each == first));
        if deleted == others.len() || deleted == 0 && same {
            return Outcome::Alike;
        }
        let Some(base) = &meshes.base else {
            let file = self.world.file_name(first.plugin);
            return Outcome::Choice(format!("the version of {file} cannot be read"));
        };
        if !key.is_of(first.plugin) {
            let file = self.world.order.file_name(key.file).unwrap_or_default();
            return Outcome::Choice(format!("{file} is not in the load order"));
        }
        let one_deletes = || Outcome::Choice("one of the plugins deletes it".to_owned());
        if winner.navm.is_deleted() {
            return one_deletes();
        }
        let Some(Some(last)) = meshes.others.last() else {
            return Outcome::Choice("the winning version cannot be read".to_owned());
        };
        let known = self.known(&others);
        let mut merged = last.clone();
        let mut clashes = Vec::new();
        // What the winner was made over is in it, as far as its author kept it.
        let mut within: BTreeSet<usize> = others.len().checked_sub(1).into_iter().collect();
        within.extend(known.last().into_iter().flatten());
        // Later plugins come first: where the winner has a value, it stays.
        for (at, version) in others.iter().enumerate().rev() {
            if within.contains(&at) {
                continue;
            }
            let mesh = match meshes.others.get(at).and_then(Option::as_ref) {
                _ if version.navm.is_deleted() => return one_deletes(),
                Some(mesh) => mesh,
                None => return Outcome::Choice("one of the versions cannot be read".to_owned()),
            };
            // It changed the last version that its author knew, and of that what is merged already.
            let mut before =
                known.get(at).into_iter().flatten().rev().filter(|before| within.contains(*before));
            let base = before.find_map(|before| meshes.others.get(*before)?.as_ref()).unwrap_or(base);
            let Some((both, more)) = merge(base, &merged, mesh) else {
                let why = apart(base, &merged, mesh).unwrap_or("the versions do not fit together");
                return Outcome::Choice(why.to_owned());
            };
            merged = both;
            clashes.extend(more);
            within.insert(at);
            within.extend(known.get(at).into_iter().flatten());
        }
        if !clashes.is_empty() {
            return Outcome::Clashes(clashes);
        }
        if merged == *last {
            return Outcome::Harmless;
        }
        let flags = winner.navm.header().flags();
        let edited = Edited {
            target: *winner,
            source: *winner,
            home: winner.plugin,
            flags,
            mesh: merged,
            before: None,
            written_anew: false,
        };
        self.world.edited.insert(key, edited);
        self.world.changed(key);
        Outcome::Merged
    }

    /// For each version, those before it that its author knew, by their numbers: those of its plugin's masters, and what these knew.
    fn known(&self, versions: &[Version<'_>]) -> Vec<BTreeSet<usize>> {
        let mut known: Vec<BTreeSet<usize>> = Vec::with_capacity(versions.len());
        for version in versions {
            let masters: Vec<usize> = (0..known.len())
                .filter(|before| {
                    let master = versions.get(*before).map(|before| before.plugin);
                    master.is_some_and(|master| self.world.order.has_master(version.plugin, master))
                })
                .collect();
            let further: Vec<usize> =
                masters.iter().filter_map(|at| known.get(*at)).flatten().copied().collect();
            known.push(masters.into_iter().chain(further).collect());
        }
        known
    }

    /// A plugin's version of a mesh, with FormIDs comparable between versions; `None` if it cannot be read. For pictures and
    /// comparisons.
    pub fn version(&mut self, plugin: usize, form: FormId) -> Option<NavMeshBuf> {
        let key = self.world.order.key(plugin, form)?;
        let version = *self.world.rows.versions(key).iter().find(|version| version.plugin == plugin)?;
        self.world.read(&version, false).ok()
    }
}
