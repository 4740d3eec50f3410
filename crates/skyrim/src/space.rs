//! The spaces of a plugin: worldspaces and interior cells, and their names, the editor IDs.

use super::form::{FormId, Tag};
use super::navm::NavmRecord;
use super::plugin::Plugin;
use super::record::Parent;
use super::text::shown;
use super::walk::{Record, Wanted};
use navmap_core::Finding;
pub(crate) use navmap_core::Space;
use navmap_core::bytes::Scratch;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The number of a space with its own coordinates. [`Space`] adds its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpaceId {
    /// A worldspace; its cells lie side by side.
    World(FormId),
    /// An interior cell.
    Cell(FormId),
    /// A base object.
    Object(FormId),
}

impl SpaceId {
    /// The space of a mesh whose record is among the children of worldspace `world`, or of none.
    pub(super) fn new(parent: Parent, world: Option<FormId>) -> Self {
        match (parent, world) {
            (Parent::Exterior { world, .. }, _) | (Parent::Cell { .. }, Some(world)) => Self::World(world),
            (Parent::Interior { cell }, _) | (Parent::Cell { cell }, None) => Self::Cell(cell),
        }
    }

    /// The space of a record, by the enclosing groups.
    fn around(navm: &NavmRecord<'_>) -> Option<Self> {
        navm.world().map(Self::World).or(navm.cell().map(Self::Cell))
    }

    /// The same with another FormID.
    pub(super) fn renamed(self, to: impl FnOnce(FormId) -> FormId) -> Self {
        match self {
            Self::World(form) => Self::World(to(form)),
            Self::Cell(form) => Self::Cell(to(form)),
            Self::Object(form) => Self::Object(to(form)),
        }
    }

    /// Its FormID.
    pub fn form(self) -> FormId {
        let (Self::World(form) | Self::Cell(form) | Self::Object(form)) = self;
        form
    }

    /// The space with its name in the game's editor.
    pub fn named(self, editor_id: Option<String>) -> Space {
        match self {
            Self::World(form) => Space::World { form: form.get(), editor_id },
            Self::Cell(form) => Space::Cell { form: form.get(), editor_id },
            Self::Object(form) => Space::Object { form: form.get(), editor_id },
        }
    }
}

impl fmt::Display for SpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named(None).fmt(f)
    }
}

impl Plugin<'_> {
    /// The editor IDs of these spaces (`Tamriel`, `WhiterunJorrvaskr`), in order. `None` if the plugin has no record of the
    /// space, or one without a name.
    ///
    /// Walks over the headers of records once, and once more for base objects. Only the records of these spaces are
    /// inflated, if they are compressed.
    pub fn editor_ids(&self, spaces: &[SpaceId]) -> Vec<Option<String>> {
        let mut names: HashMap<FormId, Option<String>> =
            spaces.iter().map(|space| (self.canonical(space.form()), None)).collect();
        let mut scratch = Scratch::new();
        let places = spaces.iter().any(|space| !matches!(space, SpaceId::Object(_)));
        let objects = spaces.iter().any(|space| matches!(space, SpaceId::Object(_)));
        let walks =
            [(places, Wanted::SPACES), (objects, Wanted::OBJECTS)].into_iter().filter(|(asked, _)| *asked);
        for record in walks.flat_map(|(_, wanted)| self.walk(wanted)).flatten() {
            if let Some(name @ None) = names.get_mut(&self.canonical(record.form_id())) {
                *name = editor_id(&record, &mut scratch);
            }
        }
        let name = |space: &SpaceId| names.get(&self.canonical(space.form())).cloned().flatten();
        spaces.iter().map(name).collect()
    }
}

/// The editor ID of a record.
fn editor_id(record: &Record<'_>, scratch: &mut Scratch) -> Option<String> {
    let field = record.first_fields(scratch).ok()?.find_tag(Tag(*b"EDID")).ok()??;
    let name = field.data.split(|byte| *byte == 0).next().unwrap_or_default();
    Some(shown(name)).filter(|name| !name.is_empty())
}

/// The names of all spaces of a plugin. They are read on first use, in one walk over its worldspaces and cells, so that a sound
/// plugin costs nothing.
#[derive(Debug)]
pub(super) struct Spaces<'p, 'a> {
    plugin: &'p Plugin<'a>,
    names: OnceCell<HashMap<FormId, String>>,
    worlds: OnceCell<HashMap<FormId, String>>,
    /// The space around each navmesh record.
    around: OnceCell<HashMap<u64, Arc<Space>>>,
    /// Each navmesh record in words, beside its FormID.
    called: OnceCell<HashMap<u64, (FormId, String)>>,
    /// For compressed cells: thousands may be asked for, one after the other.
    scratch: RefCell<Scratch>,
}

impl<'p, 'a> Spaces<'p, 'a> {
    pub(super) fn new(plugin: &'p Plugin<'a>) -> Self {
        Self {
            plugin,
            names: OnceCell::new(),
            worlds: OnceCell::new(),
            around: OnceCell::new(),
            called: OnceCell::new(),
            scratch: RefCell::default(),
        }
    }

