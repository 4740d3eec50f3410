//! Manual pages.

use super::args::program;
use super::manual::PAGES;
use navmap::bytes::Saver;
use navmap::error::{Error, Result};
use std::io::{self, Write};
use std::path::Path;

/// The page of a verb, or of the program.
pub(super) fn page(verb: Option<&str>) -> io::Result<Vec<u8>> {
    // `help` is no page, and `--version` no option of a verb, though each page says which version it is of.
    let program = program().disable_help_subcommand(true);
    let own = verb.and_then(|verb| program.find_subcommand(verb)).map(|command| {
        let mut command = command.clone().version(env!("CARGO_PKG_VERSION")).disable_version_flag(true);
        // Its options follow from its name.
        command.build();
        let [name, typed] = ["navmap-", "navmap "].map(|before| format!("{before}{}", command.get_name()));
        // A page leaves nothing out, as short help does.
        command.mut_args(|arg| arg.hide_short_help(false)).name(name).bin_name(typed)
    });
    let mut page = Vec::new();
    clap_mangen::Man::new(own.unwrap_or(program)).render(&mut page)?;
    let page = String::from_utf8(page).map_err(io::Error::other)?;
    let page = page.replacen(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n", 1);
    Ok(page.replacen("\nExit status: ", "\n.SH EXIT STATUS\n", 1).into_bytes())
}

/// Writes the pages of the program and of all verbs into a folder, which is made if it is not there. Pages of an earlier version are
/// replaced.
pub(super) fn write_all(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::from(error).in_file(folder))?;
    let pages = std::iter::once(None).chain(PAGES.iter().map(|(verb, _)| Some(*verb)));
    for verb in pages {
        let name = verb.map_or_else(|| "navmap.1".to_owned(), |verb| format!("navmap-{verb}.1"));
        let path = folder.join(name);
        let failed = |error: io::Error| Error::from(error).in_file(&path);
        let mut saver = Saver::create(&path)?;
        saver.write_all(&page(verb).map_err(failed)?).map_err(failed)?;
        saver.commit()?;
    }
    Ok(())
}
