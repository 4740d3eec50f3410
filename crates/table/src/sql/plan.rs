//! A query plan for one table, encoded as a text that passes through SQLite's planner.

use crate::schema::Table;
use std::fmt;

/// The way to find rows of one table. Numbers are those of arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// The own columns that the statement needs, one bit each.
    pub(super) mask: u64,
    /// `file = ?`
    pub(super) file: Option<usize>,
    /// `path = ?`
    pub(super) path: Option<usize>,
    /// `path GLOB ?`
    pub(super) glob: Option<usize>,
    /// `path LIKE ?`
    pub(super) like: Option<usize>,
    /// Own columns and their values: `id = ?`, those first that tell more rows apart.
    pub(super) keys: Vec<(usize, usize)>,
    /// The argument of the table-valued form: `areas('maps')`.
    pub(super) paths: Option<usize>,
    /// The own column by which the rows of each mesh are ordered.
    pub(super) order: Option<usize>,
    /// The own columns by which the rows of all meshes are grouped, one bit each.
    pub(super) group: u64,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{:x}", self.mask)?;
        let plain =
            [('f', self.file), ('p', self.path), ('g', self.glob), ('l', self.like), ('t', self.paths)];
        for (letter, argument) in plain {
            if let Some(argument) = argument {
                write!(f, " {letter}{argument}")?;
            }
        }
        for (column, argument) in &self.keys {
            write!(f, " k{column}={argument}")?;
        }
        if let Some(column) = self.order {
            write!(f, " o{column}")?;
        }
        match self.group {
            0 => Ok(()),
            group => write!(f, " b{group:x}"),
        }
    }
}

impl Plan {
    /// Whether it is of all meshes, and all of their rows.
    pub(super) fn is_of_all(&self) -> bool {
        let chosen = [self.file, self.path, self.glob, self.like];
        self.keys.is_empty() && chosen.iter().all(Option::is_none)
    }

    /// The plan as SQLite keeps it: for [`parse`](Self::parse), and behind a `#` in words.
    pub(super) fn text(&self, table: &Table) -> String {
        format!("{self} # {}", self.words(table))
    }

    fn words(&self, table: &Table) -> String {
        let name = |column: usize| table.columns.get(column).map_or("?", |column| column.name);
        let mut words = match () {
            () if !table.is_of_meshes() => "every row",
            () if self.file.is_some() => "one mesh, by file",
            () if self.path.is_some() => "the meshes of one path",
            () if self.glob.or(self.like).is_some() => "the meshes whose path fits",
            () => "every mesh",
        }
        .to_owned();
        if self.paths.is_some() {
            words.push_str(", of the paths in parentheses");
        }
        let keys: Vec<&str> = self.keys.iter().map(|(column, _)| name(*column)).collect();
        if !keys.is_empty() {
            words.push_str(&format!(", rows looked up by {}", keys.join(" or ")));
        }
        if let Some(column) = self.order.filter(|_| self.group == 0) {
            words.push_str(&format!(", in the order of {}", name(column)));
        }
        let groups: Vec<&str> = (0..64).filter(|bit| self.group >> bit & 1 == 1).map(name).collect();
        if !groups.is_empty() {
            words.push_str(&format!(", grouped by {}", groups.join(", ")));
        }
        words
    }

    /// Reads what [`text`](Self::text) writes.
    pub(super) fn parse(text: &str) -> Self {
        let mut plan = Self::default();
        for word in text.split('#').next().unwrap_or_default().split(' ') {
            let (letter, rest) = word.split_at_checked(1).unwrap_or_default();
            let number = || rest.parse::<usize>().ok();
            match letter {
                "m" => plan.mask = u64::from_str_radix(rest, 16).unwrap_or(u64::MAX),
                "f" => plan.file = number(),
                "p" => plan.path = number(),
                "g" => plan.glob = number(),
                "l" => plan.like = number(),
                "t" => plan.paths = number(),
                "o" => plan.order = number(),
                "b" => plan.group = u64::from_str_radix(rest, 16).unwrap_or(0),
                "k" => {
                    let both = rest.split_once('=');
                    plan.keys
                        .extend(both.and_then(|(column, at)| Some((column.parse().ok()?, at.parse().ok()?))));
                }
                _ => {}
            }
        }
        plan
    }
}

/// Whether a text matches a pattern of `GLOB` (`*`, `?`), or with `fold` of `LIKE` (`%`, `_`, ignoring ASCII case). A pattern
/// with a set in brackets matches everything here, and SQLite checks again.
pub(super) fn fits(pattern: &str, text: &str, fold: bool) -> bool {
    let (any, one) = if fold { ('%', '_') } else { ('*', '?') };
    if !fold && pattern.contains('[') {
        return true;
    }
    if fold {
        return navmap_core::text::fits(&pattern.to_ascii_lowercase(), &text.to_ascii_lowercase(), any, one);
    }
    navmap_core::text::fits(pattern, text, any, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_goes_through_a_text() {
        let plan = Plan {
            mask: 0xF00,
            file: Some(0),
            path: None,
            glob: Some(3),
            like: None,
            keys: vec![(4, 1), (2, 4)],
            paths: Some(2),
            order: Some(7),
            group: 0x18,
        };
        assert_eq!(Plan::parse(&plan.to_string()), plan);
        assert_eq!(Plan::parse(&Plan::default().to_string()), Plan::default());
        assert_eq!(Plan::parse("x k1 kx=y é"), Plan::default());
        // In words it is read by people alone.
        let areas = Table::named("areas").unwrap();
        assert_eq!(Plan::parse(&plan.text(areas)), plan);
        let of_key =
            Plan { file: Some(0), keys: vec![(areas.position("id").unwrap(), 1)], ..Plan::default() };
        assert_eq!(of_key.words(areas), "one mesh, by file, rows looked up by id");
        assert_eq!(Plan::default().words(areas), "every mesh");
    }

    #[test]
    fn patterns_fit_as_in_sqlite() {
        for (pattern, text, yes) in [
            ("*", "", true),
            ("maps/*.nav", "maps/a.nav", true),
            ("maps/*.nav", "maps/a.nav2", false),
            ("*a*b*c", "xxaxxbxxbc", true),
            ("?b", "ab", true),
            ("?b", "b", false),
            ("A", "a", false),
            ("[ab]", "zzz", true),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, text, false), yes, "{pattern} {text}");
        }
        assert!(fits("%DUST_", "de_dust2", true) && !fits("dust", "de_dust2", true));
        // Linear backtracking, not exponential.
        assert!(!fits(&"*a".repeat(50), &"a".repeat(49), false));
    }
}
