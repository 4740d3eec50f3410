//! Reads text into flat lists, in one pass.

use super::pull::{Pull, Text};
use super::{Head, JsonEdict, JsonLink, JsonNode, LineEnd, Map, NONE, NavJson, binary_version};
use crate::flags::{EntityId, Handle};
use crate::iter::EdictKey;
use crate::record::{Bounds, Traversal, place_key};
use navmap_core::error::Result;
use std::collections::HashMap;

impl<'a> NavJson<'a> {
    /// Reads a whole file, in time and memory linear in its length.
    ///
    /// # Errors
    /// [`Text`](navmap_core::ErrorKind::Text), with line and column, if the text is not JSON, if the version is not 1, 2 or 3, if
    /// a member is missing, repeated or of the wrong type, or if a number does not fit its field. A link to coordinates that no
    /// node has, or two nodes with the same coordinates, are findings and not errors.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut json = Pull::new(bytes)?;
        let mut reader = Reader::default();
        reader.file(&mut json)?;
        let mut nav = reader.nav;
        // The line above has checked it.
        nav.text = std::str::from_utf8(bytes).unwrap_or_default();
        let newline = nav.text.find('\n').and_then(|at| at.checked_sub(1));
        if newline.is_some_and(|before| nav.text.as_bytes().get(before) == Some(&b'\r')) {
            nav.line_end = LineEnd::CrLf;
        }
        nav.resolve();
        Ok(nav)
    }

    /// Finds the node with each link's target coordinates.
    pub(super) fn resolve(&mut self) {
        let mut by_origin = HashMap::with_capacity(self.nodes.len());
        self.twins.clear();
        for (index, node) in self.nodes.iter().enumerate() {
            let index = u32::try_from(index).unwrap_or(NONE);
            if let Some(earlier) = by_origin.insert(place_key(node.origin), index) {
                self.twins.push((earlier, index));
            }
        }
        for link in &mut self.links {
            link.target = by_origin.get(&place_key(link.target_origin)).copied().unwrap_or(NONE);
        }
        self.unresolved = self.links.iter().filter(|link| link.target == NONE).count();
    }
}

/// The version, checked.
pub(super) fn version(json: &mut Pull) -> Result<u32> {
    let at = json.offset();
    let version = json.int("a version")?;
    match binary_version(version) {
        Some(_) => Ok(version),
        None => Err(json.error(at, format!("navjson version {version} is unknown, 1, 2 and 3 are known"))),
    }
}

#[derive(Default)]
struct Reader<'a> {
    nav: NavJson<'a>,
    version: Option<u32>,
}

impl Default for NavJson<'_> {
    /// An empty graph of version 3, without a head.
    fn default() -> Self {
        Self {
            version: 3,
            head: Head::default(),
            heuristic: None,
            nodes: Vec::new(),
            links: Vec::new(),
            traversals: Vec::new(),
            edicts: Vec::new(),
            line_end: LineEnd::default(),
            text: "",
            twins: Vec::new(),
            unresolved: 0,
            strangers: 0,
            first_stranger: None,
        }
    }
}

/// Puts a value into its slot. Fails if the slot is full, because a member must not be repeated.
fn once<T>(slot: &mut Option<T>, value: T, json: &Pull, at: usize, member: &str) -> Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(json.error(at, format!("{member} stands here for the second time"))),
    }
}

/// Unwraps a required member.
fn need<T>(slot: Option<T>, json: &Pull, at: usize, what: &str, member: &str) -> Result<T> {
    slot.ok_or_else(|| json.error(at, format!("{what} without {member}")))
}

impl<'a> Reader<'a> {
    fn file(&mut self, json: &mut Pull<'a>) -> Result<()> {
        let at = json.offset();
        let (mut map, mut contributors, mut comments, mut settings, mut nodes) =
            (None, None, None, None, None);
        json.object("an object", |json, member, at| match member {
            "Version" => once(&mut self.version, version(json)?, json, at, member),
            "Map" => once(&mut map, self.map(json)?, json, at, member),
            "Contributors" => once(&mut contributors, texts(json)?, json, at, member),
            "Comments" | "Comment" => {
                self.nav.head.singular_comment = member == "Comment";
                once(&mut comments, text(json)?, json, at, member)
            }
            "Settings" => once(&mut settings, self.settings(json)?, json, at, member),
            "Nodes" => once(&mut nodes, self.nodes(json)?, json, at, member),
            _ => self.stranger(json, at),
        })?;
        json.end()?;
        self.nav.version = need(self.version, json, at, "a file", "Version")?;
        need(nodes, json, at, "a file", "Nodes")?;
        self.nav.heuristic = settings.flatten();
        if self.nav.version == 3 && self.nav.heuristic.is_none() {
            return Err(json.error(at, "a file of version 3 without Settings and Heuristic"));
        }
        self.nav.head.map = map.flatten();
        self.nav.head.contributors = contributors.flatten();
        self.nav.head.comments = comments.flatten();
        self.edict_keys(json)
    }

