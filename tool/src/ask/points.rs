//! Reads points: typed, or from lines of CSV, JSON, or a game's console.

use super::strict;
use navmap::error::{Error, Result};
use navmap::graph::Point;
use serde_json::Value;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The longest line that is read. A longer one is not a point.
const LONGEST: u64 = 64 << 10;

/// The typed texts of spots. Three consecutive numbers are one point.
pub(super) fn joined(words: &[String]) -> Vec<String> {
    let mut spots: Vec<String> = Vec::new();
    let mut numbers: Vec<&str> = Vec::new();
    for word in words {
        let word = word.trim();
        if word.parse::<f32>().is_err() {
            spots.extend(numbers.drain(..).map(str::to_owned));
            spots.push(word.to_owned());
            continue;
        }
        numbers.push(word);
        if numbers.len() == 3 {
            spots.push(std::mem::take(&mut numbers).join(","));
        }
    }
    spots.extend(numbers.into_iter().map(str::to_owned));
    spots
}

/// Lines of a file or of standard input, with their numbers.
pub(super) struct Lines {
    name: PathBuf,
    lines: Box<dyn BufRead>,
    number: u64,
}

impl Lines {
    /// # Errors
    /// If the file cannot be opened.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let lines: Box<dyn BufRead> = match path == Path::new("-") {
            true => Box::new(BufReader::new(io::stdin())),
            false => {
                Box::new(BufReader::new(File::open(path).map_err(|error| Error::from(error).in_file(path))?))
            }
        };
        Ok(Self { name: path.to_owned(), lines, number: 0 })
    }

    /// The next line that is neither empty nor a comment.
    pub(super) fn next(&mut self) -> Option<Result<String>> {
        loop {
            let mut line = Vec::new();
            let read = self.lines.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            self.number += 1;
            match read {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(Error::from(error).in_file(&self.name))),
            }
            if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
                self.skip();
                return Some(Err(self.refused("is longer than 65536 bytes".to_owned())));
            }
            let Ok(text) = str::from_utf8(&line) else {
                return Some(Err(self.refused("is no UTF-8".to_owned())));
            };
            let text = text.trim_start_matches('\u{feff}').trim();
            // An id begins with # too. A comment has a blank after it.
            let comment = text.starts_with("//") || text == "#" || text.starts_with("# ");
            if !(text.is_empty() || comment) {
                return Some(Ok(text.to_owned()));
            }
        }
    }

    /// Reads to the end of the line.
    fn skip(&mut self) {
        loop {
            let mut rest = Vec::new();
            match self.lines.by_ref().take(LONGEST).read_until(b'\n', &mut rest) {
                Ok(0) | Err(_) => return,
                Ok(_) if rest.last() == Some(&b'\n') => return,
                Ok(_) => {}
            }
        }
    }

    /// The error for the latest line.
    pub(super) fn refused(&self, why: String) -> Error {
        let name = if self.name == Path::new("-") { Path::new("standard input") } else { &self.name };
        Error::invalid("line", format!("{} {why}", self.number)).in_file(name)
    }
}

/// The detected columns of a list of points.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The columns of x, y and z, if a header names them.
    named: Option<[usize; 3]>,
    begun: bool,
    /// Columns that are read besides, and where the header has them.
    more: Vec<String>,
    places: Option<Vec<usize>>,
    /// Whether a row may lack coordinates, which are NaN then.
    gaps: bool,
}

/// A point, and the texts of further columns.
pub(super) type Row = (Point, Vec<String>);

impl Columns {
    /// Columns that must have these names, besides x, y and z, whose rows may lack coordinates: those are NaN.
    pub(super) fn with(more: Vec<String>) -> Self {
        Self { more, gaps: true, ..Self::default() }
    }

    /// The point in a line. `None` for the header.
    pub(super) fn point(&mut self, line: &str) -> std::result::Result<Option<Point>, String> {
        Ok(self.row(line)?.map(|(point, _)| point))
    }

