//! What editors of graphs of points share: points and rooms of a selector, names, and the nodes that a command concerns.

use super::command::Command;
use super::items::Items;
use super::key::AnyKey;
use super::refusal::Refusal;
use super::scope::Scope;
use super::script::Word;
use super::select::number;
use super::work::CHOSEN;

/// `1,2,3`
pub fn point(text: &str) -> Option<[f32; 3]> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|part| number(part.trim())).collect();
    numbers?.try_into().ok()
}

/// A place moved. What is no number stays as it is; `None` if a number would lie beyond the largest.
pub fn moved(mut at: [f32; 3], by: [f32; 3]) -> Option<[f32; 3]> {
    for (value, by) in at.iter_mut().zip(by).filter(|(value, _)| value.is_finite()) {
        *value += by;
        if !value.is_finite() {
            return None;
        }
    }
    Some(at)
}

/// The arguments of a name as numbers.
///
/// # Errors
/// If one is no finite number.
pub fn numbers(arguments: &[&str]) -> Result<Vec<f32>, Refusal> {
    let each =
        |text: &&str| number(text).ok_or_else(|| Refusal::new(format!("{text} where a number was expected")));
    arguments.iter().map(each).collect()
}

/// The value of a name, in letters of either case. `what` says what it is the name of.
///
/// # Errors
/// If there is none. The refusal suggests the nearest names.
pub fn named<T: Copy>(name: &str, what: &str, names: &[(&'static str, T)]) -> Result<T, Refusal> {
    let found = names.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| Refusal::unknown(what, name).among(name, names.iter().map(|(known, _)| *known)))
}

/// The node at a point: the nearest, if `any`; else the nearest of those whose reach holds the point. `nodes` are keys, places
/// and reaches. Without z, a distance is that on the plan.
///
/// # Errors
/// If there is none, or the point does not have two or three numbers.
pub fn at_point<K: Copy + std::fmt::Display>(
    nodes: impl Iterator<Item = (K, [f32; 3], f32)>,
    any: bool,
    at: &[f32],
) -> Result<Vec<K>, Refusal> {
    let (point, tall) = match *at {
        [x, y] => ([x, y, 0.0], false),
        [x, y, z] => ([x, y, z], true),
        _ => return Err(Refusal::new("a point has two or three numbers")),
    };
    // The nearest of all, and the nearest of those that reach there.
    let mut best: [Option<(f32, K)>; 2] = [None; 2];
    for (key, origin, reach) in nodes {
        let far = square(origin, point, tall);
        let [all, reaching] = &mut best;
        let offer = |to: &mut Option<(f32, K)>| {
            if to.is_none_or(|(least, _)| far.total_cmp(&least).is_lt()) {
                *to = Some((far, key));
            }
        };
        offer(all);
        if any || far <= reach * reach {
            offer(reaching);
        }
    }
    match best {
        [_, Some((_, key))] => Ok(vec![key]),
        [Some((far, key)), None] => Err(Refusal::nothing(format!(
            "no node lies there: #{key} is nearest, {} away (~@ takes it)",
            far.sqrt()
        ))),
        [None, None] => Err(Refusal::new("there is no node")),
    }
}

/// A part of the map that a selector names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Room {
    /// Lowest and highest value of each axis, both inside.
    Box([[f32; 2]; 3]),
    /// All that is nearer to a point than a radius.
    Ball([f32; 3], f32),
}

impl Room {
    /// `box(x0,y0,z0,x1,y1,z1)` and `ball(x,y,z,r)`; `None` for another name.
    ///
    /// # Errors
    /// If the arguments are not so many numbers.
    pub fn parse(name: &str, arguments: &[&str]) -> Result<Option<Self>, Refusal> {
        let wrong = |usage: &str| Refusal::new(format!("{usage} was expected"));
        match name.to_ascii_lowercase().as_str() {
            "box" => match numbers(arguments)?.as_slice() {
                [x0, y0, z0, x1, y1, z1] => {
                    let span = |a: f32, b: f32| [a.min(b), a.max(b)];
                    Ok(Some(Self::Box([span(*x0, *x1), span(*y0, *y1), span(*z0, *z1)])))
                }
                _ => Err(wrong("box(x0,y0,z0,x1,y1,z1)")),
            },
            "ball" => match numbers(arguments)?.as_slice() {
                [x, y, z, r] => Ok(Some(Self::Ball([*x, *y, *z], *r))),
                _ => Err(wrong("ball(x,y,z,r)")),
            },
            _ => Ok(None),
        }
    }

