//! The plan: every repair, and the data to write.

use super::deed::{Deed, FixOptions, Repair};
use super::rows::Version;
use super::world::World;
use crate::change::TriangleMap;
use crate::check::links::Key;
use crate::form::FormId;
use crate::loadorder::LoadOrder;
use crate::mapbuf::MapEntryBuf;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

/// The planned repairs of a load order's navmeshes. Nothing is written yet.
#[derive(Debug)]
pub struct FixPlan<'o, 'a> {
    pub(super) world: World<'o, 'a>,
    pub(super) options: FixOptions,
    pub(super) deeds: Vec<Deed>,
    /// Entries of the info map to write, and the plugin they belong in.
    pub(super) entries: BTreeMap<Key, (usize, MapEntryBuf)>,
    /// Records that are removed.
    pub(super) removed: Vec<Version<'a>>,
    /// Restored meshes.
    pub(super) undeleted: BTreeSet<Key>,
    /// Doors whose triangle was renumbered or deleted, by plugin.
    pub(super) doors: Seats,
    /// The last plugin that has a record of each door that a mesh lists, once it is asked for.
    pub(super) door_homes: OnceLock<HashMap<Key, usize>>,
    /// New numbers of triangles, of meshes of which some were deleted.
    pub(super) moved: Moved,
    /// Entries to remove from the info maps of plugins, by the offset of their payload.
    pub(super) pruned: BTreeSet<(usize, u64)>,
    /// Fields of spaces that are not known and are carried as they are.
    pub(super) carried: u64,
}

/// What becomes of doors, by the plugin whose record changes.
pub(super) type Seats = BTreeMap<(usize, Key), Seat>;

/// What the numbers of triangles become, by mesh.
pub(super) type Moved = BTreeMap<Key, TriangleMap>;

/// What becomes of a door.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    /// The mesh that it stands on.
    pub(super) mesh: Key,
    /// Its triangle there; `None` if it stands there no longer.
    pub(super) triangle: Option<u16>,
}

/// The description of a repair.
pub(super) struct Said {
    pub(super) repair: Repair,
    pub(super) what: String,
    pub(super) before: String,
    pub(super) after: String,
}

impl<'o, 'a> FixPlan<'o, 'a> {
    /// Plans the repair of a load order: surveys every mesh that the game uses, then plans the requested repairs.
    ///
    /// Inflates each such mesh once, on all cores, and repaired ones again. Memory grows with the versions of meshes (some 200
    /// bytes each), with the links between those that the game uses (16 bytes each) and their doors, and with the repaired meshes.
    pub fn new(order: &'o LoadOrder<'a>, options: &FixOptions) -> Self {
        let mut plan = Self {
            world: World::survey(order, options.wants(Repair::Mesh), options.wants(Repair::Entry)),
            options: options.clone(),
            deeds: Vec::new(),
            entries: BTreeMap::new(),
            removed: Vec::new(),
            undeleted: BTreeSet::new(),
            doors: Seats::new(),
            door_homes: OnceLock::new(),
            moved: Moved::new(),
            pruned: BTreeSet::new(),
            carried: 0,
        };
        for repair in Repair::ALL.into_iter().filter(|repair| options.wants(*repair)) {
            match repair {
                Repair::Undelete => plan.undelete(),
                Repair::Counts => plan.counts(),
                Repair::Mesh => plan.meshes(),
                Repair::Links => plan.links(),
                Repair::Doors => plan.doors(),
                Repair::Unused => plan.unused(),
                Repair::Entry | Repair::Prune => {}
                Repair::Identical => plan.identical(),
            }
        }
        plan.follow_moved();
        plan.settle();
        if options.wants(Repair::Mesh) {
            plan.still_broken();
        }
        plan.map_entries();
        if options.wants(Repair::Prune) {
            plan.prune();
        }
        plan.unreadable();
        plan.deeds.sort_by_key(|deed| (deed.plugin, deed.form, deed.repair));
        plan
    }

    /// Every repair, done or left, by plugin and record.
    pub fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// The number of repairs not done. [Remarks](Deed::remark) do not count.
    pub fn left(&self) -> usize {
        self.deeds.iter().filter(|deed| deed.left.is_some() && !deed.remark).count()
    }

    /// How many are done.
    pub fn done(&self) -> usize {
        self.deeds.iter().filter(|deed| deed.left.is_none()).count()
    }

    /// The plugins that [`plugin`](Self::plugin) would change, as indices in the load order.
    pub fn changed_plugins(&self) -> Vec<usize> {
        let edited = self.world.edited.values().map(|edited| edited.home);
        let entries = self.entries.values().map(|(plugin, _)| *plugin);
        let removed = self.removed.iter().map(|version| version.plugin);
        let doors = self.doors.keys().map(|(plugin, _)| *plugin);
        let pruned = self.pruned.iter().map(|(plugin, _)| *plugin);
        let all: BTreeSet<usize> = edited.chain(entries).chain(removed).chain(doors).chain(pruned).collect();
        all.into_iter().collect()
    }

    pub(super) fn note(&mut self, version: &Version<'a>, said: Said, left: Option<String>) {
        let place = self.world.place(version);
        self.note_at(version.plugin, version.navm.form_id(), place, said, left);
    }

    pub(super) fn note_at(
        &mut self,
        plugin: usize,
        form: FormId,
        place: Option<String>,
        said: Said,
        left: Option<String>,
    ) {
        let Said { repair, what, before, after } = said;
        let file = self.world.file_name(plugin);
        let number = self.world.order.number(plugin, form);
        let remark = repair == Repair::Unused;
        self.deeds.push(Deed {
            plugin,
            file,
            form,
            number,
            place,
            repair,
            what,
            before,
            after,
            left,
            remark,
        });
    }

    /// Makes the last deed a remark about something possibly intended.
    pub(super) fn last_is_remark(&mut self) {
        if let Some(deed) = self.deeds.last_mut() {
            deed.remark = true;
        }
    }

    /// Recomputes the derived values of repaired meshes, and drops unchanged ones.
    pub(super) fn settle(&mut self) {
        let keys: Vec<Key> = self.world.edited.keys().copied().collect();
        for key in keys {
            let before = self.world.before(key);
            let Some((edited, before)) = self.world.edited.get_mut(&key).zip(before) else { continue };
            edited.mesh.settle_as(&before, self.options.geometric_grid);
            let same_record = edited.source.plugin == edited.target.plugin;
            if same_record && !edited.written_anew && edited.mesh.same(&before) {
                self.world.edited.remove(&key);
            }
        }
        match self.options.patch {
            true => self.leave_out(),
            false => self.drop_unwritable(),
        }
    }

    /// Drops meshes that a plugin cannot contain, since they name a file that is not one of its masters, or come with a field that is
    /// not known. Their doors stay too.
    fn drop_unwritable(&mut self) {
        let order = self.world.order;
        let mut failed = Vec::new();
        for (key, edited) in &self.world.edited {
            if let Err(why) = self.fits(edited, edited.home) {
                failed.push((*key, edited.target, why));
            }
        }
        for (key, target, why) in failed {
            self.world.edited.remove(&key);
            self.undeleted.remove(&key);
            self.doors.retain(|_, seat| seat.mesh != key);
            let form = target.navm.form_id();
            for deed in &mut self.deeds {
                if deed.left.is_none() && deed.plugin == target.plugin && deed.form == form {
                    deed.left = Some(why.clone());
                }
            }
        }
        debug_assert!(order.len() >= self.changed_plugins().len());
    }
}
