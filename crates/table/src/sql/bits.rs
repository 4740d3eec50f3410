//! `has_flag`: the bits of flags, by their names.

use super::Shared;
use super::functions::{PURE, failed, text};
use crate::batch::Sheets;
use crate::column::Value;
use crate::fill;
use crate::rows::FLAG_NAMES;
use rusqlite::functions::Context;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The table with the flags of every family.
const OF_ALL: &str = "nodes";

pub(super) fn register(connection: &Connection, shared: &Arc<Shared>) -> Result<()> {
    let names = Arc::new(Names::new());
    for arguments in [2, 3] {
        let (names, shared) = (Arc::clone(&names), Arc::clone(shared));
        connection.create_scalar_function("has_flag", arguments, PURE, move |context| {
            has_flag(&names, &shared, context)
        })?;
    }
    Ok(())
}

fn has_flag(names: &Names, shared: &Shared, context: &Context<'_>) -> Result<Option<bool>> {
    let flags = match context.get_raw(0) {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(flags) => flags.cast_unsigned(),
        _ => return Err(failed("has_flag: the first argument is a column of flags")),
    };
    let Some(name) = text(context, 1)? else { return Ok(None) };
    let of = if context.len() > 2 { text(context, 2)? } else { None };
    // A constant name is looked up once, and again where the third argument changes.
    let known = context.get_aux::<(String, Option<String>, u64)>(1)?;
    let mask = match known {
        Some(known) if known.0 == name && known.1.as_deref() == of => known.2,
        _ => {
            let mask = names.mask(name, of, &shared.read()).map_err(failed)?;
            context.set_aux(1, (name.to_owned(), of.map(str::to_owned), mask))?;
            mask
        }
    };
    Ok(Some(flags & mask == mask))
}

/// The names of bits.
struct Names(Vec<Name>);

struct Name {
    name: String,
    table: String,
    family: String,
    game: Option<String>,
    mask: u64,
}

impl Name {
    /// The game whose bit it is, or the family.
    fn owner(&self) -> &str {
        self.game.as_deref().unwrap_or(&self.family)
    }

    /// Whether it is of a table, a family or a game.
    fn is_of(&self, asked: &str) -> bool {
        let known = [Some(self.table.as_str()), Some(self.family.as_str()), self.game.as_deref()];
        known.into_iter().flatten().any(|known| known.eq_ignore_ascii_case(asked))
    }
}

/// The mask that all of these have.
fn common<'n>(names: impl IntoIterator<Item = &'n Name>) -> Option<u64> {
    let mut masks = names.into_iter().map(|name| name.mask);
    let first = masks.next()?;
    masks.all(|mask| mask == first).then_some(first)
}

fn joined<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().collect::<BTreeSet<&str>>().into_iter().collect::<Vec<_>>().join(", ")
}

impl Names {
    fn new() -> Self {
        let mut sheets = Sheets::new([&FLAG_NAMES]);
        fill::flag_names(&mut sheets);
        let mut names = Vec::new();
        for batch in sheets.batches() {
            let column = |name: &str| FLAG_NAMES.position(name).and_then(|at| batch.columns().get(at));
            for row in 0..batch.rows() {
                let value = |name: &str| column(name).map_or(Value::Null, |column| column.get(row));
                let text = |name: &str| match value(name) {
                    Value::Text(text) => Some(text.to_owned()),
                    _ => None,
                };
                if let (Some(name), Some(table), Some(family), Value::Wide(mask)) =
                    (text("name"), text("table_name"), text("family"), value("mask"))
                {
                    names.push(Name { name, table, family, game: text("game"), mask });
                }
            }
        }
        Self(names)
    }

    /// The bits of a name, of a table, family or game if one is asked for, and of those tables that are read. Case is ignored
    /// unless the name stands for different bits. If it does in one table, the bits of all games of the family are preferred.
    fn mask(&self, name: &str, asked: Option<&str>, read: &[&str]) -> std::result::Result<u64, String> {
        let alike = || self.0.iter().filter(|known| known.name.eq_ignore_ascii_case(name));
        let is_read = |known: &&Name| read.contains(&known.table.as_str());
        let mut found: Vec<&Name> = alike().filter(|known| asked.is_none_or(|of| known.is_of(of))).collect();
        if let Some((of, one)) = asked.and_then(|of| Some((of, self.of_one_game(of, &found)?))) {
            return Err(format!(
                "has_flag: {name} is a bit of {one}, and of other games of {of} it is another: name {one} as third argument"
            ));
        }
        // Rows of every family: no table and no spelling tells which is meant.
        let of_all = asked.is_none() && read.contains(&OF_ALL);
        let among = !of_all && found.iter().any(is_read);
        if among {
            found.retain(is_read);
        } else if asked.is_none() && !of_all && self.0.iter().any(|known| is_read(&known)) {
            // It would be a bit of some other table.
            found.clear();
        }
        let one_table = found.windows(2).all(|pair| matches!(pair, [a, b] if a.table == b.table));
        let strict = of_all || (asked.is_none() && among && !one_table);
        let narrowed = |keeps: &dyn Fn(&Name) -> bool| {
            if strict { None } else { common(found.iter().copied().filter(|known| keeps(known))) }
        };
        let all = common(found.iter().copied());
        all.or_else(|| narrowed(&|known| known.name == name))
            .or_else(|| narrowed(&|known| asked.is_some_and(|of| known.owner().eq_ignore_ascii_case(of))))
            .or_else(|| narrowed(&|known| one_table && known.name == name && known.game.is_none()))
            .or_else(|| narrowed(&|known| one_table && known.game.is_none()))
            .ok_or_else(|| self.unknown(name, asked, &found, read))
    }

