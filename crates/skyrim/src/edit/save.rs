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
use crate::owners::Origin;
use crate::plugin::Plugin;
use crate::record::Xndp;
use crate::rewrite::{Changes, NewRecord, group, with_field};
use crate::walk::Wanted;
use crate::write::field;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use zerocopy::IntoBytes;

impl SkyrimEditor {
    pub(super) fn written(&self) -> Result<Vec<u8>> {
        let differing = (0..).zip(&self.slots).filter(|(_, slot)| slot.differs());
        let differing: Vec<u32> = differing.map(|(at, _)| at).collect();
        let slots = || differing.iter().filter_map(|at| self.slot(*at));
        let Some(first) = slots().next() else { return Ok(self.original.clone()) };
        slots().try_for_each(|slot| slot.mesh.fits())?;
        if !self.is_plugin {
            return first.settled().encode();
        }
        let plugin = Plugin::parse(&self.original, &self.limits)?;
        let (mut changes, mut scratch) = (Changes::new(), Scratch::new());
        let records: HashMap<usize, &Slot> = slots().filter_map(|slot| Some((slot.record?, slot))).collect();
        // What follows from a mesh may be larger than the rest of it, and is there for one at a time.
        for (record, navm) in plugin.navmeshes().enumerate() {
            match records.get(&record) {
                Some(slot) if slot.is_renumbered() => {
                    let was = |was| slot.now(was);
                    changes.set_renumbered(&navm?, &slot.settled(), was, &mut scratch)?;
                }
                Some(slot) => changes.set_mesh(&navm?, &slot.settled(), &mut scratch)?,
                None => {}
            }
        }
        self.add_new(&plugin, slots(), &mut changes)?;
        self.map(&plugin, &differing, &mut changes)?;
        self.doors(&plugin, &mut changes)?;
        changes.apply(&plugin)
    }

