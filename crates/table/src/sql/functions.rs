//! Functions that SQLite lacks: flags by name, names of maps, distances, mathematics, statistics.

use super::Shared;
use crate::batch::Sheets;
use crate::column::Value;
use crate::fill;
use crate::rows::FLAG_NAMES;
use crate::run::map_name;
use navmap_open::open::Mesh;
use navmap_source::{AreaIndex, SourceNav, VisibleTarget};
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

/// The added functions with their descriptions, for the prompt and the documentation.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("has_flag(flags, 'CROUCH' [, game])", "whether a bit of that name is set; flag_names lists them"),
    ("map_name(path)", "the name of the file without folder and extension"),
    ("dist(x1, y1, z1, x2, y2, z2)", "straight distance"),
    (
        "visible_from(path, id)",
        "ids of the areas that are seen from an area of Source, inherited ones too, as a JSON list",
    ),
    (
        "sqrt pow exp ln log10 log2 sin cos tan asin acos atan atan2 floor ceil trunc degrees radians pi",
        "as in other SQL",
    ),
    ("median(x), percentile(x, 0 to 100)", "interpolated between neighbours"),
    ("stddev(x), stddev_pop(x), variance(x), var_pop(x)", "of a sample, or of all"),
    ("x REGEXP pattern", "regular expressions"),
];

fn failed(why: impl Into<String>) -> Error {
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
    let names = Arc::new(Names::new());
    for arguments in [2, 3] {
        let names = Arc::clone(&names);
        connection
            .create_scalar_function("has_flag", arguments, PURE, move |context| has_flag(&names, context))?;
    }
    connection.create_scalar_function("regexp", 2, PURE, |context| {
        let (Some(_), Some(_)) = (text(context, 0)?, text(context, 1)?) else { return Ok(None) };
        let pattern: Arc<regex_lite::Regex> = context.get_or_create_aux(0, |value| {
            let pattern = value.as_str().map_err(|error| failed(error.to_string()))?;
            regex_lite::Regex::new(pattern).map_err(|error| failed(format!("REGEXP: {error}")))
        })?;
        Ok(text(context, 1)?.map(|text| pattern.is_match(text)))
    })?;
    let (shared, last) = (Arc::clone(shared), Mutex::new(None));
    connection.create_scalar_function("visible_from", 2, FunctionFlags::SQLITE_UTF8, move |context| {
        let (Some(path), Some(id)) = (text(context, 0)?, number(context, 1)?) else { return Ok(None) };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        visible_from(&shared, &mut last, path, id as u32)
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

fn text<'c>(context: &'c Context<'_>, at: usize) -> Result<Option<&'c str>> {
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

/// The names of bits.
struct Names(Vec<Name>);

struct Name {
    name: String,
    family: String,
    game: Option<String>,
    mask: u64,
}

impl Name {
    fn is_of(&self, asked: &str) -> bool {
        self.game.as_deref().unwrap_or(&self.family).eq_ignore_ascii_case(asked)
    }
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
                if let (Some(name), Some(family), Value::Wide(mask)) =
                    (text("name"), text("family"), value("mask"))
                {
                    names.push(Name { name, family, game: text("game"), mask });
                }
            }
        }
        Self(names)
    }

    /// The bits of a name. In the spelling of the format's own tools it is the bit of a family, not only of one game; otherwise
    /// case is ignored.
    fn mask(&self, name: &str, game: Option<&str>) -> std::result::Result<u64, String> {
        let alike: Vec<&Name> = self.0.iter().filter(|known| known.name.eq_ignore_ascii_case(name)).collect();
        let of_game: Vec<&&Name> =
            alike.iter().filter(|known| game.is_none_or(|game| known.is_of(game))).collect();
        let masks = |wanted: &dyn Fn(&Name) -> bool| -> Vec<u64> {
            of_game.iter().filter(|known| wanted(known)).map(|known| known.mask).collect()
        };
        let attempts = [
            masks(&|known| known.name == name && known.game.is_none()),
            masks(&|known| known.name == name),
            masks(&|_| true),
        ];
        for masks in attempts {
            if let Some((first, others)) = masks.split_first()
                && others.iter().all(|mask| mask == first)
            {
                return Ok(*first);
            }
        }
        if alike.is_empty() {
            let near = navmap_core::text::nearest(name, self.0.iter().map(|known| known.name.as_str()));
            let near = near.first().map_or(String::new(), |near| format!("; the nearest is {near}"));
            return Err(format!("has_flag: no bit is called {name}{near}"));
        }
        let games: std::collections::BTreeSet<&str> =
            alike.iter().map(|known| known.game.as_deref().unwrap_or(&known.family)).collect();
        let games: Vec<&str> = games.into_iter().collect();
        Err(format!("has_flag: {name} is a bit of {}: name one as third argument", games.join(", ")))
    }
}

fn has_flag(names: &Names, context: &Context<'_>) -> Result<Option<bool>> {
    let flags = match context.get_raw(0) {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(flags) => flags.cast_unsigned(),
        _ => return Err(failed("has_flag: the first argument is a column of flags")),
    };
    let Some(name) = text(context, 1)? else { return Ok(None) };
    let game = if context.len() > 2 { text(context, 2)? } else { None };
    // A constant name is looked up once.
    let known = context.get_aux::<(String, u64)>(1)?;
    let mask = match known {
        Some(known) if known.0 == name && game.is_none() => known.1,
        _ => {
            let mask = names.mask(name, game).map_err(failed)?;
            if game.is_none() {
                context.set_aux(1, (name.to_owned(), mask))?;
            }
            mask
        }
    };
    Ok(Some(flags & mask == mask))
}

/// The areas that an area sees: its own list, over that of the area it inherits from.
fn visible_from(
    shared: &Shared,
    last: &mut Option<(String, Mesh)>,
    path: &str,
    id: u32,
) -> Result<Option<String>> {
    if last.as_ref().is_none_or(|(known, _)| known != path) {
        let mesh =
            Mesh::open_with(path, &shared.shelf.scan().options).map_err(|error| failed(error.to_string()))?;
        *last = Some((path.to_owned(), mesh));
    }
    let Some((_, mesh)) = last else { return Ok(None) };
    let Some(nav) = mesh.nav().as_view::<SourceNav<'_>>() else { return Ok(None) };
    let index = AreaIndex::build(nav).map_err(|error| failed(error.to_string()))?;
    let by_id = |id: u32| index.by_id(navmap_source::AreaId::new(id));
    let Some(area) = by_id(id) else { return Ok(None) };
    let mut seen = BTreeMap::new();
    let inherited = area.inherits_visibility_from().and_then(|id| by_id(id.get()));
    for list in [inherited, Some(area)].into_iter().flatten() {
        for entry in list.visible_areas() {
            let target = match list.visible_target(entry) {
                VisibleTarget::Id(id) => Some(id.get()),
                VisibleTarget::Index(at) => index.get(at as usize).map(|area| area.id().get()),
            };
            if let Some(target) = target {
                seen.insert(target, entry.visibility().bits());
            }
        }
    }
    let ids: Vec<String> =
        seen.iter().filter(|(_, bits)| **bits != 0).map(|(id, _)| id.to_string()).collect();
    Ok(Some(format!("[{}]", ids.join(","))))
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
