//! Between the two forms, and what goes to no other bot.

use super::buf::{Form, YapbBuf, length};
use super::flags::{GraphOptions, LinkFlags, NodeFlags};
use super::pwf::PWF_NODES;
use super::record::{Link, Node};
use navmap_core::error::{Error, Result};
use navmap_core::text::counted;
use navmap_core::{Finding, Severity};

/// Where to report what is lost.
struct Losses<'l>(&'l mut dyn FnMut(Finding));

impl Losses<'_> {
    fn lost(&mut self, code: &'static str, count: usize, what: &str) {
        self.say(
            Severity::Warning,
            code,
            count > 0,
            format!("{what} ({})", counted(count as u64, "node", "nodes")),
        );
    }

    fn lost_of_links(&mut self, code: &'static str, count: usize, what: &str) {
        self.say(
            Severity::Warning,
            code,
            count > 0,
            format!("{what} ({})", counted(count as u64, "link", "links")),
        );
    }

    fn say(&mut self, severity: Severity, code: &'static str, when: bool, what: String) {
        if when {
            (self.0)(Finding::new(severity, code, what));
        }
    }
}

impl YapbBuf {
    /// Converts to a `.graph` file of version 1 or 2. Reports each change to `losses` first: as a [`Warning`](Severity::Warning)
    /// if something is lost, as [`Info`](Severity::Info) if a value is supplied.
    ///
    /// # Errors
    /// If the version is neither 1 nor 2.
    pub fn to_graph(&self, version: i32, losses: &mut dyn FnMut(Finding)) -> Result<Self> {
        if !(1..=2).contains(&version) {
            return Err(Error::invalid("version", format!("{version} of a .graph file is neither 1 nor 2")));
        }
        let mut losses = Losses(losses);
        self.drop_trailing(&mut losses);
        let nodes = self.nodes.clone();
        let form = match &self.form {
            Form::Graph { magic, options, extension, packed, .. } => Form::Graph {
                magic: *magic,
                version,
                options: *options,
                extension: extension.clone(),
                packed: packed.clone(),
            },
            Form::Pwf { layout, author, .. } => {
                let flagless = *layout != 7 && nodes.iter().any(|node| node.links().next().is_some());
                let why = format!("version {layout} does not say which links are jumps: all are walks");
                losses.say(Severity::Info, "jumps-unknown", flagless, why);
                let light = "light is left unmeasured, the bot measures it again".to_owned();
                losses.say(Severity::Info, "light-missing", !nodes.is_empty(), light);
                let options = GraphOptions::GRAPH | GraphOptions::EXTENSION | GraphOptions::CONVERTED;
                // Author, size of the map (0: unknown), editor.
                let extension = [&author[..], &[0; 36]].concat();
                Form::Graph { magic: *b"BPAY", version, options, extension, packed: Vec::new() }
            }
        };
        // A stale pointer of POD-Bot is not a node number.
        let unseen = |mut node: Node| {
            node.set_seen([0; 2]);
            node
        };
        let from_pwf = matches!(self.form, Form::Pwf { .. });
        let nodes = if from_pwf { nodes.into_iter().map(unseen).collect() } else { nodes };
        Ok(Self { form, nodes, trailing: Vec::new() })
    }

    /// Converts to a `.pwf` file (version 7) for the map of this name. Reports what is lost to `losses` first.
    ///
    /// # Errors
    /// If there are more than [`PWF_NODES`] nodes, which POD-Bot refuses (`large` allows them), or if the map's name is longer
    /// than 31 bytes.
    pub fn to_pwf(&self, map: &str, large: bool, losses: &mut dyn FnMut(Finding)) -> Result<Self> {
        if self.nodes.len() > PWF_NODES && !large {
            let why = format!(
                "{} of them, POD-Bot loads {PWF_NODES} at most; --large writes them all the same",
                self.nodes.len()
            );
            return Err(Error::invalid("nodes", why));
        }
        let mut losses = Losses(losses);
        self.drop_trailing(&mut losses);
        let (map, author) = match &self.form {
            Form::Pwf { map, author, .. } => (*map, *author),
            Form::Graph { extension, .. } => (field(map)?, self.leave_graph(extension, &mut losses)),
        };
        let mut nodes = self.nodes.clone();
        for node in &mut nodes {
            let flat = |[x, y, _]: [f32; 3]| [x, y, 0.0];
            node.set_camp(flat(node.camp_start()), flat(node.camp_end()));
            node.set_light(None);
            node.forget_display_time();
        }
        Ok(Self { form: Form::Pwf { version: 7, layout: 7, map, author }, nodes, trailing: Vec::new() })
    }

