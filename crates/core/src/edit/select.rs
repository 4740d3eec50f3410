//! The selector language, which names items without a cursor.

use super::refusal::{Refusal, Spot};
use super::script::Word;

/// The items that an operand names. Parsed from one word of a script, and borrows from it.
///
/// ```text
/// expression = term { ("+" | "," | "-" | "&") term }      "&" binds tighter; "," is "+"; "-" leaves out
/// term       = "!" term | "(" expression ")" | atom
/// atom       = [space] "#" id                       #4641, L#3
///            | ["~"] [space] "@" x "," y ["," z]    the item there; "~": the nearest
///            | name ["(" argument { "," argument } ")"]
/// ```
///
/// A record of a plugin may be a space or a name as messages print it: `[NAVM:01000902]` is `01000902`.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector<'s> {
    /// What one name stands for.
    Atom(Atom<'s>),
    /// The items of the left, then those of the right that are not in the left.
    Union(Box<Self>, Box<Self>),
    /// The items of the left that are not in the right.
    Without(Box<Self>, Box<Self>),
    /// The items of the left that are also in the right.
    Both(Box<Self>, Box<Self>),
    /// All other items.
    Not(Box<Self>),
}

/// The smallest part of a selector.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom<'s> {
    /// An item by its id, in a space of ids: `#12` is in the space `""`, `L#3` in `L`.
    Id {
        /// Letters before the `#`.
        space: &'s str,
        /// What follows it.
        id: &'s str,
    },
    /// The item at a point: `@x,y` or `@x,y,z`.
    Point {
        /// Letters before the `@`.
        space: &'s str,
        /// Whether the nearest item is wanted: `~@`.
        nearest: bool,
        /// Two or three finite coordinates.
        at: Vec<f32>,
    },
    /// A name, with arguments if it has parentheses: `all`, `box(0,0,9,9)`.
    Name {
        /// The name as written.
        name: &'s str,
        /// The arguments, without blanks around them and without their quotes.
        arguments: Vec<&'s str>,
    },
}

/// A FormID has so many digits, and an editor may know it by itself.
const FORM_DIGITS: usize = 8;

/// The deepest nesting. Nobody nests deeper by hand.
const DEEPEST: u32 = 64;

impl<'s> Selector<'s> {
    /// Parses a word.
    ///
    /// # Errors
    /// If the word is not a selector. The refusal says what was expected, and where.
    pub fn parse(word: &Word<'s>) -> Result<Self, Refusal> {
        let mut parser = Parser { text: word.text, at: 0, spot: word.at };
        let parsed = parser.expression(0)?;
        match parser.peek() {
            None => Ok(parsed),
            // So commands of Quake name a node.
            Some('[') => {
                let refusal = parser.expected("+, -, & or the end");
                let why = format!("{}; an item is named by its id: #3", refusal.why());
                Err(refusal.spot().map_or(Refusal::new(&why), |at| Refusal::new(&why).at(at)))
            }
            Some(_) => Err(parser.expected("+, -, & or the end")),
        }
    }
}

struct Parser<'s> {
    text: &'s str,
    at: usize,
    spot: Spot,
}

