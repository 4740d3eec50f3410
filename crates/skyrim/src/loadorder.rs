//! Several plugins as the game loads them. Determines which record wins, and whether links between plugins arrive.

mod entries;
mod masters;

use super::check::Report;
use super::check::links::{Key, Links, Unknown};
use super::form::FormId;
use super::navm::NavmRecord;
use super::owners::{LIGHT_INDEX, MEDIUM_INDEX, Origin, Owners};
use super::plugin::{Game, Plugin, Scale};
use super::space::Spaces;
use super::survey::damage;
use super::text::{decode_text, name_key};
use entries::Overrides;
use navmap_core::bytes::Scratch;
use navmap_core::{Finding, Severity};
use std::collections::HashMap;

/// Plugins in load order, masters first. Resolves FormIDs over all of them, and finds the winning override of each
/// navmesh.
///
/// ```
/// use navmap::format::skyrim::{LoadOrder, Plugin};
/// # fn plugin(name: &str) -> Vec<u8> {
/// #     let mast = if name.is_empty() { Vec::new() } else { [b"MAST", &(name.len() as u16 + 1).to_le_bytes()[..], name.as_bytes(), b"\0"].concat() };
/// #     let hedr = [b"HEDR\x0c\0", &[0u8; 12][..]].concat();
/// #     let size = (hedr.len() + mast.len()) as u32;
/// #     [b"TES4", &size.to_le_bytes()[..], &[0; 12], &[44, 0, 0, 0], &hedr, &mast].concat()
/// # }
/// # let (base, patch) = (plugin(""), plugin("Base.esm"));
/// let mut order = LoadOrder::new();
/// order.push("Base.esm", Plugin::parse(&base, &Default::default())?);
/// order.push("Patch.esp", Plugin::parse(&patch, &Default::default())?);
/// let mut findings = Vec::new();
/// order.check(&mut navmap::bytes::Scratch::new(), &mut |plugin, finding| findings.push((plugin, finding)));
/// assert!(findings.is_empty());
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct LoadOrder<'a> {
    plugins: Vec<Loaded<'a>>,
    /// The index of the first plugin with each [name](name_key).
    names: HashMap<String, usize>,
    /// Numbers of masters missing from the order, by name.
    absent: HashMap<String, u32>,
    /// Their names by number, as the first plugin that needs one writes it.
    absent_names: Vec<String>,
    /// The newest game of a plugin.
    game: Option<Game>,
    counts: Counts,
}

/// How many full, medium and light plugins there are: games count each scale apart.
#[derive(Debug, Default)]
struct Counts {
    full: u32,
    medium: u32,
    light: u32,
}

impl Counts {
    /// Gives the next plugin its scale in this game, and its number among those of the scale.
    fn add(&mut self, loaded: &mut Loaded<'_>, game: Game) {
        let is_light = name_key(&loaded.name).ends_with(".esl");
        loaded.scale = if is_light { Scale::Light } else { loaded.plugin.scale_in(game) };
        let slot = match loaded.scale {
            Scale::Full => &mut self.full,
            Scale::Medium => &mut self.medium,
            Scale::Light => &mut self.light,
        };
        loaded.slot = *slot;
        *slot = slot.saturating_add(1);
    }
}

#[derive(Debug)]
struct Loaded<'a> {
    name: String,
    plugin: Plugin<'a>,
    scale: Scale,
    /// Its number among the plugins of its scale.
    slot: u32,
    /// The file of each master index. In Starfield only full masters count here.
    masters: Vec<u32>,
    /// Light and medium masters, which Starfield numbers separately. (From public tools; no real file with such masters was
    /// seen.)
    light: Vec<u32>,
    medium: Vec<u32>,
    owners: Owners,
}

/// A record under a name that is the same for every plugin: its file and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId {
    /// The plugin it comes from, as an index in the load order.
    pub plugin: usize,
    /// Its number in that plugin.
    pub object_id: u32,
}

/// The first number for files missing from the order.
const ABSENT: u32 = 1 << 31;

