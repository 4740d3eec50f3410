//! Renders a scene as SVG.

use super::font;
use super::mesh;
use super::scene::{Anchor, Figure, Item, Scene, Style, Text};
use navmap_core::colour::Colour;
use navmap_core::graph::FlatGraph;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};

const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/// Writes a whole document from scenes and their positions on the page. `told` is the graph for tooltips.
pub(super) fn write(
    out: &mut dyn Write,
    [width, height]: [f32; 2],
    page: Colour,
    scenes: &[([f32; 2], &Scene)],
    description: &str,
    told: Option<&FlatGraph>,
) -> io::Result<()> {
    let mut classes = Classes::default();
    for (_, scene) in scenes {
        scene.items.iter().for_each(|item| classes.note(item));
    }
    let mut text = String::with_capacity(1 << 16);
    let (w, h) = (Tenths(width), Tenths(height));
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">"
    );
    let _ = writeln!(text, "<desc>{}</desc>", Escaped(description));
    let _ = write!(
        text,
        "<style>text{{font-family:{FONTS}}}path{{fill:none;stroke-linejoin:round;stroke-linecap:round}}"
    );
    classes.css(&mut text);
    text.push_str("</style>\n");
    let _ = writeln!(text, "<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>", Hex(page));
    let mut clips = 0;
    let mut tips = Tips { told, words: String::new() };
    for ([x, y], scene) in scenes {
        let moved = *x != 0.0 || *y != 0.0;
        if moved {
            let _ = writeln!(text, "<g transform=\"translate({} {})\">", Tenths(*x), Tenths(*y));
        }
        for item in &scene.items {
            draw(&mut text, out, item, &classes, &mut clips, &mut tips)?;
        }
        if moved {
            text.push_str("</g>\n");
        }
    }
    text.push_str("</svg>\n");
    out.write_all(text.as_bytes())
}

/// Passes the text on if it has become long: a large mesh is never in memory twice.
fn pass_on(text: &mut String, out: &mut dyn Write) -> io::Result<()> {
    if text.len() > 1 << 16 {
        out.write_all(text.as_bytes())?;
        text.clear();
    }
    Ok(())
}

fn draw(
    text: &mut String,
    out: &mut dyn Write,
    item: &Item,
    classes: &Classes,
    clips: &mut usize,
    tips: &mut Tips<'_>,
) -> io::Result<()> {
    match item {
        Item::Shape(shape) => {
            let _ = write!(text, "<path class=\"{}\" d=\"", classes.of(&shape.style));
            for (figure, points) in shape.path.iter() {
                outline(text, figure, points);
                pass_on(text, out)?;
            }
            match tips.for_node(shape.tip) {
                None => text.push_str("\"/>\n"),
                Some(tip) => {
                    let _ = writeln!(text, "\"><title>{}</title></path>", Escaped(tip));
                }
            }
        }
        Item::Text(words) => write_text(text, words),
        Item::Clip([x, y, width, height]) => {
            let [x, y, width, height] = [x, y, width, height].map(|v| Tenths(*v));
            let _ = writeln!(
                text,
                "<clipPath id=\"k{clips}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath><g clip-path=\"url(#k{clips})\">"
            );
            *clips += 1;
        }
        Item::Unclip => text.push_str("</g>\n"),
    }
    pass_on(text, out)
}

/// Tooltips, written one after the other into one buffer.
struct Tips<'g> {
    told: Option<&'g FlatGraph>,
    words: String,
}

impl Tips<'_> {
    fn for_node(&mut self, node: Option<u32>) -> Option<&str> {
        self.words.clear();
        mesh::tip(self.told?, node?, &mut self.words);
        Some(&self.words)
    }
}

/// Writes path data in tenths of a pixel, relative within a figure. Steps lead from one rounded point to the next, so errors do
/// not accumulate.
fn outline(text: &mut String, figure: Figure, points: &[[f32; 2]]) {
    let tenths = |p: [f32; 2]| p.map(|v| (v.clamp(-1e6, 1e6) * 10.0).round() as i32);
    let Some((&first, rest)) = points.split_first() else { return };
    let mut here = tenths(first);
    if figure == Figure::Circle {
        let radius = Tenths(rest.first().map_or(0.0, |rim| rim[0] - first[0]));
        let diameter = Tenths(radius.0 * 2.0);
        let _ = write!(text, "M{} {}", Tenths(first[0] - radius.0), Tenths(first[1]));
        let _ = write!(text, "a{radius} {radius} 0 1 0 {diameter} 0a{radius} {radius} 0 1 0 -{diameter} 0z");
        return;
    }
    let _ = write!(text, "M{} {}", Fixed(here[0]), Fixed(here[1]));
    for (i, &point) in rest.iter().enumerate() {
        let there = tenths(point);
        let (dx, dy) = (there[0] - here[0], there[1] - here[1]);
        text.push(if i == 0 { 'l' } else { ' ' });
        let _ = write!(text, "{}", Fixed(dx));
        if dy >= 0 {
            text.push(' ');
        }
        let _ = write!(text, "{}", Fixed(dy));
        here = there;
    }
    if figure == Figure::Polygon {
        text.push('z');
    }
}

