//! The arguments of the verbs that take a load order.

use super::shared::{Goal, Lines, Open, Paths};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use navmap::format::skyrim::FormId;
use navmap::format::skyrim::fix::Repair;
use std::path::PathBuf;

/// Plugins as the game loads them.
#[derive(Debug, Args)]
pub(crate) struct Order {
    /// Plugins in load order, masters first, folders of plugins, a plugins.txt or loadorder.txt, or the folder of a profile
    /// of Mod Organizer 2
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Where the plugins of a plugins.txt, a loadorder.txt or a profile lie; may be given many times, the last wins
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct Fix {
    #[command(flatten)]
    pub(crate) order: Order,
    /// Repair this plugin alone, and write a new version of it instead of a patch
    #[arg(long, value_name = "NAME")]
    pub(crate) plugin: Option<String>,
    #[command(flatten)]
    pub(crate) goal: Goal,
    /// Say what would be repaired, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Explain what is wrong with this plugin, what would come instead, and on which games that is proven; write nothing
    #[arg(long, value_name = "NAME", conflicts_with_all = ["plugin", "output", "in_place"])]
    pub(crate) explain: Option<String>,
    /// Write a report for a mod page (.md or .html)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Repair only this: undelete, counts, meshes, links, doors, unused (which are reported), entries, itm, prune
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = repairs())]
    pub(crate) only: Vec<Repair>,
    /// Remove overrides that say what the last version among their masters says as well
    #[arg(long)]
    pub(crate) itm: bool,
    /// Restore deleted navmeshes as one triangle each and remove links to them, instead of restoring them whole
    #[arg(long)]
    pub(crate) stub: bool,
    /// When a grid is computed anew, leave out the cells that the games' editors add by mistake
    #[arg(long)]
    pub(crate) geometric_grid: bool,
    /// Drop entries of info maps for navmeshes that their plugin neither holds nor links to, and those that a later one replaces
    #[arg(long)]
    pub(crate) prune_navi: bool,
    /// With --plugin: put the other side of a link into the plugin, as an override, if the navmesh there is another plugin's
    #[arg(long, requires = "plugin")]
    pub(crate) write_overrides: bool,
    /// Make the patch a light plugin, which takes no place among the 254 of a load order
    #[arg(long, conflicts_with_all = ["plugin", "in_place"])]
    pub(crate) light: bool,
    /// How repairs are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(crate) format: Lines,
}

#[derive(Debug, Args)]
pub(crate) struct Conflicts {
    #[command(flatten)]
    pub(crate) order: Order,
    /// Only this navmesh, by its FormID: 01002345 or [NAVM:01002345]
    #[arg(long, value_name = "FORMID", value_parser = form)]
    pub(crate) mesh: Option<FormId>,
    /// Let this plugin's version of a navmesh win, by the FormID that the plugin has for it, or all of its navmeshes for
    /// which somebody has to choose; links around them are repaired. May be given many times
    #[arg(long, value_name = "PLUGIN[:FORMID]")]
    pub(crate) choose: Vec<String>,
    /// Write a patch with the meshes whose versions fit together, and those that were chosen
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the first of them, the winner over the version before it (.svg or .png), or each of them into a folder
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) draw: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Make the patch a light plugin
    #[arg(long, requires = "output")]
    pub(crate) light: bool,
    /// How conflicts are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(crate) format: Lines,
}

fn form(text: &str) -> Result<FormId, String> {
    FormId::read(text).ok_or_else(|| "no FormID: eight hexadecimal digits, or [NAVM:01002345]".to_owned())
}

fn repairs() -> impl TypedValueParser<Value = Repair> {
    PossibleValuesParser::new(Repair::ALL.map(Repair::name))
        .try_map(|name| Repair::ALL.into_iter().find(|repair| repair.name() == name).ok_or("no such repair"))
}
