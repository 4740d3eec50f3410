//! The tree, portals and clusters.

use super::{Error, Report, Warning};

impl Report<'_, '_> {
    /// Checks the numbers in the tree, and that a child follows its parent.
    pub(super) fn tree(&mut self) {
        let nav = self.nav;
        for (node, index) in nav.nodes().iter().zip(0..).skip(1) {
            let of = ("nodes", "node", index);
            self.range(of, "plane", node.plane(), nav.planes().len());
            for child in [node.front(), node.back()] {
                if child < 0 {
                    self.range(of, "area", child.unsigned_abs(), nav.areas().len());
                } else if child > 0 {
                    self.range(of, "node", child, nav.nodes().len());
                    if usize::try_from(child).is_ok_and(|child| child <= index) {
                        let message = format!("its child is node {child}, which does not follow it");
                        self.say(Error, "tree-order", of, message);
                    }
                }
            }
        }
    }

    /// Reports nodes that nothing leads to, and areas without a leaf.
    pub(super) fn orphans(&mut self) {
        let nav = self.nav;
        let mut nodes = vec![false; nav.nodes().len()];
        let mut areas = vec![false; nav.areas().len()];
        for (node, index) in nav.nodes().iter().zip(0..).skip(1) {
            for child in [node.front(), node.back()] {
                let list = if child < 0 { &mut areas } else { &mut nodes };
                if let Some(met) = list.get_mut(child.unsigned_abs() as usize) {
                    if child > 0 && *met {
                        let message = format!("node {child} is a child of another node already");
                        self.say(Warning, "tree-orphan", ("nodes", "node", index), message);
                    }
                    *met = true;
                }
            }
        }
        for (index, _) in nodes.iter().enumerate().skip(2).filter(|(_, met)| !**met) {
            self.say(Warning, "tree-orphan", ("nodes", "node", index), "nothing leads to it".to_owned());
        }
        for (index, _) in areas.iter().enumerate().skip(1).filter(|(_, met)| !**met) {
            self.say(
                Warning,
                "tree-orphan",
                ("areas", "area", index),
                "no leaf of the tree holds it".to_owned(),
            );
        }
    }

    /// Checks the numbers in portals and clusters, and whether areas, portals and clusters agree.
    pub(super) fn portals(&mut self) {
        let nav = self.nav;
        let mut counts = vec![0_u32; nav.clusters().len()];
        let mut count = |cluster: i32| {
            if let Some(count) = usize::try_from(cluster).ok().and_then(|cluster| counts.get_mut(cluster)) {
                *count = count.saturating_add(1);
            }
        };
        nav.settings().iter().skip(1).for_each(|set| count(set.cluster()));
        for portal in nav.portals().iter().skip(1) {
            count(portal.front());
            count(portal.back());
        }
        for (portal, index) in nav.portals().iter().zip(0..).skip(1) {
            let of = ("portals", "portal", index);
            self.range(of, "area", portal.area(), nav.areas().len());
            self.range(of, "cluster", portal.front(), nav.clusters().len());
            self.range(of, "cluster", portal.back(), nav.clusters().len());
            let area = usize::try_from(portal.area()).ok().and_then(|area| nav.settings().get(area));
            let names = |cluster: i32| cluster < 0 && cluster.unsigned_abs() as usize == index;
            if area.is_some_and(|area| !names(area.cluster())) {
                let message = format!("area #{} does not name it", portal.area());
                self.say(Warning, "portal-pair", of, message);
            } else if portal.front() <= 0 || portal.back() <= 0 {
                self.say(Warning, "portal-pair", of, "it has no cluster on one of its sides".to_owned());
            }
        }
        for (number, index) in nav.portal_index().iter().zip(0..) {
            let of = ("portal index", "entry of the portal index", index);
            self.range(of, "portal", number.get(), nav.portals().len());
        }
        for ((cluster, count), index) in nav.clusters().iter().zip(counts).zip(0..).skip(1) {
            let of = ("clusters", "cluster", index);
            self.run(of, "portals", [cluster.first_portal(), cluster.portals()], nav.portal_index().len());
            if u32::try_from(cluster.areas()) != Ok(count) {
                let message =
                    format!("{} areas, and {count} areas and sides of portals name it", cluster.areas());
                self.say(Warning, "cluster-count", of, message);
            }
        }
    }
}
