//! What lies below the token: the files of the page, the list, and the parts of a mesh by its number in the list. No path of a
//! request reaches the disk.

use super::desks::unbroken;
use super::http::{Answer, Body, JSON, Request};
use super::load::Shown;
use super::posts;
use super::shelf::Shelf;
use super::tints::tint;
use super::told::told;
use super::ways;
use navmap::draw::Theme;
use navmap::error::{Error, Result};
use navmap_view::page;
use serde_json::{Value, json};
use std::sync::Arc;

/// The media type of columns of numbers.
const BYTES: &str = "application/octet-stream";

/// What a request leads to: an answer, or why it cannot be read. `None` if there is no such thing.
type Found = Option<Result<Answer>>;

/// A part of a mesh: its media type, and what it holds.
type Part = (&'static str, Body);

/// Answers a request that was admitted.
pub(super) fn answer(request: &Request, below: &str, body: &[u8], shelf: &Shelf) -> Answer {
    let is_post = request.method == "POST";
    let steps: Vec<&str> = below.split('/').collect();
    let found = match steps[..] {
        ["m", mesh, what] if is_post => posted(mesh, what, body, shelf),
        _ if is_post => return Answer::not_allowed("GET"),
        ["list", from] => list(from, shelf),
        ["m", mesh, ref what @ ..] => of_mesh(mesh, what, shelf),
        _ => file(below),
    };
    match found {
        None => Answer::refusal(404),
        Some(Err(error)) => Answer::text(422, error.without_file().to_string()),
        Some(Ok(answer)) => answer,
    }
}

/// A file of the page.
fn file(below: &str) -> Found {
    // What follows a question mark is for the page itself.
    let is_page = below.is_empty() || below.starts_with('?');
    let (kind, text) = page::file(if is_page { "index.html" } else { below })?;
    Some(Ok(Answer::new(kind, Body::Page(text), None)))
}

fn list(from: &str, shelf: &Shelf) -> Found {
    let rows = shelf.rows(number(from)?);
    let rows = serde_json::to_string(&rows).unwrap_or_default();
    Some(Ok(Answer::new(JSON, Body::Text(rows), None)))
}

/// Does with a mesh what a page asks.
fn posted(mesh: &str, what: &str, body: &[u8], shelf: &Shelf) -> Found {
    let desk = shelf.desk(number(mesh)?)?;
    Some(desk.and_then(|desk| unbroken(&desk).map(|mut desk| posts::answer(&mut desk, what, body))))
}

/// What a page has to know before it changes a mesh.
fn about(mesh: &str, shelf: &Shelf) -> Found {
    let desk = shelf.desk(number(mesh)?)?;
    let about = desk.and_then(|desk| unbroken(&desk).map(|desk| posts::about(&desk)));
    // That a mesh cannot be changed is an answer as well.
    Some(Ok(about.unwrap_or_else(|error| Answer::json(200, &why(&error)))))
}

/// What a mesh is asked for.
fn of_mesh(mesh: &str, what: &[&str], shelf: &Shelf) -> Found {
    match *what {
        ["edit"] => about(mesh, shelf),
        ["plan"] => {
            let plan = shelf.plan(number(mesh)?)?;
            Some(plan.map(|plan| Answer::new(BYTES, Body::Bytes(plan), None)))
        }
        ["thumbnail", theme] => {
            let themes = [("light", Theme::Light), ("dark", Theme::Dark)];
            let (_, theme) = themes.into_iter().find(|(name, _)| *name == theme)?;
            let png = shelf.thumbnail(number(mesh)?, theme)?;
            Some(Ok(Answer::new("image/png", Body::Bytes(png), None)))
        }
        ["path", from, to] => {
            let ends = [ways::point(from)?, ways::point(to)?];
            part(shelf.shown(number(mesh)?)?, |shown| Some(Ok(in_json(&ways::way(shown, ends)))))
        }
        ["tint", what, node] => {
            let node = u32::try_from(number(node)?).ok()?;
            part(shelf.shown(number(mesh)?)?, |shown| {
                let tinted = tint(shown, what, node)?;
                // That a mesh does not know it is an answer as well.
                Some(Ok(tinted.map_or_else(|error| in_json(&why(&error)), in_bytes)))
            })
        }
        ["told", node] => {
            let node = u32::try_from(number(node)?).ok()?;
            part(shelf.shown(number(mesh)?)?, |shown| {
                let told = told(shown, node).transpose()?;
                // As text at once: a number of 32 bits then has as many digits as it needs.
                Some(told.map(|told| (JSON, Body::Text(serde_json::to_string(&told).unwrap_or_default()))))
            })
        }
        ["c", chunk] => {
            let chunk = number(chunk)?;
            part(shown(mesh, shelf)?, |shown| Some(Ok(in_bytes(shown.scene.chunk(chunk)?))))
        }
        ["centers"] => {
            part(shown(mesh, shelf)?, |shown| Some(Ok(in_bytes(shown.scene.centers(&shown.graph)))))
        }
        // A part if it is no larger than so many bytes, else nothing: the page then asks for its chunks.
        [name, "up-to", bytes] => {
            let most = number(bytes)?;
            part(shown(mesh, shelf)?, |shown| {
                let whole = whole(shown, name)?;
                Some(Ok(if whole.1.bytes().len() <= most { whole } else { in_bytes(Vec::new()) }))
            })
        }
        ["head"] => part(shown(mesh, shelf)?, |shown| Some(Ok(in_json(shown.scene.head())))),
        ["picture.svg"] => {
            part(shown(mesh, shelf)?, |shown| Some(Ok(("image/svg+xml", Body::Picture(Arc::clone(shown))))))
        }
        [name] => part(shown(mesh, shelf)?, |shown| whole(shown, name).map(Ok)),
        _ => None,
    }
}

/// Answers with a part of a mesh, and with the state of the mesh that it is of.
fn part(shown: Result<Arc<Shown>>, of: impl FnOnce(&Arc<Shown>) -> Option<Result<Part>>) -> Found {
    let shown = match shown {
        Ok(shown) => shown,
        Err(error) => return Some(Err(error)),
    };
    let part = of(&shown)?;
    Some(part.map(|(kind, body)| Answer::new(kind, body, Some(shown.edition()))))
}

/// A part of the scene by its name.
fn whole(shown: &Arc<Shown>, name: &str) -> Option<Part> {
    let at = shown.scene.parts().iter().position(|(part, _)| *part == name)?;
    Some((BYTES, Body::Part(Arc::clone(shown), at)))
}

fn in_bytes(bytes: Vec<u8>) -> Part {
    (BYTES, Body::Bytes(bytes))
}

fn in_json(value: &Value) -> Part {
    (JSON, Body::Text(value.to_string()))
}

fn why(error: &Error) -> Value {
    json!({"why": error.without_file().to_string()})
}

/// A mesh by its number, or what changed from one to another: `3-7`.
fn shown(key: &str, shelf: &Shelf) -> Option<Result<Arc<Shown>>> {
    match key.split_once('-') {
        None => shelf.shown(number(key)?),
        Some((before, after)) => shelf.change(number(before)?, number(after)?),
    }
}

/// A number as this program writes it.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
}
