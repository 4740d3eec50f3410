//! Analysis without the game.

mod bars;
mod hostile;
mod map;
mod seen;
mod spots;
mod times;
mod whole;

use navmap::format::source::analyze::{AnalyzeOptions, Map, Phase, Report, analyze};
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::source::{Mesh, read, write};

pub(crate) fn owned(mesh: &Mesh) -> SourceBuf {
    SourceBuf::read(&SourceNav::parse(&write(mesh)).unwrap()).unwrap()
}

/// The mesh after these phases, read by the independent reader, and the report.
pub(crate) fn analyzed(mesh: &Mesh, only: &[Phase], map: Option<&dyn Map>) -> (Mesh, Report) {
    let mut own = owned(mesh);
    let options = AnalyzeOptions { only: only.to_vec(), ..AnalyzeOptions::default() };
    let report = analyze(&mut own, &options, map).unwrap();
    (read(&own.encode().unwrap()).unwrap(), report)
}
