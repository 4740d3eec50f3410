//! `navmap view`: shows meshes in a browser and changes them, or writes one file that shows a mesh.

mod desk;
mod desks;
mod guard;
mod http;
mod load;
mod merging;
mod orders;
mod posts;
mod serve;
mod shelf;
mod thumbnails;
mod tints;
mod told;
mod trail;
mod ways;

use super::out::Out;
use super::save::{save, vacant};
use super::{Exit, Failure, args, plan};
use load::{Shown, Wanted};
use navmap::error::Error;
use navmap::open::OpenOptions;
use navmap_view::page;
use orders::Order;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(typed: args::View) -> Result<Exit, Failure> {
    match typed.html.clone() {
        Some(output) => file(&typed, &output),
        None => server(typed),
    }
}

/// Writes one file with the page and a mesh in it.
fn file(typed: &args::View, output: &Path) -> Result<Exit, Failure> {
    vacant(output, typed.force)?;
    let options = plan::of_hull(&typed.open, typed.hull);
    let order = opened(typed, &options)?;
    let merge = sides(typed)?;
    let path = match &typed.paths[..] {
        [path, ..] if order.is_some() || merge.is_some() => path,
        [path] => path,
        _ => {
            let why = "takes one mesh: a file shows what is in it, and many are shown without --html";
            return Err(Error::invalid("--html", why).into());
        }
    };
    let wanted = Wanted { path: path.clone(), order, merge, space: typed.space.clone(), hull: typed.hull };
    let shown = Shown::load(&wanted, &options)?;
    let html = page::html(&shown.scene, shown.svg())?;
    save(output, typed.force, |out| out.write_all(html.as_bytes()))?;
    match shown.error {
        None => Ok(Exit::Clean),
        Some(error) => Ok(super::unreadable(error, path)),
    }
}

/// The two versions that are merged, if the paths are three versions of a mesh.
fn sides(typed: &args::View) -> Result<Option<[PathBuf; 2]>, Error> {
    match &typed.paths[..] {
        _ if !typed.merge => Ok(None),
        [_, ours, theirs] => Ok(Some([ours.clone(), theirs.clone()])),
        _ => Err(Error::invalid("--merge", "takes three meshes: BASE OURS THEIRS")),
    }
}

/// The load order that the paths are, if they are one.
fn opened(typed: &args::View, options: &OpenOptions) -> Result<Option<Arc<Order>>, Error> {
    let open = || Order::open(&typed.paths, &typed.data, options).map(Arc::new);
    typed.order.then(open).transpose()
}

/// Serves the page on this computer until a signal ends the run.
fn server(typed: args::View) -> Result<Exit, Failure> {
    let options = plan::of_hull(&typed.open, typed.hull);
    // A path that is wrong is told now and not on the page.
    let (order, merge) = (opened(&typed, &options)?, sides(&typed)?);
    for path in typed.paths.iter().filter(|_| order.is_none()) {
        shelf::probe(path, &options)?;
    }
    let server = serve::Server::bind(typed.port.unwrap_or(0), typed.edit)?;
    let address = server.address();
    let mut out = Out::new();
    writeln!(out, "{address}")?;
    out.flush()?;
    if typed.browser {
        open_browser(&address);
    }
    let how = desk::How { options, bsp: typed.bsp.clone(), models: typed.models };
    let desks = typed.edit.then(|| desks::Desks::new(how));
    let shelf = shelf::Shelf::new(options, typed.hull, typed.bsp, desks, order, merge);
    server.run(&shelf, typed.paths, typed.space)?;
    Ok(Exit::Clean)
}

/// Asks the desktop to show the address. Where there is none, the address was printed.
fn open_browser(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = std::process::Command::new(program);
    command.args(before).arg(address);
    let quiet = std::process::Stdio::null;
    if command.stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_err() {
        super::out::warn(format_args!(
            "navmap: no {program}, which opens the browser: open the address above"
        ));
    }
}
