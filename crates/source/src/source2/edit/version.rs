//! What all versions of meshes answer, for those of Source 2.

use super::between::Source2Version;
use super::merge::merge;
use navmap_core::edit::{Changes, Matching, Merger, Name, Version};
use navmap_core::error::Result;
use navmap_core::graph::{FlatGraph, Point};

impl Version for Source2Version {
    const MERGE: Option<Merger<Self>> = Some(merge);

    fn difference(
        &self,
        after: &Self,
        [before, now]: [&FlatGraph; 2],
        matching: &dyn Matching,
    ) -> Result<Changes> {
        let pairs = self.pairs(after, &matching.pairs(before, now));
        Ok(self.told(after, &pairs)?.changes)
    }

    fn place(&self, item: Name) -> Option<Point> {
        let id = u32::try_from(item.id).ok()?;
        match item.space {
            "V" => self.at(id).map(Point::from),
            "L" => {
                let mut ladders = self.buf.ladders.iter().map(|each| each.ladder());
                ladders.find(|each| each.id().get() == id).map(|each| each.bottom().into())
            }
            _ => None,
        }
    }
}