impl<'a> LoadOrder<'a> {
    /// A load order without plugins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the plugin that loads next. Its name is its file name, by which other plugins name it as their master. Case is
    /// ignored.
    pub fn push(&mut self, name: impl Into<String>, plugin: Plugin<'a>) {
        let mut loaded = Loaded {
            name: name.into(),
            plugin,
            scale: Scale::Full,
            slot: 0,
            masters: Vec::new(),
            light: Vec::new(),
            medium: Vec::new(),
            owners: Owners::UNKNOWN,
        };
        let game = self.game.map_or(plugin.game(), |game| game.max(plugin.game()));
        if self.game != Some(game) {
            // It reads the flags of older plugins as it reads its own.
            self.game = Some(game);
            self.counts = Counts::default();
            self.plugins.iter_mut().for_each(|each| self.counts.add(each, game));
        }
        self.counts.add(&mut loaded, game);
        for master in plugin.masters() {
            let file = self.file_number(master);
            // The scale of a master missing from the order is unknown. Most are full.
            let scale = self.plugins.get(file as usize).map_or(Scale::Full, |master| master.scale);
            match scale {
                Scale::Light if plugin.game() == Game::Starfield => loaded.light.push(file),
                Scale::Medium if plugin.game() == Game::Starfield => loaded.medium.push(file),
                _ => loaded.masters.push(file),
            }
        }
        loaded.owners = Owners::new(loaded.masters.iter(), plugin.game() == Game::Starfield, PartialEq::eq);
        let (key, index) = (name_key(&loaded.name), self.plugins.len());
        // Plugins that load before their master take it for a file that is missing.
        if let (Some(absent), false) = (self.absent.get(&key), self.names.contains_key(&key)) {
            let lists = self.plugins.iter_mut().flat_map(|each| {
                [&mut each.masters, &mut each.light, &mut each.medium].into_iter().flatten()
            });
            let now = u32::try_from(index).unwrap_or(ABSENT);
            lists.filter(|file| *file == absent).for_each(|file| *file = now);
        }
        self.names.entry(key).or_insert(index);
        self.plugins.push(loaded);
    }

    fn file_number(&mut self, master: &[u8]) -> u32 {
        let number = |index: usize| u32::try_from(index).unwrap_or(ABSENT);
        let name = decode_text(master);
        let key = name_key(&name);
        if let Some(index) = self.names.get(&key) {
            return number(*index);
        }
        let next = ABSENT.saturating_add(number(self.absent_names.len()));
        *self.absent.entry(key).or_insert_with(|| {
            self.absent_names.push(name.into_owned());
            next
        })
    }

    /// How many plugins there are.
    pub fn len(&self) -> usize {
        self.plugins.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.plugins.is_empty()
    }

    /// The plugin at an index in the order, with its name.
    pub fn get(&self, index: usize) -> Option<(&str, &Plugin<'a>)> {
        self.plugins.get(index).map(|loaded| (loaded.name.as_str(), &loaded.plugin))
    }

    /// The game that loads the plugins: the newest that one of them is made for. `None` if there are none.
    pub fn game(&self) -> Option<Game> {
        self.game
    }

    /// Whether the plugin at an index in the order is full, medium or light: by its flags as the [game](Self::game) reads them.
    /// An `.esl` is always light.
    pub fn scale(&self, index: usize) -> Option<Scale> {
        self.plugins.get(index).map(|loaded| loaded.scale)
    }

    /// The record of a plugin's FormID; `None` if its file is not in the order.
    pub fn resolve(&self, plugin: usize, form: FormId) -> Option<GlobalId> {
        let key = self.plugins.get(plugin)?.key(plugin, form);
        (key.file < ABSENT).then_some(GlobalId { plugin: key.file as usize, object_id: key.object })
    }

    /// For every navmesh record, the plugin whose version the game uses: the last one that has it. Of several records with one FormID
    /// in that plugin the first counts. Damaged groups are skipped.
    pub fn winners(&self) -> HashMap<GlobalId, usize> {
        self.winning()
            .into_iter()
            .filter(|(key, _)| key.file < ABSENT)
            .map(|(key, versions)| {
                let id = GlobalId { plugin: key.file as usize, object_id: key.object };
                (id, versions.last)
            })
            .collect()
    }

