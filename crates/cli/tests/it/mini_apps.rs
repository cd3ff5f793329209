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
}

const MINI_APPS: [MiniApp; 7] = [
    MiniApp { name: "cloverleaf", shared: Some((4, 2)) },
    MiniApp { name: "comd", shared: Some((4, 2)) },
    MiniApp { name: "hpcg", shared: None },
    MiniApp { name: "lulesh-mpi", shared: Some((8, 2)) },
    MiniApp { name: "lulesh-omp", shared: None },
    MiniApp { name: "miniamr", shared: Some((4, 2)) },
    MiniApp { name: "minife", shared: Some((8, 2)) },
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

#[test]
fn a_page_is_called_after_its_program() {
    let dir = tempfile::TempDir::new().unwrap();
    let page = dir.path().join("page.html");
    output("minife", "export", &["-o", page.to_str().unwrap()]);
    assert!(
        fs::read_to_string(page).unwrap().contains("<title>miniFE.x on 4 ranks with 2 threads each</title>")
    );
}

/// The columns of a terminal that a table of names in C++ may take: those of its numbers, of the longest wait state, and of a
/// construct with the longest name of a file.
const WIDEST: usize = 160;

#[test]
fn tables_are_narrow_and_leave_out_only_what_they_say() {
    for app in &MINI_APPS {
        for command in ["analyze", "profile"] {
            let all = output(app.name, command, &["--above", "0"]);
            let shown = output(app.name, command, &[]);
            let is_row = |line: &&str| line.contains(" %  ") || line.trim_start().starts_with("–  ");
            let rows = |text: &str| text.lines().filter(is_row).count();
            let number =
                |line: &str| line.strip_prefix("and ")?.split_once(" more of")?.0.parse::<usize>().ok();
            let left_out: usize = shown.lines().filter_map(number).sum();
            assert_eq!(rows(&shown) + left_out, rows(&all), "{command} {}", app.name);
            assert!(left_out > 0 && rows(&shown) > 5, "{command} {}", app.name);
            let widest = shown.lines().filter(is_row).map(|line| line.chars().count()).max();
            assert!(widest <= Some(WIDEST), "{command} {}: {widest:?} columns", app.name);
        }
    }
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