impl<'s> Parser<'s> {
    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        if there {
            self.at += c.len_utf8();
        }
        there
    }

    fn while_(&mut self, keep: impl Fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let len = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    #[cold]
    fn expected(&self, what: &str) -> Refusal {
        let passed = self.text.get(..self.at).unwrap_or_default().chars().count();
        let column = self.spot.column.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        let found = self.rest().chars().next();
        let found = found.map_or("the end of the operand".to_owned(), |c| c.escape_debug().to_string());
        Refusal::new(format!("{found} where {what} was expected")).at(Spot { column, ..self.spot })
    }

    fn expression(&mut self, depth: u32) -> Result<Selector<'s>, Refusal> {
        let mut left = self.product(depth)?;
        // Terms after a run of one operator form a balanced tree: a hundred thousand of them are only seventeen deep.
        let mut turns = 0;
        loop {
            let union = matches!(self.peek(), Some('+' | ','));
            let mut run = Vec::new();
            while if union { self.take('+') || self.take(',') } else { self.take('-') } {
                run.push(self.product(depth)?);
            }
            let Some(right) = balanced(run, Selector::Union) else { return Ok(left) };
            turns += 1;
            if turns > DEEPEST {
                return Err(self.expected("no more turns between + and -"));
            }
            left = match union {
                true => Selector::Union(left.into(), right.into()),
                false => Selector::Without(left.into(), right.into()),
            };
        }
    }

    fn product(&mut self, depth: u32) -> Result<Selector<'s>, Refusal> {
        let mut terms = vec![self.term(depth)?];
        while self.take('&') {
            terms.push(self.term(depth)?);
        }
        balanced(terms, Selector::Both).ok_or_else(|| self.expected("a term"))
    }

    fn term(&mut self, depth: u32) -> Result<Selector<'s>, Refusal> {
        if depth > DEEPEST {
            return Err(self.expected("nothing nested deeper"));
        }
        if self.take('!') {
            return Ok(Selector::Not(self.term(depth + 1)?.into()));
        }
        if self.take('(') {
            let inner = self.expression(depth + 1)?;
            return if self.take(')') { Ok(inner) } else { Err(self.expected("+, -, & or )")) };
        }
        self.atom().map(Selector::Atom)
    }

    fn atom(&mut self) -> Result<Atom<'s>, Refusal> {
        let nearest = self.take('~');
        self.peek();
        let name = if self.take('[') { self.record()? } else { self.word() };
        if self.take('@') {
            return Ok(Atom::Point { space: name, nearest, at: self.numbers()? });
        }
        if nearest {
            return Err(self.expected("@ and a point"));
        }
        if self.take('#') {
            let id = self.while_(|c| c.is_alphanumeric() || matches!(c, ':' | '.' | '_'));
            return if id.is_empty() {
                Err(self.expected("an id"))
            } else {
                Ok(Atom::Id { space: name, id })
            };
        }
        if name.is_empty() {
            return Err(self.expected("an id (#12), a point (@x,y) or a name"));
        }
        let arguments = if self.take('(') {
            self.arguments()?
        } else if name.len() != FORM_DIGITS && name.bytes().all(|byte| byte.is_ascii_digit()) {
            let refusal = Refusal::new(format!("{name} where an id was expected"));
            return Err(refusal.or(vec![format!("#{name}")]).at(self.spot));
        } else {
            Vec::new()
        };
        Ok(Atom::Name { name, arguments })
    }

    fn word(&mut self) -> &'s str {
        self.while_(|c| c.is_alphanumeric() || c == '_')
    }

    /// The name of a record as messages print it, after the bracket: `[NAVM:01000902]` is `01000902`.
    fn record(&mut self) -> Result<&'s str, Refusal> {
        self.word();
        if !self.take(':') {
            return Err(self.expected(":"));
        }
        let name = self.word();
        if self.take(']') { Ok(name) } else { Err(self.expected("]")) }
    }

    fn numbers(&mut self) -> Result<Vec<f32>, Refusal> {
        let mut numbers = Vec::new();
        loop {
            self.peek();
            let start = self.at;
            let rest = self.rest();
            let mut len = 0;
            for (i, c) in rest.char_indices() {
                let after = rest.get(..i).unwrap_or_default();
                let sign = matches!(c, '+' | '-') && (i == 0 || after.ends_with(['e', 'E']));
                if !(c.is_ascii_digit() || c == '.' || sign || (i > 0 && matches!(c, 'e' | 'E'))) {
                    break;
                }
                len = i + c.len_utf8();
            }
            self.at += len;
            let Some(number) = rest.get(..len).and_then(number) else {
                self.at = start;
                return Err(self.expected("a number"));
            };
            numbers.push(number);
            if !self.more_numbers(numbers.len()) {
                return if (2..=3).contains(&numbers.len()) {
                    Ok(numbers)
                } else {
                    Err(self.expected("a point of two or three numbers"))
                };
            }
        }
    }

    /// Takes the comma between two numbers of a point. Behind two numbers, one that no number follows is that of a union:
    /// `@1,2,#3`.
    fn more_numbers(&mut self, taken: usize) -> bool {
        let after = self.rest().trim_start().strip_prefix(',').map(str::trim_start);
        let number =
            after.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)));
        (number || taken < 2) && self.take(',')
    }

    /// Takes the arguments up to the closing parenthesis, which the script has already found. Commas separate them, except inside
    /// nested parentheses or quotes.
    fn arguments(&mut self) -> Result<Vec<&'s str>, Refusal> {
        let rest = self.rest();
        let (mut depth, mut quoted, mut start) = (0_usize, false, 0);
        let mut arguments = Vec::new();
        for (i, c) in rest.char_indices() {
            match c {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                ')' | ',' if depth == 0 => {
                    let argument = rest.get(start..i).unwrap_or_default().trim();
                    let bare = argument.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
                    arguments.push(bare.unwrap_or(argument));
                    start = i + 1;
                    if c == ')' {
                        self.at += start;
                        let none = matches!(arguments.as_slice(), [only] if only.is_empty());
                        return Ok(if none { Vec::new() } else { arguments });
                    }
                }
                _ => {}
            }
        }
        Err(self.expected("a closing )"))
    }
}

/// Joins terms in pairs, then the pairs, so that the tree is as shallow as possible. The order of the terms stays.
fn balanced<'s>(
    mut terms: Vec<Selector<'s>>,
    join: fn(Box<Selector<'s>>, Box<Selector<'s>>) -> Selector<'s>,
) -> Option<Selector<'s>> {
    while terms.len() > 1 {
        let mut halves = Vec::with_capacity(terms.len().div_ceil(2));
        let mut rest = terms.into_iter();
        while let Some(left) = rest.next() {
            halves.push(match rest.next() {
                Some(right) => join(left.into(), right.into()),
                None => left,
            });
        }
        terms = halves;
    }
    terms.pop()
}

