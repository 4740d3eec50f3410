//! Random statements over files of every family, damaged ones too: none of them fails for any reason but its own, and each row is
//! found exactly once, whatever condition it is looked for by.
//!
//! `NAVMAP_RANDOM_SQL=N` runs so many statements instead of a few hundred. A failure names its seed, which `NAVMAP_RANDOM_SEED`
//! begins with.

use navmap::scan::Scan;
use navmap::table::sql::Database;
use navmap::table::sql::rusqlite::types::Value as Cell;
use navmap::table::{TABLES, Table, Type};
use navmap_testkit::corpus::bundled;
use std::path::PathBuf;

/// A generator of Marsaglia's.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }

    fn pick<'t, T: ?Sized>(&mut self, choices: &[&'t T]) -> &'t T {
        choices[self.roll(choices.len())]
    }

    fn column(&mut self, table: &Table) -> (&'static str, Type) {
        let columns: Vec<_> = table.all_columns().collect();
        let column = columns[self.roll(columns.len())];
        (column.name, column.kind)
    }
}

/// Values that are compared with: of the column's type, at its ends, and of other types.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "255",
    "65535",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1.0",
    "0.5",
    "1e999",
];
const OTHERS: [&str; 8] = ["NULL", "''", "'3'", "'x'", "x'00ff'", "'*'", "'%town%'", "'maps/é'"];

fn value(dice: &mut Dice) -> String {
    match dice.roll(4) {
        0 => dice.pick(&OTHERS).to_owned(),
        1 => dice.roll(40).to_string(),
        _ => dice.pick(&NUMBERS).to_owned(),
    }
}

/// A condition on the columns of a table, known here as `t`.
fn condition(dice: &mut Dice, table: &Table, depth: usize) -> String {
    let key = |dice: &mut Dice| match dice.roll(3) {
        0 => "file",
        1 => "path",
        _ => table.columns[0].name,
    };
    if depth > 0 && dice.roll(3) == 0 {
        let (a, b) = (condition(dice, table, depth - 1), condition(dice, table, depth - 1));
        return match dice.roll(3) {
            0 => format!("({a} OR {b})"),
            1 => format!("NOT ({a})"),
            _ => format!("({a} AND {b})"),
        };
    }
    // Half of them are about what is looked up.
    let column = if table.is_of_meshes() && dice.roll(2) == 0 { key(dice) } else { dice.column(table).0 };
    let (a, b) = (value(dice), value(dice));
    match dice.roll(9) {
        0 => format!("t.{column} IN ({a}, {b}, {})", value(dice)),
        1 => format!("t.{column} BETWEEN {a} AND {b}"),
        2 => format!("t.{column} IS {a}"),
        3 => format!("t.{column} GLOB {}", dice.pick(&["'*'", "'*town*'", "'*[ab]*'", "''", "NULL", "5"])),
        4 => format!("t.{column} LIKE {}", dice.pick(&["'%'", "'%TOWN%'", "'_'", "''", "NULL", "5"])),
        5 => {
            let (other, _) = dice.column(table);
            format!("t.{column} {} t.{other}", dice.pick(&["=", "<", "<>", ">=", "IS NOT"]))
        }
        6 => format!("t.{column} IN (SELECT {column} FROM {} LIMIT {})", table.name, dice.roll(9)),
        _ => format!("t.{column} {} {a}", dice.pick(&["=", "==", "<", "<=", ">", ">=", "<>", "IS NOT"])),
    }
}

/// What is asked of a row.
fn expression(dice: &mut Dice, table: &Table) -> String {
    let (column, kind) = dice.column(table);
    let function = match kind {
        Type::Text => dice.pick(&["length", "upper", "map_name", "hex", "max", "count"]),
        Type::F32 => dice.pick(&["floor", "sqrt", "median", "stddev", "max", "sum", "typeof"]),
        _ => dice.pick(&["abs", "count", "sum", "min", "avg", "ln", "typeof", "median"]),
    };
    format!("{function}(t.{column})")
}