    /// The file of a plugin's FormID, whether in the order or not, and the number there.
    pub(super) fn key(&self, plugin: usize, form: FormId) -> Option<Key> {
        Some(self.plugins.get(plugin)?.key(plugin, form))
    }

    /// How a plugin numbers files.
    pub(super) fn owners(&self, plugin: usize) -> Owners {
        self.plugins.get(plugin).map_or(Owners::UNKNOWN, |loaded| loaded.owners)
    }

    /// A plugin's FormID for this key; `None` if the file is not one of its masters.
    pub(super) fn local(&self, plugin: usize, key: Key) -> Option<FormId> {
        self.plugins.get(plugin)?.local(plugin, key)
    }

    /// The name of a file, whether in the order or not.
    pub(super) fn file_name(&self, file: u32) -> Option<String> {
        match file.checked_sub(ABSENT) {
            None => self.get(file as usize).map(|(name, _)| name.to_owned()),
            Some(absent) => self.absent_names.get(absent as usize).cloned(),
        }
    }

    /// Whether a file of this number is in the order.
    pub(super) fn has(&self, key: Key) -> bool {
        key.file < ABSENT
    }

    /// For every navmesh record, the plugin whose version the game uses, and its number there, including records of files missing
    /// from the order.
    pub(super) fn last_versions(&self) -> HashMap<Key, (usize, u32)> {
        self.winning().into_iter().map(|(key, versions)| (key, (versions.last, versions.record))).collect()
    }

    /// The number of a file: its index in the order. Missing files follow.
    pub(super) fn place_of(&self, key: Key) -> usize {
        match key.file.checked_sub(ABSENT) {
            None => key.file as usize,
            Some(absent) => self.plugins.len().saturating_add(absent as usize),
        }
    }

    /// The number by which a record is told, as a plugin editor shows it: for the order, or if it has one plugin, for that.
    pub(super) fn number(&self, plugin: usize, form: FormId) -> FormId {
        match self.key(plugin, form) {
            Some(key) if self.len() > 1 => self.numbered(key),
            _ => self.owners(plugin).canonical(form),
        }
    }

    /// The number of a record in an order of several, as the games and plugin editors write it: `xxyyyyyy` by the place of its file
    /// among the full plugins, `FExxxyyy` among the light ones, `FDxxyyyy` among the medium ones. Missing files count as full ones that
    /// follow.
    pub(super) fn numbered(&self, key: Key) -> FormId {
        let object = key.object & 0x00FF_FFFF;
        FormId::new(match self.plugins.get(key.file as usize) {
            None => {
                let absent = key.file.saturating_sub(ABSENT);
                self.counts.full.saturating_add(absent).wrapping_shl(24) | object
            }
            Some(Loaded { slot, scale, .. }) => match scale {
                Scale::Full => slot.wrapping_shl(24) | object,
                Scale::Medium => u32::from(MEDIUM_INDEX) << 24 | (slot & 0xFF) << 16 | object & 0xFFFF,
                Scale::Light => u32::from(LIGHT_INDEX) << 24 | (slot & 0xFFF) << 12 | object & 0xFFF,
            },
        })
    }

    /// The name of a record in messages: its number in the order, and its own file: `03035EB0 (Dragonborn.esm)`.
    pub(super) fn called(&self, key: Key) -> String {
        let file = self.file_name(key.file).unwrap_or_default();
        format!("{} ({file})", self.numbered(key))
    }

    fn winning(&self) -> HashMap<Key, Versions> {
        let mut winning = HashMap::new();
        for (index, loaded) in self.plugins.iter().enumerate() {
            for navm in loaded.plugin.navmeshes().flatten() {
                let key = loaded.key(index, navm.form_id());
                let record = navm.index();
                let first = Versions { last: index, record, before: None, overriders: 0 };
                let versions = winning.entry(key).or_insert(first);
                if versions.last != index {
                    if !key.is_of(versions.last) {
                        versions.before = Some(versions.last);
                        versions.overriders = versions.overriders.saturating_add(1);
                    }
                    (versions.last, versions.record) = (index, record);
                }
            }
        }
        winning
    }

