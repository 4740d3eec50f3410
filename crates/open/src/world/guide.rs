#![doc = include_str!("guide.md")]
#![cfg_attr(
    not(feature = "watch"),
    allow(rustdoc::broken_intra_doc_links, reason = "the page names what other features bring")
)]
