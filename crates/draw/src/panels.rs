//! Several pictures of one mesh on a page: the points of each panel, and one scale for all.

use super::heat::Heat;
use super::options::{Caption, DrawOptions};
use super::sheet::Sheet;
use super::thumbnail::Thumbnail;
use navmap_core::graph::FlatGraph;
use navmap_core::text::printable;
use navmap_core::threads::spread;
use rayon::prelude::*;
use std::sync::Arc;

impl Sheet {
    /// The most panels of a page.
    pub const MOST_PANELS: usize = 64;

    /// Makes a page `options.width` wide of one mesh again and again, each time with the points of one panel and its name below
    /// it. If the scale has no [`clip`](super::Scale::clip), all panels share the lowest and the highest end that one of them has. No
    /// more than [`MOST_PANELS`](Self::MOST_PANELS) are drawn. The options of a [`Thumbnail`] are in effect.
    pub fn panels(
        graph: &FlatGraph,
        caption: &Caption,
        options: &DrawOptions,
        columns: Option<u16>,
        panels: Vec<(String, Heat)>,
    ) -> Self {
        let usual = (panels.len() as f32).sqrt().ceil() as usize;
        let columns = columns.map_or(usual, usize::from).clamp(1, panels.len().max(1));
        let side = Self::side(options.width, columns);
        let panels = || panels.iter().take(Self::MOST_PANELS);
        let drawn = |clip: Option<[f64; 2]>| -> Vec<Thumbnail> {
            let each: Vec<&(String, Heat)> = panels().collect();
            let one = |(name, heat): &&(String, Heat)| {
                let mut heat = heat.clone();
                heat.scale.clip = heat.scale.clip.or(clip);
                let name = printable(name.as_bytes());
                let caption = Caption { title: name.clone(), origin: name, ..caption.clone() };
                let options = DrawOptions { heat: Some(Arc::new(heat)), ..options.clone() };
                Thumbnail::new(graph, &caption, side, &options)
            };
            spread(|| each.par_iter().map(one).collect())
        };
        // What a scale ends at is known once it is drawn.
        let mut thumbnails = drawn(None);
        let ends = thumbnails.iter().filter_map(|thumbnail| Some(thumbnail.key.ends()?.1));
        let ends = ends.reduce(|[low, high], [lower, higher]| [low.min(lower), high.max(higher)]);
        if thumbnails.len() > 1 && ends.is_some() && panels().all(|(_, heat)| heat.scale.clip.is_none()) {
            thumbnails = drawn(ends);
        }
        Self::new(caption.title.clone(), columns, options, thumbnails)
    }
}