    /// Checks that the keys of the edicts fit the version, which the file may state after them.
    fn edict_keys(&self, json: &Pull) -> Result<()> {
        let handles = self.nav.version == 1;
        let fits = |edict: &JsonEdict| match edict.key {
            EdictKey::Handles { .. } => handles,
            EdictKey::Entity(_) => !handles,
            EdictKey::None | EdictKey::Model(_) => false,
        };
        let wrong = self.nav.edicts.iter().find(|edict| !fits(edict));
        let wanted = if handles { "Targetname and Classname" } else { "EntityId" };
        wrong.map_or(Ok(()), |edict| {
            let version = self.nav.version;
            Err(json.error(edict.offset, format!("an Edict of version {version} without {wanted}")))
        })
    }

    /// Notes and skips a member unknown to the format.
    fn stranger(&mut self, json: &mut Pull<'a>, at: usize) -> Result<()> {
        self.nav.strangers = self.nav.strangers.saturating_add(1);
        self.nav.first_stranger.get_or_insert(at);
        json.skip()
    }

    fn map(&mut self, json: &mut Pull<'a>) -> Result<Option<Map<'a>>> {
        if json.null() {
            return Ok(None);
        }
        let (mut name, mut author, mut filename, mut urls) = (None, None, None, None);
        json.object("an object", |json, member, at| match member {
            "Name" => once(&mut name, text(json)?, json, at, member),
            "Author" => once(&mut author, text(json)?, json, at, member),
            "Filename" => once(&mut filename, text(json)?, json, at, member),
            "Urls" => once(&mut urls, texts(json)?, json, at, member),
            _ => self.stranger(json, at),
        })?;
        Ok(Some(Map {
            name: name.flatten(),
            author: author.flatten(),
            filename: filename.flatten(),
            urls: urls.flatten(),
        }))
    }

    fn settings(&mut self, json: &mut Pull<'a>) -> Result<Option<f32>> {
        if json.null() {
            return Ok(None);
        }
        let mut heuristic = None;
        json.object("an object", |json, member, at| match member {
            "Heuristic" => once(&mut heuristic, json.float("a number")?, json, at, member),
            _ => self.stranger(json, at),
        })?;
        Ok(heuristic)
    }

    fn nodes(&mut self, json: &mut Pull<'a>) -> Result<()> {
        json.array("an array of nodes", |json| {
            let index = self.nav.nodes.len() as u64;
            self.node(json).map_err(|error| error.in_record("node", index))
        })
    }

    fn node(&mut self, json: &mut Pull<'a>) -> Result<()> {
        let offset = json.offset();
        let first_link = self.nav.links.len();
        let (mut origin, mut flags, mut links, mut radius) = (None, None, None, None);
        json.object("a node", |json, member, at| match member {
            "Origin" => once(&mut origin, vector(json)?, json, at, member),
            "Flags" => once(&mut flags, json.int("flags")?, json, at, member),
            "Links" => {
                once(&mut links, json.array("an array of links", |json| self.link(json))?, json, at, member)
            }
            "Radius" => once(&mut radius, json.int("a radius")?, json, at, member),
            _ => self.stranger(json, at),
        })?;
        need(links, json, offset, "a node", "Links")?;
        let node = JsonNode {
            origin: need(origin, json, offset, "a node", "Origin")?,
            flags: need(flags, json, offset, "a node", "Flags")?,
            radius: need(radius, json, offset, "a node", "Radius")?,
            first_link,
            link_count: self.nav.links.len().saturating_sub(first_link),
            offset,
        };
        self.nav.nodes.push(node);
        Ok(())
    }

    fn link(&mut self, json: &mut Pull<'a>) -> Result<()> {
        let offset = json.offset();
        let (mut target, mut kind, mut traversal, mut edict) = (None, None, None, None);
        json.object("a link", |json, member, at| match member {
            "Target" => once(&mut target, vector(json)?, json, at, member),
            "Type" => once(&mut kind, json.int("a type")?, json, at, member),
            "Traversal" => once(&mut traversal, or_null(json, points)?, json, at, member),
            "Edict" => once(&mut edict, or_null(json, |json| self.edict(json))?, json, at, member),
            _ => self.stranger(json, at),
        })?;
        let link = JsonLink {
            target_origin: need(target, json, offset, "a link", "Target")?,
            target: NONE,
            kind: need(kind, json, offset, "a link", "Type")?,
            traversal: push(&mut self.nav.traversals, traversal.flatten()),
            edict: push(&mut self.nav.edicts, edict.flatten()),
            offset,
        };
        self.nav.links.push(link);
        Ok(())
    }

    fn edict(&mut self, json: &mut Pull<'a>) -> Result<JsonEdict> {
        let offset = json.offset();
        let (mut mins, mut maxs, mut targetname, mut classname, mut entity) = (None, None, None, None, None);
        json.object("an Edict", |json, member, at| match member {
            "Mins" => once(&mut mins, vector(json)?, json, at, member),
            "Maxs" => once(&mut maxs, vector(json)?, json, at, member),
            "Targetname" => once(&mut targetname, json.int("a handle")?, json, at, member),
            "Classname" => once(&mut classname, json.int("a handle")?, json, at, member),
            "EntityId" => once(&mut entity, json.int("an entity id")?, json, at, member),
            _ => self.stranger(json, at),
        })?;
        let key = match (targetname, classname, entity) {
            (Some(targetname), Some(classname), None) => {
                EdictKey::Handles { targetname: Handle(targetname), classname: Handle(classname) }
            }
            (None, None, Some(id)) => EdictKey::Entity(EntityId(id)),
            (None, None, None) => EdictKey::None,
            (_, _, Some(_)) => return Err(json.error(offset, "an Edict with the keys of two versions")),
            _ => return Err(json.error(offset, "an Edict without both Targetname and Classname")),
        };
        let bounds = Bounds::new(
            need(mins, json, offset, "an Edict", "Mins")?,
            need(maxs, json, offset, "an Edict", "Maxs")?,
        );
        Ok(JsonEdict { bounds, key, offset })
    }
}

/// Appends a value and returns its index.
fn push<T>(list: &mut Vec<T>, value: Option<T>) -> u32 {
    let Some(value) = value else { return NONE };
    let index = u32::try_from(list.len()).unwrap_or(NONE);
    list.push(value);
    index
}

/// The tool that made the format leaves out nulls, but other files may have them.
fn or_null<'a, T>(json: &mut Pull<'a>, read: impl FnOnce(&mut Pull<'a>) -> Result<T>) -> Result<Option<T>> {
    if json.null() { Ok(None) } else { read(json).map(Some) }
}

fn text<'a>(json: &mut Pull<'a>) -> Result<Option<Text<'a>>> {
    or_null(json, |json| json.text("a string"))
}