    /// The point in a line with what else is asked for. `None` for the header.
    pub(super) fn row(&mut self, line: &str) -> std::result::Result<Option<Row>, String> {
        let first = !std::mem::replace(&mut self.begun, true);
        if line.starts_with(['{', '[']) {
            return json(line, &self.more, self.gaps).map(Some);
        }
        // A game's console prints: setpos 1 2 3;setang 0 90 0. In CSV a semicolon is a letter like any other.
        let typed = ["setpos_exact", "setpos"].iter().find_map(|word| line.strip_prefix(word));
        let line = match typed {
            None if line.contains(',') => line,
            _ => typed.unwrap_or(line).split(';').next().unwrap_or_default(),
        };
        let fields = fields(line);
        if first && fields.iter().all(|field| field.parse::<f32>().is_err()) {
            let place = |name: &str| fields.iter().position(|field| field.eq_ignore_ascii_case(name));
            let named = [place("x"), place("y"), place("z")];
            let [Some(x), Some(y), Some(z)] = named else {
                return Err(format!("names no columns x, y and z, and is no point: {line}"));
            };
            self.named = Some([x, y, z]);
            let each = |name: &String| place(name).ok_or_else(|| format!("names no column {name}: {line}"));
            self.places = Some(self.more.iter().map(each).collect::<std::result::Result<_, _>>()?);
            return Ok(None);
        }
        if let (Some(name), None) = (self.more.first(), &self.places) {
            return Err(format!("comes without a header that names the column {name}"));
        }
        let at = self.named.unwrap_or([0, 1, 2]);
        let number = |at: usize| match fields.get(at) {
            Some(field) if self.gaps && field.is_empty() => Some(f32::NAN),
            field => field.and_then(|field| field.parse::<f32>().ok()),
        };
        match at.map(number) {
            [Some(x), Some(y), Some(z)] => {
                bounded([x, y, z])?;
                let text = |at: &usize| fields.get(*at).map_or_else(String::new, |field| field.to_string());
                let more = self.places.iter().flatten().map(text).collect();
                Ok(Some((Point::new(x, y, z), more)))
            }
            _ => Err(format!("is no point x,y,z: {line}")),
        }
    }
}

/// The fields of a line, between commas, of which quoted ones may hold some, or else between blanks.
fn fields(line: &str) -> Vec<Cow<'_, str>> {
    if !line.contains(',') {
        return line.split_whitespace().map(Cow::Borrowed).collect();
    }
    if line.contains('"') {
        let mut read = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(line.as_bytes());
        if let Some(Ok(record)) = read.records().next() {
            return record.iter().map(|field| Cow::Owned(field.to_owned())).collect();
        }
    }
    line.split(',').map(|field| Cow::Borrowed(field.trim())).collect()
}

/// Refuses coordinates that are larger than any number, such as 1e39.
pub(super) fn bounded(point: [f32; 3]) -> std::result::Result<(), String> {
    let mut named = point.into_iter().zip(["x", "y", "z"]);
    let beyond = named.find(|(at, _)| at.is_infinite());
    beyond.map_or(Ok(()), |(_, name)| Err(format!("has a coordinate {name} beyond the largest number")))
}

