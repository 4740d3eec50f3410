//! A file of any form, as the table of families will hold them.

use navmap_core::bytes::Scratch;
use navmap_core::format::{NavFormat, ReadOptions, Summary};
use navmap_core::graph::NavGraph;
use navmap_core::{Counts, Error, Finding};
use navmap_nodegraph::{AinNav, NodNav, RespawnNav, TextNav};
use navmap_testkit::corpus::{self, Row};

/// Which view reads a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Ain,
    Respawn,
    Text,
    Nod,
}

pub(crate) const KINDS: [Kind; 4] = [Kind::Ain, Kind::Respawn, Kind::Text, Kind::Nod];

impl Kind {
    pub(crate) fn of_row(row: &Row) -> Self {
        match (row.text("form"), row.number("version")) {
            ("ain-text", _) => Self::Text,
            ("nod", _) => Self::Nod,
            (_, Some(57)) => Self::Respawn,
            _ => Self::Ain,
        }
    }
    /// The kinds that take a page for theirs.
    pub(crate) fn recognising(bytes: &[u8]) -> Vec<Self> {
        let page = bytes.get(..4096).unwrap_or(bytes);
        KINDS.into_iter().filter(|kind| kind.takes(page)).collect()
    }
    fn takes(self, page: &[u8]) -> bool {
        match self {
            Self::Ain => AinNav::recognise(page),
            Self::Respawn => RespawnNav::recognise(page),
            Self::Text => TextNav::recognise(page),
            Self::Nod => NodNav::recognise(page),
        }
    }
}

/// What a file says of itself, read whole.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) summary: Summary,
    pub(crate) counts: Counts,
    pub(crate) survey: Vec<Finding>,
    pub(crate) found: Vec<Finding>,
}

/// Reads everything in a file, in every way.
pub(crate) fn read(kind: Kind, bytes: &[u8]) -> Result<Read, Error> {
    fn exhaust<'a, V: NavFormat<'a> + serde_like::Dump>(bytes: &'a [u8]) -> Result<Read, Error> {
        let page = bytes.get(..4096).unwrap_or(bytes);
        let nav = V::open(bytes, &ReadOptions::default())?;
        let summary = nav.summary();
        assert_eq!(V::head(page, bytes.len() as u64)?, summary);
        let (mut counts, mut survey, mut found) = (Counts::default(), Vec::new(), Vec::new());
        nav.survey(&mut Scratch::new(), &mut counts, &mut |f| survey.push(f))?;
        nav.check(&mut Scratch::new(), &mut |f| found.push(f))?;
        for finding in &survey {
            assert!(found.contains(finding), "seen by survey and not by check: {finding}");
        }
        let known = |finding: &Finding| {
            let mut codes = V::CODES.iter().chain(navmap_core::COMMON);
            codes.any(|code| code.code == finding.code && code.severity >= finding.severity)
        };
        assert!(found.iter().all(known), "{found:?}");
        nav.info(&mut Scratch::new(), &mut Vec::new())?;
        nav.dump();
        let visited = nav.graph().for_each_link(|_| {});
        assert!(visited.is_ok() || found.iter().any(|f| f.code == "link-run"));
        Ok(Read { summary, counts, survey, found })
    }
    match kind {
        Kind::Ain => exhaust::<AinNav<'_>>(bytes),
        Kind::Respawn => exhaust::<RespawnNav<'_>>(bytes),
        Kind::Text => exhaust::<TextNav<'_>>(bytes),
        Kind::Nod => exhaust::<NodNav<'_>>(bytes),
    }
}

pub(crate) mod serde_like {
    /// What can be dumped as JSON. A float that is no number is `null` here.
    pub(crate) trait Dump {
        fn dump(&self) -> serde_json::Value;
    }

    macro_rules! dump {
        ($($view:ident),+) => { $(
            impl Dump for navmap_nodegraph::$view<'_> {
                fn dump(&self) -> serde_json::Value {
                    let value = serde_json::to_value(navmap_core::format::NavFile::stream(self)).expect("everything can be said");
                    let keys: Vec<&String> = value.as_object().expect("an object").keys().collect();
                    assert!(keys.iter().any(|key| *key == "error") && keys.iter().any(|key| *key == "game"));
                    value
                }
            }
        )+ };
    }
    dump!(AinNav, RespawnNav, TextNav, NodNav);
}

/// The rows of real and made files; none if they are not there.
pub(crate) fn rows() -> Vec<Row> {
    let folder = corpus::real().map(|real| real.join("valve-nodes")).filter(|folder| folder.is_dir());
    match folder {
        Some(folder) => corpus::manifest(&folder),
        None => {
            navmap_testkit::skipped("no real node graphs");
            Vec::new()
        }
    }
}
