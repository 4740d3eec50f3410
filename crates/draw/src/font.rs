//! A small stroke font of our own, so that PNG pictures need no font file and look the same everywhere.
//!
//! Letters consist of strokes of one width with round ends. Cap height is 14, x-height 10, the base line 0, and
//! descenders reach -4. A stroke is `l` (straight lines), `c` (a quadratic curve from the first point to the last, bent
//! towards those between) or `o` (a closed curve). The same point twice in a curve makes a corner.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Units of the letters' grid in one font size: cap height is 0.7 of it.
pub(super) const UNITS: f32 = 20.0;
const SPACING: f32 = 3.1;

/// One letter.
#[derive(Debug)]
pub(super) struct Glyph {
    pub(super) width: f32,
    pub(super) strokes: Vec<Stroke>,
}

/// One stroke of a letter.
#[derive(Debug)]
pub(super) enum Stroke {
    Lines(Vec<[f32; 2]>),
    Curve(Vec<[f32; 2]>),
    Closed(Vec<[f32; 2]>),
}

/// The letters of a line with their positions, in grid units from the start.
pub(super) fn set(words: &str) -> impl Iterator<Item = (f32, &'static Glyph)> {
    let mut at = 0.0;
    words.chars().map(move |letter| {
        let glyph = GLYPHS.get(&letter).or_else(|| GLYPHS.get(&plain(letter)?));
        let glyph = glyph.unwrap_or(&GLYPHS[&'\u{fffd}']);
        let here = at;
        at += glyph.width + SPACING;
        (here, glyph)
    })
}

/// Width of a line at a font size.
pub(super) fn width(words: &str, size: f32) -> f32 {
    let units = set(words).last().map_or(0.0, |(at, glyph)| at + glyph.width);
    units * size / UNITS
}

/// The letter of ASCII that an accented Latin letter is read as without its accent.
fn plain(letter: char) -> Option<char> {
    // From U+00C0 and from U+0100 on; a blank where there is none.
    const SUPPLEMENT: &[u8; 64] = b"AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo ouuuuyty";
    const EXTENDED: &[u8; 128] =
        b"AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
    let at = letter as usize;
    let table: &[u8] = if at < 0x100 { SUPPLEMENT } else { EXTENDED };
    let first = if at < 0x100 { 0xC0 } else { 0x100 };
    let plain = table.get(at.checked_sub(first)?).copied()?;
    (plain != b' ').then_some(char::from(plain))
}

static GLYPHS: LazyLock<HashMap<char, Glyph>> = LazyLock::new(|| {
    let mut glyphs: HashMap<char, Glyph> = TABLE.lines().filter_map(parse).collect();
    glyphs.insert(' ', Glyph { width: 3.4, strokes: Vec::new() });
    glyphs
});

fn parse(line: &str) -> Option<(char, Glyph)> {
    let mut letters = line.chars();
    let letter = letters.next()?;
    let strokes: Vec<Stroke> = letters.as_str().split(';').filter_map(stroke).collect();
    let width = strokes.iter().flat_map(Stroke::points).fold(0f32, |widest, p| widest.max(p[0]));
    Some((letter, Glyph { width, strokes }))
}

fn stroke(text: &str) -> Option<Stroke> {
    let mut parts = text.split_whitespace();
    let kind = parts.next()?;
    let points = parts
        .filter_map(|part| {
            let (x, y) = part.split_once(',')?;
            Some([x.parse().ok()?, y.parse().ok()?])
        })
        .collect();
    Some(match kind {
        "l" => Stroke::Lines(points),
        "c" => Stroke::Curve(points),
        _ => Stroke::Closed(points),
    })
}

impl Stroke {
    fn points(&self) -> &[[f32; 2]] {
        match self {
            Self::Lines(points) | Self::Curve(points) | Self::Closed(points) => points,
        }
    }
}

