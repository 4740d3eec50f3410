//! A patch: a plugin of overrides that loads after all others.

use super::plan::FixPlan;
use super::space::space_data;
use super::world::Edited;
use crate::check::links::Key;
use crate::flags::{GroupKind, RecordFlags};
use crate::form::{FormId, Tag};
use crate::plugin::{Game, Plugin, Scale};
use crate::record::Parent;
use crate::rewrite::{NewRecord, group};
use crate::walk::{Record, Wanted};
use crate::write::field;
use navmap_core::error::{Error, Result};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use zerocopy::IntoBytes;

/// The most masters of a plugin.
const MOST_MASTERS: usize = 253;

/// The winning record of a cell or worldspace.
#[derive(Clone, Copy)]
struct Winning<'a> {
    plugin: usize,
    record: Record<'a>,
}

/// Records and groups that are whole, and how many they are.
#[derive(Default)]
struct Branch {
    bytes: Vec<Vec<u8>>,
    count: i32,
}

impl Branch {
    fn add(&mut self, bytes: Vec<u8>, count: i32) {
        self.bytes.push(bytes);
        self.count = self.count.saturating_add(count);
    }

    fn closed(self, label: [u8; 4], kind: i32) -> Result<(Vec<u8>, i32)> {
        Ok((group(label, kind, &self.bytes)?, self.count.saturating_add(1)))
    }
}

/// Blocks of exterior cells and the sub-blocks in them, by their labels.
type Blocks = BTreeMap<[i16; 2], BTreeMap<[i16; 2], Branch>>;

/// Whole records of meshes.
type Packed = BTreeMap<Key, Vec<u8>>;

/// Where a cell stands: its worldspace and square, or nothing for an interior.
type Square = Option<(Key, i16, i16)>;

