//! The parts that a tile has only once: island graphs, search space, connect-tile info.

use super::parts::{At, Failed, Halves, Hex};
use crate::record::{Bucket, IslandLink, SideInfo};
use crate::view::{ConnectTiles, Frame, IslandGraph, Listing, SearchSpace};
use navmap_core::error::Result;
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};

pub(super) struct IslandsRow<'a, 'f>(pub(super) IslandGraph<'a>, pub(super) Frame, pub(super) &'f Failed);

impl Serialize for IslandsRow<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Info {
            weight: u16,
            island: Option<u16>,
        }
        let Self(graph, frame, failed) = self;
        let mut out = serializer.serialize_struct("IslandGraph", 3)?;
        let info = |info: &SideInfo| Info { weight: info.weight(), island: info.island() };
        out.serialize_field("islands", &List(|| failed.walk(islands(graph, *frame))))?;
        out.serialize_field("sides", graph.sides())?;
        out.serialize_field("side_infos", &List(|| graph.side_infos().iter().map(info)))?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct IslandRow<G: Serialize, I: Serialize, T: Serialize> {
    #[serde(flatten)]
    at: At,
    attribute: u16,
    low_group: u16,
    low_segment: u16,
    low_node: u16,
    segments: u16,
    group_links: G,
    links: I,
    tile_links: T,
}

fn islands<'a>(
    graph: &'a IslandGraph<'_>,
    frame: Frame,
) -> impl Iterator<Item = Result<impl Serialize + 'a>> + 'a {
    #[derive(serde::Serialize)]
    struct Link {
        #[serde(skip_serializing_if = "Option::is_none")]
        group: Option<u16>,
        island: u16,
        weight: u16,
    }
    #[derive(serde::Serialize)]
    struct Out {
        side: u8,
        info: u16,
    }
    let rows = graph.islands().iter().zip(graph.low_nodes()).zip(graph.segment_counts()).enumerate();
    rows.map(move |(index, ((island, low), segments))| {
        let links = graph.links(island).map_err(|error| error.in_record("island", index as u64))?;
        Ok(IslandRow {
            at: At::new(island.position(), frame),
            attribute: island.attribute(),
            low_group: low.id().index(),
            low_segment: low.segment().0,
            low_node: low.node().0,
            segments: segments.get(),
            group_links: List(move || {
                links.groups.iter().map(|link| Link {
                    group: Some(link.id().index()),
                    island: link.island(),
                    weight: link.weight(),
                })
            }),
            links: List(move || {
                let link =
                    |link: &IslandLink| Link { group: None, island: link.island(), weight: link.weight() };
                links.inside.iter().map(link)
            }),
            tile_links: List(move || {
                links.tiles.iter().map(|link| Out { side: link.side(), info: link.info() })
            }),
        })
    })
}

pub(super) struct SearchRow<'a, 'f>(pub(super) SearchSpace<'a>, pub(super) &'f Failed);

impl Serialize for SearchRow<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(space, failed) = self;
        let header = space.header();
        let mut out = serializer.serialize_struct("SearchSpace", 6)?;
        out.serialize_field("origin", &header.origin())?;
        out.serialize_field("counts", &header.counts())?;
        out.serialize_field("side", &header.side())?;
        out.serialize_field("height", &header.height())?;
        out.serialize_field("y_range", &header.y_range())?;
        let buckets = || {
            let rows = space.buckets().iter().enumerate();
            rows.map(|(index, bucket)| BucketRow { space, index, bucket, failed })
        };
        out.serialize_field("buckets", &List(buckets))?;
        out.end()
    }
}

struct BucketRow<'a, 'f> {
    space: &'a SearchSpace<'a>,
    index: usize,
    bucket: &'a Bucket,
    failed: &'f Failed,
}

impl Serialize for BucketRow<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Row<'a> {
            group: u16,
            segments: Halves<'a>,
        }
        fn row(listing: Listing<'_>) -> Row<'_> {
            Row { group: listing.id.index(), segments: Halves(listing.segments) }
        }
        let mut out = serializer.serialize_struct("Bucket", 2)?;
        out.serialize_field("heights", &self.bucket.heights())?;
        let listings = || {
            let listings = self.failed.note(self.space.listings(self.index)).into_iter().flatten();
            let at = self.space.bucket_offset(self.index);
            self.failed.walk(listings.map(move |listing| {
                let listing = listing?;
                self.failed.charge(size_of_val(listing.segments), at)?;
                Ok(row(listing))
            }))
        };
        out.serialize_field("listings", &List(listings))?;
        out.end()
    }
}

pub(super) struct ConnectRow<'a>(pub(super) ConnectTiles<'a>);

impl Serialize for ConnectRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ConnectTiles", 2)?;
        out.serialize_field("offset", &self.0.offset())?;
        out.serialize_field("bytes", &Hex(self.0.bytes()))?;
        out.end()
    }
}
