//! Doors and meshes that do not name each other.

use super::deed::Repair;
use super::plan::{FixPlan, Moved, Said, Seat, Seats};
use super::rows::{Holds, Rows, Version};
use crate::buf::{DoorBuf, NavMeshBuf};
use crate::check::links::Key;
use crate::fields::exactly;
use crate::flags::TriangleFlags;
use crate::form::{FormId, Tag};
use crate::loadorder::LoadOrder;
use crate::record::Xndp;
use crate::walk::{Record, Records, Wanted};
use navmap_core::bytes::Scratch;
use navmap_core::threads::spread;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What is wrong with a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Its record names a mesh that does not list it.
    Unlisted,
    /// A mesh lists it, and its record names something else.
    Elsewhere,
    /// A mesh lists it, and its record names nothing that can be read.
    Nameless,
    /// Several triangles list it, and its record names none of them.
    Several,
    /// A mesh lists it, and its record is deleted.
    Deleted,
}

/// A door and a mesh that do not name each other.
#[derive(Debug)]
pub(super) struct Odd {
    /// The plugin whose record of the door is meant.
    pub(super) plugin: usize,
    /// The plugin whose version of the mesh the game uses.
    pub(super) home: usize,
    pub(super) door: Key,
    pub(super) mesh: Key,
    /// The triangle that lists the door, or that its record names.
    told: i32,
    /// The number that it has once the mesh is repaired; `None` if there is no such triangle.
    triangle: Option<u16>,
    pub(super) wrong: Wrong,
}

/// The record of a door in a plugin.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) plugin: usize,
    pub(super) door: Key,
    is_deleted: bool,
    /// The mesh and the triangle that it names.
    pub(super) named: Option<(Key, i16)>,
}

/// A door, the plugin whose version of a mesh the game uses, that mesh, and the triangle there that lists the door.
pub(super) type Listed = (Key, u32, Key, u16);

/// The triangles of a mesh that have the flag of doors, and the door on each.
type Stands = HashMap<u16, Option<FormId>>;

