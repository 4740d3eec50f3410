//! Writes the file with all values derived from the changes.

use super::editor::SkyrimEditor;
use super::slot::Slot;
use crate::buf::NavMeshBuf;
use crate::fields::exactly;
use crate::flags::RecordFlags;
use crate::form::{FormId, Tag};
use crate::groups::CellGroups;
use crate::mapbuf::{MapEntryBuf, new_map, no_map, with_entries};
use crate::navi::NavMap;
use crate::plugin::Plugin;
use crate::record::Xndp;
use crate::rewrite::{Changes, NewRecord, group, with_field};
use crate::walk::Wanted;
use crate::write::field;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use zerocopy::IntoBytes;

/// The meshes that differ, by their places among the slots.
type Settled = BTreeMap<u32, NavMeshBuf>;

impl SkyrimEditor {
    pub(super) fn written(&self) -> Result<Vec<u8>> {
        let differing = (0..).zip(&self.slots).filter(|(_, slot)| slot.differs());
        let settled: Settled = differing.map(|(at, slot)| (at, slot.settled())).collect();
        if settled.is_empty() {
            return Ok(self.original.clone());
        }
        settled.values().try_for_each(NavMeshBuf::fits)?;
        if !self.is_plugin {
            return settled.values().next().map_or_else(|| Ok(self.original.clone()), NavMeshBuf::encode);
        }
        let plugin = Plugin::parse(&self.original, &self.limits)?;
        let (mut changes, mut scratch) = (Changes::new(), Scratch::new());
        let slots = settled.iter().filter_map(|(at, mesh)| Some((self.slot(*at)?, mesh)));
        let records: HashMap<usize, (&Slot, &NavMeshBuf)> =
            slots.filter_map(|(slot, mesh)| Some((slot.record?, (slot, mesh)))).collect();
        for (record, navm) in plugin.navmeshes().enumerate() {
            match records.get(&record) {
                Some((slot, mesh)) if slot.is_renumbered() => {
                    changes.set_renumbered(&navm?, mesh, |was| slot.now(was), &mut scratch)?;
                }
                Some((_, mesh)) => changes.set_mesh(&navm?, mesh, &mut scratch)?,
                None => {}
            }
        }
        self.add_new(&plugin, &settled, &mut changes)?;
        self.map(&plugin, &settled, &mut changes)?;
        self.doors(&plugin, &mut changes)?;
        changes.apply(&plugin)
    }

    /// The records of new meshes.
    fn add_new(&self, plugin: &Plugin<'_>, settled: &Settled, changes: &mut Changes) -> Result<()> {
        let mut without_group: BTreeMap<CellGroups, Vec<Vec<u8>>> = BTreeMap::new();
        for (at, mesh) in settled {
            let Some(slot) = self.slot(*at) else { continue };
            let Some(groups) = slot.new_in else { continue };
            let mut data = Vec::new();
            field(&mut data, Tag(*b"NVNM"), &mesh.encode()?)?;
            let head = NewRecord {
                tag: Tag::NAVM,
                flags: RecordFlags::COMPRESSED,
                form_id: slot.form,
                form_version: plugin.form_version(),
            };
            match groups.temporary {
                Some(temporary) => changes.append(temporary, head, &data)?,
                None => without_group.entry(groups).or_default().push(head.encode(&data)?),
            }
            changes.raise_next_object(slot.form.object_id().saturating_add(1));
        }
        without_group.into_iter().try_for_each(|(groups, records)| groups.append_temporary(&records, changes))
    }

    /// The entries of changed meshes, and of those linked with them: which links are preferred depends on both sides.
    fn map(&self, plugin: &Plugin<'_>, settled: &Settled, changes: &mut Changes) -> Result<()> {
        let mut scratch = Scratch::new();
        let owners = self.owners;
        let mut entries = BTreeMap::new();
        let missing = |known: &BTreeMap<FormId, MapEntryBuf>| -> Vec<MapEntryBuf> {
            let slots = self.slots.iter().filter(|slot| self.listed.contains(&slot.form) && slot.differs());
            let lacking = slots.filter(|slot| !known.contains_key(&slot.form));
            lacking
                .map(|slot| {
                    let road = |form| self.is_road(slot, form);
                    MapEntryBuf::new(slot.form, &slot.mesh, owners, road)
                })
                .collect()
        };
        let Some(navi) = plugin.navi()? else {
            let entries = missing(&entries);
            if entries.is_empty() || plugin.game().shared_map().is_none() {
                return Ok(());
            }
            let Some(form) = plugin.shared_map() else {
                return Err(Error::invalid("info map", no_map(plugin)));
            };
            if let Some((head, data)) = new_map(plugin, form, entries.into_iter())? {
                changes.append_group(0, group(*b"NAVI", 0, &[head.encode(&data)?])?, 2);
            }
            return Ok(());
        };
        let fields = navi.fields(&mut scratch)?;
        let mut concerned = BTreeSet::new();
        for slot in settled.keys().filter(|at| self.is_named(**at)).filter_map(|at| self.slot(*at)) {
            concerned.insert(slot.form);
            let before = slot.before.iter().flat_map(|before| &before.links);
            let links = slot.mesh.links.iter().chain(before);
            concerned.extend(links.map(|link| owners.canonical(link.navmesh)));
        }
        // Of several entries of a mesh the last that can be read.
        let map = NavMap::parse(fields.clone())?;
        let stored = map.entries().flatten().map(|entry| (owners.canonical(entry.head.navmesh()), entry));
        let last: BTreeMap<_, _> = stored.filter(|(form, _)| concerned.contains(form)).collect();
        for (form, entry) in last {
            let Some(slot) = self.named_by(form).and_then(|at| self.slot(at)) else { continue };
            let mut entry = MapEntryBuf::read(&entry);
            entry.update(&slot.mesh, slot.opened(), owners, |form| self.is_road(slot, form));
            entries.insert(form, entry);
        }
        let new = missing(&entries).into_iter().map(|entry| (owners.canonical(entry.navmesh), entry));
        entries.extend(new);
        let data = with_entries(fields, entries, |form| owners.canonical(form))?;
        changes.set(&navi, navi.header().flags(), data);
        Ok(())
    }

