//! Packs the page, which is a quarter of its size then in every program that has it.

use std::path::Path;
use std::{env, fs};

#[path = "src/modules.rs"]
mod modules;

/// As small as it gets: it is packed once.
const LEVEL: u8 = 10;

fn main() {
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=src/modules.rs");
    let read = |name: &str| {
        let path = Path::new("page").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let modules: Vec<String> = modules::MODULES.iter().map(|name| read(name)).collect();
    let script = modules::joined(modules.iter().map(String::as_str));
    let parts = [read("index.html"), read("style.css"), script];
    let lengths = parts.each_ref().map(String::len);
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let write = |name: &str, bytes: &[u8]| {
        fs::write(Path::new(&out).join(name), bytes).expect("it is cargo's folder")
    };
    write("page.z", &miniz_oxide::deflate::compress_to_vec_zlib(parts.concat().as_bytes(), LEVEL));
    write("lengths.rs", format!("{lengths:?}").as_bytes());
}