fn write_text(text: &mut String, words: &Text) {
    let anchor = match words.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let _ = write!(
        text,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}",
        Tenths(words.at[0]),
        Tenths(words.at[1]),
        Tenths(words.size),
        Hex(words.colour),
    );
    if words.bold {
        text.push_str(" font-weight=\"600\"");
    }
    if let Some(rim) = words.rim {
        let width = Tenths(words.size * 0.22);
        let _ = write!(
            text,
            " stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
            Hex(rim)
        );
    }
    if words.tight {
        let long = Tenths(font::width(&words.words, words.size));
        let _ = write!(text, " textLength=\"{long}\" lengthAdjust=\"spacingAndGlyphs\"");
    }
    let _ = writeln!(text, ">{}</text>", Escaped(&words.words));
}

/// Styles, each with the name of its class.
#[derive(Default)]
struct Classes {
    names: HashMap<Key, usize>,
    styles: Vec<Style>,
}

type Key = (Option<Colour>, Option<(Colour, u32)>, Option<u32>);

fn key(style: &Style) -> Key {
    (style.fill, style.stroke.map(|(colour, width)| (colour, width.to_bits())), style.dash.map(f32::to_bits))
}

impl Classes {
    fn note(&mut self, item: &Item) {
        if let Item::Shape(shape) = item {
            let next = self.styles.len();
            let name = *self.names.entry(key(&shape.style)).or_insert(next);
            if name == next {
                self.styles.push(shape.style);
            }
        }
    }

    fn of(&self, style: &Style) -> Class {
        Class(self.names.get(&key(style)).copied().unwrap_or(0))
    }

    fn css(&self, text: &mut String) {
        for (name, style) in self.styles.iter().enumerate() {
            let _ = write!(text, ".{}{{", Class(name));
            if let Some(fill) = style.fill {
                let _ = write!(text, "fill:{};", Hex(fill));
            }
            if let Some((stroke, width)) = style.stroke {
                let _ =
                    write!(text, "stroke:{};stroke-width:{};", Hex(stroke), (width * 100.0).round() / 100.0);
            }
            if let Some(dash) = style.dash {
                let _ = write!(text, "stroke-dasharray:{} {};", Tenths(dash), Tenths(dash));
            }
            text.push('}');
        }
    }
}

struct Class(usize);

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rest = self.0;
        loop {
            f.write_char(char::from(b'a' + (rest % 26) as u8))?;
            if rest < 26 {
                return Ok(());
            }
            rest = rest / 26 - 1;
        }
    }
}

/// A number with at most one decimal.
struct Tenths(f32);

impl std::fmt::Display for Tenths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Fixed((self.0.clamp(-1e7, 1e7) * 10.0).round() as i32).fmt(f)
    }
}

/// Tenths as a decimal number: 15 is 1.5.
struct Fixed(i32);

impl std::fmt::Display for Fixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, tenth) = (self.0 / 10, (self.0 % 10).abs());
        match (self.0, whole, tenth) {
            (_, _, 0) => write!(f, "{whole}"),
            (..0, 0, _) => write!(f, "-.{tenth}"),
            (_, 0, _) => write!(f, ".{tenth}"),
            _ => write!(f, "{whole}.{tenth}"),
        }
    }
}

struct Hex(Colour);

impl std::fmt::Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Colour { r, g, b, a } = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")?;
        if a == 255 { Ok(()) } else { write!(f, "{a:02x}") }
    }
}

/// Text escaped so that it cannot leave its element and contains nothing forbidden in XML.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\t' | '\n' => f.write_char(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_char('\u{fffd}'),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let text: Vec<String> = [0, 5, -5, 10, -10, 15, -15, 123].map(|n| Fixed(n).to_string()).into();
        assert_eq!(text, ["0", ".5", "-.5", "1", "-1", "1.5", "-1.5", "12.3"]);
        assert_eq!(Tenths(f32::INFINITY).to_string(), "10000000");
    }

    #[test]
    fn class_names_never_repeat() {
        let names: std::collections::HashSet<String> = (0..2000).map(|n| Class(n).to_string()).collect();
        assert_eq!(names.len(), 2000);
        assert_eq!([0, 25, 26, 701, 702].map(|n| Class(n).to_string()), ["a", "z", "aa", "zz", "aaa"]);
    }

    #[test]
    fn names_cannot_leave_their_element() {
        assert_eq!(Escaped("a<b>&\"\u{1b}\u{0}").to_string(), "a&lt;b&gt;&amp;&quot;\u{fffd}\u{fffd}");
    }
}