    /// The records of new meshes.
    fn add_new<'s>(
        &self,
        plugin: &Plugin<'_>,
        differing: impl Iterator<Item = &'s Slot>,
        changes: &mut Changes,
    ) -> Result<()> {
        let mut without_group: BTreeMap<CellGroups, Vec<Vec<u8>>> = BTreeMap::new();
        for slot in differing {
            let Some(groups) = slot.new_in else { continue };
            let mut data = Vec::new();
            field(&mut data, Tag(*b"NVNM"), &slot.settled().encode()?)?;
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
    fn map(&self, plugin: &Plugin<'_>, differing: &[u32], changes: &mut Changes) -> Result<()> {
        let mut scratch = Scratch::new();
        let owners = self.owners;
        let concerned = self.concerned(differing.iter().copied());
        let now = |slot: &Slot| self.entry(slot, |slot| &slot.mesh);
        let Some(navi) = plugin.navi()? else {
            // A plugin's own meshes are not in use without one.
            let is_of_master = |slot: &&Slot| owners.origin(slot.form) != Origin::Own;
            let wanted = |slot: &&Slot| {
                self.is_new(slot)
                    || plugin.shared_map().is_some() && is_of_master(slot) && self.changes_entry(slot)
            };
            let entries: Vec<_> = concerned.into_values().filter(wanted).map(now).collect();
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
        // Of several entries of a mesh the last that can be read.
        let map = NavMap::parse(fields.clone())?;
        let stored = map.entries().flatten().map(|entry| (owners.canonical(entry.head.navmesh()), entry));
        let last: HashMap<_, _> = stored.filter(|(form, _)| concerned.contains_key(form)).collect();
        let mut entries = BTreeMap::new();
        for (form, slot) in concerned {
            let entry = match last.get(&form).map(MapEntryBuf::read) {
                Some(mut entry) => {
                    let roads = self.roads(slot, |slot| &slot.mesh, &entry.preferred_links);
                    let road = |form| roads.contains(&owners.canonical(form));
                    entry.update(&slot.mesh, slot.opened(), owners, road);
                    entry
                }
                None if self.is_new(slot) || map.fits(slot.mesh.version) && self.changes_entry(slot) => {
                    now(slot)
                }
                None => continue,
            };
            entries.insert(form, entry);
        }
        let data = with_entries(fields, entries, |form| owners.canonical(form))?;
        changes.set(&navi, navi.header().flags(), data);
        Ok(())
    }

    /// A remark for each override that gets an entry: that of its master is not at hand.
    pub(super) fn new_entries(&self) -> Vec<String> {
        let differing = (0..).zip(&self.slots).filter(|(_, slot)| slot.differs());
        let mut slots = self.concerned(differing.map(|(at, _)| at));
        slots.retain(|form, slot| self.owners.origin(*form) != Origin::Own && self.changes_entry(slot));
        let plugin = (!slots.is_empty()).then(|| Plugin::parse(&self.original, &self.limits));
        let Some(Ok(plugin)) = plugin else { return Vec::new() };
        let (navi, mut scratch) = (plugin.navi().ok().flatten(), Scratch::new());
        if navi.is_none() && plugin.shared_map().is_none() {
            return Vec::new();
        }
        let map = navi.and_then(|navi| NavMap::parse(navi.fields(&mut scratch).ok()?).ok());
        for entry in map.iter().flat_map(NavMap::entries).flatten() {
            slots.remove(&self.owners.canonical(entry.head.navmesh()));
        }
        let why = "the info map gets an entry for it, without what its master's may have: the geometry of an island, and preferred \
             links into navmeshes of other plugins";
        slots.into_keys().map(|form| format!("{form}: {why}")).collect()
    }

    /// The meshes whose entries may change with some meshes, by their FormIDs.
    fn concerned(&self, changed: impl Iterator<Item = u32>) -> BTreeMap<FormId, &Slot> {
        let mut concerned = BTreeSet::new();
        for slot in changed.filter(|at| self.is_named(*at)).filter_map(|at| self.slot(at)) {
            concerned.insert(slot.form);
            let before = slot.before.iter().flat_map(|before| &before.links);
            let links = slot.mesh.links.iter().chain(before);
            concerned.extend(links.map(|link| self.owners.canonical(link.navmesh)));
        }
        let slot = |form| Some((form, self.slot(self.named_by(form)?)?));
        concerned.into_iter().filter_map(slot).collect()
    }

    /// Whether a mesh gets an entry whatever its plugin or a master has.
    fn is_new(&self, slot: &Slot) -> bool {
        self.listed.contains(&slot.form) && slot.differs()
    }

    /// Whether what an entry says of a mesh is not what it would have said of the opened one. If the plugin has none, that of the
    /// master was right until then.
    fn changes_entry(&self, slot: &Slot) -> bool {
        let was = self.entry(slot, |slot| slot.opened().unwrap_or(&slot.mesh));
        was != self.entry(slot, |slot| &slot.mesh)
    }

    /// The entry of a mesh that has none.
    fn entry<'s>(&'s self, slot: &'s Slot, mesh: impl Fn(&'s Slot) -> &'s NavMeshBuf) -> MapEntryBuf {
        let roads = self.roads(slot, &mesh, &[]);
        let road = |form| roads.contains(&self.owners.canonical(form));
        MapEntryBuf::new(slot.form, mesh(slot), self.owners, road)
    }

    /// The meshes to which a link between two preferred triangles leads. The flags of meshes of other plugins are unknown here: those
    /// that were `known` still are.
    fn roads<'s>(
        &'s self,
        slot: &'s Slot,
        mesh: impl Fn(&'s Slot) -> &'s NavMeshBuf,
        known: &[FormId],
    ) -> HashSet<FormId> {
        let known: HashSet<FormId> = known.iter().map(|form| self.owners.canonical(*form)).collect();
        let here = mesh(slot);
        let roads =
            here.linked_edges().filter(|(from, ..)| is_preferred(here, *from)).filter_map(|(.., link)| {
                let form = self.owners.canonical(link.navmesh);
                let there = self.named_by(form).and_then(|at| self.slot(at));
                let both =
                    there.map_or(known.contains(&form), |slot| is_preferred(mesh(slot), link.triangle));
                both.then_some(form)
            });
        roads.collect()
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

fn is_preferred(mesh: &NavMeshBuf, triangle: u16) -> bool {
    mesh.triangles.get(usize::from(triangle)).is_some_and(|triangle| triangle.is_preferred())
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
