//! The masters of the plugins of a load order, and those that are not in it.

use super::LoadOrder;
use crate::text::{decode_text, name_key};
use navmap_core::{Finding, Severity};
use std::collections::HashSet;

impl LoadOrder<'_> {
    /// The masters of the plugin at an index that are not in the order, as it names them, each once. What they hold is not known.
    pub fn missing_masters(&self, plugin: usize) -> Vec<String> {
        let masters = self.get(plugin).into_iter().flat_map(|(_, view)| view.masters()).map(decode_text);
        let mut seen = HashSet::new();
        let missing = masters.filter(|name| {
            let key = name_key(name);
            !self.names.contains_key(&key) && seen.insert(key)
        });
        missing.map(|name| name.into_owned()).collect()
    }

    /// Whether a plugin of the order has another one among its masters.
    pub(crate) fn has_master(&self, plugin: usize, master: usize) -> bool {
        let Some(loaded) = self.plugins.get(plugin) else { return false };
        let mut masters = loaded.masters.iter().chain(&loaded.light).chain(&loaded.medium);
        masters.any(|file| *file as usize == master)
    }

    /// The number of a file by its name, whether it is in the order or not; `None` if nothing names it.
    pub(crate) fn file_named(&self, name: &str) -> Option<u32> {
        let key = name_key(name);
        let place = self.names.get(&key).and_then(|place| u32::try_from(*place).ok());
        place.or_else(|| self.absent.get(&key).copied())
    }

    /// Reports masters that are missing, or load after their plugin.
    pub(super) fn check_masters(&self, found: &mut dyn FnMut(usize, Finding)) {
        for (index, loaded) in self.plugins.iter().enumerate() {
            for name in loaded.plugin.masters().map(decode_text) {
                let why = match self.names.get(&name_key(&name)) {
                    Some(place) if *place == index => format!("it names itself, {name}, as its master"),
                    Some(place) if *place > index => format!("its master {name} loads after it"),
                    _ => continue,
                };
                found(index, Finding::new(Severity::Error, "master-order", why));
            }
            let missing = self.missing_masters(index);
            let message = match missing.split_last() {
                None => continue,
                Some((only, [])) => {
                    format!("its master {only} is not in the order: links into it are not checked")
                }
                Some((last, others)) => format!(
                    "its masters {} and {last} are not in the order: links into them are not checked",
                    others.join(", ")
                ),
            };
            found(index, Finding::new(Severity::Warning, "missing-master", message));
        }
    }
}
