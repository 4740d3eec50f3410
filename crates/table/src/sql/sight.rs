//! What areas of Source see. A mesh and its index are kept between calls, since a statement asks for one area after the other.

use navmap_core::bytes::Stamp;
use navmap_core::error::Result;
use navmap_core::threads::locked;
use navmap_open::open::{Mesh, OpenOptions, on_disk};
use navmap_source::{AreaId, AreaIndex, SourceNav, VisibleTarget};
use self_cell::self_cell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Meshes that are kept: a join of two folders asks two by turns.
const KEPT: usize = 2;

/// `None` if the mesh is of another family.
type Index<'a> = Option<AreaIndex<'a>>;

self_cell!(
    struct Indexed {
        owner: Mesh,

        #[covariant]
        dependent: Index,
    }
);

struct Kept {
    path: String,
    /// The state of its file before it was opened.
    stamp: Option<Stamp>,
    mesh: Indexed,
}

/// The meshes that were asked last.
#[derive(Default)]
pub(super) struct Sights(Mutex<VecDeque<Arc<Kept>>>);

impl Sights {
    /// The ids of the areas that this one sees, as a JSON list. `None` if the mesh has no such area.
    pub(super) fn seen(&self, path: &str, id: AreaId, options: &OpenOptions) -> Result<Option<String>> {
        let kept = self.open(path, options)?;
        let seen = kept.mesh.borrow_dependent().as_ref().and_then(|index| seen(index, id));
        if let Err(error) = kept.mesh.borrow_owner().intact() {
            locked(&self.0).retain(|other| !Arc::ptr_eq(other, &kept));
            return Err(error);
        }
        Ok(seen)
    }

    /// The mesh, opened anew if its file has changed.
    fn open(&self, path: &str, options: &OpenOptions) -> Result<Arc<Kept>> {
        let stamp = stamp_of(path);
        {
            let mut kept = locked(&self.0);
            kept.retain(|one| one.path != path || one.stamp == stamp);
            if let Some(known) = kept.iter().find(|one| one.path == path) {
                return Ok(Arc::clone(known));
            }
        }
        let mesh = Indexed::try_new(Mesh::open_with(path, options)?, |mesh| {
            let nav = mesh.nav().as_view::<SourceNav<'_>>();
            nav.map(AreaIndex::build).transpose().map_err(|error| error.in_file(path))
        })?;
        let made = Arc::new(Kept { path: path.to_owned(), stamp, mesh });
        let mut kept = locked(&self.0);
        kept.push_front(Arc::clone(&made));
        kept.truncate(KEPT);
        Ok(made)
    }
}

/// The state of the file, or of the archive in `archive!member`.
fn stamp_of(path: &str) -> Option<Stamp> {
    Stamp::at(on_disk(Path::new(path)))
}

/// The list of the area itself, over that of the area it inherits from.
fn seen(index: &AreaIndex<'_>, id: AreaId) -> Option<String> {
    let area = index.by_id(id)?;
    let inherited = area.inherits_visibility_from().and_then(|id| index.by_id(id));
    let mut seen = BTreeMap::new();
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
    Some(format!("[{}]", ids.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_mesh_is_kept_as_long_as_its_file_is_the_same() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/source");
        let folder = std::env::temp_dir().join(format!("navmap-sights-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let names = ["a.nav", "b.nav"].map(|name| folder.join(name).display().to_string());
        for name in &names {
            fs::copy(corpus.join("town.nav"), name).unwrap();
        }
        let (sights, options) = (Sights::default(), OpenOptions::new());
        let opened = |name: &String| sights.open(name, &options).unwrap();
        let first = [opened(&names[0]), opened(&names[1])];
        for (name, first) in names.iter().zip(&first).cycle().take(6) {
            assert!(Arc::ptr_eq(&opened(name), first), "{name}");
        }
        fs::copy(corpus.join("v16.nav"), &names[0]).unwrap();
        assert!(!Arc::ptr_eq(&opened(&names[0]), &first[0]));
        assert!(Arc::ptr_eq(&opened(&names[1]), &first[1]));
        fs::remove_dir_all(&folder).unwrap();
        assert!(sights.open(&names[0], &options).is_err());
    }

    #[test]
    fn a_member_is_as_old_as_its_archive() {
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let known = Stamp::at(Path::new(here));
        assert!(known.is_some());
        assert_eq!(stamp_of(here), known);
        assert_eq!(stamp_of(&format!("{here}!maps/a!b.nav")), known);
        assert_eq!(stamp_of("-"), None);
    }
}