impl<'a> FixPlan<'_, 'a> {
    /// Lets doors and meshes of one plugin name each other, as far as the game uses that plugin's version of the mesh, and the records
    /// of doors that the game uses those of other plugins.
    pub(super) fn doors(&mut self) {
        let listed = self.listed_doors();
        let mut odd = self.odd_doors(&listed);
        odd.extend(self.odd_across(&listed));
        // Of two records of one door the first counts.
        let mut seen = HashSet::new();
        odd.retain(|odd| seen.insert((odd.plugin, odd.door)));
        // Stable: of two doors on one triangle the first is listed.
        odd.sort_by_key(|odd| odd.mesh);
        for odd in odd.chunk_by(|one, other| one.mesh == other.mesh) {
            self.mend_doors(odd);
        }
    }

    /// The doors that meshes list, ascending.
    pub(super) fn listed_doors(&self) -> Vec<Listed> {
        let world = &self.world;
        let mut listed = Vec::new();
        for (mesh, row) in world.rows.iter() {
            let home = world.rows.home(row).and_then(|home| u32::try_from(home).ok());
            let Some(home) = home else { continue };
            listed.extend(world.doors_of(mesh, row).map(|(door, triangle)| (door, home, mesh, triangle)));
        }
        listed.sort_unstable();
        listed.dedup();
        listed
    }

    /// What is odd about the doors of all plugins that may be changed.
    fn odd_doors(&self, listed: &[Listed]) -> Vec<Odd> {
        let rows = &self.world.rows;
        let homes = rows.iter().filter_map(|(_, row)| rows.home(row));
        let homes = homes.filter(|plugin| self.options.touches(*plugin)).collect();
        let around = self.around(listed);
        self.look_at_doors(homes, |plugin, record, scratch| around.look(plugin, record, scratch))
    }

    /// Lets the other doors that name triangles of renumbered meshes name the same ones, whatever else is repaired.
    pub(super) fn follow_moved(&mut self) {
        let homes = self.moved.keys().filter_map(|mesh| self.world.winner(*mesh));
        let homes = homes.map(|version| version.plugin).collect();
        let around = self.around(&[]);
        let behind =
            self.look_at_doors(homes, |plugin, record, scratch| around.behind(plugin, record, scratch));
        for (door, seat) in behind {
            // Of two records of one door the first counts.
            if self.doors.contains_key(&door) {
                continue;
            }
            // The repair of doors has told of those that it left.
            if let Err(why) = self.seat(door, seat)
                && !self.options.wants(Repair::Doors)
                && let Some(version) = self.world.winner(seat.mesh)
            {
                let said = Said {
                    repair: Repair::Mesh,
                    what: format!("door {} names a triangle by its old number", self.world.called(door.1)),
                    before: "names something else".to_owned(),
                    after: String::new(),
                };
                self.note(&version, said, Some(why));
            }
        }
    }

    pub(super) fn around<'w>(&'w self, listed: &'w [Listed]) -> Around<'w, 'a> {
        let world = &self.world;
        Around { order: world.order, rows: &world.rows, seats: &self.doors, moved: &self.moved, listed }
    }

    /// Looks at the doors of plugins on all cores.
    pub(super) fn look_at_doors<T: Send>(
        &self,
        plugins: BTreeSet<usize>,
        look: impl Fn(usize, &Record<'a>, &mut Scratch) -> Option<T> + Sync,
    ) -> Vec<T> {
        let order = self.world.order;
        let pieces: Vec<(usize, Records<'a>)> = plugins
            .into_iter()
            .filter_map(|plugin| Some((plugin, order.get(plugin)?.1.walk(Wanted::DOORS).pieces())))
            .flat_map(|(plugin, pieces)| pieces.into_iter().map(move |piece| (plugin, piece)))
            .collect();
        let look = |scratch: &mut Scratch, (plugin, records): (usize, Records<'a>)| -> Vec<T> {
            records.flatten().filter_map(|record| look(plugin, &record, scratch)).collect()
        };
        let found: Vec<Vec<T>> = {
            use rayon::prelude::*;
            spread(|| pieces.into_par_iter().map_init(Scratch::new, look).collect())
        };
        found.into_iter().flatten().collect()
    }

    /// Mends the doors of one mesh, which is read once for all of them.
    fn mend_doors(&mut self, odd: &[Odd]) {
        let Some(mesh) = odd.first().map(|odd| odd.mesh) else { return };
        let Some(version) = self.world.winner(mesh) else { return };
        let place = self.world.place(&version);
        let unlisted = odd.iter().any(|odd| odd.wrong == Wrong::Unlisted);
        let mut stands = if unlisted { self.stands(mesh, &version) } else { Ok(Stands::new()) };
        let mut new = Vec::new();
        for odd in odd {
            let fared = match odd.wrong {
                Wrong::Unlisted => match (self.reaches(odd), &mut stands) {
                    (Ok(()), Ok(stands)) => self.list_door(odd, stands, &mut new),
                    (Err(why), _) => Err(why),
                    (_, Err(why)) => Err(why.clone()),
                },
                Wrong::Elsewhere => self.reaches(odd).and_then(|()| self.point_back(odd)),
                Wrong::Nameless => Err("its record has no field (XNDP) that can be read".to_owned()),
                Wrong::Several => Err("several triangles list it".to_owned()),
                Wrong::Deleted => Err("the door is deleted".to_owned()),
            };
            self.note_door(&version, place.clone(), odd, fared);
        }
        // What does not change is not kept.
        if !new.is_empty()
            && let Ok(edited) = self.world.edit(mesh)
        {
            edited.mesh.doors.extend(new);
        }
    }

    pub(super) fn note_door(
        &mut self,
        version: &Version<'a>,
        place: Option<String>,
        odd: &Odd,
        fared: Result<String, String>,
    ) {
        let (door, triangle) = (self.world.called(odd.door), odd.told);
        let (what, before) = match odd.wrong {
            Wrong::Unlisted => {
                (format!("door {door} names triangle {triangle}, which does not list it"), "not listed")
            }
            _ => (format!("door {door} on triangle {triangle} does not point back"), "names something else"),
        };
        let (after, left) = match fared {
            Ok(after) => (after, None),
            Err(why) => (String::new(), Some(why)),
        };
        let said = Said { repair: Repair::Doors, what, before: before.to_owned(), after };
        self.note_at(version.plugin, version.navm.form_id(), place, said, left);
    }

    /// The doors of a mesh as it is repaired so far.
    fn stands(&mut self, mesh: Key, version: &Version<'a>) -> Result<Stands, String> {
        match self.world.edited.get(&mesh) {
            Some(edited) => Ok(stands_on(&edited.mesh)),
            None => match self.world.read(version, false) {
                Ok(mesh) => Ok(stands_on(&mesh)),
                Err(error) => Err(error.to_string()),
            },
        }
    }

    /// Lists a door on the triangle that its record names, if that has the flag of doors and no other door. Where the mesh says that
    /// no door is there, the record names no triangle any more.
    fn list_door(
        &mut self,
        odd: &Odd,
        stands: &mut Stands,
        new: &mut Vec<DoorBuf>,
    ) -> Result<String, String> {
        let flagged = odd.triangle.and_then(|triangle| Some((triangle, stands.get_mut(&triangle)?)));
        let Some((triangle, stands)) = flagged else {
            return self.put(odd, None).map(|()| "the door names no triangle".to_owned());
        };
        if let Some(other) = stands {
            let other = self.world.names.key(*other);
            let other = other.map_or_else(String::new, |other| format!(" {}", self.world.called(other)));
            return Err(format!("another door{other} stands there"));
        }
        if i32::from(triangle) != odd.told {
            self.put(odd, Some(triangle))?;
        }
        let reference = self.world.names.number(odd.door);
        *stands = Some(reference);
        new.push(DoorBuf::new(triangle, reference));
        Ok(format!("listed on triangle {triangle}"))
    }

    fn point_back(&mut self, odd: &Odd) -> Result<String, String> {
        let nameable = odd.triangle.filter(|triangle| i16::try_from(*triangle).is_ok());
        let most = i16::MAX;
        let triangle = nameable.ok_or_else(|| format!("its record cannot name a triangle above {most}"))?;
        self.put(odd, Some(triangle)).map(|()| format!("points back at triangle {triangle}"))
    }

    fn put(&mut self, odd: &Odd, triangle: Option<u16>) -> Result<(), String> {
        self.seat((odd.plugin, odd.door), Seat { mesh: odd.mesh, triangle })
    }

    fn seat(&mut self, door: (usize, Key), seat: Seat) -> Result<(), String> {
        if self.options.patch {
            return Err("a patch cannot override doors".to_owned());
        }
        self.doors.insert(door, seat);
        Ok(())
    }
}

fn stands_on(mesh: &NavMeshBuf) -> Stands {
    let triangles = (0..=u16::MAX).zip(&mesh.triangles);
    let flagged = triangles.filter(|(_, triangle)| triangle.flags.contains(TriangleFlags::DOOR));
    let mut stands: Stands = flagged.map(|(triangle, _)| (triangle, None)).collect();
    for door in &mesh.doors {
        if let Some(stands) = stands.get_mut(&door.triangle) {
            stands.get_or_insert(door.reference);
        }
    }
    stands
}

/// What a door is compared with.
pub(super) struct Around<'w, 'a> {
    order: &'w LoadOrder<'a>,
    rows: &'w Rows<'a>,
    /// Doors that follow a repaired mesh anyway.
    pub(super) seats: &'w Seats,
    moved: &'w Moved,
    listed: &'w [Listed],
}

impl Around<'_, '_> {
    /// Compares a door with the meshes of its own plugin.
    fn look(&self, plugin: usize, record: &Record<'_>, scratch: &mut Scratch) -> Option<Odd> {
        let door = self.order.key(plugin, record.form_id())?;
        if self.seats.contains_key(&(plugin, door)) {
            return None;
        }
        let seen = self.seen(plugin, record, scratch)?;
        let listed = self.listed(door);
        match run(listed, |(_, home, ..)| (*home as usize).cmp(&plugin)) {
            // What another plugin lists is compared with the record that the game uses.
            [] => self.unlisted(&seen).filter(|odd| listed.is_empty() && odd.home == plugin),
            own => self.compare(&seen, own),
        }
    }

    /// What the record of a door says.
    pub(super) fn seen(&self, plugin: usize, record: &Record<'_>, scratch: &mut Scratch) -> Option<Seen> {
        let named = named_by(record, scratch);
        let named = named.and_then(|xndp| Some((self.order.key(plugin, xndp.navmesh())?, xndp.triangle())));
        let door = self.order.key(plugin, record.form_id())?;
        Some(Seen { plugin, door, is_deleted: record.is_deleted(), named })
    }

    /// The triangles that list a door.
    pub(super) fn listed(&self, door: Key) -> &[Listed] {
        run(self.listed, |(listed, ..)| listed.cmp(&door))
    }

    /// A door that no mesh lists, and the mesh that its record names.
    pub(super) fn unlisted(&self, seen: &Seen) -> Option<Odd> {
        let (mesh, told) = seen.named.filter(|_| !seen.is_deleted)?;
        let Seen { plugin, door, .. } = *seen;
        let (home, triangle) = (self.home(mesh)?, self.now(mesh, told));
        Some(Odd { plugin, home, door, mesh, told: told.into(), triangle, wrong: Wrong::Unlisted })
    }

    /// Compares a door with triangles that list it: the last is the one that it should name, if it names none.
    pub(super) fn compare(&self, seen: &Seen, listed: &[Listed]) -> Option<Odd> {
        let (_, home, mesh, triangle) = *listed.last()?;
        let Seen { plugin, door, .. } = *seen;
        let all = self.listed(door);
        let lists = |mesh: Key, triangle: Option<u16>| {
            let home = self.home(mesh).and_then(|home| u32::try_from(home).ok());
            let both = home.zip(triangle);
            both.is_some_and(|(home, triangle)| all.binary_search(&(door, home, mesh, triangle)).is_ok())
        };
        let wrong = match seen.named {
            Some((mesh, told)) if lists(mesh, self.now(mesh, told)) => return None,
            _ if seen.is_deleted => Wrong::Deleted,
            _ if all.len() > 1 => Wrong::Several,
            Some(_) => Wrong::Elsewhere,
            None => Wrong::Nameless,
        };
        let (home, told) = (home as usize, triangle.into());
        Some(Odd { plugin, home, door, mesh, told, triangle: Some(triangle), wrong })
    }

    /// A door that names a triangle by the number that it had before the mesh was repaired, and where it stands now.
    fn behind(
        &self,
        plugin: usize,
        record: &Record<'_>,
        scratch: &mut Scratch,
    ) -> Option<((usize, Key), Seat)> {
        let door = (plugin, self.order.key(plugin, record.form_id())?);
        if self.seats.contains_key(&door) || record.is_deleted() {
            return None;
        }
        let xndp = named_by(record, scratch)?;
        let mesh = self.order.key(plugin, xndp.navmesh())?;
        let old = u16::try_from(xndp.triangle()).ok()?;
        // What named no triangle still names none.
        let triangle = *self.moved.get(&mesh)?.get(usize::from(old))?;
        let follows = triangle != Some(old) && self.home(mesh) == Some(plugin);
        follows.then_some((door, Seat { mesh, triangle }))
    }

    /// The triangle that a record means, by the number that it has once the mesh is repaired.
    fn now(&self, mesh: Key, triangle: i16) -> Option<u16> {
        let stored = u16::try_from(triangle).ok()?;
        match self.moved.get(&mesh) {
            Some(map) => map.get(usize::from(stored)).copied().flatten(),
            None => Some(stored),
        }
    }

    /// The plugin whose version of a mesh the game uses, if that can be walked on.
    fn home(&self, mesh: Key) -> Option<usize> {
        let row = self.rows.get(mesh)?;
        matches!(row.holds, Some(Holds::Triangles(_))).then(|| self.rows.home(row))?
    }
}

/// Those of a sorted list that compare as equal.
fn run<T>(sorted: &[T], order: impl Fn(&T) -> Ordering) -> &[T] {
    let from = sorted.partition_point(|each| order(each).is_lt());
    let rest = sorted.get(from..).unwrap_or_default();
    rest.get(..rest.partition_point(|each| order(each).is_eq())).unwrap_or_default()
}

/// The triangle that the record of a door names.
fn named_by(record: &Record<'_>, scratch: &mut Scratch) -> Option<Xndp> {
    let field = record.fields(scratch).ok()?.find_tag(Tag(*b"XNDP")).ok()??;
    exactly::<Xndp>(&field, "XNDP").ok().copied()
}
