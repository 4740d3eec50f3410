//! Parses values of options.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use navmap::edit::nearest;
use navmap::error::Error;
use navmap::export;
use navmap::format::quake::{Version, navjson};
pub(super) use navmap::format::source::Ballast;
use navmap::format::{codes, source};
use navmap::graph;
use source::analyze::Phase;
use source::generate::{Game, Stage, Within};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::str::FromStr;

/// What a file becomes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Nav(Version),
    NavJson(u32),
    Source(u32, Option<u32>),
    Graph(i32),
    Pwf,
    Ain(i32),
    Rcw,
}

/// Parses `nav2-15`, `navjson-2`, `source-9`, `source-16/2`, `graph-2`, `pwf-7`; a number alone is of a Source mesh.
pub(super) fn target(text: &str) -> Result<Target, String> {
    if let Some(number) = text.strip_prefix("navjson-") {
        let version = number.parse().ok().filter(|version| navjson::binary_version(*version).is_some());
        return version.map(Target::NavJson).ok_or_else(|| "navjson has the versions 1, 2 and 3".into());
    }
    let number = text.starts_with(|first: char| first.is_ascii_digit()).then_some(text);
    if let Some(version) = text.strip_prefix("source-").or(number) {
        let (version, subversion) = version.split_once('/').map_or((version, None), |(a, b)| (a, Some(b)));
        let typed = version.parse().ok().zip(subversion.map(str::parse).transpose().ok());
        let known = typed.filter(|typed| source::TARGETS.contains(typed));
        return known
            .map(|(version, subversion)| Target::Source(version, subversion))
            .ok_or_else(|| "Source meshes are written as 3, 4, 5, 9, 16/0, 16/1, 16/2 and 16/14".into());
    }
    match text {
        "graph-1" => return Ok(Target::Graph(1)),
        "graph-2" => return Ok(Target::Graph(2)),
        "pwf-7" => return Ok(Target::Pwf),
        "rcw-4" => return Ok(Target::Rcw),
        "ain-37" => return Ok(Target::Ain(37)),
        "ain-41" => return Ok(Target::Ain(41)),
        _ => {}
    }
    let others = "navjson-1 to -3, source-3, -4, -5, -9, -16/0, -16/1, -16/2, -16/14, graph-1, graph-2, pwf-7, rcw-4, ain-37, ain-41";
    text.parse().map(Target::Nav).map_err(|error: Error| format!("{error}, {others}"))
}

/// What a picture is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Image {
    /// Scalable, as text
    Svg,
    /// Pixels
    Png,
}

/// What lengths and areas are printed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Units {
    /// The units of the game
    Game,
    /// Metres
    Metres,
}

impl From<Units> for graph::Units {
    fn from(units: Units) -> Self {
        match units {
            Units::Game => Self::Game,
            Units::Metres => Self::Metres,
        }
    }
}

/// Parses `obj`, `glb`.
pub(super) fn export_format(text: &str) -> Result<export::Format, String> {
    export::Format::of_extension(text)
        .ok_or_else(|| "none of obj, glb, dot, graphml, geojson, navmesh, tres".to_owned())
}

/// Parses `encounters`.
pub(super) fn ballast(text: &str) -> Result<Ballast, String> {
    let found = Ballast::ALL.into_iter().find(|of| of.name() == text);
    found.ok_or_else(|| format!("{text} is none of encounters, approaches, visibility, tail"))
}

/// The parts of an analysis by name.
pub(super) fn phases() -> impl TypedValueParser<Value = Phase> {
    let names = Phase::ALL.map(Phase::name);
    PossibleValuesParser::new(names).try_map(|name| Phase::named(&name).ok_or("no such part"))
}

/// Parses an agent: radius, height, climb and slope, of which the last ones may be left out.
pub(super) fn agent(text: &str) -> Result<[f32; 4], String> {
    let mut agent = [0.4, 1.8, 0.5, 45.0];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > agent.len() {
        return Err("more than radius, height, climb and slope".to_owned());
    }
    for (to, part) in agent.iter_mut().zip(parts) {
        let value = part.trim().parse::<f32>().ok().filter(|value| value.is_finite() && *value >= 0.0);
        *to = value.ok_or_else(|| format!("{part} is no length"))?;
    }
    Ok(agent)
}

/// Parses the area of a material: `water=1`, `lava=none`.
pub(super) fn area(text: &str) -> Result<(String, Option<u8>), String> {
    let (name, area) = text.rsplit_once('=').ok_or("a material, = and an area are needed: water=1")?;
    let area = match area {
        "none" => None,
        area => Some(area.parse().ok().filter(|id| *id < 64).ok_or("an area is 0 to 63, or none")?),
    };
    Ok((name.to_owned(), area))
}

/// The games whose meshes are generated, by name. Of those that people may expect as well, it says why they are not among them.
pub(super) fn games() -> impl TypedValueParser<Value = Game> {
    const UNKNOWN: &str = "by which rules Left 4 Dead and Left 4 Dead 2 mark areas, place spawns and tell the flow \
        through a map is not known, so no mesh is made for them";
    let names = Game::ALL.map(|game| PossibleValue::new(game.name()).help(game.title()));
    let expected = ["l4d", "l4d2"].map(|name| PossibleValue::new(name).hide(true));
    PossibleValuesParser::new(names.into_iter().chain(expected))
        .try_map(|name| Game::named(&name).ok_or(UNKNOWN))
}

