//! `navmap trace`: finds how far a line or a box gets through a map.

use super::out::Out;
use super::values::{Hull, Point};
use super::{Exit, Failure, args, mapped, plan};
use navmap::bsp::{BspMap, Contents, Engine, Trace};
use navmap::error::Error;
use navmap::open::Bytes;
use std::io::Write;

pub(super) fn run(typed: &args::Trace) -> Result<Exit, Failure> {
    let options = plan::options(&typed.open);
    let read = Bytes::open(&typed.path, &options).and_then(|bytes| {
        let mut map = BspMap::parse_with(&bytes, &options.limits)?;
        bytes.intact()?;
        mapped::shape(&mut map, &typed.path, &typed.models, &options)?;
        Ok(map)
    });
    let map = match read {
        Ok(map) => map,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    let (Point(from), Point(to)) = (typed.from, typed.to);
    let mask = typed.mask.contents();
    let trace = match typed.hull {
        None => map.line(from, to, mask),
        Some(Hull { low, high }) => map.hull(from, to, low, high, mask).ok_or_else(|| {
            Error::invalid("--hull", "maps of GoldSrc have no brushes: only lines can be traced")
                .in_file(&typed.path)
        })?,
    };
    let class = trace.entity.and_then(|entity| map.entities().iter().nth(entity as usize));
    let class = class.map(|entity| String::from_utf8_lossy(entity.class()).into_owned());
    let mut out = Out::new().json(typed.format == args::Lines::Jsonl);
    match typed.format {
        args::Lines::Jsonl => print_json(&mut out, &map, to, &trace, class.as_deref())?,
        args::Lines::Text => print_text(&mut out, &map, to, &trace, class.as_deref())?,
    }
    out.flush()?;
    Ok(if trace.is_free() { Exit::Clean } else { Exit::Findings })
}

fn print_text(
    out: &mut Out,
    map: &BspMap,
    to: [f32; 3],
    trace: &Trace,
    class: Option<&str>,
) -> std::io::Result<()> {
    let [x, y, z] = trace.end;
    match (trace.is_free(), trace.start_solid) {
        (true, _) => writeln!(out, "free, to {x} {y} {z}")?,
        (false, true) if trace.all_solid => writeln!(out, "in something solid, from end to end")?,
        (false, true) => writeln!(out, "begins in something solid; ends at {x} {y} {z}")?,
        (false, false) => {
            let [nx, ny, nz] = trace.normal;
            writeln!(out, "hits {} at {x} {y} {z}, after {:.4} of the way", trace.contents, trace.fraction)?;
            writeln!(out, "normal {nx} {ny} {nz}")?;
        }
    }
    if let Some(class) = class {
        writeln!(
            out,
            "entity {} ({})",
            trace.entity.unwrap_or_default(),
            navmap::text::printable(class.as_bytes())
        )?;
    }
    writeln!(out, "contents at the goal: {}", map.contents(to))
}

fn print_json(
    out: &mut Out,
    map: &BspMap,
    to: [f32; 3],
    trace: &Trace,
    class: Option<&str>,
) -> std::io::Result<()> {
    let engine = match map.engine() {
        Engine::GoldSrc => "goldsrc",
        Engine::Source => "source",
    };
    let row = serde_json::json!({
        "free": trace.is_free(),
        "fraction": trace.fraction,
        "end": trace.end,
        "normal": trace.normal,
        "start_solid": trace.start_solid,
        "all_solid": trace.all_solid,
        "contents": trace.contents.0,
        "entity": trace.entity,
        "class": class,
        "contents_at_goal": map.contents(to).0,
        "engine": engine,
    });
    writeln!(out, "{row}")
}

impl super::values::Mask {
    /// What stops the trace.
    fn contents(self) -> Contents {
        match self {
            Self::Solid => Contents::SOLID,
            Self::Walk => Contents::WALK,
            Self::Player => Contents::PLAYER,
            Self::Sight => Contents::SNIPER,
            Self::Water => Contents::WATER | Contents::SLIME,
        }
    }
}
