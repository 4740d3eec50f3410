//! The crate's declarations for C: types, constants and functions, and the header that cbindgen makes of them.
//!
//! cbindgen reads functions, but the entries of this crate are in a macro: this module rewrites them as `extern "C"` declarations
//! first.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Item, ReturnType, Token, Type, braced, bracketed, parenthesized, token};

/// Files in the order of the header.
const FILES: [&str; 26] = [
    "status", "error", "text", "options", "world", "area", "locate", "filter", "overlay", "query", "surface",
    "corridor", "tactics", "crowd", "slot", "tiles", "editor", "check", "findings", "diff", "scan", "links",
    "regions", "map", "make", "draw",
];

/// Handles: types that are opaque in C.
const HANDLES: [&str; 12] = [
    "Error", "World", "Mask", "Overlay", "Query", "Corridor", "Slot", "Editor", "Map", "Crowd", "Findings",
    "Diff",
];

/// A function: its name, and its arguments with their types as in Rust.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) arguments: Vec<(String, String)>,
    declaration: TokenStream,
}

struct Entries(Vec<Entry>);

impl Parse for Entries {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut entries = Vec::new();
        while !input.is_empty() {
            let docs = input.call(Attribute::parse_outer)?;
            input.parse::<Token![fn]>()?;
            let name: Ident = input.parse()?;
            let inside;
            parenthesized!(inside in input);
            let (mut arguments, mut named) = (Vec::new(), Vec::new());
            while !inside.is_empty() {
                if inside.parse::<Option<Token![;]>>()?.is_some() {
                    let error: Ident = inside.parse()?;
                    arguments.push(quote!(#error: *mut *mut Error));
                    named.push((error.to_string(), "* mut * mut Error".to_owned()));
                    break;
                }
                let argument: Ident = inside.parse()?;
                let len = match inside.peek(token::Bracket) {
                    true => {
                        let bracket;
                        bracketed!(bracket in inside);
                        Some(bracket.parse::<Ident>()?)
                    }
                    false => None,
                };
                inside.parse::<Token![:]>()?;
                let ty: Type = inside.parse()?;
                arguments.push(quote!(#argument: #ty));
                named.push((argument.to_string(), ty.to_token_stream().to_string()));
                if let Some(len) = len {
                    arguments.push(quote!(#len: u32));
                    named.push((len.to_string(), "u32".to_owned()));
                }
                inside.parse::<Option<Token![,]>>()?;
            }
            let answer = match input.parse()? {
                ReturnType::Default => quote!(-> Status),
                given => given.into_token_stream(),
            };
            let body;
            braced!(body in input);
            body.parse::<TokenStream>()?;
            let declaration = quote! {
                #(#docs)*
                #[unsafe(no_mangle)]
                pub extern "C" fn #name(#(#arguments),*) #answer {}
            };
            entries.push(Entry { name: name.to_string(), arguments: named, declaration });
        }
        Ok(Self(entries))
    }
}

/// `NoSuchArea` → `NAVMAP_NO_SUCH_AREA`.
fn shouted(name: &str) -> String {
    let mut out = "NAVMAP".to_owned();
    for letter in name.chars() {
        if letter.is_uppercase() {
            out.push('_');
        }
        out.extend(letter.to_uppercase());
    }
    out
}

/// The input of cbindgen: types, constants and declarations.
fn declarations() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut out = String::from(
        "/// A point in the axes and units of the file.\n#[repr(C)] pub struct Point { pub x: f32, pub y: f32, pub z: f32 }\n",
    );
    for name in FILES {
        let text = fs::read_to_string(folder.join(name).with_extension("rs")).unwrap();
        for item in syn::parse_file(&text).unwrap().items {
            let kept = match item {
                Item::Macro(made) if made.mac.path.is_ident("entries") => {
                    let Entries(entries) = made.mac.parse_body().unwrap();
                    entries.into_iter().map(|entry| entry.declaration).collect()
                }
                Item::Struct(made) if HANDLES.contains(&made.ident.to_string().as_str()) => {
                    opaque(&made.attrs, &made.ident)
                }
                Item::Type(made) if HANDLES.contains(&made.ident.to_string().as_str()) => {
                    opaque(&made.attrs, &made.ident)
                }
                Item::Enum(mut made) => {
                    for variant in &mut made.variants {
                        variant.ident = format_ident!("{}", shouted(&variant.ident.to_string()));
                    }
                    made.into_token_stream()
                }
                Item::Struct(made)
                    if made.attrs.iter().any(|attribute| attribute.path().is_ident("repr")) =>
                {
                    made.into_token_stream()
                }
                Item::Const(made) if matches!(made.vis, syn::Visibility::Public(_)) => {
                    made.into_token_stream()
                }
                Item::Type(made) if made.ident.to_string().starts_with("On") => made.into_token_stream(),
                _ => continue,
            };
            out += &kept.to_string();
            out.push('\n');
        }
    }
    // A text in a struct or an array is a C pointer, and so is what a struct leads to.
    out.replace(": Text", ": *const c_char")
        .replace("* const Text", "*const *const c_char")
        .replace(": LentNumbers", ": *const u32")
        .replace(": LentBytes", ": *const u8")
        .replace(": LentMask", ": *const Mask")
        .replace(": LentFilter", ": *const Filter")
}

fn opaque(attributes: &[Attribute], name: &Ident) -> TokenStream {
    let docs = attributes.iter().filter(|attribute| attribute.path().is_ident("doc"));
    quote!(#(#docs)* pub struct #name(u8);)
}

/// The header, made anew.
pub(crate) fn header() -> &'static str {
    static HEADER: OnceLock<String> = OnceLock::new();
    HEADER.get_or_init(make)
}

fn make() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).unwrap();
    let source = folder.join("declarations.rs");
    fs::write(&source, declarations()).unwrap();
    let mut config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let includes = "#include <stdint.h>\n#include <string.h>\n";
    let defines = config.after_includes.take().unwrap_or_default();
    let defines = defines
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"))
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    config.after_includes = Some(includes.to_owned() + &defines);
    config.no_includes = true;
    let mut made = Vec::new();
    cbindgen::Builder::new().with_config(config).with_src(source).generate().unwrap().write(&mut made);
    c89(&String::from_utf8(made).unwrap())
}

/// The header without what C89 lacks: comments to the end of a line, and a comma behind the last value of an enum.
fn c89(made: &str) -> String {
    let line = |line: &str| match line.split_once("//") {
        Some((code, said)) => format!("{code}/*{said} */\n"),
        None => format!("{line}\n"),
    };
    made.lines().map(line).collect::<String>().replace(",\n};", "\n};")
}

/// Every function.
pub(crate) fn entries() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let items = FILES.iter().flat_map(|name| {
        let text = fs::read_to_string(folder.join(name).with_extension("rs")).unwrap();
        syn::parse_file(&text).unwrap().items
    });
    let made = items.filter_map(|item| match item {
        Item::Macro(made) if made.mac.path.is_ident("entries") => {
            Some(made.mac.parse_body::<Entries>().unwrap().0)
        }
        _ => None,
    });
    made.flatten().collect()
}
