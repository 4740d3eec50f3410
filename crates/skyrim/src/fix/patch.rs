//! A patch: a plugin of overrides that loads after all others.

use super::plan::FixPlan;
use super::space::{From, space_data};
use super::world::Edited;
use crate::check::links::Key;
use crate::flags::{GroupKind, RecordFlags};
use crate::form::{FormId, Tag};
use crate::plugin::{Game, Plugin, Scale};
use crate::record::Parent;
use crate::rewrite::{NewRecord, group_header};
use crate::text::name_key;
use crate::walk::{Record, Wanted};
use crate::write::field;
use navmap_core::error::{Error, Result};
use navmap_core::threads::spread;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use zerocopy::IntoBytes;

/// The most masters of a plugin.
const MOST_MASTERS: usize = 253;

/// The winning record of a cell or worldspace.
#[derive(Clone, Copy)]
pub(super) struct Winning<'a> {
    pub(super) plugin: usize,
    pub(super) record: Record<'a>,
}

/// The records of the spaces that repaired meshes stand in.
pub(super) type Spaces<'a> = HashMap<Key, Winning<'a>>;

/// What records are called in a patch that names these files as its masters.
pub(super) fn numbered(masters: &[u32]) -> impl Fn(Key) -> Option<FormId> + '_ {
    |key| {
        let place = masters.iter().position(|file| *file == key.file)?;
        Some(FormId::new((u32::try_from(place).ok()? << 24) | key.object))
    }
}

/// Complete records and groups in pieces, which are copied once, into the file. Their number is that of records and groups.
#[derive(Default)]
struct Branch {
    pieces: Vec<Vec<u8>>,
    size: usize,
    count: i32,
}

impl Branch {
    fn add(&mut self, record: Vec<u8>) {
        self.size = self.size.saturating_add(record.len());
        self.count = self.count.saturating_add(1);
        self.pieces.push(record);
    }

    /// Adds all of another one.
    fn join(&mut self, mut other: Self) {
        self.size = self.size.saturating_add(other.size);
        self.count = self.count.saturating_add(other.count);
        self.pieces.append(&mut other.pieces);
    }

    /// The group of all this.
    fn closed(self, label: [u8; 4], kind: i32) -> Result<Self> {
        let mut group = Self::default();
        group.add(group_header(label, kind, self.size)?);
        group.join(self);
        Ok(group)
    }
}

/// Blocks of exterior cells and the sub-blocks in them, by their labels.
type Blocks = BTreeMap<[i16; 2], BTreeMap<[i16; 2], Branch>>;

/// Whole records of meshes.
type Packed = BTreeMap<Key, Vec<u8>>;

/// Where a cell stands: its worldspace and square, or nothing for an interior.
pub(super) type Square = Option<(Key, i16, i16)>;

impl<'o, 'a> FixPlan<'o, 'a> {
    /// A plugin of overrides with all repairs, to be loaded after all others: repaired meshes in their cells, which repeat their
    /// winning versions, and entries of the info map. Its masters are the files it names, in load order. A `light` one uses none
    /// of the 254 slots of a load order. It is made for the newest game of the order's plugins.
    ///
    /// What no patch can hold is left out, and a [deed](Self::deeds) says why: a mesh whose cell or worldspace has a field
    /// that is not known, whose FormIDs, if it has any, would have to change.
    ///
    /// # Errors
    /// If nothing is repaired, if there are too many masters, if one is a light or medium plugin of Starfield, or if the game has no
    /// light plugins.
    pub fn patch(&self, light: bool) -> Result<Vec<u8>> {
        self.patch_named("", light)
    }

