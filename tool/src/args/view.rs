//! The arguments of the verb that shows meshes in a browser.

use super::shared::Open;
use clap::Args;
use navmap::format::HullName;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct View {
    /// Meshes, archives and folders (the tiles of a map of Fox or of a server, loose or packed, become one mesh); or rows of navmap
    /// diff --format jsonl in a file that ends in .jsonl, with the mesh before and, best, the one after: SAVED.jsonl BEFORE [AFTER]
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The paths are one load order, masters first: plugins, folders of them, a plugins.txt or loadorder.txt, the folder of a profile
    /// of Mod Organizer 2. Each space is shown as the game uses it, by the plugins that win
    #[arg(long, conflicts_with_all = ["edit", "bsp", "hull"])]
    pub(crate) order: bool,
    /// Where the plugins of a plugins.txt, a loadorder.txt or a profile lie; may be given many times, the last wins
    #[arg(long, value_name = "DIR", requires = "order")]
    pub(crate) data: Vec<PathBuf>,
    /// The paths are three versions of a mesh, BASE OURS THEIRS, as of navmap merge: what each side changed is shown, conflicts are to
    /// choose from, and the page makes the script that navmap patch runs on OURS
    #[arg(long, conflicts_with_all = ["edit", "bsp", "hull", "order", "space"])]
    pub(crate) merge: bool,
    /// A saved difference, as navmap diff --script prints it: what it changes in the mesh at PATH is one more row. May be given many
    /// times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["order", "merge"])]
    pub(crate) script: Vec<PathBuf>,
    /// Open the address in the browser of this computer
    #[arg(long = "open", id = "browser", conflicts_with = "html")]
    pub(crate) browser: bool,
    /// Let the page change the mesh, with the commands of navmap edit; nothing is written before it is saved there
    #[arg(long, conflicts_with = "html")]
    pub(crate) edit: bool,
    /// The map of a mesh of Source or GoldSrc, or a folder of maps: its floor plan lies under the mesh, and commands that need
    /// ground, stairs or ladders find them there
    #[arg(long, value_name = "MAP", conflicts_with = "html")]
    pub(crate) bsp: Option<PathBuf>,
    /// Where models of static props lie: a folder of the game, a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH", requires = "bsp")]
    pub(crate) models: Vec<PathBuf>,
    /// Take a map of another size than the mesh was made for
    #[arg(long, requires_all = ["bsp", "edit"])]
    pub(crate) any_map: bool,
    /// Port to listen on [default: one that is free]
    #[arg(long, value_name = "N", conflicts_with = "html")]
    pub(crate) port: Option<u16>,
    /// Write one file with the page and the mesh in it, and end: a name that ends in .html; - is standard output
    #[arg(long, value_name = "OUT")]
    pub(crate) html: Option<PathBuf>,
    /// Replace OUT if it exists
    #[arg(long, requires = "html")]
    pub(crate) force: bool,
    /// Worldspace or cell of a plugin, by FormID or editor ID; map of a Fox tile set, by name
    #[arg(long, value_name = "NAME")]
    pub(crate) space: Option<String>,
    /// The hull of a Source 2 mesh by number [default: 0], of a node graph by name or number [default: human]
    #[arg(long, value_name = "HULL")]
    pub(crate) hull: Option<HullName>,
    #[command(flatten)]
    pub(crate) open: Open,
}
