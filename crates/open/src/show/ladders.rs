//! The ladders of a mesh, which editors name `L#1` as they name its nodes `#12`.

use super::told::{IdTold, Told};
use navmap_core::format::{LadderRecord, LadderRecords, NavFile};
use navmap_core::graph::{Ids, Point};
use navmap_core::stream::{Reals, Stream};
use navmap_formats::AnyNav;
use std::collections::HashMap;
use std::ops::Range;

/// How ids of ladders are typed.
const IDS: Ids = Ids::Lettered("L");

/// All ladders of a file.
#[derive(Debug, Default)]
pub(super) struct Ladders {
    /// In file order.
    stored: Vec<Stored>,
    /// The first ladder of each id.
    by_id: HashMap<u64, u32>,
}

/// A ladder, the bytes in which it lies, and its fields as JSON.
#[derive(Debug)]
struct Stored {
    ladder: LadderRecord,
    bytes: Option<Range<u64>>,
    text: String,
}

impl LadderRecords for Ladders {
    fn ladder(&mut self, ladder: LadderRecord, bytes: Option<Range<u64>>, fields: &dyn Stream) {
        let text = serde_json::to_string(&Reals(fields)).unwrap_or_default();
        let at = u32::try_from(self.stored.len()).unwrap_or(u32::MAX);
        self.by_id.entry(ladder.id).or_insert(at);
        self.stored.push(Stored { ladder, bytes, text });
    }
}

impl Ladders {
    /// Reads the ladders of a file. A damaged one has none, since they come last.
    pub(super) fn of(nav: &AnyNav<'_>) -> Self {
        let mut ladders = Self::default();
        let _ = nav.ladders(&mut ladders);
        ladders
    }

    /// The position of the ladder that a name means.
    pub(super) fn named(&self, name: &str) -> Option<u32> {
        // Without the letter it is the name of a node.
        let id = IDS.read(name).filter(|_| !name.starts_with('#'))?;
        self.by_id.get(&id).copied()
    }

    /// The ids of the nodes at the ends of a ladder.
    pub(super) fn ends(&self, at: u32) -> &[u64] {
        self.stored.get(at as usize).map_or(&[], |stored| &stored.ladder.nodes)
    }

    pub(super) fn told(&self, at: u32) -> Option<Told> {
        let Stored { ladder, bytes, text } = self.stored.get(at as usize)?;
        let [bottom, top] = ladder.ends;
        Some(Told {
            word: "ladder",
            id: IdTold { number: ladder.id, ids: IDS },
            index: at,
            byte: bytes.as_ref().map(|bytes| bytes.start),
            bytes: bytes.as_ref().map(|bytes| bytes.end.saturating_sub(bytes.start)),
            place: None,
            group_word: None,
            group: None,
            flags: Vec::new(),
            corners: ladder.ends.map(Point::to_array).into(),
            toward: vec!["bottom", "top"],
            is_point: false,
            radius: None,
            center: Some(bottom.midway(top).to_array()),
            area_m2: None,
            links: Vec::new(),
            arrivals: Vec::new(),
            marks: Vec::new(),
            findings: Vec::new(),
            record: serde_json::from_str(text).ok(),
        })
    }
}