    /// The same, for a file of this name. Games take an `.esm` or `.esl` for a master and an `.esl` for a light plugin, whatever
    /// its flags say, so they say it too.
    ///
    /// # Errors
    /// Those of [`patch`](Self::patch).
    pub fn patch_named(&self, name: &str, light: bool) -> Result<Vec<u8>> {
        if self.world.edited.is_empty() && self.entries.is_empty() {
            return Err(Error::invalid("patch", "would hold nothing"));
        }
        let Some(plugin) = self.like() else {
            return Err(Error::invalid("load order", "is empty"));
        };
        let flags = flags(name, light, plugin.game())?;
        let masters = self.masters(plugin)?;
        if let Some(name) = self.unnamable(plugin.game(), &masters) {
            let why = format!("would need {name}: light and medium masters of Starfield cannot be named yet");
            return Err(Error::invalid("patch", why));
        }
        if masters.len() > MOST_MASTERS {
            return Err(Error::invalid(
                "patch",
                format!("names {} files, a plugin {MOST_MASTERS}", masters.len()),
            ));
        }
        let local = numbered(&masters);
        let body = self.body(plugin, &local, Some(self.records(&local)?))?;
        self.file(plugin, &masters, flags, &local, body)
    }

    /// The plugin that a patch is like: the last one for the newest game of the order.
    pub(super) fn like(&self) -> Option<&'o Plugin<'a>> {
        let order = self.world.order;
        let plugins = (0..order.len()).filter_map(|at| Some(order.get(at)?.1));
        plugins.max_by_key(|plugin| plugin.form_version())
    }

    /// The first of these masters that FormIDs of Starfield number apart from the full ones.
    fn unnamable(&self, game: Game, masters: &[u32]) -> Option<String> {
        let order = self.world.order;
        let full = |file: u32| order.scale(file as usize).is_none_or(|scale| scale == Scale::Full);
        let file = masters.iter().copied().find(|file| game == Game::Starfield && !full(*file))?;
        order.file_name(file)
    }

    /// The files that the patch names, in load order: first they are met, then all have their numbers. Whoever is
    /// overridden loads before as well.
    pub(super) fn masters(&self, like: &Plugin<'_>) -> Result<Vec<u32>> {
        let order = self.world.order;
        let overridden = self.world.edited.values().flat_map(|e| [e.target.plugin, e.source.plugin]);
        let met: RefCell<BTreeSet<usize>> = RefCell::new(overridden.collect());
        let note = |key: Key| {
            met.borrow_mut().insert(order.place_of(key));
            Some(FormId::NULL)
        };
        let files = self.files(like.game());
        self.body(like, &note, None)?;
        // What is not in the order is a master of what is, and loads first.
        let mut places: Vec<usize> = met.into_inner().into_iter().collect();
        places.sort_by_key(|place| (*place < order.len(), *place));
        Ok(places.iter().filter_map(|place| files.get(place).copied()).collect())
    }

    /// The number of every file by its index in the order; missing files come last.
    fn files(&self, game: Game) -> HashMap<usize, u32> {
        let world = &self.world;
        let keys = world.rows.keys().iter().copied().chain(world.names.all()).chain(self.shared_map(game));
        let mut files: HashMap<usize, u32> = keys.map(|key| (world.order.place_of(key), key.file)).collect();
        files.extend((0..world.order.len()).filter_map(|place| Some((place, u32::try_from(place).ok()?))));
        files
    }

    fn file(
        &self,
        like: &Plugin<'_>,
        masters: &[u32],
        flags: RecordFlags,
        to: &impl Fn(Key) -> Option<FormId>,
        body: Branch,
    ) -> Result<Vec<u8>> {
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
        if flags.contains(RecordFlags::MASTER) && !self.world.edited.is_empty() {
            // A master lists the temporary records of others that it holds.
            let forms: BTreeSet<u32> =
                self.world.edited.keys().filter_map(|key| Some(to(*key)?.get())).collect();
            let list: Vec<u8> = forms.into_iter().flat_map(u32::to_le_bytes).collect();
            field(&mut data, Tag(*b"ONAM"), &list)?;
        }
        let head =
            NewRecord { tag: Tag::TES4, flags, form_id: FormId::NULL, form_version: like.form_version() };
        let mut file = head.encode(&data)?;
        file.reserve_exact(body.size);
        body.pieces.into_iter().for_each(|piece| file.extend(piece));
        Ok(file)
    }

