//! Possible words of a command, for completion.

use super::corners::CORNERS;
use super::editor::SourceEditor;
use super::ladders;
use super::marks::TF_NAMES;
use super::select::NAMES;
use crate::flags::{Attributes, Extension, L4dAttributes};
use navmap_core::edit::Role;

/// The sides of a half space.
const HALVES: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];
/// Selectors that stand alone.
const ALONE: [&str; 9] =
    ["all", "degenerate", "invalid", "ladders", "nonfinite", "overlapping", "placeless", "sel", "stairs"];

impl SourceEditor {
    pub(super) fn suggested(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        match place {
            Role::Name => {
                let each =
                    |name: &&str| if ALONE.contains(name) { (*name).to_owned() } else { format!("{name}(") };
                NAMES.iter().map(each).collect()
            }
            Role::Selector("place") | Role::Option("--place") => self.places(),
            Role::Selector("attr") => self.attributes(),
            Role::Selector("tfattr") => owned(&TF_NAMES),
            Role::Selector("half") => owned(&HALVES),
            Role::Selector(_) | Role::Option(_) => Vec::new(),
            Role::Operand => match verb {
                "nav_mark_attribute" | "nav_clear_attribute" => self.attributes(),
                "tf_mark" | "tf_clear_attribute" | "tf_select_with_attribute" => {
                    let mut names = owned(&TF_NAMES);
                    names.extend(self.attributes());
                    names
                }
                "nav_use_place" | "nav_place_replace" => self.places(),
                "nav_corner_select" => owned(&CORNERS),
                "nav_flood_select" => owned(&["in", "out"]),
                "nav_select_half_space" => owned(&HALVES),
                "resize" => owned(&["north", "east", "south", "west"]),
                "ladder" => owned(&ladders::VERBS),
                _ => Vec::new(),
            },
        }
    }

    fn places(&self) -> Vec<String> {
        let count = u16::try_from(self.world.head.places.len()).unwrap_or(u16::MAX);
        (1..=count).map(|place| self.place_name(place)).collect()
    }

    fn attributes(&self) -> Vec<String> {
        let stock = Attributes::NAMED.iter().map(|(name, _)| (*name).to_owned());
        let more = L4dAttributes::NAMED.iter().map(|(name, _)| (*name).to_owned());
        let l4d = self.world.head.extension() == Extension::LeftForDead;
        stock.chain(more.filter(|_| l4d)).collect()
    }
}
