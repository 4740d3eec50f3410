//! Worlds of many files: a load order, a map of tiles.

use super::{Met, Policy, Refused, World, read, whole};
use crate::open::{Place, Plugins, Tiles};
use navmap_core::Space;
use navmap_core::bytes::Scratch;
use navmap_core::error::Error;
use navmap_query::NavIndex;
use navmap_skyrim::OrderGraph;

impl World {
    /// The world of a load order: plugins, or folders of them, masters first. The last version of each mesh counts, and edge
    /// links and doors lead from plugin to plugin.
    ///
    /// # Errors
    /// If one cannot be loaded, if there is none, or if the policy refuses a finding.
    pub fn open_order<P>(
        plugins: impl IntoIterator<Item = P, IntoIter: Send>,
        policy: &Policy,
    ) -> Result<Self, Refused>
    where
        P: Into<std::path::PathBuf>,
    {
        let plugins = Plugins::open(plugins, &read(policy), &|| {}).whole()?;
        if plugins.is_empty() {
            return Err(Error::invalid("load order", "holds no plugin").into());
        }
        Self::of_plugins(&plugins, policy)
    }

    fn of_plugins(plugins: &Plugins, policy: &Policy) -> Result<Self, Refused> {
        let order = plugins.order();
        let mut met = Met::new(policy);
        let file = |index: usize| plugins.get(index).map(|mesh| mesh.bytes().location());
        order.check(&mut Scratch::new(), &mut |index, finding| met.take(finding, || file(index)));
        let findings = met.judged()?;
        let graph = OrderGraph::new(&order);
        let index = whole(NavIndex::build_with(&graph, &policy.build), policy)?;
        let doors = graph.unresolved_doors();
        Ok(Self { findings, doors, ..Self::of_index(index) })
    }

    /// The world of the map of this name, or of the one with the most tiles.
    pub(super) fn of_tiles(tiles: &Tiles, map: Option<&str>, policy: &Policy) -> Result<Self, Refused> {
        if let Some(error) = tiles.failures().first() {
            return Err(Error::invalid("tiles", error.to_string()).into());
        }
        let mut met = Met::new(policy);
        let each = tiles.findings_by_file();
        each.for_each(|(file, finding)| met.take(finding.clone(), || Some(file.to_owned())));
        let findings = met.judged()?;
        let named = |space: &Option<Space>, map: &str| matches!(space, Some(Space::Map(name)) if name == map);
        let mut items = tiles.items().into_iter();
        let item = items.find(|item| map.is_none_or(|map| named(&item.space, map)));
        let item = item.ok_or_else(|| Place::nothing(tiles.path()))?;
        Ok(Self { findings, ..Self::of_item(&item, policy)? })
    }
}
