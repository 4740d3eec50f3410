//! Where findings go.

use crate::form::FormId;
use crate::iter::TriangleRef;
use crate::object::BaseObject;
use crate::owners::Owners;
use crate::view::NavMesh;
use navmap_core::graph::{Point, Shape};
use navmap_core::{Finding, Severity};
use std::fmt;

/// The record that findings are about.
#[derive(Debug, Clone, Copy)]
struct Of {
    kind: &'static str,
    index: u64,
    form: FormId,
    /// Whether its bytes are inflated.
    inflated: bool,
}

/// Sends findings on, with the record and FormID they share.
pub(crate) struct Report<'f> {
    found: &'f mut dyn FnMut(Finding),
    record: Option<Of>,
    /// The position of the next finding.
    place: Option<[f32; 3]>,
    /// The triangle that the next finding is about.
    triangle: Option<usize>,
}

impl<'f> Report<'f> {
    /// A report for findings outside navmesh records.
    pub(crate) fn new(found: &'f mut dyn FnMut(Finding)) -> Self {
        Self { found, record: None, place: None, triangle: None }
    }

    /// A report for findings of one navmesh record: its number, its FormID, and whether its bytes are inflated.
    pub(crate) fn for_record(
        found: &'f mut dyn FnMut(Finding),
        index: u64,
        form: FormId,
        inflated: bool,
    ) -> Self {
        Self { found, record: Some(Of { kind: "NAVM", index, form, inflated }), place: None, triangle: None }
    }

    /// A report for findings of the mesh of a base object.
    pub(crate) fn of_object(
        found: &'f mut dyn FnMut(Finding),
        object: &BaseObject<'_>,
        form: FormId,
    ) -> Self {
        let (kind, index) = (object.kind(), object.index().into());
        let inflated = object.record().is_compressed();
        Self { found, record: Some(Of { kind, index, form, inflated }), place: None, triangle: None }
    }

    /// A triangle of the mesh that findings are about, as people type it: `01000802#419`.
    pub(crate) fn name(&self, triangle: usize) -> impl fmt::Display + use<> {
        let form = self.record.map_or(FormId::NULL, |record| record.form);
        named(form, triangle)
    }

    /// Places the next finding in the middle of this triangle.
    pub(crate) fn on(&mut self, mesh: &NavMesh<'_>, triangle: usize) -> &mut Self {
        self.place = Some(middle(mesh, triangle));
        self.triangle = Some(triangle).filter(|triangle| *triangle < mesh.triangles().len());
        self
    }

    /// Places the next finding here.
    pub(crate) fn here(&mut self, place: [f32; 3]) -> &mut Self {
        self.place = Some(place);
        self
    }

    /// Places the next finding here, and tells that it is about this triangle, which exists.
    pub(crate) fn of(&mut self, triangle: u16, place: [f32; 3]) -> &mut Self {
        self.triangle = Some(triangle.into());
        self.here(place)
    }

    /// Reports one finding, at a byte if it is known.
    pub(crate) fn say(
        &mut self,
        severity: Severity,
        code: &'static str,
        offset: impl Into<Option<u64>>,
        message: impl fmt::Display,
    ) {
        let mut finding = match self.record {
            None => Finding::new(severity, code, message.to_string()),
            Some(Of { kind, index, form, inflated }) => {
                let inflated = if inflated { ", compressed" } else { "" };
                Finding::new(severity, code, format!("{form}{inflated}: {message}")).in_record(kind, index)
            }
        };
        finding.at.offset = offset.into();
        // Meshes of base objects are not in the graph.
        let node = self.triangle.take().filter(|_| self.record.is_none_or(|record| record.kind == "NAVM"));
        if let Some(triangle) = node {
            let form = self.record.map_or(FormId::NULL, |record| record.form);
            finding = finding.about(Owners::UNKNOWN.ids(), u64::from(form.get()) << 32 | triangle as u64);
        }
        (self.found)(finding.placed(self.place.take()));
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("record", &self.record).finish_non_exhaustive()
    }
}

/// A triangle of a navmesh as people type it: `01000802#419`.
pub(super) fn named(form: FormId, triangle: usize) -> impl fmt::Display + use<> {
    Owners::UNKNOWN.ids().name(u64::from(form.get()) << 32 | triangle as u64)
}

/// The middle of a triangle; NaN if a corner does not exist.
pub(super) fn middle(mesh: &NavMesh<'_>, triangle: usize) -> [f32; 3] {
    const NOWHERE: Point = Point::new(f32::NAN, f32::NAN, f32::NAN);
    let corner = |vertex: u16| {
        let vertex = mesh.vertices().get(vertex.into());
        vertex.map_or(NOWHERE, |vertex| vertex.to_array().into())
    };
    let corners = mesh.triangles().get(triangle).map(TriangleRef::vertices);
    let middle = corners.and_then(|corners| Shape::Polygon(&corners.map(corner)).center());
    middle.unwrap_or(NOWHERE).to_array()
}
