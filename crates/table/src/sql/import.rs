//! Tables of the user's own beside those of the meshes, such as events, from CSV.

use super::{Database, Wrong};
use crate::Table;
use rusqlite::types::Null;
use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;

/// The most columns of a table, which is what SQLite allows in a statement.
const MOST_COLUMNS: usize = 999;

/// A record of CSV.
struct Record {
    /// The line at which it begins.
    line: u64,
    /// How many fields it has.
    count: usize,
    /// The first of them, as many as are asked for.
    fields: Vec<Option<String>>,
}

/// Records of CSV as in RFC 4180, whose lines end as any system ends them. A field without quotes that is empty is null.
struct Records<'t> {
    rest: &'t str,
    /// What divides fields.
    divider: char,
    /// The line at which the next record begins.
    line: u64,
}

impl<'t> Records<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text, divider: divider(text), line: 1 }
    }

    /// The next record, of whose fields the first are kept. Empty lines are passed over.
    fn next(&mut self, kept: usize) -> Option<Result<Record, Wrong>> {
        while self.ends_line() {}
        if self.rest.is_empty() {
            return None;
        }
        let mut record = Record { line: self.line, count: 0, fields: Vec::new() };
        loop {
            let field = match self.rest.strip_prefix('"') {
                Some(rest) => match self.quoted(rest) {
                    Some(field) => Some(field),
                    None => return Some(Err(wrong(self.line, "a quoted field has no end"))),
                },
                None => {
                    let end = self.rest.find([self.divider, '\n', '\r']).unwrap_or(self.rest.len());
                    let (field, rest) = self.rest.split_at(end);
                    self.rest = rest;
                    Some(field).filter(|field| !field.is_empty()).map(str::to_owned)
                }
            };
            record.count = record.count.saturating_add(1);
            if record.fields.len() < kept {
                record.fields.push(field);
            }
            if let Some(rest) = self.rest.strip_prefix(self.divider) {
                self.rest = rest;
            } else if self.rest.is_empty() || self.ends_line() {
                return Some(Ok(record));
            } else {
                return Some(Err(wrong(self.line, "a quoted field goes on after its end")));
            }
        }
    }

    /// Takes the end of a line, if it is next.
    fn ends_line(&mut self) -> bool {
        let rest = ["\r\n", "\n", "\r"].iter().find_map(|end| self.rest.strip_prefix(end));
        if let Some(rest) = rest {
            (self.rest, self.line) = (rest, self.line.saturating_add(1));
        }
        rest.is_some()
    }

    /// The text of a field behind its opening quote.
    fn quoted(&mut self, mut rest: &'t str) -> Option<String> {
        let mut field = String::new();
        loop {
            let (text, after) = rest.split_once('"')?;
            field.push_str(text);
            match after.strip_prefix('"') {
                Some(after) => {
                    field.push('"');
                    rest = after;
                }
                None => {
                    let ends = field.matches('\n').count().saturating_add(lone_returns(&field));
                    self.line = self.line.saturating_add(ends as u64);
                    self.rest = after;
                    return Some(field);
                }
            }
        }
    }
}

/// How many lines of a text end as those of old systems of Apple do.
fn lone_returns(text: &str) -> usize {
    text.matches('\r').count().saturating_sub(text.matches("\r\n").count())
}

fn wrong(line: u64, why: &str) -> Wrong {
    Wrong::new(format!("line {line}: {why}"))
}

/// What divides the names in the first line: what spreadsheets and databases write in place of a comma, if there is none.
fn divider(text: &str) -> char {
    let (mut is_quoted, mut other) = (false, ',');
    for c in text.trim_start_matches(['\r', '\n']).chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => return ',',
            '\r' | '\n' if !is_quoted => break,
            '\t' | ';' if !is_quoted && other == ',' => other = c,
            _ => {}
        }
    }
    other
}

/// A number that is none or has no end, as programs write it: NaN becomes null, as SQLite has none.
fn endless(text: &str) -> Option<Option<f64>> {
    let (sign, word) = match text.strip_prefix(['-', '+']) {
        Some(word) => (if text.starts_with('-') { -1.0 } else { 1.0 }, word),
        None => (1.0, text),
    };
    let is = |of: &str| word.eq_ignore_ascii_case(of);
    match word {
        _ if is("nan") => Some(None),
        _ if is("inf") || is("infinity") => Some(Some(sign * f64::INFINITY)),
        _ => None,
    }
}

