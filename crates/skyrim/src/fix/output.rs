//! Writes a plugin with its repairs.

use super::names::{rename_entry, rename_mesh};
use super::plan::FixPlan;
use super::rows::Version;
use super::world::Edited;
use crate::buf::NavMeshBuf;
use crate::check::links::Key;
use crate::fields::{Field, Fields, exactly};
use crate::form::{FormId, Tag};
use crate::mapbuf::{MapEntryBuf, new_map};
use crate::navi::{MapEntry, NavMap};
use crate::plugin::Plugin;
use crate::precut::{MNAM, precut};
use crate::record::Xndp;
use crate::rewrite::{Changes, NewRecord, group, with_field};
use crate::walk::Wanted;
use crate::write::field;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
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
            changes.set(record, edited.flags, self.record_data(edited, local)?);
        }
        let mut gone = BTreeSet::new();
        for version in self.removed.iter().filter(|version| version.plugin == index) {
            changes.remove(version.navm.record());
            if plugin.is_master() {
                changes.note_override(version.navm.form_id(), false);
            }
            gone.extend(order.key(index, version.navm.form_id()));
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
                if let Some((head, data)) = self.new_map(plugin, local, Some(index))? {
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
        let mut data = Vec::with_capacity(mesh.len().saturating_add(16));
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
    fn map_data(&self, plugin: usize, fields: Fields<'_>, gone: &BTreeSet<Key>) -> Result<Vec<u8>> {
        let order = self.world.order;
        let mut entries = self.entries_of(Some(plugin), |key| order.local(plugin, key))?;
        let mut data = Vec::new();
        let mut open = true;
        let mut version = 12_u32;
        for each in fields {
            let each = each?;
            match &each.tag.0 {
                b"NVER" => version = each.data.first_chunk().map_or(12, |bytes| u32::from_le_bytes(*bytes)),
                b"NVMI" => {
                    let form = each.data.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
                    let form = FormId::new(form);
                    if self.pruned.contains(&(plugin, form)) {
                        continue;
                    }
                    let key = order.key(plugin, form);
                    if key.is_some_and(|key| gone.contains(&key))
                        && self.says_the_same(plugin, each.data, each.offset, version)
                    {
                        continue;
                    }
                    let own = key.and_then(|key| order.local(plugin, key)).unwrap_or(form);
                    if let Some(entry) = entries.remove(&own) {
                        field(&mut data, each.tag, &entry.encode()?)?;
                        continue;
                    }
                }
                b"NVPP" | b"NVSI" => {
                    // New entries come after the others.
                    if open {
                        for entry in std::mem::take(&mut entries).into_values() {
                            field(&mut data, Tag(*b"NVMI"), &entry.encode()?)?;
                        }
                        open = false;
                    }
                    if each.tag == Tag(*b"NVSI") {
                        let ids = each.data.chunks_exact(4).filter_map(|id| id.first_chunk());
                        let ids = ids.map(|id| u32::from_le_bytes(*id)).filter(|id| {
                            let key = order.key(plugin, FormId::new(*id));
                            !key.is_some_and(|key| self.undeleted.contains(&key))
                        });
                        let left: Vec<u8> = ids.flat_map(u32::to_le_bytes).collect();
                        field(&mut data, each.tag, &left)?;
                        continue;
                    }
                }
                _ => {}
            }
            field(&mut data, each.tag, each.data)?;
        }
        for entry in entries.into_values() {
            field(&mut data, Tag(*b"NVMI"), &entry.encode()?)?;
        }
        Ok(data)
    }

    /// Whether the entry of the plugin before, of those that have one, is the same.
    fn says_the_same(&self, plugin: usize, data: &[u8], offset: u64, version: u32) -> bool {
        let order = self.world.order;
        let read = |index: usize, data: &[u8], version: u32| {
            let mut entry = MapEntryBuf::read(&MapEntry::parse(data, offset, version).ok()?);
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
        let Some(own) = read(plugin, data, version) else { return false };
        let form = data.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let key = order.key(plugin, FormId::new(form));
        let mut scratch = Scratch::new();
        for index in (0..plugin).rev() {
            let Some((_, earlier)) = order.get(index) else { continue };
            let Ok(Some(navi)) = earlier.navi() else { continue };
            let Ok(fields) = navi.fields(&mut scratch) else { continue };
            let Ok(map) = NavMap::parse(fields.clone()) else { continue };
            let same = |field: &Field<'_>| {
                let form = field.data.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
                field.tag == Tag(*b"NVMI") && order.key(index, FormId::new(form)) == key
            };
            // Of several entries the game uses the last.
            let entries = fields.flatten().filter(same);
            if let Some(other) = entries.filter_map(|entry| read(index, entry.data, map.version())).last() {
                return other == own;
            }
        }
        false
    }

    /// An info map for a plugin without one; `None` if it needs none.
    pub(super) fn new_map(
        &self,
        plugin: &Plugin<'_>,
        to: impl Fn(Key) -> Option<FormId>,
        index: Option<usize>,
    ) -> Result<Option<(NewRecord, Vec<u8>)>> {
        let entries = self.entries_of(index, &to)?;
        if entries.is_empty() {
            return Ok(None);
        }
        new_map(plugin, entries.into_values())
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