    /// Reports what `.pwf` cannot hold, and returns the author.
    fn leave_graph(&self, extension: &[u8], losses: &mut Losses<'_>) -> [u8; 32] {
        let count = |lost: fn(&Node) -> bool| self.nodes.iter().filter(|node| lost(node)).count();
        self.leave_measured(losses);
        let heights =
            |node: &Node| [node.camp_start(), node.camp_end()].iter().any(|[.., height]| *height != 0.0);
        losses.lost("camp-height-lost", count(heights), "the third numbers of camp directions are lost");
        let editor = extension.get(36).filter(|first| **first != 0 && extension.len() == 68);
        losses.say(
            Severity::Warning,
            "editor-lost",
            editor.is_some(),
            "the last editor's name is lost".to_owned(),
        );
        extension.first_chunk().copied().unwrap_or_default()
    }

    /// Reports what only a `.graph` file holds.
    fn leave_measured(&self, losses: &mut Losses<'_>) {
        let count = |lost: fn(&Node) -> bool| self.nodes.iter().filter(|node| lost(node)).count();
        losses.lost("light-lost", count(|node| node.light().is_some()), "light is lost");
        losses.lost("display-time-lost", count(|node| node.display_time() != 0.0), "display times are lost");
        let has_size = match &self.form {
            Form::Graph { extension, .. } if extension.len() != 64 => {
                extension.get(32..36).is_some_and(|size| size != [0; 4])
            }
            _ => false,
        };
        losses.say(Severity::Warning, "map-size-lost", has_size, "the size of the map is lost".to_owned());
    }

    /// Reports what the waypoints say and their [graph](super::WaypointGraph) does not, a [`Warning`](Severity::Warning) for each
    /// kind: it is lost in waypoints of another bot.
    pub fn beyond_graph(&self, losses: &mut dyn FnMut(Finding)) {
        let mut losses = Losses(losses);
        self.drop_trailing(&mut losses);
        self.leave_measured(&mut losses);
        let count = |lost: fn(&Node) -> bool| self.nodes.iter().filter(|node| lost(node)).count();
        let aims = |node: &Node| {
            let directions = [node.camp_start(), node.camp_end()];
            node.flags().contains(NodeFlags::CAMP) && directions.iter().flatten().any(|angle| *angle != 0.0)
        };
        losses.lost("camp-lost", count(aims), "where bots look when they camp is lost");
        losses.lost("radius-lost", count(|node| node.radius().is_none()), "radii that are none are lost");
        let links = self.nodes.iter().flat_map(|node| node.links().map(move |(_, link)| (node, link)));
        let moves = links.clone().filter(|(_, link)| link.velocity().iter().any(|speed| *speed != 0.0));
        losses.lost_of_links("velocity-lost", moves.count(), "velocities at take-off are lost");
        let odd = links.clone().filter(|(_, link)| link.flags().0 & !LinkFlags::JUMP.0 != 0);
        losses.lost_of_links("link-flags-lost", odd.count(), "flags without a name are lost");
        let stale = links.filter(|(node, link)| self.is_stale(node, link));
        losses.lost_of_links(
            "distance-lost",
            stale.count(),
            "stored distances that are not the real ones are lost",
        );
    }

    /// Whether the stored distance of a link is not what it is when measured, but for rounding.
    fn is_stale(&self, node: &Node, link: &Link) -> bool {
        let target = usize::try_from(link.target()).ok().and_then(|to| self.nodes.get(to));
        target.is_some_and(|target| length(node.origin(), target.origin()).abs_diff(link.distance()) > 1)
    }

    fn drop_trailing(&self, losses: &mut Losses<'_>) {
        let left = self.trailing.len();
        let what = format!("{left} bytes after the end are lost");
        losses.say(Severity::Warning, "trailing-bytes-lost", left > 0, what);
    }
}

/// A name in 32 bytes that end in a zero.
fn field(name: &str) -> Result<[u8; 32]> {
    let mut field = [0; 32];
    match field.get_mut(..name.len()).filter(|_| name.len() < 32) {
        Some(start) => start.copy_from_slice(name.as_bytes()),
        None => return Err(Error::invalid("map", format!("{} bytes of name, 31 fit", name.len()))),
    }
    Ok(field)
}