    /// Reports findings across plugins. Each comes with the index of its plugin in the order.
    ///
    /// The codes are `missing-master` (warning, one for all masters of a plugin), `master-order` (error), `navmesh-conflict` (info: two plugins change
    /// one mesh of a third), `nvmi-stale` (warning: the entry that another plugin has of a mesh does not fit it), and the `edge-link-…` codes of a plugin's own check, here for the winning version of every
    /// mesh over all plugins. The memory grows with the number of edge links.
    pub fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(usize, Finding)) {
        self.check_masters(found);
        let spaces: Vec<Spaces<'_, '_>> =
            self.plugins.iter().map(|loaded| Spaces::new(&loaded.plugin)).collect();
        let found = &mut |index: usize, finding: Finding| match spaces.get(index) {
            Some(spaces) => found(index, spaces.place(finding, |form| self.number(index, form))),
            None => found(index, finding),
        };
        let winning = self.winning();
        let (mut links, mut overrides) = (Links::default(), Overrides::new());
        for (index, loaded) in self.plugins.iter().enumerate() {
            let mut found = |finding| found(index, finding);
            for navm in loaded.plugin.navmeshes() {
                let navm = match navm {
                    Ok(navm) => navm,
                    Err(error) => {
                        found(damage(&error, "damaged-group"));
                        continue;
                    }
                };
                let key = loaded.key(index, navm.form_id());
                let is_used =
                    |versions: &&Versions| (versions.last, versions.record) == (index, navm.index());
                let Some(versions) = winning.get(&key).filter(is_used) else { continue };
                self.conflict(&navm, key, versions, &mut found);
                let mesh = navm.mesh(scratch);
                links.add(index, &navm, mesh.as_ref().map(Option::as_ref), |form| loaded.key(index, form));
                match mesh {
                    Ok(_) if key.is_of(index) => {}
                    Ok(_) => _ = overrides.insert(key, (index, navm)),
                    Err(error) => found(damage(&error, "damaged-navmesh")),
                }
            }
        }
        let unknown = |key: Key| if key.file < ABSENT { Unknown::Nowhere } else { Unknown::Elsewhere };
        self.check_entries(&overrides, scratch, found);
        let own = self.owners(0);
        let shown = |key: Key, form| if self.len() > 1 { self.numbered(key) } else { own.canonical(form) };
        links.check(unknown, shown, |file| self.file_name(file), found);
    }

    fn conflict(&self, navm: &NavmRecord<'_>, key: Key, versions: &Versions, found: &mut dyn FnMut(Finding)) {
        let Some(before) = versions.before.filter(|_| versions.is_dispute(key)) else { return };
        let name = |index: usize| self.get(index).map_or("", |(name, _)| name);
        let mut report = Report::for_record(found, navm.index().into(), navm.form_id(), false);
        let why = format_args!("also changed by {}; this version wins", name(before));
        report.say(Severity::Info, "navmesh-conflict", navm.record().offset(), why);
    }
}

/// The plugins that have a record.
#[derive(Debug, Clone, Copy)]
struct Versions {
    /// The last, which the game uses, and the first record there.
    last: usize,
    record: u32,
    /// The last before that one which [changes](Key::is_of) the record.
    before: Option<usize>,
    /// How many before the last change it.
    overriders: usize,
}

impl Versions {
    /// Whether several plugins change the record.
    fn is_dispute(&self, key: Key) -> bool {
        self.overriders.saturating_add((!key.is_of(self.last)).into()) > 1
    }
}

