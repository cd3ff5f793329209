//! The descriptions of applications and suites in `docs/` have one form, and are complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The headings of a description, in order; chapter 4 of the report asks for what they name.
const HEADINGS: [&str; 6] =
    ["What", "Publications", "Install and run", "Where tested", "Performance behaviour", "Data"];

fn folder(name: &str) -> PathBuf {
    ats_testing::suite().join("docs").join(name)
}

/// The descriptions in a folder: name of the file without its ending, and text.
fn descriptions(name: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    let described = files.filter(|file| !file.ends_with("README.md"));
    let mut all: Vec<_> = described
        .map(|file| {
            assert_eq!(file.extension(), Some("md".as_ref()), "{}", file.display());
            let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
            (stem, fs::read_to_string(&file).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// The mistakes in the form of a description.
fn flaws(text: &str) -> Vec<String> {
    let mut flaws = Vec::new();
    let (title, _) = text.split_once('\n').unwrap_or_default();
    if title.strip_prefix("# ").is_none_or(|title| title.trim().is_empty()) {
        flaws.push("it does not begin with its title".to_owned());
    }
    let mut sections = text.split("\n## ");
    if sections.next().is_some_and(|before| before.trim_end() != title) {
        flaws.push("there is text before the first heading".to_owned());
    }
    let sections: Vec<(&str, &str)> =
        sections.map(|section| section.split_once('\n').unwrap_or((section, ""))).collect();
    let headings: Vec<&str> = sections.iter().map(|(heading, _)| *heading).collect();
    if headings != HEADINGS {
        flaws.push(format!("its headings are {headings:?}, not {HEADINGS:?}"));
    }
    let empty = sections.iter().filter(|(_, body)| body.trim().is_empty());
    flaws.extend(empty.map(|(heading, _)| format!("`{heading}` is empty")));
    flaws
}

/// The local files that a text links to: the targets of `](target)`.
fn links(text: &str) -> BTreeSet<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).collect()
}

#[test]
fn every_description_has_the_one_form() {
    for folder in ["applications", "suites"] {
        for (name, text) in descriptions(folder) {
            assert_eq!(flaws(&text), [] as [String; 0], "docs/{folder}/{name}.md");
        }
    }
}

#[test]
fn a_description_that_is_incomplete_is_noticed() {
    let complete: String = HEADINGS.iter().map(|heading| format!("\n## {heading}\n\nText.\n")).collect();
    let complete = format!("# Title\n{complete}");
    assert_eq!(flaws(&complete), [] as [String; 0]);
    let flaw = |text: String| {
        let [flaw] = &flaws(&text)[..] else { panic!("{text}: {:?}", flaws(&text)) };
        flaw.clone()
    };
    assert_eq!(flaw(complete.replacen("Text.", "", 1)), "`What` is empty");
    assert!(flaw(complete.replace("\n## Data\n\nText.\n", "")).contains("its headings are"));
    assert!(flaw(complete.replace("## Data", "## More data")).contains("More data"));
    assert!(flaw(complete.replace("# Title", "Title")).contains("title"));
    assert!(flaw(complete.replace("# Title\n", "# Title\n\nMore.\n")).contains("before the first heading"));
}

#[test]
fn the_index_of_a_folder_lists_all_of_it() {
    for (name, least) in [("applications", 3), ("suites", 20)] {
        let index = fs::read_to_string(folder(name).join("README.md")).unwrap();
        let listed: BTreeSet<String> =
            links(&index).into_iter().filter(|link| !link.contains('/')).map(str::to_owned).collect();
        let described: BTreeSet<String> =
            descriptions(name).into_iter().map(|(stem, _)| format!("{stem}.md")).collect();
        assert!(described.len() >= least, "{described:?}");
        assert_eq!(listed, described, "docs/{name}/README.md");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let suite = ats_testing::suite();
    for page in files(".md") {
        let folder = suite.join(page.parent().unwrap());
        for link in links(&read(&page)) {
            let (file, _) = link.split_once('#').unwrap_or((link, ""));
            assert!(folder.join(file).exists(), "{} links to {link}", page.display());
        }
    }
}

#[test]
fn the_index_of_the_documentation_lists_every_page() {
    let index = read(Path::new("docs/README.md"));
    let listed = links(&index);
    let pages = files(".md").into_iter().filter_map(|file| {
        let page = file.strip_prefix("docs").ok()?.to_str()?.to_owned();
        (!page.contains('/') && page != "README.md").then_some(page)
    });
    let missing: Vec<String> = pages.filter(|page| !listed.contains(page.as_str())).collect();
    assert_eq!(missing, [] as [String; 0]);
}

#[test]
fn every_application_is_run_by_a_test() {
    let tests = include_str!("applications.rs").split("#[test]").skip(1);
    let names = tests.filter_map(|test| test.split_once("\nfn ")?.1.split('(').next());
    // A page about several has a file of tests.
    let files = [("solvers", include_str!("applications/solvers.rs"))];
    let of_files = files.into_iter().filter(|(_, tests)| tests.contains("#[test]")).map(|(name, _)| name);
    let run: BTreeSet<String> = names.chain(of_files).map(str::to_owned).collect();
    let described: BTreeSet<String> =
        descriptions("applications").into_iter().map(|(stem, _)| stem.replace('-', "_")).collect();
    assert_eq!(run, described);
}

/// The suite's own files with this ending, relative to its folder.
fn files(ending: &str) -> Vec<PathBuf> {
    fn walk(dir: &Path, ending: &str, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                walk(&path, ending, into);
            } else if path.is_file() && name.ends_with(ending) {
                into.push(path);
            }
        }
    }
    let mut files = Vec::new();
    let suite = ats_testing::suite();
    walk(suite, ending, &mut files);
    files.iter().map(|file| file.strip_prefix(suite).unwrap().to_owned()).collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(ats_testing::suite().join(file)).unwrap()
}

#[test]
fn prose_stays_within_100_columns() {
    let mut long = Vec::new();
    let pages = files(".md");
    assert!(pages.len() > 40);
    for page in &pages {
        let mut is_code = false;
        for (number, line) in read(page).lines().enumerate() {
            let start = line.trim_start();
            is_code ^= start.starts_with("```");
            // A word alone, such as an address, cannot be broken.
            let is_prose = !is_code && !start.starts_with('|') && start.contains(' ');
            if is_prose && line.chars().count() > 100 {
                long.push(format!("{}:{}: {line}", page.display(), number + 1));
            }
        }
    }
    assert_eq!(long, [] as [String; 0]);
}

#[test]
fn every_variable_of_the_environment_is_described() {
    let page = read(Path::new("docs/environment.md"));
    let macros = ["ATS_MPI", "ATS_OPENMP", "ATS_HYBRID", "ATS_LIMIT"];
    let mut variables = BTreeSet::new();
    for source in files(".rs").iter().filter(|file| file.components().any(|part| part.as_os_str() == "src")) {
        for part in read(source).split("\"ATS_").skip(1) {
            let name = format!("ATS_{}", part.split('"').next().unwrap());
            let is_of_a_test = name.starts_with("ATS_TEST_");
            let is_name = !is_of_a_test && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            if is_name && !macros.contains(&name.as_str()) {
                variables.insert(name);
            }
        }
    }
    assert!(variables.contains("ATS_RECORDER"), "{variables:?}");
    let missing: Vec<_> = variables.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, [] as [&String; 0]);
}
