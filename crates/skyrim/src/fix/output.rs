//! Writes a plugin with its repairs.

use super::names::{rename_entry, rename_mesh};
use super::plan::FixPlan;
use super::rows::Version;
use super::world::Edited;
use crate::buf::NavMeshBuf;
use crate::check::links::Key;
use crate::fields::{Field, Fields, exactly};
use crate::form::{FormId, Tag};
use crate::mapbuf::{MapEntryBuf, entry_of, last_entries, new_map, no_map, with_entries};
use crate::navi::{MapEntry, NavMap};
use crate::plugin::Plugin;
use crate::precut::{MNAM, precut};
use crate::record::Xndp;
use crate::rewrite::{Changes, HEADER, NewRecord, group, with_field};
use crate::walk::Wanted;
use crate::write::field;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use zerocopy::IntoBytes;

impl<'a> FixPlan<'_, 'a> {
    /// A new version of one plugin of the order, with all repairs of its records. All other bytes are unchanged.
    ///
    /// # Errors
    /// If there is no such plugin, or its groups are damaged.
    pub fn plugin(&self, index: usize) -> Result<Vec<u8>> {
        let order = self.world.order;
        let Some((_, plugin)) = order.get(index) else {
            return Err(Error::invalid("load order", format!("has no plugin {index}")));
        };
        let (mut changes, mut scratch) = (Changes::new(), Scratch::new());
        let local = |key: Key| order.local(index, key);
        self.write_overrides(index, plugin, &mut changes)?;
        let here = |edited: &&Edited<'_>| edited.home == index && edited.target.plugin == index;
        for edited in self.world.edited.values().filter(here) {
            let record = edited.target.navm.record();
            let data = match edited.stays_in(index) {
                // Its other fields need not be known.
                true => {
                    let mesh = self.local_mesh(edited, index)?.encode()?;
                    with_field(record.fields(&mut scratch)?, Tag(*b"NVNM"), Some(&mesh))?
                }
                false => self.record_data(edited, local)?,
            };
            changes.set(record, edited.flags, data);
        }
        let mut gone = BTreeSet::new();
        for version in self.removed.iter().filter(|version| version.plugin == index) {
            if plugin.is_master() {
                changes.note_override(version.navm.form_id(), false);
            }
            gone.extend(order.key(index, version.navm.form_id()));
        }
        // With all others of its FormID, so that none takes its place.
        if !gone.is_empty() {
            let is_gone = |form| order.key(index, form).is_some_and(|key| gone.contains(&key));
            let navmeshes = plugin.navmeshes().flatten();
            navmeshes.filter(|navm| is_gone(navm.form_id())).for_each(|navm| changes.remove(navm.record()));
        }
        match plugin.navi() {
            // It stays as it is, which is told.
            _ if self.world.unread_maps.contains(&index) => {}
            Ok(Some(navi)) => {
                let data = self.map_data(index, navi.fields(&mut scratch)?, &gone)?;
                if data != navi.fields(&mut scratch)?.rest() {
                    changes.set(&navi, navi.header().flags(), data);
                }
            }
            _ => {
                if let Some((head, data)) = self.new_map(plugin, local, Some(index), self.map_form(index))? {
                    let bytes = group(*b"NAVI", 0, &[head.encode(&data)?])?;
                    changes.append_group(0, bytes, 2);
                }
            }
        }
        for record in plugin.walk(Wanted::DOORS).flatten() {
            let door = order.key(index, record.form_id());
            let Some(seat) = door.and_then(|door| self.doors.get(&(index, door))) else { continue };
            let fields = record.fields(&mut scratch)?;
            let Some(stored) = fields.clone().find_tag(Tag(*b"XNDP"))? else { continue };
            let now = match (seat.triangle, exactly::<Xndp>(&stored, "XNDP")) {
                (Some(_), Err(_)) => continue,
                (Some(triangle), Ok(xndp)) => {
                    let same = order.key(index, xndp.navmesh()) == Some(seat.mesh);
                    let mesh = if same { None } else { local(seat.mesh) };
                    Some(xndp.on(mesh.unwrap_or(xndp.navmesh()), triangle))
                }
                (None, _) => None,
            };
            let now = now.as_ref().map(IntoBytes::as_bytes);
            changes.set(&record, record.header().flags(), with_field(fields, Tag(*b"XNDP"), now)?);
        }
        changes.apply(plugin)
    }

    /// A repaired mesh with the FormIDs of a plugin.
    ///
    /// # Errors
    /// If it names a file that is not one of the plugin's masters.
    pub(super) fn local_mesh(&self, edited: &Edited<'_>, plugin: usize) -> Result<NavMeshBuf> {
        self.named_mesh(&edited.mesh, |key| self.world.order.local(plugin, key))
    }

    /// Whether a repaired mesh can be written into a plugin.
    ///
    /// # Errors
    /// If it or another field of its record names a file that is not one of the plugin's masters, or a field is not known whose
    /// FormIDs might have to change.
    pub(super) fn fits(&self, edited: &Edited<'_>, plugin: usize) -> std::result::Result<(), String> {
        self.local_mesh(edited, plugin).map_err(|error| error.to_string())?;
        if !edited.stays_in(plugin) {
            let (order, from) = (self.world.order, edited.source.plugin);
            other_fields(&edited.source, |form| order.local(plugin, order.key(from, form)?))?;
        }
        Ok(())
    }

    fn named_mesh(&self, mesh: &NavMeshBuf, to: impl Fn(Key) -> Option<FormId>) -> Result<NavMeshBuf> {
        let mut mesh = mesh.clone();
        match rename_mesh(&mut mesh, |form| to(self.world.names.key(form)?)) {
            Ok(()) => Ok(mesh),
            Err(form) => Err(self.stranger(form)),
        }
    }

    #[cold]
    fn stranger(&self, form: FormId) -> Error {
        let called = self.world.names.key(form).map_or_else(String::new, |key| self.world.called(key));
        Error::invalid("FormID", format!("{called} is of a file that is none of the plugin's masters"))
    }

    /// The data of a repaired record.
    pub(super) fn record_data(
        &self,
        edited: &Edited<'a>,
        to: impl Fn(Key) -> Option<FormId>,
    ) -> Result<Vec<u8>> {
        let mesh = self.named_mesh(&edited.mesh, &to)?.encode()?;
        let order = self.world.order;
        let plugin = edited.source.plugin;
        let others = other_fields(&edited.source, |form| to(order.key(plugin, form)?));
        let others = others.map_err(|why| Error::invalid("navmesh record", why))?;
        let mut data = Vec::with_capacity(mesh.len().saturating_add(HEADER + 16));
        let mut written = false;
        for (tag, payload) in others {
            match tag == Tag(*b"NVNM") {
                true => field(&mut data, tag, &mesh)?,
                false => field(&mut data, tag, &payload)?,
            }
            written |= tag == Tag(*b"NVNM");
        }
        if !written {
            field(&mut data, Tag(*b"NVNM"), &mesh)?;
        }
        Ok(data)
    }

    /// Entries that belong in a plugin, or in a patch, by mesh.
    pub(super) fn entries_of(
        &self,
        plugin: Option<usize>,
        to: impl Fn(Key) -> Option<FormId>,
    ) -> Result<BTreeMap<FormId, MapEntryBuf>> {
        let mut found = BTreeMap::new();
        for (owner, entry) in self.entries.values() {
            if plugin.is_none_or(|plugin| plugin == *owner) {
                let mut entry = entry.clone();
                rename_entry(&mut entry, |form| to(self.world.names.key(form)?))
                    .map_err(|form| self.stranger(form))?;
                found.insert(entry.navmesh, entry);
            }
        }
        Ok(found)
    }

    /// The fields of an info map with new entries, and without those of removed overrides and restored meshes.
    fn map_data(&self, plugin: usize, mut fields: Fields<'_>, gone: &BTreeSet<Key>) -> Result<Vec<u8>> {
        let order = self.world.order;
        let key = |form: FormId| order.key(plugin, form);
        // All entries of a mesh go if the one that the game uses is in a plugin before.
        let version = NavMap::parse(fields.clone())?.version();
        let mut gone_entries = last_entries(fields.clone(), key);
        gone_entries.retain(|key, _| gone.contains(key));
        let gone_entries = self.said_before(plugin, gone_entries, version);
        let restored = |id: &[u8; 4]| {
            let key = key(FormId::new(u32::from_le_bytes(*id)));
            key.is_some_and(|key| self.undeleted.contains(&key))
        };
        let mut kept = Vec::with_capacity(fields.rest().len());
        while let Some(next) = fields.next_stored() {
            let (each, stored) = next?;
            let is_gone = entry_of(&each).and_then(key).is_some_and(|mesh| gone_entries.contains(&mesh));
            if is_gone || self.pruned.contains(&(plugin, each.offset)) {
                continue;
            }
            let (ids, _) = each.data.as_chunks::<4>();
            match each.tag == Tag(*b"NVSI") && ids.iter().any(restored) {
                true => {
                    let left: Vec<[u8; 4]> = ids.iter().copied().filter(|id| !restored(id)).collect();
                    field(&mut kept, each.tag, left.as_flattened())?;
                }
                false => kept.extend(stored),
            }
        }
        let entries = self.entries_of(Some(plugin), |key| order.local(plugin, key))?;
        let canonical = |form| key(form).and_then(|key| order.local(plugin, key)).unwrap_or(form);
        with_entries(Fields::new(&kept, 0), entries, canonical)
    }

    /// The meshes whose entry is the same in the plugin before, of those that have one. Walks each map once.
    fn said_before(&self, plugin: usize, own: HashMap<Key, Field<'_>>, version: u32) -> HashSet<Key> {
        let order = self.world.order;
        let read = |index: usize, entry: &Field<'_>, version: u32| {
            let mut entry = MapEntryBuf::read(&MapEntry::parse(entry.data, entry.offset, version).ok()?);
            let mut strangers = super::names::Names::default();
            // Numbers of one table, so that both can be compared.
            rename_entry(&mut entry, |form| {
                let key = order.key(index, form)?;
                Some(strangers.number(key))
            })
            .ok()?;
            let keys: Vec<Option<Key>> =
                (1..=u32::MAX).map(|n| strangers.key(FormId::new(n))).take_while(Option::is_some).collect();
            Some((entry, keys))
        };
        let own = own.into_iter().filter_map(|(key, entry)| Some((key, read(plugin, &entry, version)?)));
        let (mut own, mut same): (HashMap<_, _>, _) = (own.collect(), HashSet::new());
        let mut scratch = Scratch::new();
        for index in (0..plugin).rev() {
            let Some((_, earlier)) = order.get(index) else { continue };
            let Ok(Some(navi)) = earlier.navi() else { continue };
            let Ok(fields) = navi.fields(&mut scratch) else { continue };
            let Ok(map) = NavMap::parse(fields.clone()) else { continue };
            let entries = fields.flatten().filter_map(|entry| {
                let key = order.key(index, entry_of(&entry)?).filter(|key| own.contains_key(key))?;
                Some((key, read(index, &entry, map.version())?))
            });
            // Of several the last.
            let last: HashMap<_, _> = entries.collect();
            same.extend(
                last.iter().filter(|(key, other)| own.get(*key) == Some(*other)).map(|(key, _)| *key),
            );
            own.retain(|key, _| !last.contains_key(key));
        }
        same
    }

    /// An info map of this FormID for a plugin without one; `None` if it needs none.
    pub(super) fn new_map(
        &self,
        plugin: &Plugin<'_>,
        to: impl Fn(Key) -> Option<FormId>,
        index: Option<usize>,
        form: Option<FormId>,
    ) -> Result<Option<(NewRecord, Vec<u8>)>> {
        let entries = self.entries_of(index, &to)?;
        if entries.is_empty() || plugin.game().shared_map().is_none() {
            return Ok(None);
        }
        let Some(form) = form else { return Err(Error::invalid("info map", no_map(plugin))) };
        new_map(plugin, form, entries.into_values())
    }
}