fn json(line: &str, more: &[String], gaps: bool) -> std::result::Result<Row, String> {
    let value = strict::read(line)?;
    // Rows of `check` and `show` have their point as a list, which is null where a finding has no place.
    let listed = |key: &&str| value.get(*key).filter(|point| point.is_array() || point.is_null());
    let point = ["at", "center"].iter().find_map(listed).filter(|_| value.get("x").is_none());
    let [x, y, z] = match point.unwrap_or(&value) {
        Value::Array(list) if list.len() == 3 => [list.first(), list.get(1), list.get(2)],
        Value::Object(map) if ["x", "y", "z"].iter().any(|key| map.contains_key(*key)) => {
            ["x", "y", "z"].map(|key| map.get(key))
        }
        nothing if point.is_some() => [Some(nothing); 3],
        _ => return Err("holds no numbers x, y and z".to_owned()),
    };
    let number = |(value, name): (Option<&Value>, &str)| match value {
        Some(Value::Null) if gaps => Ok(f32::NAN),
        Some(Value::Number(number)) => Ok(number.as_f64().unwrap_or(f64::NAN) as f32),
        _ => Err(format!("holds no numbers x, y and z: its {name} is none")),
    };
    let three = [number((x, "x"))?, number((y, "y"))?, number((z, "z"))?];
    bounded(three)?;
    let text = |name: &String| match value.get(name) {
        None => Err(format!("has no {name}")),
        Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Ok(other.to_string()),
    };
    let more = more.iter().map(text).collect::<std::result::Result<_, _>>()?;
    let [x, y, z] = three;
    Ok((Point::new(x, y, z), more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_numbers_are_a_point_and_other_words_stay() {
        let words = ["1", "-2", "3.5", "#17", "Long A", "4,5,6", "7", "8"].map(str::to_owned);
        assert_eq!(joined(&words), ["1,-2,3.5", "#17", "Long A", "4,5,6", "7", "8"]);
    }

    #[test]
    fn further_columns_are_read_by_name() {
        let mut columns = Columns::with(vec!["player".into(), "tick".into()]);
        assert_eq!(columns.row("tick,X,y,z,Player"), Ok(None));
        let row = columns.row(r#"7,1,2,3,"Bob, the ""first"" of all""#).unwrap().unwrap();
        assert_eq!(row, (Point::new(1.0, 2.0, 3.0), vec![r#"Bob, the "first" of all"#.into(), "7".into()]));
        let row = columns.row(r#"8,1,2,3,"Bob; the second""#).unwrap().unwrap();
        assert_eq!(row.1, ["Bob; the second", "8"]);
        let mut columns = Columns::with(vec!["tick".into()]);
        assert_eq!(columns.row("x,y,z,player,tick"), Ok(None));
        assert_eq!(columns.row("1,2,3,a;b,9").unwrap().unwrap().1, ["9"]);
        let json = r#"{"x":1,"y":2,"z":3,"tick":9,"player":null}"#;
        let mut columns = Columns::with(vec!["player".into(), "tick".into()]);
        assert_eq!(columns.row(json).unwrap().unwrap().1, ["", "9"]);
        let mut columns = Columns::with(vec!["tick".into()]);
        assert_eq!(columns.row("x,y,z,tick"), Ok(None));
        for gap in [",,,3", "1,,2,3", r#"{"x":null,"y":1,"z":2,"tick":3}"#, r#"{"at":null,"tick":3}"#] {
            let (point, more) = columns.row(gap).unwrap().unwrap();
            assert!([point.x, point.y, point.z].iter().any(|at| at.is_nan()) && more == ["3"], "{gap}");
        }
        assert!(columns.row("1,b,2,3").is_err() && Columns::default().point("1,,2").is_err());
        let why = |line: &str| Columns::with(vec!["tick".into()]).row(line).unwrap_err();
        assert_eq!(why("1,2,3"), "comes without a header that names the column tick");
        assert_eq!(why("x,y,z,time"), "names no column tick: x,y,z,time");
        assert_eq!(why(r#"{"x":1,"y":2,"z":3}"#), "has no tick");
    }

    #[test]
    fn a_point_is_read_from_every_kind_of_line() {
        let point = |line: &str| Columns::default().point(line);
        let one = Ok(Some(Point::new(1.0, -2.5, 3.0)));
        for line in [
            "1,-2.5,3",
            " 1 -2.5\t3",
            "[1,-2.5,3]",
            r#"{"z":3,"x":1,"y":-2.5,"name":"a"}"#,
            r#"{"code":"island","at":[1,-2.5,3]}"#,
            r#"{"id":7,"center":[1,-2.5,3],"at":"noon"}"#,
            "setpos 1 -2.5 3;setang 0 90 0",
            "setpos_exact 1 -2.5 3;setang 0,90,0",
            "1 -2.5 3;setang 0 90 0",
        ] {
            assert_eq!(point(line.trim()), one, "{line}");
        }
        for line in [
            "1,2",
            "{}",
            "{\"at\":null}",
            "[1,2]",
            "[1,2,3",
            "\"x\"",
            "a,b,c",
            "{\"x\":\"1\",\"y\":2,\"z\":3}",
        ] {
            assert!(point(line).is_err(), "{line}");
        }
        for (line, why) in [
            (r#"{"x":1,"y":2,"z":3,"x":9}"#, "has the field x twice"),
            (r#"{"x":1,"y":2,"z":3,"by":{"id":1,"id":2}}"#, "by: has the field id twice"),
            (r#"{"x":1,"y":1e39,"z":3}"#, "has a coordinate y beyond the largest number"),
            (r#"{"x":1,"y":2,"z":-1e400}"#, "z: number out of range"),
            (r#"{"at":[1e39,2,3]}"#, "has a coordinate x beyond the largest number"),
            ("[1,2,1e39]", "has a coordinate z beyond the largest number"),
            (r#"{"x":1,"y":"2","z":3}"#, "its y is none"),
            (r#"{"x":1,"y":2}"#, "its z is none"),
            (r#"{"x":1,"y":,"z":3}"#, "is no JSON: y: expected value in column 12"),
            ("[", "is no JSON: it ends in column 1, and each line holds one point"),
            ("1,2,1e39", "has a coordinate z beyond the largest number"),
            ("1 -1e39 3", "has a coordinate y beyond the largest number"),
        ] {
            let said = point(line).unwrap_err();
            assert!(said.contains(why), "{line}: {said}");
        }
        let mut named = Columns::default();
        assert_eq!(named.point("player,Z,Y,X"), Ok(None));
        assert_eq!(named.point("bob,3,-2.5,1"), one);
    }
}
