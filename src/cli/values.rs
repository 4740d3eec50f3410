//! Values of options: what was typed → what it means.

#![forbid(unsafe_code)]

use crate::draw::Layers;
use crate::error::Error;
use crate::format::quake::{Version, navjson};

/// Parses `spots`, `ladders`.
pub(super) fn layer(name: &str) -> Result<Layers, String> {
    Layers::named(name).ok_or_else(|| {
        let names: Vec<&str> = Layers::NAMED.iter().map(|(name, _)| *name).collect();
        format!("none of {}, all, none", names.join(", "))
    })
}

/// What a file becomes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Nav(Version),
    NavJson(u32),
}

/// Parses `nav2-15`, `navjson-2`.
pub(super) fn target(text: &str) -> Result<Target, String> {
    if let Some(number) = text.strip_prefix("navjson-") {
        let version = number.parse().ok().filter(|version| navjson::binary_version(*version).is_some());
        return version.map(Target::NavJson).ok_or_else(|| "navjson has the versions 1, 2 and 3".into());
    }
    text.parse().map(Target::Nav).map_err(|error: Error| error.to_string())
}