fn texts<'a>(json: &mut Pull<'a>) -> Result<Option<Vec<Text<'a>>>> {
    or_null(json, |json| {
        let mut list = Vec::new();
        json.array("an array of strings", |json| {
            list.push(json.text("a string")?);
            Ok(())
        })?;
        Ok(list)
    })
}

/// `[x, y, z]`.
#[inline]
fn vector(json: &mut Pull) -> Result<[f32; 3]> {
    exactly(json, "three numbers", |json| json.float("a number"))
}

/// Funnel, start, end.
fn points(json: &mut Pull) -> Result<Traversal> {
    let [funnel, start, end] = exactly(json, "three points", vector)?;
    Ok(Traversal::new(Some(funnel), start, end))
}

/// An array of exactly three.
#[inline]
fn exactly<'a, T: Default + Copy>(
    json: &mut Pull<'a>,
    wanted: &'static str,
    mut element: impl FnMut(&mut Pull<'a>) -> Result<T>,
) -> Result<[T; 3]> {
    let at = json.offset();
    let mut three = [T::default(); 3];
    let mut count = 0_usize;
    json.array(wanted, |json| {
        let value = element(json)?;
        if let Some(slot) = three.get_mut(count) {
            *slot = value;
        }
        count = count.saturating_add(1);
        Ok(())
    })?;
    if count == 3 {
        return Ok(three);
    }
    Err(json.error(at, format!("expected {wanted}, found {count}")))
}
