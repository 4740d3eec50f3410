//! Everything in the file, streamed.

impl serde::Serialize for super::ToyNav<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("ToyNav", 5)?;
        out.serialize_field("game", &None::<&str>)?;
        out.serialize_field("version", &1)?;
        out.serialize_field("subversion", &None::<u32>)?;
        let knots = self.knots();
        out.serialize_field("knots", &navmap_core::stream::List(|| knots.iter().map(|knot| knot.position())))?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}
