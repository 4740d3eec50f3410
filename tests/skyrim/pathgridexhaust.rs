//! Reads all that a plugin with path grids has.

use navmap::bytes::Scratch;
use navmap::format::skyrim::pathgrid::{GridGraph, GridPlugin};
use navmap::graph::{Csr, NavGraph};
use navmap::{Counts, Limits, NavFile, NavFormat};

/// Whether the file could be opened and read to its end.
pub(crate) fn exhaust(bytes: &[u8]) -> bool {
    let _ = (GridPlugin::recognise(bytes), GridPlugin::head(bytes, bytes.len() as u64));
    let Ok(plugin) = GridPlugin::parse(bytes, &Limits::default()) else { return false };
    let _ = (plugin.author(), plugin.masters().count(), plugin.version(), plugin.flags());
    let mut scratch = Scratch::new();
    let (mut counts, mut seen, mut checked) = (Counts::default(), Vec::new(), Vec::new());
    let whole = plugin.survey(&mut scratch, &mut counts, &mut |finding| seen.push(finding));
    plugin.check(&mut scratch, &mut |finding| checked.push(finding)).unwrap();
    for finding in &seen {
        let same = |other: &navmap::Finding| (other.code, &other.at) == (finding.code, &finding.at);
        assert!(checked.iter().any(same), "seen by survey and not by check: {finding}");
    }
    assert_eq!(plugin.info(&mut scratch, &mut Vec::new()).is_ok(), whole.is_ok());
    assert!(serde_json::to_vec(&plugin).is_ok());
    let graph = GridGraph::new(&plugin);
    assert_eq!(graph.damage().is_some(), whole.is_err());
    let points = counts.get("points").unwrap();
    assert_eq!(u64::from(graph.point_count()), points);
    let csr = Csr::of(&graph);
    assert_eq!(csr.value.len() as u64, points);
    let parts = graph.split();
    assert_eq!(parts.iter().map(|(_, part)| u64::from(part.point_count())).sum::<u64>(), points);
    for (_, part) in &parts {
        part.for_each_link(|_| {}).unwrap();
    }
    whole.is_ok()
}
