//! The editor of a mesh whose family is known once the file is open.

use super::{Mesh, OpenOptions};
use crate::show::{Renamed, Show};
use navmap_core::edit::{self, AnySession, Asked, Editor, Opened, Opening, Session};
use navmap_core::error::{Error, Result};
use navmap_formats::{AnyNav, Kind, ParseOptions};
use std::fmt;
use std::path::{Path, PathBuf};

pub use navmap_core::edit::Editing;

/// Hands the editor of a mesh over to `work`. `bytes` are those of the whole file, which a Quake graph keeps.
///
/// # Errors
/// If the mesh cannot be read to its end, or if meshes of its kind cannot be edited.
pub fn with_editor<W: Editing>(nav: &AnyNav<'_>, bytes: &[u8], work: W) -> Result<W::Done> {
    nav.edit(bytes, &Opening::default(), work).map(|opened| opened.editor)
}

/// Starts editing a mesh in memory, whatever its family. The mesh itself stays as it is. If it was opened as a file and is one
/// of several, such as a part of a split tile, those beside it are edited with it.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::edit::SessionOptions;
/// use navmap::open::{Mesh, edit};
///
/// let mut session = edit(&Mesh::open("corpus/quake/nav3-v6.nav")?, SessionOptions::default())?;
/// let (done, refused) = session.run("help");
/// assert!(done.len() == 1 && refused.is_none() && session.steps() == 0); // nothing has changed
/// # Ok::<(), navmap::Error>(())
/// ```
///
/// # Errors
/// If the mesh cannot be read to its end, or if meshes of its kind cannot be edited.
pub fn edit(mesh: &Mesh, options: edit::SessionOptions) -> Result<Box<dyn AnySession>> {
    edit_with(mesh, options, &Opening::default(), &OpenOptions::new()).map(|edited| edited.session)
}

/// As [`edit`], with all that a command line has: how the mesh is read, what it is edited with. What `opening` says of parts
/// is found here; they are opened with `files`.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::edit::{AnySession, Opening};
/// use navmap::open::{Mesh, OpenOptions, edit_with};
///
/// let mesh = Mesh::open("corpus/quake/nav3-v6.nav")?;
/// let opening = Opening { lenient: true, ..Opening::default() };
/// let mut edited = edit_with(&mesh, Default::default(), &opening, &OpenOptions::new())?;
/// edited.session.run("move 16 0 0");
/// let files = edited.files("moved.nav".as_ref())?;
/// assert!(edited.said.is_empty() && files.len() == 1);
/// # Ok::<(), navmap::Error>(())
/// ```
///
/// # Errors
/// Those of [`edit`], and of what opens the map.
pub fn edit_with(
    mesh: &Mesh,
    options: edit::SessionOptions,
    opening: &Opening<'_>,
    files: &OpenOptions,
) -> Result<Edited> {
    let kind = mesh.kind();
    let (paths, named) = mesh.bytes().file().map(|path| kind.files(path)).unwrap_or_default();
    let beside = parts(mesh, &paths, named, files);
    let (parts, unread) = match &beside {
        Ok(parts) => {
            (parts.iter().zip(&paths).map(|(part, path)| (path.clone(), &part.bytes()[..])).collect(), None)
        }
        Err(error) => (Vec::new(), Some(error)),
    };
    let opening = Opening { parts: &parts, named, ..*opening };
    let Opened { editor: session, mut said, lost, joined } = mesh
        .nav()
        .edit(mesh.bytes(), &opening, Begin(options))
        .map_err(|error| error.in_file(mesh.bytes().location()))?;
    said.splice(0..0, unread.map(Opened::alone));
    beside.iter().flatten().try_for_each(Mesh::intact)?;
    Ok(Edited { session, said, lost, parts: if joined { paths } else { Vec::new() }, named, kind })
}