    /// The game whose bits these are, if the bits mean something else in another game of the family that was asked for.
    fn of_one_game<'n>(&self, family: &str, found: &[&'n Name]) -> Option<&'n str> {
        let first = found.first()?;
        let game = first.game.as_deref()?;
        let one = found.iter().all(|known| {
            known.game == first.game
                && known.family.eq_ignore_ascii_case(family)
                && !known.table.eq_ignore_ascii_case(family)
        });
        let elsewhere = |other: &Name| {
            let alike = |known: &&&Name| known.table == other.table && known.mask & other.mask != 0;
            other.game.is_some() && other.game != first.game && found.iter().any(|known| alike(&known))
        };
        (one && !game.eq_ignore_ascii_case(family) && self.0.iter().any(elsewhere)).then_some(game)
    }

    /// What to say of a name that stands for no bit, or for several.
    fn unknown(&self, name: &str, asked: Option<&str>, found: &[&Name], read: &[&str]) -> String {
        let alike: Vec<&Name> = self.0.iter().filter(|known| known.name.eq_ignore_ascii_case(name)).collect();
        let of_read = |known: &&Name| read.contains(&known.table.as_str());
        let own = self.0.iter().filter(of_read);
        if alike.is_empty() {
            let near = navmap_core::text::nearest(name, self.0.iter().map(|known| known.name.as_str()));
            let near = near.first().map_or(String::new(), |near| format!("; the nearest is {near}"));
            return format!("has_flag: no bit is called {name}{near}");
        }
        // A table tells them apart, or the games of one table.
        let of: &[&Name] = if found.is_empty() { &alike } else { found };
        let choice = |known: &&Name| {
            let same = common(of.iter().copied().filter(|other| other.table == known.table));
            if same.is_some() { known.table.clone() } else { known.owner().to_owned() }
        };
        let choices: Vec<String> = of.iter().map(choice).collect();
        let choices = joined(choices.iter().map(String::as_str));
        if let Some(asked) = asked.filter(|_| found.is_empty()) {
            return format!("has_flag: {name} is no bit of {asked}; it is a bit of {choices}");
        }
        let none = joined(own.map(|known| known.table.as_str()));
        match found.is_empty() && !none.is_empty() {
            true => format!(
                "has_flag: {name} is no bit of {none}; it is a bit of {choices}, which the third argument may name"
            ),
            false => format!("has_flag: {name} is a bit of {choices}: name one as third argument"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_the_tables_that_are_read() {
        let names = Names::new();
        let mask = |name, asked, read: &[&str]| names.mask(name, asked, read);
        for (read, bits) in
            [("source_areas", 1), ("yapb_nodes", 4), ("rcbot_waypoints", 2), ("quake_nodes", 512)]
        {
            for name in ["CROUCH", "crouch", "Crouch"] {
                assert_eq!(mask(name, None, &["files", read]), Ok(bits), "{name} of {read}");
                assert_eq!(mask(name, Some(read), &[]), Ok(bits), "{name} of {read}");
            }
        }
        assert_eq!(mask("Crouch", Some("quake"), &[]), Ok(512), "a family whose games all have it");
        assert_eq!(mask("CROUCH", Some("Left 4 Dead"), &[]), Ok(1));
        assert_eq!(
            (mask("bridge", Some("aas"), &["aas_areas"]), mask("bridge", None, &["aas_faces"])),
            (Ok(16), Ok(64))
        );
        // As `info` and `show` print them: a bit of RCBot2 by the game, and what the neutral nodes alone have.
        for name in ["no_axis", "no_blue", "no_blue_or_axis"] {
            assert_eq!(mask(name, None, &["rcbot_waypoints"]), Ok(64), "{name}");
            assert_eq!(mask(name, None, &["nodes"]), Ok(64), "{name}");
        }
        assert_eq!(mask("climb", None, &["nodes"]), Ok(1 << 36));
        assert_eq!(mask("standing_z_up", None, &["nodes"]), Ok(2));
        assert_eq!(mask("land", None, &["nodegraph_nodes"]), Ok(1));
        assert_eq!(mask("ladder_bottom", Some("Source"), &["nodes"]), Ok(1));
        assert_eq!(
            mask("disabled", Some("nodegraph"), &["nodegraph_links"]),
            Ok(16),
            "of the links of one game"
        );
        assert_eq!(mask("deleted", Some("skyrim_triangles"), &[]), Ok(8));
        assert_eq!(mask("deleted", Some("skyrim"), &["skyrim_triangles"]), Ok(8));
        assert_eq!(mask("CROUCH", None, &[]), Ok(1), "in the spelling of one family");
        for (name, asked, read, wants) in [
            ("CROUCH", Some("xbox"), &["yapb_nodes"][..], ["no bit of xbox", "yapb_nodes"]),
            ("CROUCH", None, &["nodes"][..], ["source_areas", "yapb_nodes"]),
            ("CROUCH", None, &["nodes", "source_areas"], ["source_areas", "yapb_nodes"]),
            ("CROUCH", None, &["yapb_nodes", "source_areas"], ["source_areas", "yapb_nodes"]),
            ("deleted", Some("skyrim"), &[], ["skyrim_meshes", "skyrim_triangles"]),
            // The same bits are of other kinds of nodes in Half-Life.
            ("ladder_bottom", Some("nodegraph"), &["nodes"], ["a bit of Source,", "name Source as"]),
            ("land", Some("nodegraph"), &["nodegraph_nodes"], ["a bit of Half-Life,", "name Half-Life as"]),
            ("deleted", None, &["source_areas"], ["no bit of source_areas", "skyrim_triangles"]),
        ] {
            let wrong = mask(name, asked, read).unwrap_err();
            assert!(wants.iter().all(|want| wrong.contains(want)), "{wrong}");
        }
    }
}
