//! Functions that SQLite lacks: names of maps, distances, mathematics, statistics.

use super::Shared;
use super::sight::Sights;
use crate::run::map_name;
use navmap_source::AreaId;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result};
use std::sync::Arc;

pub(super) const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

/// The added functions with their descriptions, for the prompt and the documentation.
pub const FUNCTIONS: &[(&str, &str)] = &[
    (
        "has_flag(flags, 'CROUCH' [, table])",
        "whether a bit of that name is set, in the tables that are read or of that table, family or game; flag_names lists them",
    ),
    ("map_name(path)", "the name of the file without folder and extension"),
    ("dist(x1, y1, z1, x2, y2, z2)", "straight distance"),
    (
        "visible_from(path, id)",
        "ids of the areas that are seen from an area of Source, inherited ones too, as a JSON list",
    ),
    (
        "sqrt pow power exp ln log log10 log2 sin cos tan asin acos atan atan2 sinh cosh floor ceil ceiling trunc \
         degrees radians pi",
        "as in other SQL; log is log10",
    ),
    ("median(x), percentile(x, 0 to 100)", "interpolated between neighbours"),
    ("stddev(x), stddev_samp(x), variance(x), var_samp(x)", "of a sample"),
    ("stddev_pop(x), var_pop(x)", "of all"),
    ("regexp(pattern, x)", "regular expressions; also x REGEXP pattern"),
];

/// The names of the added functions, as they stand before the arguments in [`FUNCTIONS`].
pub fn function_names() -> impl Iterator<Item = &'static str> {
    let forms = FUNCTIONS.iter().flat_map(|(form, _)| form.split(')'));
    let names = forms.map(|form| form.split_once('(').map_or(form, |(names, _)| names));
    names.flat_map(|names| names.split([' ', ','])).filter(|name| !name.is_empty())
}

pub(super) fn failed(why: impl Into<String>) -> Error {
    Error::UserFunctionError(why.into().into())
}

pub(super) fn register(connection: &Connection, shared: &Arc<Shared>) -> Result<()> {
    mathematics(connection)?;
    connection.create_scalar_function("map_name", 1, PURE, |context| {
        Ok(text(context, 0)?.map(|path| map_name(path).to_owned()))
    })?;
    connection.create_scalar_function("dist", 6, PURE, |context| {
        let mut sum = 0.0;
        for axis in 0..3 {
            let (Some(a), Some(b)) = (number(context, axis)?, number(context, axis + 3)?) else {
                return Ok(None);
            };
            sum += (a - b) * (a - b);
        }
        Ok(Some(sum.sqrt()))
    })?;
    connection.create_scalar_function("regexp", 2, PURE, |context| {
        let (Some(_), Some(_)) = (text(context, 0)?, text(context, 1)?) else { return Ok(None) };
        let pattern: Arc<regex_lite::Regex> = context.get_or_create_aux(0, |value| {
            let pattern = value.as_str().map_err(|error| failed(error.to_string()))?;
            regex_lite::Regex::new(pattern).map_err(|error| failed(format!("REGEXP: {error}")))
        })?;
        Ok(text(context, 1)?.map(|text| pattern.is_match(text)))
    })?;
    let (shared, sights) = (Arc::clone(shared), Sights::default());
    connection.create_scalar_function("visible_from", 2, FunctionFlags::SQLITE_UTF8, move |context| {
        let (Some(path), Some(number)) = (text(context, 0)?, number(context, 1)?) else { return Ok(None) };
        let id = id(number)
            .ok_or_else(|| failed("visible_from: the second argument is an id, 0 to 4294967295"))?;
        let options = &shared.shelf.scan().options;
        sights.seen(path, AreaId::new(id), options).map_err(|error| failed(error.to_string()))
    })?;
    connection.create_aggregate_function("median", 1, PURE, Percentile(true))?;
    connection.create_aggregate_function("percentile", 2, PURE, Percentile(false))?;
    for (name, sample, root) in [
        ("stddev", true, true),
        ("stddev_samp", true, true),
        ("stddev_pop", false, true),
        ("variance", true, false),
        ("var_samp", true, false),
        ("var_pop", false, false),
    ] {
        connection.create_aggregate_function(name, 1, PURE, Spread { sample, root })?;
    }
    Ok(())
}

fn number(context: &Context<'_>, at: usize) -> Result<Option<f64>> {
    match context.get_raw(at) {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => Ok(Some(number as f64)),
        ValueRef::Real(number) => Ok(Some(number)),
        _ => Err(failed("a number was expected")),
    }
}

/// The id that a number stands for. SQLite makes no difference between 7 and 7.0.
fn id(number: f64) -> Option<u32> {
    let id = number as u32;
    (f64::from(id) == number).then_some(id)
}

pub(super) fn text<'c>(context: &'c Context<'_>, at: usize) -> Result<Option<&'c str>> {
    match context.get_raw(at) {
        ValueRef::Null => Ok(None),
        value => value.as_str().map(Some).map_err(|_| failed("a text was expected")),
    }
}