    /// The stored name of a master, whose encoding no field gives.
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
        let pack = |(key, head, data): (Key, NewRecord, Vec<u8>)| Ok((key, head.encode_own(data)?));
        {
            use rayon::prelude::*;
            spread(|| records.into_par_iter().map(pack).collect())
        }
    }

    /// The header of a repaired mesh.
    pub(super) fn head(
        &self,
        key: Key,
        edited: &Edited<'_>,
        to: &impl Fn(Key) -> Option<FormId>,
    ) -> Result<NewRecord> {
        let Some(form_id) = to(key) else {
            return Err(Error::invalid("patch", format!("{} has no name there", self.world.called(key))));
        };
        let form_version = edited.source.navm.header().form_version();
        Ok(NewRecord { tag: Tag::NAVM, flags: edited.flags, form_id, form_version })
    }

    /// All groups. Without records this only collects the names in them, and the result is not a plugin.
    fn body(
        &self,
        like: &Plugin<'_>,
        to: &impl Fn(Key) -> Option<FormId>,
        mut packed: Option<Packed>,
    ) -> Result<Branch> {
        let mut body = Branch::default();
        let first = like.game().shared_map().map(|(_, object)| FormId::new(object));
        if let Some((head, data)) = self.new_map(like, to, None, first)? {
            let shared = self.shared_map(like.game()).and_then(to);
            let head = NewRecord { form_id: shared.unwrap_or(head.form_id), ..head };
            let mut map = Branch::default();
            map.add(head.encode(&data)?);
            body.join(map.closed(*b"NAVI", 0)?);
        }
        let spaces = self.spaces();
        let mut cells: BTreeMap<(Square, Key), Vec<(Key, &Edited<'a>)>> = BTreeMap::new();
        for (key, edited) in &self.world.edited {
            let (cell, square) = self.stands_in(edited)?;
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
            self.cell(&spaces, cell, &meshes, to, packed.as_mut(), branch)?;
        }
        let mut blocks: BTreeMap<u32, Branch> = BTreeMap::new();
        for ((block, sub), branch) in interiors {
            blocks
                .entry(block)
                .or_default()
                .join(branch.closed(sub.to_le_bytes(), GroupKind::InteriorSubBlock.to_stored())?);
        }
        let mut inside = Branch::default();
        for (block, branch) in blocks {
            inside.join(branch.closed(block.to_le_bytes(), GroupKind::InteriorBlock.to_stored())?);
        }
        if inside.count > 0 {
            body.join(inside.closed(*b"CELL", 0)?);
        }
        let mut outside = Branch::default();
        for (world, blocks) in worlds {
            let mut children = Branch::default();
            for (block, subs) in blocks {
                let mut within = Branch::default();
                for (sub, branch) in subs {
                    within.join(branch.closed(grid(sub), GroupKind::ExteriorSubBlock.to_stored())?);
                }
                children.join(within.closed(grid(block), GroupKind::ExteriorBlock.to_stored())?);
            }
            let (bytes, form, _) = self.space(&spaces, world, to, packed.is_none())?;
            outside.add(bytes);
            outside.join(children.closed(form.get().to_le_bytes(), GroupKind::WorldChildren.to_stored())?);
        }
        if outside.count > 0 {
            body.join(outside.closed(*b"WRLD", 0)?);
        }
        Ok(body)
    }

    /// A cell with its repaired meshes.
    fn cell(
        &self,
        spaces: &Spaces<'a>,
        cell: Key,
        meshes: &[(Key, &Edited<'a>)],
        to: &impl Fn(Key) -> Option<FormId>,
        mut packed: Option<&mut Packed>,
        branch: &mut Branch,
    ) -> Result<()> {
        let (bytes, form, _) = self.space(spaces, cell, to, packed.is_none())?;
        branch.add(bytes);
        let mut temporary = Branch::default();
        for (key, edited) in meshes {
            let record = match &mut packed {
                Some(packed) => packed.remove(key).unwrap_or_default(),
                None => {
                    self.head(*key, edited, to)?;
                    self.record_data(edited, to)?
                }
            };
            temporary.add(record);
        }
        let label = *form.as_bytes().first_chunk().unwrap_or(&[0; 4]);
        let mut children = Branch::default();
        children.join(temporary.closed(label, GroupKind::TemporaryChildren.to_stored())?);
        branch.join(children.closed(label, GroupKind::CellChildren.to_stored())?);
        Ok(())
    }

    /// A cell or worldspace as it is in its winning version, its FormID, and how many of its fields are not known. While
    /// names are being `met`, no field is refused.
    pub(super) fn space(
        &self,
        spaces: &Spaces<'a>,
        key: Key,
        to: &impl Fn(Key) -> Option<FormId>,
        met: bool,
    ) -> Result<(Vec<u8>, FormId, u64)> {
        let order = self.world.order;
        let Some(Winning { plugin, record }) = spaces.get(&key).copied() else {
            let why = format!("the record of {} is in no plugin of the load order", self.world.called(key));
            return Err(Error::invalid("patch", why));
        };
        let from = From { order, plugin, same_numbers: met || self.numbers_alike(plugin, to) };
        let (data, carried) = space_data(&record, from, |form| to(order.key(plugin, form)?))?;
        if met && carried > 0 {
            // So that its numbers may stay what they are.
            self.numbers_alike(plugin, to);
        }
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
        Ok((head.encode(&data)?, form_id, carried))
    }

    /// Whether a plugin and the patch have the same numbers for all files that the plugin can name.
    fn numbers_alike(&self, plugin: usize, to: &impl Fn(Key) -> Option<FormId>) -> bool {
        let Some((_, view)) = self.world.order.get(plugin) else { return false };
        let own = u32::try_from(view.master_count()).unwrap_or(u32::MAX);
        let alike = |file: u32| {
            let form = FormId::new(file.wrapping_shl(24) | 1);
            self.world.order.key(plugin, form).and_then(to) == Some(form)
        };
        // All of them are asked for, since that is how they are met.
        (0..=own.min(0xFF)).filter(|file| !alike(*file)).count() == 0
    }

    /// The cell that a repaired mesh stands in, and its worldspace with its square there.
    pub(super) fn stands_in(&self, edited: &Edited<'_>) -> Result<(Key, Square)> {
        let (plugin, navm) = (edited.target.plugin, &edited.target.navm);
        let cell = navm.place().cell.and_then(|cell| self.world.order.key(plugin, cell));
        let cell =
            cell.ok_or_else(|| Error::invalid("patch", format!("{} stands in no cell", navm.form_id())))?;
        let square = match edited.mesh.pathing_cell.parent() {
            Parent::Exterior { world, x, y } => self.world.names.key(world).map(|world| (world, x, y)),
            _ => None,
        };
        Ok((cell, square))
    }

    /// The winning records of the spaces that repaired meshes stand in.
    pub(super) fn spaces(&self) -> Spaces<'a> {
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

/// The flags of a patch of this name.
///
/// # Errors
/// If it is to be light, and the game has no light plugins.
fn flags(name: &str, light: bool, game: Game) -> Result<RecordFlags> {
    let name = name_key(name);
    let is_esl = name.ends_with(".esl");
    let master = if is_esl || name.ends_with(".esm") { RecordFlags::MASTER.0 } else { 0 };
    let light = match game.light_flag() {
        _ if !light && !is_esl => 0,
        Some(flag) => flag.0,
        None => return Err(Error::invalid("patch", format!("cannot be light: {game} has no light plugins"))),
    };
    Ok(RecordFlags(master | light))
}

/// The label of a block of exterior cells: y first.
fn grid([y, x]: [i16; 2]) -> [u8; 4] {
    let ([a, b], [c, d]) = (y.to_le_bytes(), x.to_le_bytes());
    [a, b, c, d]
}