/// Whether a text is how a number is written, so that nothing is lost if it becomes one.
fn is_number(text: &str) -> bool {
    if endless(text).is_some() {
        return true;
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && !leading_zero
        && match digits.bytes().all(|digit| digit.is_ascii_digit()) {
            // SQLite makes a float of a whole number that it cannot hold: ids and hashes would lose their last digits.
            true => text.parse::<i64>().is_ok(),
            false => text.parse::<f64>().is_ok_and(f64::is_finite),
        }
}

/// A name in quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Database {
    /// Makes a table of CSV, whose first record names the columns, and returns the number of its rows. It lasts as long as the
    /// database, in memory. A column in which every value is a number holds numbers, any other holds text; an empty field is
    /// null, and in a column of numbers `NaN` too, where `inf` and `Infinity` are numbers. A whole number beyond 64 bits with a
    /// sign is text. A column without a name is called after its number, `column_1`. Fields may be divided by tabs or semicolons
    /// if the first line has no comma. Statements join the table with those of meshes.
    ///
    /// # Errors
    /// If there is such a table, for CSV that is none or whose records differ in length, with the line, and if memory does not
    /// suffice. Nothing is left of the table then.
    pub fn import(&self, name: &str, text: &str) -> Result<u64, Wrong> {
        let word = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        if !word(name) {
            return Err(Wrong::new(format!("a table is named by letters, digits and _, not {name}")));
        }
        if Table::named(&name.to_ascii_lowercase()).is_some() {
            return Err(Wrong::new(format!("{name} is a table of meshes: give the rows another name")));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let all = || Records::new(text);
        let mut records = all();
        let first = records.next(MOST_COLUMNS);
        let head = first.unwrap_or_else(|| Err(Wrong::new("is empty: no line names columns")))?;
        if head.count > MOST_COLUMNS {
            let why = format!("there are {} columns, a table has {MOST_COLUMNS} at most", head.count);
            return Err(wrong(head.line, &why));
        }
        let named = |(at, name): (usize, Option<String>)| {
            name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("column_{at}"))
        };
        let columns: Vec<String> = (1..).zip(head.fields).map(named).collect();
        if columns.iter().any(|column| column.contains('\0')) {
            return Err(wrong(head.line, "the name of a column has a NUL"));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = columns.iter().find(|column| !seen.insert(column.to_ascii_lowercase())) {
            return Err(wrong(head.line, &format!("two columns have one name: {twice}")));
        }
        let mut numbers = vec![true; columns.len()];
        while let Some(record) = records.next(columns.len()) {
            let Record { line, count, fields } = record?;
            if count != columns.len() {
                let why = format!("has {count} fields, and the columns are {}", columns.len());
                return Err(wrong(line, &why));
            }
            for (number, field) in numbers.iter_mut().zip(&fields) {
                *number &= field.as_deref().is_none_or(is_number);
            }
        }
        self.writes.store(true, Relaxed);
        let done = self.fill(name, &columns, &numbers, all());
        self.writes.store(false, Relaxed);
        done
    }

    /// What [`import`](Self::import) has made: for each table its columns, and whether they hold numbers.
    pub fn imported(&self) -> Vec<(String, Vec<(String, bool)>)> {
        let connection = self.connection();
        let names = || {
            let own = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
            let mut listed = connection.prepare(own)?;
            listed.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()
        };
        let columns = |name: &str| {
            let none = connection.prepare(&format!("SELECT * FROM {} LIMIT 0", quoted(name)))?;
            Ok::<_, rusqlite::Error>(
                none.columns()
                    .map(|column| (column.name().to_owned(), column.decl_type() == Some("NUMERIC")))
                    .collect(),
            )
        };
        // Of its own tables SQLite tells this whenever it is asked.
        let names = names().unwrap_or_default();
        names.into_iter().filter_map(|name| columns(&name).ok().map(|columns| (name, columns))).collect()
    }

    fn fill(
        &self,
        name: &str,
        columns: &[String],
        numbers: &[bool],
        mut records: Records<'_>,
    ) -> Result<u64, Wrong> {
        let connection = self.connection();
        // Nobody has typed the statements here, so no place in them is shown.
        let failed = |error: rusqlite::Error| Wrong { place: None, ..Wrong::explain(&error, connection) };
        let typed = columns.iter().zip(numbers);
        let typed: Vec<String> = typed
            .map(|(name, number)| format!("{} {}", quoted(name), if *number { "NUMERIC" } else { "TEXT" }))
            .collect();
        let whole = connection.unchecked_transaction().map_err(failed)?;
        let make = format!("CREATE TABLE {} ({})", quoted(name), typed.join(", "));
        connection.execute_batch(&make).map_err(failed)?;
        let marks = vec!["?"; columns.len()].join(", ");
        let mut insert =
            connection.prepare(&format!("INSERT INTO {} VALUES ({marks})", quoted(name))).map_err(failed)?;
        let mut rows = 0u64;
        // The names.
        let _ = records.next(0);
        while let Some(record) = records.next(columns.len()) {
            let Record { fields, .. } = record?;
            for ((at, field), is_number) in (1usize..).zip(&fields).zip(numbers) {
                match field.as_deref().map(|text| (text, endless(text).filter(|_| *is_number))) {
                    Some((text, None)) => insert.raw_bind_parameter(at, text),
                    Some((_, Some(number))) => insert.raw_bind_parameter(at, number),
                    None => insert.raw_bind_parameter(at, Null),
                }
                .map_err(failed)?;
            }
            insert.raw_execute().map_err(failed)?;
            rows = rows.saturating_add(1);
        }
        drop(insert);
        whole.commit().map_err(failed)?;
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Vec<Option<String>>>, String> {
        let mut records = Records::new(text);
        let next = || records.next(9).map(|record| record.map(|record| record.fields));
        std::iter::from_fn(next).collect::<Result<_, _>>().map_err(|wrong| wrong.message)
    }

    fn some(fields: &[&str]) -> Vec<Option<String>> {
        fields.iter().map(|field| Some((*field).to_owned()).filter(|field| field != "∅")).collect()
    }

    #[test]
    fn records_are_those_of_rfc_4180() {
        let want = vec![some(&["a", "b,c", "d\"e"]), some(&["∅", "x\ny", "∅"]), some(&["1", "2", "3"])];
        assert_eq!(read("a,\"b,c\",\"d\"\"e\"\r\n,\"x\ny\",\n\n1,2,3").unwrap(), want);
        assert_eq!(read("\"\",b\n").unwrap(), vec![some(&["", "b"])]);
        assert_eq!(read("a,").unwrap(), vec![some(&["a", "∅"])]);
        assert!(read("").unwrap().is_empty() && read("\n\r\n").unwrap().is_empty());
        assert_eq!(read("a;b\n1,5;2\n").unwrap(), vec![some(&["a", "b"]), some(&["1,5", "2"])]);
        assert_eq!(read("a\t\"b;c\"\n").unwrap(), vec![some(&["a", "b;c"])]);
        assert_eq!(read("\"a;b\",c\n").unwrap(), vec![some(&["a;b", "c"])]);
        assert_eq!(read("a\n\"b").unwrap_err(), "line 2: a quoted field has no end");
        assert_eq!(read("\"x\ny\"\n\"b\"c").unwrap_err(), "line 3: a quoted field goes on after its end");
    }

    #[test]
    fn what_a_number_would_not_keep_is_text() {
        let (least, most) = (i64::MIN.to_string(), i64::MAX.to_string());
        for number in
            ["0", "-1", "1.5", "0.25", "-0.5", "1e3", ".5", "1e30", "NaN", "-inf", "Infinity", &least, &most]
        {
            assert!(is_number(number), "{number}");
        }
        for text in ["9223372036854775808", "-9223372036854775809", "18446744073709551615"] {
            assert!(!is_number(text), "{text}");
        }
        for text in ["007", "", "none", "infinite", "--inf", "1e999", "0x10", "1 ", "+1", "1,5", "-", "."] {
            assert!(!is_number(text), "{text}");
        }
    }
}