/// The files that a mesh consists of, itself among them.
fn parts(mesh: &Mesh, paths: &[PathBuf], named: usize, options: &OpenOptions) -> Result<Vec<Mesh>> {
    let open = |(file, path): (usize, &PathBuf)| match file == named {
        true => Ok(mesh.clone()),
        false => Mesh::open_with(path, options),
    };
    paths.iter().enumerate().map(open).collect()
}

/// Begins a session.
struct Begin(edit::SessionOptions);

impl Editing for Begin {
    type Done = Box<dyn AnySession>;

    fn edit<E: Editor + Send>(self, editor: E) -> Box<dyn AnySession> {
        Box::new(Session::new(editor, self.0))
    }
}

/// A mesh that is being edited, whatever its family, and the files that it consists of.
pub struct Edited {
    /// What takes commands.
    pub session: Box<dyn AnySession>,
    /// What has to be said about the mesh: what is lost, what is carried on as it is, which parts are not edited with it.
    pub said: Vec<String>,
    /// Whether something of the file is lost, since it was opened leniently.
    pub lost: bool,
    /// The files that are edited as one, the mesh among them; empty if it is not joined to others.
    pub parts: Vec<PathBuf>,
    named: usize,
    kind: Kind,
}

impl Edited {
    /// Where each of the [parts](Self::parts) goes if the mesh goes to `output`.
    pub fn beside(&self, output: &Path) -> Vec<PathBuf> {
        self.parts.iter().map(|part| self.kind.beside(output, part)).collect()
    }

    /// What is to be written if the mesh goes to `output`: the mesh, and those of its parts that have changed.
    ///
    /// # Errors
    /// If a file does not fit its format, or the name of the output leaves no name for a part that has changed.
    pub fn files(&self, output: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let mut files = vec![(output.to_owned(), self.session.encode()?)];
        for (file, bytes) in self.session.further()? {
            let Some(part) = self.parts.get(file) else { continue };
            let place = self.kind.beside(output, part);
            if place == output {
                let why = "is for one file, and another part of the mesh changes as well";
                return Err(Error::invalid("output", why).in_file(output));
            }
            files.push((place, bytes));
        }
        Ok(files)
    }

    /// Answers a [request to show items](navmap_core::edit::Request::Show) of the session, as [`shown`] does.
    pub fn shown(&self, asked: &Asked) -> String {
        shown(self.kind, asked)
    }

    /// What the mesh is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Which of the parts the mesh itself is.
    pub fn named(&self) -> usize {
        self.named
    }
}

/// What an editor was asked to show, under its names. Linear in the mesh.
///
/// # Errors
/// If the mesh cannot be read.
pub fn show_of<'n>(nav: &'n AnyNav<'n>, asked: &Asked) -> Result<Show<'n>> {
    let show = Show::of(nav).value;
    let names = Renamed::of(nav, &asked.bytes, show.graph(), asked.all.iter())?;
    Ok(names.into_iter().fold(show, |show, names| show.renamed(&names)))
}

/// Everything about items of an editor as lines of text, under the names that they have there, or why that cannot be told: an
/// item may be no node of the mesh. Linear in the mesh.
pub fn shown(kind: Kind, asked: &Asked) -> String {
    let text = || -> Result<Vec<u8>> {
        let nav = AnyNav::of_kind(kind, &asked.bytes, &ParseOptions::default())?;
        let show = show_of(&nav, asked)?;
        let nodes =
            show.items(asked.items.iter()).map_err(|refusal| Error::invalid("show", refusal.to_string()))?;
        let (mut text, mut written) = (Vec::new(), Ok(()));
        show.each(&nodes, &mut |told| {
            if written.is_ok() {
                written = told.write(&mut text, &|_, word| word.to_owned());
            }
        })?;
        written?;
        Ok(text)
    };
    text().map_or_else(|why| format!("{why}\n"), |text| String::from_utf8_lossy(&text).into_owned())
}

impl fmt::Debug for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edited").field("parts", &self.parts).field("said", &self.said).finish_non_exhaustive()
    }
}
