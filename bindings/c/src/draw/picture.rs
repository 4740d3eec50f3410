//! Draws.

use super::{DrawOptions, NAVMAP_DARK, NAVMAP_FIT, NAVMAP_PNG};
use crate::error::Failure;
use crate::status::Status;
use crate::text::utf8;
use navmap::draw::{Caption, ColourBy, DrawOptions as Options, Layers, Picture, Theme};
use navmap::graph::FlatGraph;
use navmap::open::Mesh;

impl DrawOptions {
    /// The picture of a mesh as a file. `None` if it has no graph.
    pub(super) fn picture(&self, mesh: &Mesh) -> Result<Option<Vec<u8>>, Failure> {
        let items = mesh.items();
        let Some((item, graph)) = items.first().and_then(|item| Some((item, item.flat_graph()?))) else {
            return Ok(None);
        };
        let options = self.options(&graph.value)?;
        let title = self.title.get("how.title")?.map(|title| utf8(title, "how.title")).transpose()?;
        let caption = Caption {
            title: title.unwrap_or(&item.title).to_owned(),
            subtitle: item.game(),
            error: graph.error.as_ref().map(|error| error.without_file().to_string()),
            ..Caption::default()
        };
        let picture = Picture::new(&graph.value, &caption, &options);
        let mut bytes = Vec::new();
        let drawn = match self.flags & NAVMAP_PNG != 0 {
            true => picture.write_png(&mut bytes),
            false => picture.write_svg(&mut bytes),
        };
        drawn.map_err(|failed| Failure::text(Status::Io, &failed.to_string()))?;
        Ok(Some(bytes))
    }

    fn options(&self, graph: &FlatGraph) -> Result<Options, Failure> {
        let invalid = |name| Err(Failure::Bare(Status::Invalid, name));
        if self.flags & !(NAVMAP_PNG | NAVMAP_DARK | NAVMAP_FIT) != 0 {
            return invalid("how.flags");
        }
        let numbers = [self.low, self.high].into_iter().chain(self.part);
        if !numbers.into_iter().all(f32::is_finite) {
            return invalid("how.part");
        }
        let usual = Options::default();
        Ok(Options {
            width: if self.width == 0 { usual.width } else { self.width },
            height: (self.height != 0).then_some(self.height),
            fit: self.flags & NAVMAP_FIT != 0,
            theme: if self.flags & NAVMAP_DARK != 0 { Theme::Dark } else { Theme::Light },
            colour: self.colour(graph)?,
            layers: self.layers()?,
            floor: ([self.low, self.high] != [0.0; 2]).then_some([self.low, self.high]),
            area: (self.part != [0.0; 4]).then_some(self.part),
            ..usual
        })
    }

    fn colour(&self, graph: &FlatGraph) -> Result<Option<ColourBy>, Failure> {
        let Some(name) = self.colour.get("how.colour")? else { return Ok(None) };
        let colour = ColourBy::named(utf8(name, "how.colour")?, graph);
        colour.map(Some).ok_or(Failure::Bare(Status::Invalid, "how.colour"))
    }

    fn layers(&self) -> Result<Option<Layers>, Failure> {
        let Some(names) = self.layers.get("how.layers")? else { return Ok(None) };
        let names = utf8(names, "how.layers")?.split(',');
        let mut layers = names.map(|name| Layers::named(name.trim()));
        let all = layers.try_fold(Layers::NONE, |all, layer| layer.map(|layer| all.with(layer)));
        all.map(Some).ok_or(Failure::Bare(Status::Invalid, "how.layers"))
    }
}