impl Loaded<'_> {
    fn key(&self, own: usize, form: FormId) -> Key {
        let own = u32::try_from(own).unwrap_or(ABSENT);
        let file = |masters: &[u32], index: u32| masters.get(index as usize).copied().unwrap_or(own);
        let number = form.get();
        match self.owners.origin(form) {
            Origin::Scaled if form.file_index() == LIGHT_INDEX => {
                Key { file: file(&self.light, (number >> 12) & 0xFFF), object: number & 0xFFF }
            }
            Origin::Scaled => {
                Key { file: file(&self.medium, (number >> 16) & 0xFF), object: number & 0xFFFF }
            }
            _ => Key { file: file(&self.masters, form.file_index().into()), object: form.object_id() },
        }
    }

    fn local(&self, own: usize, key: Key) -> Option<FormId> {
        // An index has one byte, that of a light file one and a half: files beyond have no FormIDs here.
        let place = |masters: &[u32], most: usize| {
            let known = masters.iter().take(most).position(|file| *file == key.file)?;
            u32::try_from(known).ok()
        };
        let form = |index: u32| FormId::new(index << 24 | key.object);
        if key.is_of(own) {
            return u8::try_from(self.masters.len()).ok().map(|index| form(index.into()));
        }
        if let Some(at) = place(&self.masters, 1 << 8) {
            return Some(form(at));
        }
        if let Some(at) = place(&self.light, 1 << 12) {
            return Some(FormId::new((u32::from(LIGHT_INDEX) << 24) | (at << 12) | key.object));
        }
        let at = place(&self.medium, 1 << 8)?;
        Some(FormId::new((u32::from(MEDIUM_INDEX) << 24) | (at << 16) | key.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plugin of Skyrim SE without records.
    fn plugin(flags: u32) -> Vec<u8> {
        plugin_of(44, flags)
    }

    fn plugin_of(form_version: u32, flags: u32) -> Vec<u8> {
        let hedr = [b"HEDR\x0c\0", &1.71f32.to_le_bytes()[..], &[0; 8]].concat();
        let size = u32::try_from(hedr.len()).unwrap();
        let head = [size, flags, 0, 0, form_version].map(u32::to_le_bytes).concat();
        [b"TES4", &head[..], &hedr].concat()
    }

    #[test]
    fn records_are_numbered_as_plugin_editors_write_them() {
        let (full, light) = (plugin(0), plugin(0x200));
        let mut order = LoadOrder::new();
        for (name, bytes) in [("A.esm", &full), ("B.esl", &light), ("C.esp", &full), ("D.esl", &light)] {
            order.push(name, Plugin::parse(bytes, &Default::default()).unwrap());
        }
        let number = |file| order.numbered(Key { file, object: 0x801 }).get();
        assert_eq!([0, 1, 2, 3].map(number), [0x0000_0801, 0xFE00_0801, 0x0100_0801, 0xFE00_1801]);
        // One that is missing counts as a full plugin after them.
        assert_eq!(number(ABSENT), 0x0200_0801);
    }

    #[test]
    fn scales_are_those_of_the_game_that_loads_the_order() {
        let scales = |files: &[(&str, Vec<u8>)]| {
            let mut order = LoadOrder::new();
            for (name, bytes) in files {
                order.push(*name, Plugin::parse(bytes, &Default::default()).unwrap());
            }
            let scales: Vec<Scale> = (0..files.len()).map(|at| order.scale(at).unwrap()).collect();
            let numbers =
                (0_u32..).take(files.len()).map(|file| order.numbered(Key { file, object: 1 }).get());
            (order.game(), scales, numbers.collect::<Vec<u32>>())
        };
        let old = ("Old.esp", plugin_of(43, 0x200));
        assert_eq!(scales(std::slice::from_ref(&old)), (Some(Game::SkyrimLe), vec![Scale::Full], vec![1]));
        let files = [old, ("Named.esl", plugin(0)), ("New.esm", plugin(0))];
        assert_eq!(
            scales(&files),
            (
                Some(Game::SkyrimSe),
                vec![Scale::Light, Scale::Light, Scale::Full],
                vec![0xFE00_0001, 0xFE00_1001, 1]
            )
        );
        let flags = [0x100, 0x200, 0x400].map(|flags| ("Star.esm", plugin_of(555, flags)));
        assert_eq!(scales(&flags).1, [Scale::Light, Scale::Full, Scale::Medium]);
    }
}
