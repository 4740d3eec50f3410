//! The options that set limits.

use clap::Args;
use navmap::Limits;

/// What a file may cost: see `docs/limits.md`. BYTES may end in K, M, G or T.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limited {
    /// Bytes of a file that is read rather than mapped [default: 4G]
    #[arg(long, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    max_file_bytes: Option<u64>,
    /// Bytes that are held inflated at one time [default: 1G]
    #[arg(long, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    max_inflated: Option<u64>,
    /// What the members of one archive may cost together [default: 64G]
    #[arg(long, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    max_bytes: Option<u64>,
    /// The most of that for each byte of an archive, beyond the first 32M [default: 100]
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_ratio: Option<u64>,
    /// Members of one archive and of the archives in it [default: 4194304]
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_members: Option<u64>,
    /// Archives in archives, groups in groups [default: 16]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..=64))]
    max_depth: Option<u32>,
}

impl Limited {
    /// The default limits, changed by those that were typed.
    pub(super) fn limits(&self) -> Limits {
        let usual = Limits::default();
        let mut limits = usual;
        limits.file_bytes = self.max_file_bytes.unwrap_or(usual.file_bytes);
        limits.inflated_bytes = self.max_inflated.unwrap_or(usual.inflated_bytes);
        limits.archive_bytes = self.max_bytes.unwrap_or(usual.archive_bytes);
        limits.inflate_ratio = self.max_ratio.unwrap_or(usual.inflate_ratio);
        limits.members = self.max_members.unwrap_or(usual.members);
        limits.depth = self.max_depth.unwrap_or(usual.depth);
        limits
    }
}

/// Parses `512`, `64K`, `1G`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|unit: char| unit.is_ascii_alphabetic());
    let count: u64 = digits.parse().map_err(|_| format!("{text} is no number of bytes"))?;
    let shift = match text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        unit => return Err(format!("{unit} is none of K, M, G, T")),
    };
    count.checked_mul(1 << shift).ok_or_else(|| format!("{text} is too large"))
}