fn mathematics(connection: &Connection) -> Result<()> {
    type One = fn(f64) -> f64;
    type Two = fn(f64, f64) -> f64;
    let of_one: [(&str, One); 20] = [
        ("sqrt", f64::sqrt),
        ("exp", f64::exp),
        ("ln", f64::ln),
        ("log", f64::log10),
        ("log10", f64::log10),
        ("log2", f64::log2),
        ("sin", f64::sin),
        ("cos", f64::cos),
        ("tan", f64::tan),
        ("asin", f64::asin),
        ("acos", f64::acos),
        ("atan", f64::atan),
        ("floor", f64::floor),
        ("ceil", f64::ceil),
        ("ceiling", f64::ceil),
        ("trunc", f64::trunc),
        ("degrees", f64::to_degrees),
        ("radians", f64::to_radians),
        ("sinh", f64::sinh),
        ("cosh", f64::cosh),
    ];
    for (name, function) in of_one {
        connection
            .create_scalar_function(name, 1, PURE, move |context| Ok(number(context, 0)?.map(function)))?;
    }
    let of_two: [(&str, Two); 3] = [("pow", f64::powf), ("power", f64::powf), ("atan2", f64::atan2)];
    for (name, function) in of_two {
        connection.create_scalar_function(name, 2, PURE, move |context| {
            let both = number(context, 0)?.zip(number(context, 1)?);
            Ok(both.map(|(a, b)| function(a, b)))
        })?;
    }
    connection.create_scalar_function("pi", 0, PURE, |_| Ok(std::f64::consts::PI))
}

/// `median(x)`, or `percentile(x, p)`.
struct Percentile(bool);

impl Aggregate<(Vec<f64>, f64), Option<f64>> for Percentile {
    fn init(&self, _: &mut Context<'_>) -> Result<(Vec<f64>, f64)> {
        Ok((Vec::new(), 50.0))
    }

    fn step(&self, context: &mut Context<'_>, (values, share): &mut (Vec<f64>, f64)) -> Result<()> {
        if let Some(value) = number(context, 0)? {
            values.push(value);
        }
        if !self.0 {
            let asked = number(context, 1)?.filter(|share| (0.0..=100.0).contains(share));
            *share = asked.ok_or_else(|| failed("percentile: the second argument is 0 to 100"))?;
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, values: Option<(Vec<f64>, f64)>) -> Result<Option<f64>> {
        let Some((mut values, share)) = values.filter(|(values, _)| !values.is_empty()) else {
            return Ok(None);
        };
        values.sort_by(f64::total_cmp);
        let place = share / 100.0 * (values.len() - 1) as f64;
        let low = values.get(place.floor() as usize).copied();
        let high = values.get(place.ceil() as usize).copied();
        Ok(low.zip(high).map(|(low, high)| match low == high {
            // Between two infinities there is no difference to take a part of.
            true => low,
            false => low + (high - low) * place.fract(),
        }))
    }
}

/// Mean and variance, updated one value at a time.
#[derive(Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

struct Spread {
    sample: bool,
    root: bool,
}

impl Aggregate<Moments, Option<f64>> for Spread {
    fn init(&self, _: &mut Context<'_>) -> Result<Moments> {
        Ok(Moments::default())
    }

    fn step(&self, context: &mut Context<'_>, moments: &mut Moments) -> Result<()> {
        if let Some(value) = number(context, 0)? {
            moments.count += 1.0;
            let far = value - moments.mean;
            moments.mean += far / moments.count;
            moments.squares += far * (value - moments.mean);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, moments: Option<Moments>) -> Result<Option<f64>> {
        let Some(moments) = moments else { return Ok(None) };
        let of = if self.sample { moments.count - 1.0 } else { moments.count };
        let variance = Some(moments.squares / of).filter(|_| of > 0.0);
        Ok(if self.root { variance.map(f64::sqrt) } else { variance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::shelf::{Failures, Shelf};
    use navmap_open::scan::Scan;
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    /// The functions that are not SQLite's own.
    fn added(connection: &Connection) -> BTreeSet<String> {
        let sql = "SELECT DISTINCT name FROM pragma_function_list WHERE NOT builtin";
        let mut statement = connection.prepare(sql).unwrap();
        let names = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        names.map(|name| name.unwrap()).collect()
    }

    #[test]
    fn every_function_that_is_added_is_listed() {
        let shelf = Arc::new(Shelf::new(Vec::new(), Scan::new(), false, Failures::default()));
        let shared = Arc::new(Shared { shelf, others: Mutex::default(), walks: Mutex::default() });
        let connection = Connection::open_in_memory().unwrap();
        let before = added(&connection);
        register(&connection, &shared).unwrap();
        let mut names: BTreeSet<String> = added(&connection).difference(&before).cloned().collect();
        // It is added with the names of bits.
        names.insert("has_flag".to_owned());
        assert!(names.len() > 30, "{names:?}");
        let listed: BTreeSet<String> = function_names().map(str::to_owned).collect();
        assert_eq!(names, listed);
    }
}