    /// The space with its name, if the plugin has one for it.
    pub(super) fn named(&self, space: SpaceId) -> Space {
        let names = self.names.get_or_init(|| {
            let mut names = HashMap::new();
            let mut scratch = Scratch::new();
            let objects = self.plugin.base_objects().flatten().map(|object| *object.record());
            for record in self.plugin.walk(Wanted::SPACES).flatten().chain(objects) {
                if let Some(name) = editor_id(&record, &mut scratch) {
                    names.entry(self.plugin.canonical(record.form_id())).or_insert(name);
                }
            }
            names
        });
        let space = space.renamed(|form| self.plugin.canonical(form));
        space.named(names.get(&space.form()).cloned())
    }

    /// The space of a navmesh record: like [`around`](Self::around), but faster for a few records. The name of a cell comes from
    /// the record before the mesh, and those of worldspaces from one pass over groups.
    pub(super) fn of(&self, navm: &NavmRecord<'_>) -> Option<Space> {
        let id = SpaceId::around(navm)?;
        let name = match (id, navm.place().cell_record) {
            (SpaceId::Cell(_), Some(cell)) => editor_id(&cell, &mut self.scratch.borrow_mut()),
            (SpaceId::World(form), _) => self.worlds().get(&self.plugin.canonical(form)).cloned(),
            _ => return Some(self.named(id)),
        };
        Some(id.renamed(|form| self.plugin.canonical(form)).named(name))
    }

    fn worlds(&self) -> &HashMap<FormId, String> {
        self.worlds.get_or_init(|| {
            let mut scratch = Scratch::new();
            let mut names = HashMap::new();
            for record in self.plugin.worldspaces() {
                if let Some(name) = editor_id(&record, &mut scratch) {
                    names.entry(self.plugin.canonical(record.form_id())).or_insert(name);
                }
            }
            names
        })
    }

    /// The space of a navmesh record.
    pub(super) fn around(&self, navmesh: u64) -> Option<Arc<Space>> {
        let around = self.around.get_or_init(|| {
            let mut known = HashMap::new();
            let mut around = HashMap::new();
            for navm in self.plugin.navmeshes().flatten() {
                if let Some(id) = SpaceId::around(&navm) {
                    let space = known.entry(id).or_insert_with(|| Arc::new(self.named(id)));
                    around.insert(navm.index().into(), Arc::clone(space));
                }
            }
            around
        });
        around.get(&navmesh).cloned()
    }

    /// The cell of a navmesh record as plugin editors write it: `[CELL:00009BF1] (Tamriel -4,12)`, an interior by its editor ID.
    /// `number` is the number by which a FormID of the plugin is told.
    pub(super) fn cell(&self, navm: &NavmRecord<'_>, number: impl Fn(FormId) -> FormId) -> Option<String> {
        let space = self.of(navm)?;
        let Some(cell) = navm.cell().map(&number) else { return Some(space.to_string()) };
        let (Space::World { editor_id, .. }
        | Space::Cell { editor_id, .. }
        | Space::Object { editor_id, .. }) = &space
        else {
            return Some(format!("[CELL:{cell}]"));
        };
        // A cell without a record before the mesh tells its square in the mesh.
        let grid = || {
            let scratch = &mut *self.scratch.borrow_mut();
            navm.grid(scratch).or_else(|| match navm.mesh(scratch).ok()??.parent() {
                Parent::Exterior { x, y, .. } => Some((x.into(), y.into())),
                _ => None,
            })
        };
        let within = match (&space, editor_id) {
            (Space::World { .. }, name) => {
                let name =
                    name.clone().or_else(|| navm.world().map(|world| format!("[WRLD:{}]", number(world))));
                let square = grid().map(|(x, y)| format!("{x},{y}"));
                let words: Vec<String> = name.into_iter().chain(square).collect();
                words.join(" ")
            }
            (_, name) => name.clone().unwrap_or_default(),
        };
        let within = if within.is_empty() { within } else { format!(" ({within})") };
        Some(format!("[CELL:{cell}]{within}"))
    }

    /// Adds the space of a navmesh record to a finding about it, and to the message the record and its cell as plugin editors
    /// write them: `[NAVM:03035EB0] in [CELL:00009BF1] (Tamriel -4,12)`. `number` is the number by which a FormID of the plugin is
    /// told, the same in every call: the cells are read in one walk, for the first finding.
    pub(super) fn place(&self, mut finding: Finding, number: impl Fn(FormId) -> FormId) -> Finding {
        let Some(("NAVM", index)) = finding.at.record else { return finding };
        finding.space = self.around(index);
        let called = self.called.get_or_init(|| {
            let in_words = |navm: NavmRecord<'_>| {
                let (form, cell) = (navm.form_id(), self.cell(&navm, &number));
                let within = cell.map_or_else(String::new, |cell| format!(" in {cell}"));
                (u64::from(navm.index()), (form, format!("[NAVM:{}]{within}", number(form))))
            };
            self.plugin.navmeshes().flatten().map(in_words).collect()
        });
        if let Some((form, words)) = called.get(&index) {
            let mut spellings = [*form, self.plugin.canonical(*form)].into_iter();
            let rest = spellings.find_map(|form| finding.message.strip_prefix(&form.to_string()));
            if let Some(rest) = rest {
                finding.message = format!("{words}{rest}");
            }
        }
        finding
    }
}