/// A finite number.
pub fn number(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Selector<'_>, String> {
        let word = Word { text, quoted: false, at: Spot { line: 1, column: 1 } };
        Selector::parse(&word).map_err(|refusal| refusal.to_string())
    }

    fn id(id: &str) -> Box<Selector<'_>> {
        Box::new(Selector::Atom(Atom::Id { space: "", id }))
    }

    #[test]
    fn a_comma_joins_as_a_plus_does() {
        for (comma, plus) in [
            ("#1,#2,#3", "#1+#2+#3"),
            ("#1,#2-#3", "#1+#2-#3"),
            ("#1, all&!#2", "#1+all&!#2"),
            ("@1,2,#3", "@1,2+#3"),
            ("@1,2,-3,@4,5", "@1,2,-3+@4,5"),
            ("~@1,2,3,place(a,b)", "~@1,2,3+place(a,b)"),
            ("(#1,#2)&#3", "(#1+#2)&#3"),
        ] {
            assert_eq!(parse(comma), parse(plus), "{comma}");
            assert!(parse(comma).is_ok(), "{comma}");
        }
        assert_eq!(
            parse("@1,2,3,4").unwrap_err(),
            "1:9: the end of the operand where a point of two or three numbers was expected"
        );
        assert!(parse("@1,#2").is_err() && parse("#1,").is_err() && parse(",#1").is_err());
    }

    #[test]
    fn operators_bind_from_the_left_and_both_binds_tighter() {
        let both = Selector::Both(id("2"), id("3"));
        let sum = Selector::Union(id("1"), both.into());
        assert_eq!(parse("#1+#2&#3-#4"), Ok(Selector::Without(sum.into(), id("4"))));
        assert_eq!(parse("!(#1)"), Ok(Selector::Not(id("1"))));
    }

    #[test]
    fn atoms_are_ids_points_and_names() {
        assert_eq!(parse("L#3"), Ok(Selector::Atom(Atom::Id { space: "L", id: "3" })));
        let point =
            |nearest, at: &[f32]| Ok(Selector::Atom(Atom::Point { space: "", nearest, at: at.into() }));
        assert_eq!(parse("@-1.5,2e-1"), point(false, &[-1.5, 0.2]));
        assert_eq!(parse("~@1,-2,3"), point(true, &[1.0, -2.0, 3.0]));
        let name = |name, arguments: &[&'static str]| {
            Ok(Selector::Atom(Atom::Name { name, arguments: arguments.into() }))
        };
        assert_eq!(parse("all"), name("all", &[]));
        assert_eq!(parse("[NAVM:01000902]"), name("01000902", &[]));
        assert_eq!(parse("[NAVM:01000902]#3"), Ok(Selector::Atom(Atom::Id { space: "01000902", id: "3" })));
        assert_eq!(parse("place()"), name("place", &[]));
        assert_eq!(parse("place(\"a, b\")"), name("place", &["a, b"]));
        assert_eq!(parse("flood(#1+box(0, 1), in)"), name("flood", &["#1+box(0, 1)", "in"]));
        assert_eq!(
            parse("@1,2-#3"),
            Ok(Selector::Without(
                Selector::Atom(Atom::Point { space: "", nearest: false, at: vec![1.0, 2.0] }).into(),
                id("3")
            ))
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_column() {
        assert_eq!(
            parse("#1+").unwrap_err(),
            "1:4: the end of the operand where an id (#12), a point (@x,y) or a name was expected"
        );
        assert_eq!(parse("12").unwrap_err(), "1:1: 12 where an id was expected; did you mean #12?");
        assert_eq!(parse("[NAVM:010").unwrap_err(), "1:10: the end of the operand where ] was expected");
        assert_eq!(parse("#").unwrap_err(), "1:2: the end of the operand where an id was expected");
        assert_eq!(parse("@1,x").unwrap_err(), "1:4: x where a number was expected");
        assert_eq!(parse("@1,1e99").unwrap_err(), "1:4: 1 where a number was expected");
        assert_eq!(parse("#1 #2").unwrap_err(), "1:4: # where +, -, & or the end was expected");
        let refused = parse("Nodes[3]").unwrap_err();
        assert_eq!(refused, "1:6: [ where +, -, & or the end was expected; an item is named by its id: #3");
        assert!(parse(&format!("#1{}", "+#2".repeat(100_000))).is_ok());
        assert!(parse(&format!("#1{}", "-#2".repeat(100_000))).is_ok());
        assert!(parse(&format!("#1{}", "&#2".repeat(100_000))).is_ok());
        assert!(parse(&format!("#1{}", "+#2-#3".repeat(10_000))).unwrap_err().contains("no more turns"));
        assert!(parse(&"!".repeat(10_000)).unwrap_err().contains("nothing nested deeper"));
    }
}
