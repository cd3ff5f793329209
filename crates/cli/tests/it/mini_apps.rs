//! Well-known mini-apps, recorded once and kept in `peers/mini-apps`: the profile agrees with the timers that they printed,
//! and the explanation with the analysis. `docs/mini-apps.md` describes them.

mod explained;
mod timers;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use ats_documents::{Analysis, Explanation, Profile};

use crate::common::{answer, blocks};

/// A mini-app, and what is right for its explanation.
struct MiniApp {
    /// Its folder in `peers/mini-apps`.
    name: &'static str,
    /// Locations and processors, if the former share the latter.
    shared: Option<(u32, u32)>,
    /// Claims that do not hold of its explanation today.
    known_faults: &'static [&'static str],
}

/// The fault of explanations that have their seconds in many small problems.
const TOO_SMALL: &str = "a third at most of what is lost is in problems that are not told";

/// The fault of lines on calls that move data from several call paths: they differ in nothing but the share.
const ALIKE: &str = "calls that move data are told apart";

const MINI_APPS: [MiniApp; 7] = [
    MiniApp { name: "cloverleaf", shared: Some((4, 2)), known_faults: &[ALIKE] },
    MiniApp { name: "comd", shared: Some((4, 2)), known_faults: &[ALIKE] },
    MiniApp { name: "hpcg", shared: None, known_faults: &[ALIKE] },
    MiniApp { name: "lulesh-mpi", shared: Some((8, 2)), known_faults: &[ALIKE] },
    MiniApp { name: "lulesh-omp", shared: None, known_faults: &[TOO_SMALL] },
    MiniApp { name: "miniamr", shared: Some((4, 2)), known_faults: &[] },
    MiniApp { name: "minife", shared: Some((8, 2)), known_faults: &[TOO_SMALL] },
];

/// Defines a test of the explanation of each mini-app.
macro_rules! explanations {
    ($($test:ident: $name:literal)*) => {
        /// The mini-apps that have a test.
        const TESTED: &[&str] = &[$($name),*];

        $(
            #[test]
            fn $test() {
                explained::check(MINI_APPS.iter().find(|app| app.name == $name).unwrap());
            }
        )*
    };
}

explanations! {
    cloverleaf: "cloverleaf"
    comd: "comd"
    hpcg: "hpcg"
    lulesh_mpi: "lulesh-mpi"
    lulesh_omp: "lulesh-omp"
    miniamr: "miniamr"
    minife: "minife"
}

/// The folder of a mini-app's trace.
fn folder(name: &str) -> PathBuf {
    ats_testing::peer("mini-apps").join(name)
}

/// The answer of a command on the trace of a mini-app.
fn output(name: &str, command: &str, more: &[&str]) -> String {
    answer(&folder(name), &[&[command, "traces.otf2"], more].concat())
}

fn profile(name: &str) -> Profile {
    serde_json::from_str(&output(name, "profile", &["--format", "json"])).unwrap()
}

fn analysis(name: &str) -> Analysis {
    serde_json::from_str(&output(name, "analyze", &["--format", "json"])).unwrap()
}

fn explanation(name: &str) -> Explanation {
    serde_json::from_str(&output(name, "explain", &["--format", "json"])).unwrap()
}

/// The page quotes the first lines of each explanation, and then its first problem or the lack of processors.
#[test]
fn the_page_quotes_what_is_said() {
    let page = fs::read_to_string(ats_testing::suite().join("docs/mini-apps.md")).unwrap();
    let mut quoted: BTreeMap<&str, usize> = BTreeMap::new();
    for block in blocks(&page) {
        if let ["text", name] = block.words[..] {
            let said = output(name, "explain", &[]);
            let app = MINI_APPS.iter().find(|app| app.name == name).unwrap();
            let number = quoted.entry(app.name).or_default();
            *number += 1;
            let is_said =
                if *number == 1 { said.starts_with(&block.text) } else { said.contains(&block.text) };
            assert!(is_said, "{name}: it says\n{said}\nand not\n{}", block.text);
        }
    }
    assert_eq!(TESTED, MINI_APPS.map(|app| app.name), "a test of each");
    assert_eq!(quoted, MINI_APPS.map(|app| (app.name, 2)).into(), "two quotations of each");
}
