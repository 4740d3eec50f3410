//! `navmap view`: shows meshes in a browser and changes them, or writes one file that shows a mesh.

mod desk;
mod desks;
mod guard;
mod http;
mod load;
mod merging;
mod of;
mod orders;
mod posts;
mod routes;
mod rows;
mod saved;
mod serve;
mod shelf;
mod stamp;
mod thumbnails;
mod tints;
mod told;
mod trail;
mod walk;
mod ways;

use super::out::Out;
use super::save::{save, vacant};
use super::{Exit, Failure, args, plan};
use load::{Shown, Wanted};
use navmap::error::Error;
use navmap_view::page;
use of::Of;
use std::io::Write;
use std::path::Path;

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
    let mut others = Of::typed(typed, &options)?;
    let of = others.pop().unwrap_or_default();
    let path = match &typed.paths[..] {
        [path, ..] if others.is_empty() && of.replaces() => path,
        [path] if others.is_empty() => path,
        _ => {
            let why = "takes one mesh: a file shows what is in it, and many are shown without --html";
            return Err(Error::invalid("--html", why).into());
        }
    };
    let wanted = Wanted { path: path.clone(), of, space: typed.space.clone(), hull: typed.hull };
    let (scene, graph, caption, error) = Shown::load(&wanted, &options)?.into_parts();
    save(output, typed.force, |out| {
        page::write_html(scene, &mut |svg| load::picture(&graph, &caption).write_svg(svg), out)
    })?;
    match error {
        None => Ok(Exit::Clean),
        Some(error) => Ok(super::unreadable(error, path)),
    }
}

/// Serves the page on this computer until a signal ends the run.
fn server(typed: args::View) -> Result<Exit, Failure> {
    let options = plan::of_hull(&typed.open, typed.hull);
    // A path that is wrong is told now and not on the page.
    let others = Of::typed(&typed, &options)?;
    let is_saved = others.iter().any(|of| matches!(of, Of::Saved(_)));
    for path in typed.paths.iter().filter(|_| !typed.order && !is_saved) {
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
    let (bsp, models) = (typed.bsp.clone(), typed.models.clone());
    let how = desk::How { options, bsp, models, any_map: typed.any_map };
    let desks = typed.edit.then(|| desks::Desks::new(how));
    let shelf = shelf::Shelf::new(options, typed.hull, (typed.bsp, typed.models), desks, others);
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
