//! The script of the page, read without a browser.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ats_presentation::{Page, page};

use crate::javascript::Script;

/// The names of the browser that the script uses.
const BROWSER: [&str; 29] = [
    "Array",
    "Boolean",
    "Float64Array",
    "Infinity",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "ResizeObserver",
    "Set",
    "String",
    "URLSearchParams",
    "addEventListener",
    "clearTimeout",
    "decodeURIComponent",
    "devicePixelRatio",
    "document",
    "encodeURIComponent",
    "getComputedStyle",
    "history",
    "innerHeight",
    "innerWidth",
    "localStorage",
    "location",
    "matchMedia",
    "requestAnimationFrame",
    "scrollTo",
    "setTimeout",
];

/// The script of a page.
pub(crate) fn script() -> String {
    let html = page(&Page::default());
    html.rsplit_once("<script>").unwrap().1.split_once("</script>").unwrap().0.to_owned()
}

/// The parts of the script, by file.
fn parts(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => parts(&entry, found),
            false => found.push((entry.display().to_string(), fs::read_to_string(&entry).unwrap())),
        }
    }
}

#[test]
fn each_part_is_a_script_and_in_the_page() {
    let whole = script();
    let mut found = Vec::new();
    parts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page/script"), &mut found);
    assert!(found.len() > 10, "{found:?}");
    for (file, part) in &found {
        if let Err(why) = Script::parse(part) {
            panic!("{file}: {why}");
        }
        assert_eq!(whole.matches(part.as_str()).count(), 1, "{file}: name it once in page/script.rs");
    }
}

#[test]
fn names_are_declared_and_used() {
    let whole = script();
    let names = Script::parse(&whole).unwrap().names();
    assert_eq!(names.undeclared, BTreeSet::from(BROWSER));
    assert_eq!(names.unused, BTreeSet::new());
}