    /// Whether a point lies inside.
    pub fn holds(&self, origin: [f32; 3]) -> bool {
        match self {
            Self::Box(spans) => {
                let mut axes = origin.into_iter().zip(spans);
                axes.all(|(value, [low, high])| *low <= value && value <= *high)
            }
            Self::Ball(middle, radius) => square(origin, *middle, true) < radius * radius,
        }
    }
}

/// The square of a distance, on the plan or in space.
fn square([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3], tall: bool) -> f32 {
    let [x, y, z] = [ax - bx, ay - by, if tall { az - bz } else { 0.0 }];
    x * x + y * y + z * z
}

impl<K: Copy + PartialEq + From<AnyKey> + Into<AnyKey>> Scope<K> {
    /// The nodes that a word selects, else the selected ones.
    ///
    /// # Errors
    /// Those of [`select`](Self::select), and if neither names any.
    pub fn nodes(&mut self, editor: &dyn Items, word: Option<Word<'_>>) -> Result<Vec<K>, Refusal> {
        match word {
            Some(word) => self.select(editor, &word),
            None if self.selection.is_empty() => Err(Refusal::new("no node is named or selected")),
            None => Ok(self.selection.items()),
        }
    }

    /// The nodes that a word selects, else the selected ones, else all.
    ///
    /// # Errors
    /// Those of [`select`](Self::select).
    pub fn nodes_or_all(&mut self, editor: &dyn Items, word: Option<Word<'_>>) -> Result<Vec<K>, Refusal> {
        match word {
            None if self.selection.is_empty() => {
                let all = editor.all();
                self.look(CHOSEN.saturating_mul(all.len() as u64), editor)?;
                Ok(all.into_iter().map(K::from).collect())
            }
            word => self.nodes(editor, word),
        }
    }

    /// The two nodes that the next words name.
    ///
    /// # Errors
    /// If a word is missing or does not name one node, or both name the same.
    pub fn pair(&mut self, editor: &dyn Items, command: &mut Command<'_>) -> Result<[K; 2], Refusal> {
        let (a, b) = (command.need("a node")?, command.need("another node")?);
        let [from, to] = [self.one(editor, &a)?, self.one(editor, &b)?];
        match from == to {
            true => Err(Refusal::new(format!("{} and {} are one node", a.text, b.text)).at(b.at)),
            false => Ok([from, to]),
        }
    }

    /// The two ends of a link that the next words name: as [`pair`](Self::pair), or one node, which files link to itself.
    ///
    /// # Errors
    /// If a word is missing or does not name one node.
    pub fn ends(&mut self, editor: &dyn Items, command: &mut Command<'_>) -> Result<[K; 2], Refusal> {
        let (a, b) = (command.need("a node")?, command.need("another node")?);
        Ok([self.one(editor, &a)?, self.one(editor, &b)?])
    }
}

impl<'s> Command<'s> {
    /// The operands that are left, which are all there is: options were taken before.
    ///
    /// # Errors
    /// If an option is left that nobody took.
    pub fn rest(&mut self) -> Result<Vec<Word<'s>>, Refusal> {
        let words = std::iter::from_fn(|| self.take()).collect();
        self.finish().map(|()| words)
    }

    /// The operands of `move DX DY DZ [SELECTOR]`, which are all there are.
    ///
    /// # Errors
    /// If a distance is missing or no number, or there are more words.
    pub fn shift(&mut self) -> Result<([f32; 3], Option<Word<'s>>), Refusal> {
        let by = [
            self.number("the distance in x")?,
            self.number("the distance in y")?,
            self.number("the distance in z")?,
        ];
        let word = self.take();
        self.finish()?;
        Ok((by, word))
    }
}