fn statement(dice: &mut Dice, table: &Table, root: &str, condition: &str) -> String {
    let name = table.name;
    let from = match dice.roll(3) {
        0 if table.is_of_meshes() => format!("{name}('{root}')"),
        _ => name.to_owned(),
    };
    let (one, other) = (dice.column(table).0, dice.column(table).0);
    let expression = expression(dice, table);
    match dice.roll(7) {
        0 => format!("SELECT * FROM {from} t WHERE {condition} LIMIT {}", dice.roll(50)),
        1 => format!(
            "SELECT t.{one}, {expression} FROM {from} t WHERE {condition} GROUP BY 1 ORDER BY 2 LIMIT 20"
        ),
        2 => format!(
            "SELECT DISTINCT t.{one}, t.{other} FROM {from} t WHERE {condition} ORDER BY t.{other} DESC LIMIT 9"
        ),
        3 if table.is_of_meshes() => {
            format!("SELECT count(*), {expression} FROM {from} t JOIN files USING (file) WHERE {condition}")
        }
        4 if table.is_of_meshes() => format!(
            "SELECT count(*) FROM (SELECT * FROM {from} t WHERE {condition} LIMIT 40) t LEFT JOIN {name} u \
             ON t.file = u.file AND t.{one} IS u.{one}"
        ),
        5 => format!(
            "SELECT t.{one}, row_number() OVER (PARTITION BY t.{other}) FROM {from} t WHERE {condition} LIMIT 30"
        ),
        _ => format!("SELECT {expression} FROM {from} t WHERE {condition}"),
    }
}

/// Rows of a statement. What one may say that is no fault of ours: numbers that are too large for SQLite.
fn run(database: &Database, sql: &str) -> Option<Vec<Vec<Cell>>> {
    let rows = || -> navmap::table::sql::rusqlite::Result<Vec<Vec<Cell>>> {
        let mut statement = database.connection().prepare(sql)?;
        let columns = statement.column_count();
        statement.query_map([], |row| (0..columns).map(|at| row.get(at)).collect())?.collect()
    };
    match rows() {
        Ok(rows) => Some(rows),
        Err(error) if error.to_string().contains("integer overflow") => None,
        Err(error) => panic!("{error}"),
    }
}

fn count(database: &Database, sql: &str) -> i64 {
    match run(database, sql).as_deref() {
        Some([row]) => match row[..] {
            [Cell::Integer(count)] => count,
            ref other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn random_statements_find_every_row_exactly_once() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let statements = number("NAVMAP_RANDOM_SQL").unwrap_or(200);
    let begin = number("NAVMAP_RANDOM_SEED").unwrap_or(1);
    let folder = |table: &Table, dice: &mut Dice| -> PathBuf {
        let root = bundled();
        match (dice.roll(4), table.family) {
            (0, _) => root.join("hostile"),
            (_, Some(family)) => root.join(family.name()),
            (_, None) => root.join("quake"),
        }
    };
    let mut with_rows = 0;
    for seed in begin..begin + statements {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let table = TABLES[dice.roll(TABLES.len())];
        let root = folder(table, &mut dice);
        let database = Database::open(Scan::new(), vec![root.clone()]).unwrap();
        let asked = condition(&mut dice, table, 2);
        let sql = statement(&mut dice, table, &root.to_string_lossy(), &asked);
        let name = table.name;
        let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let rows = run(&database, &sql);
            // A row fits, does not fit, or nobody can say; looked up or walked.
            let all = count(&database, &format!("SELECT count(*) FROM {name}"));
            let parts =
                [format!("({asked}) IS TRUE"), format!("({asked}) IS FALSE"), format!("({asked}) IS NULL")];
            let parts =
                parts.map(|part| count(&database, &format!("SELECT count(*) FROM {name} t WHERE {part}")));
            let fits = count(&database, &format!("SELECT count(*) FROM {name} t WHERE {asked}"));
            assert_eq!((parts.iter().sum::<i64>(), fits), (all, parts[0]), "{name} WHERE {asked}");
            rows.is_some_and(|rows| !rows.is_empty()) && all > 0
        }));
        match tried {
            Ok(some) => with_rows += u64::from(some),
            Err(panic) => {
                eprintln!("seed {seed}: {sql}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    assert!(with_rows > statements / 10, "{with_rows} of {statements} had rows");
}
