//! What esplugin, the reader of LOOT, says of a plugin of Skyrim Special Edition: `reads MASTER... PLUGIN`. All of them are read to
//! their last record.

use esplugin::{GameId, ParseOptions, Plugin, plugins_metadata};
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

fn read(path: OsString) -> Result<Plugin, String> {
    let path = Path::new(&path);
    let mut plugin = Plugin::new(GameId::SkyrimSE, path);
    match plugin.parse_file(ParseOptions::whole_plugin()) {
        Ok(()) => Ok(plugin),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// A key and a value a line, about the last of the plugins.
fn said(paths: impl Iterator<Item = OsString>) -> Result<String, Box<dyn Error>> {
    let mut plugins = paths.map(read).collect::<Result<Vec<_>, _>>()?;
    let mut last = plugins.pop().ok_or("usage: reads MASTER... PLUGIN")?;
    last.resolve_record_ids(&plugins_metadata(&plugins.iter().collect::<Vec<_>>())?)?;
    let mut said = String::new();
    for master in last.masters()? {
        said += &format!("master {master}\n");
    }
    said += &format!("light {}\n", last.is_light_plugin());
    said += &format!("master-file {}\n", last.is_master_file());
    said += &format!("valid-as-light {}\n", last.is_valid_as_light_plugin()?);
    said += &format!("override-records {}\n", last.count_override_records()?);
    let count = last.record_and_group_count().ok_or("no count of records and groups in the header")?;
    said += &format!("records-and-groups {count}\n");
    Ok(said)
}

fn main() -> ExitCode {
    match said(std::env::args_os().skip(1)) {
        Ok(said) => {
            print!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