/// All fields of a navmesh record, with FormIDs replaced in those known to contain any. NVNM is unchanged.
///
/// # Errors
/// If a field cannot be read, is unknown, or names a record without a replacement.
pub(super) fn other_fields(
    version: &Version<'_>,
    mut to: impl FnMut(FormId) -> Option<FormId>,
) -> std::result::Result<Vec<(Tag, Vec<u8>)>, String> {
    let mut scratch = Scratch::new();
    let fields = version.navm.record().fields(&mut scratch).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for each in fields {
        let each = each.map_err(|error| error.to_string())?;
        let stranger = || format!("{} names a file that is none of the masters", each.tag);
        let payload = match &each.tag.0 {
            b"NVNM" => Vec::new(),
            b"EDID" | b"PNAM" | b"NNAM" => each.data.to_vec(),
            b"ONAM" => forms(each.data, &mut to).ok_or_else(stranger)?,
            _ if each.tag == MNAM => precut(each.data, &mut to, Some).ok_or_else(stranger)?,
            _ if each.data.is_empty() => Vec::new(),
            _ => return Err(format!("field {} is not known, and may name records", each.tag)),
        };
        found.push((each.tag, payload));
    }
    Ok(found)
}

/// A list of FormIDs, replaced.
pub(super) fn forms(data: &[u8], to: &mut impl FnMut(FormId) -> Option<FormId>) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(data.len());
    for id in data.chunks(4) {
        let form = FormId::new(u32::from_le_bytes(*id.first_chunk()?));
        let now = if form.is_null() { form } else { to(form)? };
        out.extend(now.as_bytes());
    }
    Some(out)
}