/// The stages of a generation by name.
pub(super) fn stages() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::ALL.map(Stage::name))
        .try_map(|name| Stage::named(&name).ok_or("no such stage"))
}

/// Parses a box in space: `0,0,0..64,64,64`.
pub(super) fn within(text: &str) -> Result<Within, String> {
    let (low, high) = text.split_once("..").ok_or("two corners with .. between are needed")?;
    let (Point(low), Point(high)) = (low.parse()?, high.parse()?);
    match low.iter().zip(high).all(|(low, high)| *low < high) {
        true => Ok([low, high]),
        false => Err("the first corner must be the lower one in x, y and z".to_owned()),
    }
}

/// A team of Counter-Strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Team {
    Terrorists,
    CounterTerrorists,
}

/// Where a team begins: `t:100,-200,64`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spawn {
    pub(super) team: Team,
    pub(super) point: [f32; 3],
}

impl FromStr for Spawn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (team, point) = text.split_once(':').ok_or("t:X,Y,Z or ct:X,Y,Z is needed")?;
        let team = match team.to_ascii_lowercase().as_str() {
            "t" => Team::Terrorists,
            "ct" => Team::CounterTerrorists,
            _ => return Err(format!("{team} is no team: t or ct")),
        };
        let Point(point) = point.parse()?;
        Ok(Self { team, point })
    }
}

/// A point: `100,-200,64`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point(pub(super) [f32; 3]);

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f32> = text.split(',').map_while(|part| part.trim().parse().ok()).collect();
        let finite =
            <[f32; 3]>::try_from(numbers).ok().filter(|point| point.iter().all(|part| part.is_finite()));
        let three = finite.filter(|_| text.split(',').count() == 3).map(Self);
        three.ok_or_else(|| format!("{text} is no point: three numbers with commas between"))
    }
}

/// A box around a moving point: `human`, or two corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hull {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
}

impl FromStr for Hull {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let human = |high: f32| Self { low: [-16.0, -16.0, 0.0], high: [16.0, 16.0, high] };
        match text {
            "human" => Ok(human(72.0)),
            "crouching" => Ok(human(36.0)),
            _ => {
                let (low, high) =
                    text.split_once("..").ok_or("human, crouching or X,Y,Z..X,Y,Z is needed")?;
                let (Point(low), Point(high)) = (low.parse()?, high.parse()?);
                match low.iter().zip(high).all(|(low, high)| *low <= high) {
                    true => Ok(Self { low, high }),
                    false => Err(format!("{text}: the lower corner comes first")),
                }
            }
        }
    }
}

/// What stops a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Mask {
    /// What is solid to everything
    Solid,
    /// What the analysis of a mesh takes for solid: glass, grates and clips of characters too
    Walk,
    /// What stops players
    Player,
    /// What stops a sniper's look
    Sight,
    /// Water and slime
    Water,
}

/// Extensions of plugins.
pub(super) const PLUGINS: &[&str] = &["esp", "esm", "esl"];

/// The word for all codes of findings.
pub(super) const ALL_CODES: &str = "all";

/// Every code of a finding.
pub(super) fn code_names() -> CodeNames {
    CodeNames { all: false }
}

/// Every code of a finding, and the word for all of them.
pub(super) fn explained_names() -> CodeNames {
    CodeNames { all: true }
}

/// Takes a code. There are some hundred, so an error names the nearest; a shell offers all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeNames {
    all: bool,
}

impl CodeNames {
    fn names(self) -> impl Iterator<Item = &'static str> {
        names().into_iter().chain(self.all.then_some(ALL_CODES))
    }
}

impl TypedValueParser for CodeNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let name = StringValueParser::new().parse_ref(command, argument, value)?;
        if self.names().any(|known| known == name) {
            return Ok(name);
        }
        let near = match nearest(&name, self.names()).as_slice() {
            [] => String::new(),
            near => format!("; did you mean {}?", near.join(" or ")),
        };
        let why = format!(
            "no finding has the code {name}{near}\n\n`navmap check --explain all` lists all codes.\n"
        );
        Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, why).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names().map(PossibleValue::new)))
    }
}

fn names() -> BTreeSet<&'static str> {
    codes().map(|(_, code)| code.code).collect()
}

/// Column and row of a tile: `139,127`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot(pub(super) [u16; 2]);

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let two =
            text.split_once(',').and_then(|(x, z)| Some([x.trim().parse().ok()?, z.trim().parse().ok()?]));
        two.map(Self).ok_or_else(|| format!("{text} is no tile: two numbers with a comma between"))
    }
}

/// A length in metres.
pub(super) fn length(text: &str) -> Result<f64, String> {
    let length = text.parse().ok().filter(|length: &f64| length.is_finite() && *length > 0.0);
    length.ok_or_else(|| format!("{text} is no length: a number above 0"))
}

/// How far something goes; 0 is no limit.
pub(super) fn reach(text: &str) -> Result<f64, String> {
    let reach = text.parse().ok().filter(|reach: &f64| reach.is_finite() && *reach >= 0.0);
    reach.ok_or_else(|| format!("{text} is no distance: 0 or a number above it"))
}

/// Sixteen bytes in hex.
pub(super) fn opaque(text: &str) -> Result<[u8; 16], String> {
    let number =
        Some(text).filter(|text| text.len() == 32).and_then(|text| u128::from_str_radix(text, 16).ok());
    number.map(u128::to_be_bytes).ok_or_else(|| format!("{text} is no id: 32 hex digits"))
}
