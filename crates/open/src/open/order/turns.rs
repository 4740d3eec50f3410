//! When a game loads which plugin: masters first, whatever a list or a folder says.

use navmap_skyrim::{Game, Plugin, decode_text, name_key};
use std::collections::HashMap;

/// The part of a load order that a plugin is in. Within one, plugins keep the order that they are given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::open) enum Turn {
    /// A plugin with the flag of masters, or with the extension of one where the game goes by it.
    Master,
    Plain,
    /// A blueprint of Starfield, such as `BlueprintShips-Starfield.esm`.
    Blueprint,
}

/// What decides about the place of a plugin in a load order.
#[derive(Debug, Clone)]
pub(in crate::open) struct Loads {
    name: String,
    turn: Turn,
    /// The game that it was made for, if it can be read.
    game: Option<Game>,
    masters: Vec<String>,
}

impl Loads {
    /// A plugin of this file name; `None` if it cannot be read.
    pub(in crate::open) fn new(name: &str, plugin: Option<&Plugin<'_>>) -> Self {
        let name = name_key(name);
        let turn = match plugin {
            Some(plugin) if plugin.is_blueprint() => Turn::Blueprint,
            Some(plugin) if plugin.is_master() => Turn::Master,
            _ => Turn::Plain,
        };
        let masters = plugin.into_iter().flat_map(|plugin| plugin.masters());
        let masters = masters.map(|master| name_key(&decode_text(master))).collect();
        Self { name, turn, game: plugin.map(Plugin::game), masters }
    }

    /// Its turn in a game that takes an `.esm` or `.esl` for a master (`by_name`), or goes by the flag alone.
    fn turn(&self, by_name: bool) -> Turn {
        let named = self.name.ends_with(".esm") || self.name.ends_with(".esl");
        match self.turn {
            Turn::Plain if by_name && named => Turn::Master,
            turn => turn,
        }
    }
}

/// The positions of plugins in the order in which a game loads them: by their turn, and otherwise as given. A plugin that a
/// master needs loads before it, as the games do it; if `all`, each does that any other needs.
///
/// The game is the newest that one of them was made for. Since Skyrim Special Edition games go by the extension as well as by the
/// flag.
pub(in crate::open) fn in_turn(plugins: &[Loads], all: bool) -> Vec<usize> {
    let game = plugins.iter().filter_map(|plugin| plugin.game).max();
    let by_name = game.is_none_or(|game| game >= Game::SkyrimSe);
    let mut places = HashMap::new();
    for (place, plugin) in plugins.iter().enumerate() {
        places.entry(plugin.name.as_str()).or_insert(place);
    }
    let needed = |plugin: &Loads| {
        let needs = all || plugin.turn(by_name) == Turn::Master;
        let masters = plugin.masters.iter().filter(|_| needs);
        masters.filter_map(|master| places.get(master.as_str()).copied()).collect()
    };
    let mut starts: Vec<usize> = (0..plugins.len()).collect();
    starts.sort_by_key(|place| plugins.get(*place).map(|plugin| plugin.turn(by_name)));
    masters_first(&starts, &plugins.iter().map(needed).collect::<Vec<_>>())
}

/// The positions of plugins, sorted so that each follows its masters, and otherwise as in `starts`. If plugins are masters of
/// each other, the one met first comes last.
fn masters_first(starts: &[usize], masters: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(masters.len());
    let mut met = vec![false; masters.len()];
    for first in starts {
        let mut below = Vec::new();
        let mut next = Some(*first);
        loop {
            if let Some(met) = next.and_then(|place| met.get_mut(place)).filter(|met| !**met) {
                *met = true;
                below.extend(next.map(|place| (place, masters[place].iter())));
            }
            let Some((place, rest)) = below.last_mut() else { break };
            next = rest.next().copied();
            if next.is_none() {
                order.push(*place);
                below.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masters_come_before_what_needs_them() {
        let first = |masters: &[Vec<usize>]| masters_first(&(0..masters.len()).collect::<Vec<_>>(), masters);
        assert_eq!(first(&[vec![], vec![], vec![]]), [0, 1, 2]);
        assert_eq!(first(&[vec![2], vec![0, 2], vec![], vec![]]), [2, 0, 1, 3]);
        assert_eq!(first(&[vec![1], vec![2], vec![0], vec![3]]), [2, 1, 0, 3], "a circle ends");
        let chain: Vec<_> = (1..100_000).map(|master| vec![master]).chain([vec![]]).collect();
        assert!(first(&chain).into_iter().eq((0..100_000).rev()));
    }

    #[test]
    fn plugins_load_by_their_turn() {
        let plugin = |name: &str, turn: Turn, masters: &[&str]| Loads {
            name: name.to_owned(),
            turn,
            game: None,
            masters: masters.iter().map(ToString::to_string).collect(),
        };
        let plugins = [
            plugin("a.esp", Turn::Plain, &["d.esp"]),
            plugin("ships.esm", Turn::Blueprint, &[]),
            plugin("b.esm", Turn::Master, &["d.esp"]),
            plugin("c.esl", Turn::Master, &[]),
            plugin("d.esp", Turn::Plain, &["e.esp"]),
            plugin("e.esp", Turn::Plain, &[]),
        ];
        // A list says that e.esp loads after what needs it, and so it does. A folder says nothing.
        assert_eq!(in_turn(&plugins, false), [4, 2, 3, 0, 5, 1]);
        assert_eq!(in_turn(&plugins, true), [5, 4, 2, 3, 0, 1]);
        let named = ["a.esp", "B.ESM", "c.Esl"].map(|name| Loads::new(name, None).turn(true));
        assert_eq!(named, [Turn::Plain, Turn::Master, Turn::Master]);
    }

    #[test]
    fn the_extension_makes_a_master_since_the_special_edition() {
        let order = |newest: Game| {
            let plugin = |name: &str, turn: Turn, game: Game| Loads {
                name: name.to_owned(),
                turn,
                game: Some(game),
                masters: Vec::new(),
            };
            let plugins = [
                plugin("a.esp", Turn::Plain, newest),
                plugin("Campfire.esm", Turn::Plain, Game::SkyrimLe),
                plugin("flagged.esp", Turn::Master, Game::SkyrimLe),
            ];
            in_turn(&plugins, false)
        };
        for older in [Game::Fallout3, Game::SkyrimLe] {
            assert_eq!(order(older), [2, 0, 1], "{older}");
        }
        for newer in [Game::SkyrimSe, Game::Fallout4, Game::Fallout76, Game::Starfield] {
            assert_eq!(order(newer), [1, 2, 0], "{newer}");
        }
    }
}
