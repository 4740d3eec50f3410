//! Small pictures of the meshes in the list, which are made when a page shows their rows.

use super::load::{self, Wanted};
use navmap::draw::{Caption, DrawOptions, Theme, Thumbnail};
use navmap::graph::FlatGraph;
use navmap::open::OpenOptions;
use std::collections::VecDeque;

/// The width and height of one, in pixels.
const SIZE: u32 = 96;
/// The bytes that are kept. One has up to about 10,000.
const MOST_BYTES: usize = 8 << 20;

/// The pictures that were asked for last.
#[derive(Debug, Default)]
pub(super) struct Thumbnails {
    /// By the number of the mesh and the theme, the last one first.
    kept: VecDeque<((usize, Theme), Vec<u8>)>,
    bytes: usize,
}

impl Thumbnails {
    /// The picture of a mesh as PNG, which is made if it is not kept.
    pub(super) fn get(&mut self, of: (usize, Theme), make: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
        let known = self.kept.iter().position(|(kept, _)| *kept == of);
        let picture = match known.and_then(|at| self.kept.remove(at)) {
            Some((_, picture)) => picture,
            None => {
                let picture = make();
                self.bytes = self.bytes.saturating_add(picture.len());
                picture
            }
        };
        self.kept.push_front((of, picture.clone()));
        while self.bytes > MOST_BYTES
            && let Some((_, last)) = self.kept.pop_back()
        {
            self.bytes = self.bytes.saturating_sub(last.len());
        }
        picture
    }
}

/// The picture of a mesh; of one that cannot be read or drawn, an empty frame.
pub(super) fn make(wanted: &Wanted, options: &OpenOptions, theme: Theme) -> Vec<u8> {
    of_graph(load::graph(wanted, options).ok().as_ref(), theme)
}

/// The picture of a graph; without one, and of one that cannot be drawn, an empty frame.
pub(super) fn of_graph(graph: Option<&FlatGraph>, theme: Theme) -> Vec<u8> {
    let (look, caption) = (DrawOptions { theme, ..DrawOptions::default() }, Caption::default());
    let empty = || Thumbnail::failed(&caption, SIZE, &look);
    let drawn = graph.map(|graph| Thumbnail::new(graph, &caption, SIZE, &look));
    let mut png = Vec::new();
    if drawn.unwrap_or_else(empty).write_png(&mut png).is_err() {
        png.clear();
        // Nothing can go wrong with a frame and memory as the output.
        let _ = empty().write_png(&mut png);
    }
    png
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_last_is_kept_within_bounds() {
        let mut thumbnails = Thumbnails::default();
        let large = || vec![7u8; MOST_BYTES / 4];
        for number in 0..4 {
            assert_eq!(thumbnails.get((number, Theme::Light), large).len(), MOST_BYTES / 4);
        }
        let never = || -> Vec<u8> { panic!("it is kept") };
        thumbnails.get((0, Theme::Light), never);
        // One more drops the one that nobody has asked for the longest.
        thumbnails.get((0, Theme::Dark), large);
        assert_eq!(thumbnails.bytes, MOST_BYTES);
        for number in [0, 2, 3] {
            thumbnails.get((number, Theme::Light), never);
        }
        let mut made = false;
        thumbnails.get((1, Theme::Light), || {
            made = true;
            Vec::new()
        });
        assert!(made && thumbnails.kept.len() == 5);
    }
}