    /// Whether a link between two preferred triangles leads from one mesh to another. False for meshes of other plugins, whose
    /// flags are unknown here.
    fn is_road(&self, slot: &Slot, form: FormId) -> bool {
        let Some(other) = self.named_by(form).and_then(|at| self.slot(at)) else { return false };
        let preferred = |mesh: &NavMeshBuf, triangle: u16| {
            mesh.triangles.get(usize::from(triangle)).is_some_and(|triangle| triangle.is_preferred())
        };
        let links = slot.mesh.linked_edges();
        let mut links = links.filter(|(_, _, link)| self.owners.same(link.navmesh, form));
        links.any(|(from, _, link)| preferred(&slot.mesh, from) && preferred(&other.mesh, link.triangle))
    }

    /// The doors of the plugin whose triangles have new numbers or are gone, and those that a mesh lists elsewhere or no longer. One
    /// that names no triangle yet stays as it is.
    fn doors(&self, plugin: &Plugin<'_>, changes: &mut Changes) -> Result<()> {
        let owners = self.owners;
        let put = self.slots.iter();
        let put = put.flat_map(|slot| slot.new_doors(owners).map(move |door| (slot.form, door)));
        let put: HashMap<FormId, (FormId, u16)> =
            put.map(|(form, door)| (owners.canonical(door.reference), (form, door.triangle))).collect();
        // The doors that are lost, by meshes whose doors move.
        let moving = (0_u32..).zip(&self.slots).filter(|(_, slot)| slot.moves_doors());
        let moving: HashMap<u32, HashSet<FormId>> =
            moving.map(|(at, slot)| (at, slot.lost_doors(owners))).collect();
        if put.is_empty() && moving.is_empty() {
            return Ok(());
        }
        let mut scratch = Scratch::new();
        for record in plugin.walk(Wanted::DOORS).flatten() {
            let Ok(fields) = record.fields(&mut scratch) else { continue };
            let Ok(Some(field)) = fields.clone().find_tag(Tag(*b"XNDP")) else { continue };
            let Ok(xndp) = exactly::<Xndp>(&field, "XNDP") else { continue };
            let seat = match put.get(&owners.canonical(record.form_id())) {
                Some(seat) => Some(*seat),
                None => {
                    let named = self.named_by(xndp.navmesh());
                    let moved = named.and_then(|at| Some((self.slot(at)?, moving.get(&at)?)));
                    let Some((slot, lost)) = moved else { continue };
                    let Some(old) = u16::try_from(xndp.triangle()).ok().filter(|old| slot.had(*old)) else {
                        continue;
                    };
                    let door = owners.canonical(record.form_id());
                    let now = slot.seat(old).filter(|_| !lost.contains(&door));
                    now.map(|now| (xndp.navmesh(), now))
                }
            };
            let seated = seat.map(|(form, triangle)| {
                let same = owners.same(form, xndp.navmesh());
                xndp.on(if same { xndp.navmesh() } else { form }, triangle)
            });
            if seated == Some(*xndp) {
                continue;
            }
            let payload = seated.as_ref().map(IntoBytes::as_bytes);
            let fields = with_field(fields, Tag(*b"XNDP"), payload)?;
            changes.set(&record, record.header().flags(), fields);
        }
        Ok(())
    }
}

impl Slot {
    /// The mesh with recomputed derived values.
    pub(super) fn settled(&self) -> NavMeshBuf {
        let mut mesh = self.mesh.clone();
        if let Some(before) = &self.before {
            mesh.settle(before);
        }
        mesh
    }
}