impl<'a> FixPlan<'_, 'a> {
    /// A plugin of overrides with all repairs, to be loaded after all others: repaired meshes in their cells, which say what
    /// their winning versions say, and entries of the info map. Its masters are the files that it names, in load order. A
    /// `light` one takes none of the 254 places that a load order has.
    ///
    /// # Errors
    /// If nothing is repaired, if a cell or worldspace has a field that is not known, or if there are too many masters.
    pub fn patch(&self, light: bool) -> Result<Vec<u8>> {
        let order = self.world.order;
        if self.world.edited.is_empty() && self.entries.is_empty() {
            return Err(Error::invalid("patch", "would hold nothing"));
        }
        let Some((_, plugin)) = order.get(order.len().saturating_sub(1)) else {
            return Err(Error::invalid("load order", "is empty"));
        };
        let full =
            (0..order.len()).all(|at| order.get(at).is_none_or(|(_, each)| each.scale() == Scale::Full));
        if plugin.game() == Game::Starfield && !full {
            return Err(Error::invalid("patch", "light and medium masters of Starfield cannot be named yet"));
        }
        // Twice: first the files are met, then all have their numbers. Whoever is overridden loads before as well.
        let overridden = self.world.edited.values().flat_map(|e| [e.target.plugin, e.source.plugin]);
        let met: RefCell<BTreeSet<usize>> = RefCell::new(overridden.collect());
        let note = |key: Key| {
            met.borrow_mut().insert(order.place_of(key));
            Some(FormId::NULL)
        };
        let files = self.files();
        self.body(plugin, &note, None)?;
        // What is not in the order is a master of what is, and loads first.
        let mut places: Vec<usize> = met.into_inner().into_iter().collect();
        places.sort_by_key(|place| (*place < order.len(), *place));
        let masters: Vec<u32> = places.iter().filter_map(|place| files.get(place).copied()).collect();
        if masters.len() > MOST_MASTERS {
            return Err(Error::invalid(
                "patch",
                format!("names {} files, a plugin {MOST_MASTERS}", masters.len()),
            ));
        }
        let local = |key: Key| {
            let place = masters.iter().position(|file| *file == key.file)?;
            Some(FormId::new((u32::try_from(place).ok()? << 24) | key.object))
        };
        let body = self.body(plugin, &local, Some(&self.records(&local)?))?;
        self.file(plugin, &masters, light, body)
    }

    /// The number of every file by its place in the order; files that are not in it come behind.
    fn files(&self) -> HashMap<usize, u32> {
        let world = &self.world;
        let keys = world.rows.keys().iter().copied().chain(world.names.all());
        let mut files: HashMap<usize, u32> = keys.map(|key| (world.order.place_of(key), key.file)).collect();
        files.extend((0..world.order.len()).filter_map(|place| Some((place, u32::try_from(place).ok()?))));
        files
    }

    fn file(&self, like: &Plugin<'_>, masters: &[u32], light: bool, body: Branch) -> Result<Vec<u8>> {
        let order = self.world.order;
        let plugins = (0..order.len()).filter_map(|index| Some(order.get(index)?.1));
        let version = plugins.map(|plugin| plugin.hedr().version()).fold(like.hedr().version(), f32::max);
        let mut data = Vec::new();
        let hedr = [version.to_le_bytes(), body.count.to_le_bytes(), 0x0800_u32.to_le_bytes()].concat();
        field(&mut data, Tag(*b"HEDR"), &hedr)?;
        field(&mut data, Tag(*b"CNAM"), b"navmap\0")?;
        for file in masters {
            let name = order.file_name(*file).unwrap_or_default();
            let stored = self.stored_name(*file).unwrap_or_else(|| name.into_bytes());
            field(&mut data, Tag(*b"MAST"), &[&stored[..], b"\0"].concat())?;
            field(&mut data, Tag(*b"DATA"), &[0; 8])?;
        }
        let is_light = light && matches!(like.game(), Game::SkyrimSe | Game::Fallout4 | Game::Fallout76);
        let head = NewRecord {
            tag: Tag::TES4,
            flags: RecordFlags(if is_light { 0x200 } else { 0 }),
            form_id: FormId::NULL,
            form_version: like.header().form_version(),
        };
        let mut file = head.encode(&data)?;
        body.bytes.iter().for_each(|bytes| file.extend(bytes));
        Ok(file)
    }

    /// The name of a master as plugins store it, whose encoding no field tells.
    fn stored_name(&self, file: u32) -> Option<Vec<u8>> {
        let order = self.world.order;
        (0..order.len()).find_map(|index| {
            let (_, plugin) = order.get(index)?;
            let at = plugin.masters().enumerate().find(|(at, _)| {
                let form = u32::try_from(*at).ok().map(|at| FormId::new(at << 24));
                form.and_then(|form| order.key(index, form)).is_some_and(|key| key.file == file)
            });
            at.map(|(_, name)| name.to_vec())
        })
    }

    /// The records of all repaired meshes, compressed on all cores.
    fn records(&self, to: &impl Fn(Key) -> Option<FormId>) -> Result<Packed> {
        let mut records = Vec::with_capacity(self.world.edited.len());
        for (key, edited) in &self.world.edited {
            records.push((*key, self.head(*key, edited, to)?, self.record_data(edited, to)?));
        }
        let pack = |(key, head, data): (Key, NewRecord, Vec<u8>)| Ok((key, head.encode(&data)?));
        {
            use rayon::prelude::*;
            records.into_par_iter().map(pack).collect()
        }
    }

    /// The header of a repaired mesh.
    fn head(&self, key: Key, edited: &Edited<'_>, to: &impl Fn(Key) -> Option<FormId>) -> Result<NewRecord> {
        let Some(form_id) = to(key) else {
            return Err(Error::invalid("patch", format!("{} has no name there", self.world.called(key))));
        };
        let form_version = edited.source.navm.header().form_version();
        Ok(NewRecord { tag: Tag::NAVM, flags: edited.flags, form_id, form_version })
    }

    /// All groups. Without records the names in them are met, and what is made is no plugin.
    fn body(
        &self,
        like: &Plugin<'_>,
        to: &impl Fn(Key) -> Option<FormId>,
        packed: Option<&Packed>,
    ) -> Result<Branch> {
        let mut body = Branch::default();
        if let Some((head, data)) = self.new_map(like, to, None)? {
            let shared = self.shared_map().and_then(to);
            let head = NewRecord { form_id: shared.unwrap_or(head.form_id), ..head };
            let mut map = Branch::default();
            map.add(head.encode(&data)?, 1);
            let (bytes, count) = map.closed(*b"NAVI", 0)?;
            body.add(bytes, count);
        }
        let spaces = self.spaces();
        let mut cells: BTreeMap<(Square, Key), Vec<(Key, &Edited<'a>)>> = BTreeMap::new();
        for (key, edited) in &self.world.edited {
            let place = edited.target.navm.place();
            let order = self.world.order;
            let plugin = edited.target.plugin;
            let Some(cell) = place.cell.and_then(|cell| order.key(plugin, cell)) else {
                return Err(Error::invalid(
                    "patch",
                    format!("{} stands in no cell", edited.target.navm.form_id()),
                ));
            };
            let square = match edited.mesh.pathing_cell.parent() {
                Parent::Exterior { world, x, y } => self.world.names.key(world).map(|world| (world, x, y)),
                _ => None,
            };
            cells.entry((square, cell)).or_default().push((*key, edited));
        }
        let mut interiors: BTreeMap<(u32, u32), Branch> = BTreeMap::new();
        let mut worlds: BTreeMap<Key, Blocks> = BTreeMap::new();
        for ((square, cell), meshes) in cells {
            let branch = match square {
                None => interiors.entry((cell.object % 10, (cell.object / 10) % 10)).or_default(),
                Some((world, x, y)) => {
                    let blocks = worlds.entry(world).or_default();
                    blocks.entry([y >> 5, x >> 5]).or_default().entry([y >> 3, x >> 3]).or_default()
                }
            };
            self.cell(&spaces, cell, &meshes, to, packed, branch)?;
        }
        let mut blocks: BTreeMap<u32, Branch> = BTreeMap::new();
        for ((block, sub), branch) in interiors {
            let (bytes, count) = branch.closed(sub.to_le_bytes(), GroupKind::InteriorSubBlock.to_stored())?;
            blocks.entry(block).or_default().add(bytes, count);
        }
        let mut inside = Branch::default();
        for (block, branch) in blocks {
            let (bytes, count) = branch.closed(block.to_le_bytes(), GroupKind::InteriorBlock.to_stored())?;
            inside.add(bytes, count);
        }
        if inside.count > 0 {
            let (bytes, count) = inside.closed(*b"CELL", 0)?;
            body.add(bytes, count);
        }
        let mut outside = Branch::default();
        for (world, blocks) in worlds {
            let mut children = Branch::default();
            for (block, subs) in blocks {
                let mut within = Branch::default();
                for (sub, branch) in subs {
                    let (bytes, count) = branch.closed(grid(sub), GroupKind::ExteriorSubBlock.to_stored())?;
                    within.add(bytes, count);
                }
                let (bytes, count) = within.closed(grid(block), GroupKind::ExteriorBlock.to_stored())?;
                children.add(bytes, count);
            }
            let (bytes, form) = self.space(&spaces, world, to)?;
            outside.add(bytes, 1);
            let (bytes, count) =
                children.closed(form.get().to_le_bytes(), GroupKind::WorldChildren.to_stored())?;
            outside.add(bytes, count);
        }
        if outside.count > 0 {
            let (bytes, count) = outside.closed(*b"WRLD", 0)?;
            body.add(bytes, count);
        }
        Ok(body)
    }

    /// The info map that all plugins of the game share: what the first of them that has one calls it.
    fn shared_map(&self) -> Option<Key> {
        let order = self.world.order;
        (0..order.len()).find_map(|index| {
            let navi = order.get(index)?.1.navi().ok()??;
            order.key(index, navi.form_id())
        })
    }

    /// A cell with its repaired meshes.
    fn cell(
        &self,
        spaces: &HashMap<Key, Winning<'a>>,
        cell: Key,
        meshes: &[(Key, &Edited<'a>)],
        to: &impl Fn(Key) -> Option<FormId>,
        packed: Option<&Packed>,
        branch: &mut Branch,
    ) -> Result<()> {
        let (bytes, form) = self.space(spaces, cell, to)?;
        branch.add(bytes, 1);
        let mut temporary = Branch::default();
        for (key, edited) in meshes {
            let record = match packed {
                Some(packed) => packed.get(key).cloned().unwrap_or_default(),
                None => {
                    self.head(*key, edited, to)?;
                    self.record_data(edited, to)?
                }
            };
            temporary.add(record, 1);
        }
        let label = *form.as_bytes().first_chunk().unwrap_or(&[0; 4]);
        let (bytes, count) = temporary.closed(label, GroupKind::TemporaryChildren.to_stored())?;
        let mut children = Branch::default();
        children.add(bytes, count);
        let (bytes, count) = children.closed(label, GroupKind::CellChildren.to_stored())?;
        branch.add(bytes, count);
        Ok(())
    }

    /// A cell or worldspace as it is in its winning version.
    fn space(
        &self,
        spaces: &HashMap<Key, Winning<'a>>,
        key: Key,
        to: &impl Fn(Key) -> Option<FormId>,
    ) -> Result<(Vec<u8>, FormId)> {
        let order = self.world.order;
        let Some(Winning { plugin, record }) = spaces.get(&key).copied() else {
            let why = format!("the record of {} is in no plugin of the load order", self.world.called(key));
            return Err(Error::invalid("patch", why));
        };
        let localized = order.get(plugin).is_some_and(|(_, plugin)| plugin.is_localized());
        let data = space_data(&record, localized, |form| to(order.key(plugin, form)?))?;
        let Some(form_id) = to(key) else {
            return Err(Error::invalid("patch", format!("{} has no name there", self.world.called(key))));
        };
        let header = record.header();
        let head = NewRecord {
            tag: record.tag(),
            flags: header.flags(),
            form_id,
            form_version: header.form_version(),
        };
        Ok((head.encode(&data)?, form_id))
    }

    /// The winning records of the spaces that repaired meshes stand in.
    fn spaces(&self) -> HashMap<Key, Winning<'a>> {
        let order = self.world.order;
        let mut wanted = BTreeSet::new();
        for edited in self.world.edited.values() {
            let place = edited.target.navm.place();
            wanted.extend(place.cell.and_then(|cell| order.key(edited.target.plugin, cell)));
            if let Parent::Exterior { world, .. } = edited.mesh.pathing_cell.parent() {
                wanted.extend(self.world.names.key(world));
            }
        }
        let mut found = HashMap::new();
        for index in 0..order.len() {
            let Some((_, plugin)) = order.get(index) else { continue };
            for record in plugin.walk(Wanted::SPACES).flatten() {
                if let Some(key) = order.key(index, record.form_id()).filter(|key| wanted.contains(key)) {
                    found.insert(key, Winning { plugin: index, record });
                }
            }
        }
        found
    }
}

/// The label of a block of exterior cells: y first.
fn grid([y, x]: [i16; 2]) -> [u8; 4] {
    let ([a, b], [c, d]) = (y.to_le_bytes(), x.to_le_bytes());
    [a, b, c, d]
}
