//! Strings that cannot leave their quotes.

use std::fmt::{self, Display, Write};

/// A JSON string with its quotes.
pub(super) struct Json<'a>(pub(super) &'a str);

impl Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// XML text. Characters that XML forbids become U+FFFD.
pub(super) struct Xml<'a>(pub(super) &'a str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_char('\u{fffd}'),
            c => f.write_char(c),
        })
    }
}

/// A quoted string of DOT.
pub(super) struct Dot<'a>(pub(super) &'a str);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                c if c.is_control() => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_their_quotes() {
        let name = "a\"b\\c\n<&>\u{1}";
        assert_eq!(Json(name).to_string(), "\"a\\\"b\\\\c\\u000a<&>\\u0001\"");
        assert_eq!(Xml(name).to_string(), "a&quot;b\\c\u{fffd}&lt;&amp;&gt;\u{fffd}");
        assert_eq!(Dot(name).to_string(), "\"a\\\"b\\\\c <&> \"");
    }
}
