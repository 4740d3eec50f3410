//! What the findings of a Fox tile, and of a set of tiles, mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Info "older-version":
        "The file has the older version number, of which no file was ever seen; it is read as its successor." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Warning "file-size":
        "The size that the header states is not that of the file." =>
        "Take the file from its source again, or make the tile again.";
    Deviation "file-alignment":
        "The length of the file is no multiple of 16." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "reserved":
        "Reserved fields or bits are not 0, as they are in every file of the game." =>
        "Nothing needs to be done; the values are kept.";
    Deviation "padding":
        "Bytes between the manifest and the first entry are not 0." =>
        "Nothing needs to be done; nobody reads them.";
    Info "features":
        "The feature flags are not those that files of this kind have." =>
        "Nothing needs to be done; the value is kept.";
    Error "origin":
        "The origin of the file is NaN or infinite, so that nothing in it has a place." =>
        "Take the file from its source again, or make the tile again.";
    Deviation "id-bit-31":
        "The highest bit of the file's id is set." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "manifest-offset":
        "The manifest does not begin at byte 0x60." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "manifest-size":
        "The manifest states another size than its entries have." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "manifest-order":
        "Descriptors of the manifest do not stand in the game's order." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Error "manifest-entry":
        "The manifest lists an entry that the file does not have." =>
        "Take the file from its source again, or make the tile again.";
    Error "manifest-offset-wrong":
        "The manifest gives the wrong place for an entry: the game would read other bytes." =>
        "Make the tile again with the tool that wrote it.";
    Warning "manifest-entry-size":
        "The manifest gives the wrong size for an entry." =>
        "Make the tile again with the tool that wrote it.";
    Error "manifest-short":
        "An entry of the file is not in the manifest, so the game does not see it." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "first-entry":
        "The first entry does not follow the manifest." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Warning "entry-count":
        "The header states another number of entries than four a group." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "entry-order":
        "Entries do not stand in the game's order." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "entry-alignment":
        "An entry does not begin or end at a multiple of 16." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "payload-offset":
        "The payload of an entry does not begin 16 bytes after it." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Error "duplicate-entry":
        "A group has two entries of one kind; only one can be used." =>
        "Make the tile again with the tool that wrote it.";
    Error "entries-unpaired":
        "There are more entries of one kind than of another, though each group has one of each of the four." =>
        "Make the tile again with the tool that wrote it.";
    Warning "unknown-entry":
        "An entry has a type that nothing is known of. It is passed over." =>
        "Nothing needs to be done; the bytes are kept.";
    Warning "tile-id":
        "An entry says another tile than the file." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "segmentchunk-layout":
        "The arrays of a SegmentChunk do not lie where the game puts them." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "navmesh-layout":
        "The arrays of a NavmeshChunk do not lie where the game puts them." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "navworld-layout":
        "The arrays of a NavWorld do not lie where the game puts them." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "segmentgraph-layout":
        "The arrays of a SegmentGraph do not lie where the game puts them." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Error "dangling-index":
        "A record points outside the table that it points into." =>
        "Take the file from its source again, or make the tile again.";
    Error "segment-range":
        "The vertices, faces, nodes or edges of a segment lie outside those of its group." =>
        "Take the file from its source again, or make the tile again.";
    Warning "bounds-reversed":
        "The box of a segment has its smallest and largest corner exchanged." =>
        "Make the tile again with the tool that wrote it.";
    Warning "segment-base":
        "The ranges of a segment do not follow those of the segments before it." =>
        "Make the tile again with the tool that wrote it.";
    Warning "segment-edges":
        "A segment has another number of edges than its faces need." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "segment-empty":
        "A segment has no vertex." =>
        "Nothing needs to be done; the game does not get there.";
    Warning "segment-bounds":
        "The box of a segment is not that of its vertices, so that a search may miss it." =>
        "Make the tile again with the tool that wrote it.";
    Warning "segment-totals":
        "The segments together have other totals than their group." =>
        "Make the tile again with the tool that wrote it.";
    Error "segment-count":
        "A group has more segments than 12 bits can number." =>
        "Split the tile or make its segments larger.";
    Info "quad":
        "A face has four corners; the game's own files have triangles alone." =>
        "Nothing needs to be done; the format allows it.";
    Warning "face-nodes":
        "A face has another number of nodes than of corners." =>
        "Make the tile again with the tool that wrote it.";
    Warning "face-segment":
        "A face says another segment than the one whose range it lies in." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "face-offset":
        "The data of faces does not follow without gaps." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Error "face-corner":
        "A face belongs to no segment, or has a corner outside the vertices." =>
        "Make the tile again with the tool that wrote it.";
    Info "face-upright":
        "A face has no area seen from above. 34 of 66,198 faces of the game are so." =>
        "Nothing needs to be done; nothing can stand on it.";
    Info "face-reversed":
        "The normal of a face points down. 11 of 66,198 faces of the game are so." =>
        "Turn its corners round in the tool that made it.";
    Warning "face-midpoint":
        "The node of a side is not at the middle of it." =>
        "Make the tile again with the tool that wrote it.";
    Warning "face-node":
        "The node of a face's side does not exist in its segment." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "neighbour-ids":
        "A face that stores the ids of its neighbours marks the sides that stay in the group otherwise than the game does." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "neighbour-tile":
        "A neighbour in another tile is named already, which the game does when it loads the tiles." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Info "neighbour-dynamic":
        "A neighbour is of the kind for moving meshes, of which no file was ever seen." =>
        "Nothing needs to be done; the value is kept.";
    Error "dangling-neighbour":
        "A face names a neighbour that is no face." =>
        "Make the tile again with the tool that wrote it.";
    Warning "neighbour-one-way":
        "A face calls another its neighbour, which does not point back." =>
        "Make the tile again with the tool that wrote it.";
    Warning "neighbour-apart":
        "Two faces call each other neighbours over sides that do not lie on each other." =>
        "Make the tile again with the tool that wrote it.";
    Warning "side-node-disagree":
        "A side of a face and the node at its middle lead to different places." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "links-packed":
        "The links of nodes do not follow each other without gaps." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Info "node-kind":
        "The crossing byte of a node has unknown bits." =>
        "Nothing needs to be done; the value is kept.";
    Warning "inside-links":
        "A node has another number of links inside its segment than its faces give." =>
        "Make the tile again with the tool that wrote it.";
    Warning "link-leaves-segment":
        "A link inside a segment leads to a node of another one." =>
        "Make the tile again with the tool that wrote it.";
    Warning "link-one-way":
        "A link inside a segment has no link back over the same edge." =>
        "Make the tile again with the tool that wrote it.";
    Warning "link-edge":
        "A link goes over an edge between two other nodes." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "crossing-resolved":
        "A link to another tile names its node already, which the game does when it loads the tiles." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Warning "crossing-own-tile":
        "A link out of the tile leads into it." =>
        "Make the tile again with the tool that wrote it.";
    Info "crossing-from-body":
        "A link out of the tile leaves from its body; in the game's files only the strips along the sides do." =>
        "Nothing needs to be done.";
    Error "dangling-crossing":
        "A crossing leads to a node that does not exist." =>
        "Make the tile again with the tool that wrote it.";
    Warning "crossing-apart":
        "A crossing leads to a node at another place." =>
        "Make the tile again with the tool that wrote it.";
    Warning "crossing-one-way":
        "A crossing leads to a node that does not lead back." =>
        "Make the tile again with the tool that wrote it.";
    Warning "crossing-same-segment":
        "A crossing stays in its own segment." =>
        "Make the tile again with the tool that wrote it.";
    Warning "face-reference":
        "A node names a face that does not have it." =>
        "Make the tile again with the tool that wrote it.";
    Warning "edge-count":
        "There is another number of edges than the faces need." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "edge-order":
        "The ends of an edge do not ascend." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Info "edge-kind":
        "An edge has a kind other than 0." =>
        "Nothing needs to be done; the value is kept.";
    Warning "edge-node":
        "An end of an edge is no node of its segment." =>
        "Make the tile again with the tool that wrote it.";
    Warning "edge-weight":
        "The weight of an edge does not follow from its length, so that ways over it look shorter or longer than they are." =>
        "Make the tile again with the tool that wrote it.";
    Warning "attribute-count":
        "There is another number of attributes than of segments." =>
        "Make the tile again with the tool that wrote it.";
    Warning "segment-node-count":
        "The coarse graph has another number of nodes than there are segments." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "segment-links-packed":
        "The links of the coarse graph do not follow each other without gaps." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Warning "segment-position":
        "A coarse node does not lie at a node of its segment." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "segment-link-resolved":
        "A coarse link to another tile names its segment already, which the game does when it loads the tiles." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Warning "segment-crossing":
        "A node that a coarse link names does not cross to where the link leads." =>
        "Make the tile again with the tool that wrote it.";
    Warning "segment-index-count":
        "The coarse graph states another number of crossing nodes than its links have." =>
        "Make the tile again with the tool that wrote it.";
    Warning "segment-weight":
        "The weight of a coarse link is not the mean way from the segment's node to where the link crosses, so that ways through the segment look shorter or longer than they are." =>
        "Make the tile again with the tool that wrote it.";
    Warning "segment-back":
        "The link that a back index names does not lead back." =>
        "Make the tile again with the tool that wrote it.";
    Warning "islands-end":
        "The island graphs do not end where the next section begins." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "islands-layout":
        "The arrays of an island graph do not lie where the game puts them." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Info "islands-graph":
        "An island graph other than the first has islands; in no file seen it has." =>
        "Nothing needs to be done.";
    Warning "island-segments":
        "An island states another number of segments than name it." =>
        "Make the tile again with the tool that wrote it.";
    Warning "island-position":
        "An island does not lie at its low node." =>
        "Make the tile again with the tool that wrote it.";
    Warning "island-attribute":
        "The attribute of an island is not that of its segments." =>
        "Make the tile again with the tool that wrote it.";
    Error "dangling-island":
        "A segment names an island that does not exist." =>
        "Make the tile again with the tool that wrote it.";
    Warning "island-torn":
        "Linked segments of one attribute are on different islands." =>
        "Make the tile again with the tool that wrote it.";
    Warning "island-count":
        "The header states island graphs without a place for them, or a place without any." =>
        "Make the tile again with the tool that wrote it.";
    Warning "search-absent":
        "There are groups and no search space: the game finds no face at a place." =>
        "Make the tile again with the tool that wrote it.";
    Warning "search-origin":
        "The search space has another origin than the file, so that places are looked up elsewhere." =>
        "Make the tile again with the tool that wrote it.";
    Deviation "search-layers":
        "The search space has more than one layer, or reserved bits." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Deviation "search-layout":
        "The arrays of the search space do not lie where the game puts them." =>
        "Nothing needs to be done; the game reads by the offsets that the file states.";
    Warning "search-height":
        "The height of the search space is not that of the vertices." =>
        "Make the tile again with the tool that wrote it.";
    Warning "search-side":
        "The buckets of the search space have no size." =>
        "Make the tile again with the tool that wrote it.";
    Warning "search-size":
        "The search space states another end than the file has." =>
        "Make the tile again with the tool that wrote it.";
    Warning "listing-group":
        "A bucket lists groups out of order, or one that the file does not have." =>
        "Make the tile again with the tool that wrote it.";
    Warning "listing-order":
        "The segments in a bucket do not ascend." =>
        "Make the tile again with the tool that wrote it.";
    Warning "listing-segment":
        "A bucket lists a segment that does not exist." =>
        "Make the tile again with the tool that wrote it.";
    Warning "listing-extra":
        "A bucket lists a segment that lies elsewhere." =>
        "Make the tile again with the tool that wrote it.";
    Warning "listing-missing":
        "A segment is not in all buckets that it touches: the game does not find it there." =>
        "Make the tile again with the tool that wrote it.";
    Warning "bucket-heights":
        "The heights of a bucket are not those of its segments." =>
        "Make the tile again with the tool that wrote it.";
    Info "neighbour-absent":
        "Links lead to tiles that are not in the set." =>
        "Add the tiles, if the map has them; the border of a map has no neighbours.";
    Warning "neighbour-group-absent":
        "Links lead to groups that their tiles lack." =>
        "Make both tiles again from one version of the map.";
    Warning "border-unmatched":
        "Links over the border of a tile meet no node that leads back from the same place." =>
        "Make both tiles again from one version of the map.";
    Warning "border-ambiguous":
        "Links over the border of a tile meet several nodes that lead back from the same place." =>
        "Make both tiles again from one version of the map.";
    Warning "group-absent":
        "Links lead to groups or nodes that no part of the tile has." =>
        "Add the other part of the split tile, or make the tile again.";
    Error "duplicate-tile":
        "Two files are the same part of one tile; the second is left out." =>
        "Remove one of them.";
    Warning "mixed-maps":
        "The files of a set do not belong to one map." =>
        "Keep maps in folders of their own.";
    Warning "split-part-absent":
        "A part of a split tile is missing. (Information where only the first part is there.)" =>
        "Add the other part.";
    Warning "split-mismatch":
        "The parts of a split tile disagree in their frame." =>
        "Make both parts again from one version of the map.";
    Warning "tile-columns":
        "A tile says another number of columns than the rest of its map." =>
        "Make the tile again for this map.";
    Warning "tile-name":
        "The name of a file says another tile than its contents." =>
        "Rename the file after its tile.";
    Warning "tile-origin":
        "A tile does not lie where its number puts it." =>
        "Make the tile again for this map.";
};