const TABLE: &str = "\
! l 0.5,14 0.5,4.5; l 0.5,0 0.5,0.1
\" l 0.5,14 0.5,10.5; l 3.5,14 3.5,10.5
# l 2.5,0 4.5,14; l 6.5,0 8.5,14; l 1,9.5 10.5,9.5; l 0,4.5 9.5,4.5
$ c 8.8,10.6 8.5,13 0.3,13 0.3,7.6 9.2,6.8 9.2,1 0.3,1 0,3.4; l 4.6,15.5 4.6,-1.5
% o 0,8.5 4.6,8.5 4.6,14 0,14; l 1.2,0 11,14; o 7.6,0 12.2,0 12.2,5.5 7.6,5.5
& c 10,0 3,8 1.2,10 1.2,14 4.5,14 7.5,14 7.5,9.5 4,8 0,6.5 0,0 4.5,0 9,0 9.5,6
' l 0.5,14 0.5,10.5
( c 3.5,16 0,12 0,2 3.5,-2
) c 0,16 3.5,12 3.5,2 0,-2
* l 3,14 3,8; l 0.4,12.5 5.6,9.5; l 0.4,9.5 5.6,12.5
+ l 4,2.5 4,10.5; l 0,6.5 8,6.5
, l 1,0.3 0.2,-2.6
- l 0,5.5 4.6,5.5
. l 0.5,0 0.5,0.1
/ l 0,-1.5 6,15
0 o 0,0 9,0 9,7 9,14 0,14 0,7
1 l 0.5,11 4.2,14 4.2,0
2 c 0.3,10.3 0.3,14 8.8,14 8.8,8.5 6.5,5.5 0,0 0,0 9,0
3 l 0.6,14 8.6,14 4.2,8.6; c 4.2,8.6 9.4,8.8 9.4,0 0.6,0 0,2.6
4 l 7,0 7,14 0,4 9.5,4
5 c 8.3,14 1,14 1,14 0.6,7.4 0.6,7.4 2.2,9.3 9.2,9.3 9.2,0 0.8,0 0,2.8
6 c 8.3,12.2 7.3,14 0,14 0,8 0,4.4; o 0,0 9,0 9,8.8 0,8.8
7 l 0,14 9,14 3,0
8 o 0.6,7.6 8.4,7.6 8.4,14 0.6,14; o 0,0 9,0 9,7.6 0,7.6
9 c 0.7,1.8 1.7,0 9,0 9,6 9,9.6; o 9,14 0,14 0,5.2 9,5.2
: l 0.5,0.4 0.5,0.5; l 0.5,8.6 0.5,8.7
; l 0.8,8.6 0.8,8.7; l 1,0.3 0.2,-2.6
< l 7,11 0,6.5 7,2
= l 0,8.7 8,8.7; l 0,4.5 8,4.5
> l 0,11 7,6.5 0,2
? c 0,11 0,14 8,14 8,9 4,8 4,4.5; l 4,0 4,0.1
@ o 3.6,2.6 9.4,2.6 9.4,9.2 3.6,9.2; c 9.4,9 9.4,2 13.4,2 13.4,13 0,13 0,-2 7,-2 10,-2
A l 0,0 5,14 10,0; l 1.9,5 8.1,5
B l 0,0 0,14; c 0,14 2,14 8.5,14 8.5,7.5 2,7.5 0,7.5; c 0,7.5 2.5,7.5 9.3,7.5 9.3,0 2.5,0 0,0
C c 9.3,11 8.6,14 0,14 0,7 0,0 8.6,0 9.3,3
D l 0,0 0,14; c 0,14 1,14 9.6,14 9.6,7 9.6,0 1,0 0,0
E l 8,14 0,14 0,0 8.2,0; l 0,7.3 7,7.3
F l 8,14 0,14 0,0; l 0,7 7,7
G c 9.3,11.2 8.6,14 0,14 0,7 0,0 9.6,0 9.6,4 9.6,6.4; l 9.6,6.4 5.4,6.4
H l 0,0 0,14; l 9,0 9,14; l 0,7.3 9,7.3
I l 0.5,0 0.5,14
J c 5.6,14 5.6,6 5.6,0 0.2,0 0,3
K l 0,0 0,14; l 8.8,14 0,5; l 3.4,8.5 9.2,0
L l 0,14 0,0 7.6,0
M l 0,0 0,14 5.5,4.5 11,14 11,0
N l 0,0 0,14 9,0 9,14
O o 0,0 10,0 10,7 10,14 0,14 0,7
P l 0,0 0,14; c 0,14 1.5,14 9,14 9,6.3 1.5,6.3 0,6.3
Q o 0,0 10,0 10,7 10,14 0,14 0,7; l 6.2,3.8 10,-0.6
R l 0,0 0,14; c 0,14 1.5,14 9,14 9,6.3 1.5,6.3 0,6.3; l 4.8,6.3 9.2,0
S c 8.8,11.2 8.5,14 0.3,14 0.3,7.6 9.2,6.8 9.2,0 0.3,0 0,2.9
T l 0,14 9.5,14; l 4.75,14 4.75,0
U c 0,14 0,9 0,0 9,0 9,9 9,14
V l 0,14 5,0 10,14
W l 0,14 3.4,0 7,12 10.6,0 14,14
X l 0,0 9.2,14; l 0,14 9.2,0
Y l 0,14 4.8,6.8 9.6,14; l 4.8,6.8 4.8,0
Z l 0,14 9,14 0,0 9.2,0
[ l 3.5,16 0,16 0,-2 3.5,-2
\\ l 0,15 6,-1.5
] l 0,16 3.5,16 3.5,-2 0,-2
^ l 0,9 3.5,14 7,9
_ l 0,-2.5 8.5,-2.5
` l 0,14 2,11.5
a c 0.8,8.2 1.4,10 7.6,10 7.6,6 7.6,0; c 7.6,5.9 5.5,5.9 0,5.9 0,0 6.6,-0.3 7.6,2.6
b l 0,14 0,0; o 0,0 8.4,0 8.4,10 0,10
c c 7.6,7.8 7,10 0,10 0,5 0,0 7,0 7.6,2.2
d l 8.4,14 8.4,0; o 0,0 8.4,0 8.4,10 0,10
e c 0.1,5.3 8.2,5.3 8.2,5.3 8.2,10 0,10 0,5 0,0 7.2,-0.2 7.8,2.3
f c 5,14 2,14 2,10.5 2,0; l 0,9.8 4.8,9.8
g o 0,0 8.4,0 8.4,10 0,10; c 8.4,10 8.4,2 8.4,-4 0.8,-4 0.6,-1.8
h l 0,14 0,0; c 0,5 0,10 7.6,10 7.6,5.5 7.6,0
i l 0.5,10 0.5,0; l 0.5,13.6 0.5,13.7
j c 2,10 2,0 2,-4 0,-4; l 2,13.6 2,13.7
k l 0,14 0,0; l 7,10 0,3.6; l 2.8,6.2 7.4,0
l l 0.5,14 0.5,0
m l 0,10 0,0; c 0,5.5 0,10 6,10 6,5.5 6,0; c 6,5.5 6,10 12,10 12,5.5 12,0
n l 0,10 0,0; c 0,5.5 0,10 7.6,10 7.6,5.5 7.6,0
o o 0,0 8.6,0 8.6,10 0,10
p l 0,10 0,-4; o 0,0 8.4,0 8.4,10 0,10
q l 8.4,10 8.4,-4; o 0,0 8.4,0 8.4,10 0,10
r l 0,10 0,0; c 0,5.5 0.2,10 3.2,10 4.8,9.8
s c 6.9,8 6.6,10 0.3,10 0.3,5.6 7.2,4.8 7.2,0 0.2,0 0,2.1
t c 2,13 2,6 2,0 5,0.2; l 0,9.8 5,9.8
u c 0,10 0,4.5 0,0 7.6,0 7.6,5; l 7.6,10 7.6,0
v l 0,10 3.9,0 7.8,10
w l 0,10 2.8,0 5.6,9 8.4,0 11.2,10
x l 0,0 7.2,10; l 0,10 7.2,0
y l 0,10 3.9,0; c 7.8,10 4.2,0.8 3,-4 0,-3.9
z l 0,10 7,10 0,0 7.2,0
{ c 4,16 1.8,16 1.8,12 1.8,7 0,7; c 0,7 1.8,7 1.8,2 1.8,-2 4,-2
| l 0.5,16 0.5,-3
} c 0,16 2.2,16 2.2,12 2.2,7 4,7; c 4,7 2.2,7 2.2,2 2.2,-2 0,-2
~ c 0,5.5 1.5,8.5 4,6.5 6.5,4.5 8,7.5
\u{b7} l 0.5,6.5 0.5,6.6
\u{d7} l 0,3 7,10; l 0,10 7,3
\u{b2} c 0,12 0,14.5 4.5,14.5 4.5,11.5 3.5,10 0,7.5 0,7.5 4.6,7.5
\u{b0} o 0,9.5 4.5,9.5 4.5,14 0,14
\u{2013} l 0,5.5 7.5,5.5
\u{2026} l 0.5,0 0.5,0.1; l 5,0 5,0.1; l 9.5,0 9.5,0.1
\u{2212} l 0,6.5 8,6.5
\u{2264} l 7,12 0,7.8 7,3.6; l 0,1 7,1
\u{2265} l 0,12 7,7.8 0,3.6; l 0,1 7,1
\u{fffd} l 0,0 7,0 7,14 0,14 0,0";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_of_ascii_has_a_shape() {
        for letter in '!'..='~' {
            let glyph = GLYPHS.get(&letter).unwrap_or_else(|| panic!("{letter} is missing"));
            assert!(
                !glyph.strokes.is_empty() && glyph.strokes.iter().all(|s| s.points().len() >= 2),
                "{letter}"
            );
        }
        let apart: Vec<f32> = set("\u{416}i").map(|(at, _)| at).collect();
        assert_eq!(apart, [0.0, 7.0 + SPACING], "a letter that is not there is a box");
    }

    #[test]
    fn accented_letters_have_the_shape_of_their_letter() {
        for (accented, letter) in "\u{c5}\u{df}\u{e9}\u{ff}\u{100}\u{107}\u{11b}\u{131}\u{142}\u{144}\u{159}\u{15f}\u{16f}\u{17e}\u{17f}"
            .chars()
            .zip("AseyAceilnrsuzs".chars())
        {
            assert_eq!(plain(accented), Some(letter), "{accented}");
        }
        assert_eq!(plain('\u{f7}'), None);
        assert_eq!(plain('\u{416}'), None);
        assert_eq!(plain('\u{b5}'), None);
    }

    #[test]
    fn width_grows_with_size() {
        assert_eq!(width("", 20.0), 0.0);
        assert_eq!(width("mesh", 40.0), 2.0 * width("mesh", 20.0));
    }
}
