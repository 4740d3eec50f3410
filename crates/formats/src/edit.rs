//! Edits a mesh of any family that has an editor, and says which have.

use super::{AnyNav, Family, Kind};
use navmap_core::edit::{self, AnyVersion, EditFormat, EditTask, Editing, Fix, ListChange, Opened, Opening};
use navmap_core::error::{Error, Result};
use std::path::{Path, PathBuf};

/// Something that meshes of some kinds can, and of others cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ability {
    /// They can be edited.
    Edit,
    /// They are edited with the map that they are of.
    Map,
    /// The difference of two is a script.
    Script,
    /// Two lines of change can be merged.
    Merge,
}

impl Kind {
    /// Whether meshes of this kind can be edited in this way.
    ///
    /// ```
    /// use navmap::format::{Ability, Kind};
    ///
    /// let able: Vec<&str> = Kind::ALL.iter().filter(|kind| kind.can(Ability::Merge)).map(|kind| kind.name()).collect();
    /// assert_eq!(able, ["source2", "source", "quake", "navjson", "detour", "aas", "graph", "pwf", "rcw"]);
    /// ```
    pub fn can(self, ability: Ability) -> bool {
        self.called(ability).is_some()
    }

    /// What meshes of this kind are called among those that can.
    fn called(self, ability: Ability) -> Option<&'static str> {
        let edits = self.edits()?;
        let able = match ability {
            Ability::Edit => true,
            Ability::Map => return edits.mapped,
            Ability::Script => edits.scripts,
            Ability::Merge => edits.merges,
        };
        able.then_some(edits.called)
    }

    /// The findings of a check that a command of its editor mends, in the order in which the commands should run:
    /// [`Editor::fixes`](navmap_core::edit::Editor::fixes). Empty if its files are not edited.
    ///
    /// ```
    /// use navmap::format::Kind;
    ///
    /// let fix = Kind::Graph.fixes().iter().find(|fix| fix.code == "stale-distance").expect("a command");
    /// assert_eq!(fix.command, "measure");
    /// ```
    pub fn fixes(self) -> &'static [Fix] {
        self.edits().map_or(&[], |edits| (edits.fixes)())
    }

    /// The files that a mesh at a path consists of, and which of them that path is: [`EditFormat::files`].
    pub fn files(self, path: &Path) -> (Vec<PathBuf>, usize) {
        self.edits().map_or_else(|| (vec![path.to_owned()], 0), |edits| (edits.files)(path))
    }

    /// Where a file of a mesh goes if the mesh itself goes to `output`: [`EditFormat::beside`].
    pub fn beside(self, output: &Path, file: &Path) -> PathBuf {
        self.edits().map_or_else(|| output.to_owned(), |edits| (edits.beside)(output, file))
    }
}

/// The error of meshes that cannot be edited in some way. It says which can.
pub fn not_edited(family: Family, ability: Ability) -> Error {
    refused(family, &format!("{family} meshes"), ability)
}

fn refused(family: Family, what: &str, ability: Ability) -> Error {
    if cfg!(not(feature = "edit")) {
        let why = format!("{what} are only read: editors are not built in (the feature edit)");
        return Error::invalid("family", why);
    }
    let mut able: Vec<&str> = Vec::new();
    for called in Kind::ALL.iter().filter_map(|kind| kind.called(ability)) {
        if !able.contains(&called) {
            able.push(called);
        }
    }
    let able = match able.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "no others".to_owned(),
    };
    match ability {
        Ability::Edit => Error::invalid("family", format!("{what} cannot be edited yet; {able} can")),
        Ability::Map => Error::invalid("--bsp", format!("is for {able}, not of {family}")),
        Ability::Script => Error::invalid("family", format!("{what} have no scripts; {able} have")),
        Ability::Merge => Error::invalid("family", format!("{what} cannot be merged; {able} can")),
    }
}

impl AnyNav<'_> {
    /// The same of this file. If other kinds of its family can, it says which kind it is.
    fn not_edited(&self, ability: Ability) -> Error {
        let (kind, family) = (self.kind(), self.family());
        match Kind::ALL.iter().any(|other| other.family() == family && other.can(ability)) {
            true => {
                refused(family, &format!("files of the kind {} ({})", kind.name(), kind.title()), ability)
            }
            false => not_edited(family, ability),
        }
    }

    /// Opens the mesh for editing and hands its editor to `work`. `bytes` are those of the whole file.
    ///
    /// # Errors
    /// If the mesh cannot be read to its end, or if meshes of its kind cannot be edited.
    pub fn edit<W: Editing>(&self, bytes: &[u8], opening: &Opening<'_>, work: W) -> Result<Opened<W::Done>> {
        struct Open<'o, W>(&'o [u8], &'o Opening<'o>, W);
        impl<W: Editing> EditTask for Open<'_, W> {
            type Out = Result<Opened<W::Done>>;
            fn run<'a, V: EditFormat<'a>>(self, nav: &V) -> Self::Out {
                let Self(bytes, opening, work) = self;
                Ok(edit::open(nav, bytes, opening)?.map(|editor| work.edit(editor)))
            }
        }
        let opened = self.with_edited(Open(bytes, opening, work));
        opened.unwrap_or_else(|| Err(self.not_edited(Ability::Edit)))
    }

    /// The mesh as one version of several.
    ///
    /// # Errors
    /// If the mesh cannot be read to its end, or if meshes of its kind have no scripts.
    #[doc(hidden)]
    pub fn version(&self) -> Result<Box<dyn AnyVersion>> {
        struct Read;
        impl EditTask for Read {
            type Out = Option<Result<Box<dyn AnyVersion>>>;
            fn run<'a, V: EditFormat<'a>>(self, nav: &V) -> Self::Out {
                let read = V::VERSION?;
                Some(read(nav).map(|version| Box::new(version) as Box<dyn AnyVersion>))
            }
        }
        let version = self.with_edited(Read).flatten();
        version.unwrap_or_else(|| Err(self.not_edited(Ability::Script)))
    }

    /// Lists of nodes that no graph has and that changed between this mesh and another of its kind, whose bytes are given:
    /// [`EditFormat::changed_lists`].
    ///
    /// # Errors
    /// If a mesh cannot be read to its end.
    pub fn changed_lists(&self, after: &[u8], pairs: &[(u32, u32)]) -> Result<Vec<ListChange>> {
        struct Lists<'l>(&'l [u8], &'l [(u32, u32)]);
        impl EditTask for Lists<'_> {
            type Out = Result<Vec<ListChange>>;
            fn run<'a, V: EditFormat<'a>>(self, nav: &V) -> Self::Out {
                nav.changed_lists(self.0, self.1)
            }
        }
        self.with_edited(Lists(after, pairs)).unwrap_or_else(|| Ok(Vec::new()))
    }

    /// What the file says of its map and of those who made it: [`EditFormat::credits`].
    pub fn credits(&self) -> Vec<(&'static str, String)> {
        struct Credits;
        impl EditTask for Credits {
            type Out = Vec<(&'static str, String)>;
            fn run<'a, V: EditFormat<'a>>(self, nav: &V) -> Self::Out {
                nav.credits()
            }
        }
        self.with_edited(Credits).unwrap_or_default()
    }
}
