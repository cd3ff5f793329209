//! `ats reference`: its links lead somewhere, its numbers are those of the engine, and its pages open in a browser.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use ats_documents::Truth;
use ats_testing::{assert_ids_are_unique, use_page};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{answer, ats_in};

/// The files of a reference by their paths, as the command says that it wrote them.
fn reference(words: &[&str]) -> BTreeMap<PathBuf, String> {
    let dir = TempDir::new().unwrap();
    let words = [&["reference", "-o", "pages", "--format", "json"], words].concat();
    let done: Value = serde_json::from_str(&answer(dir.path(), &words)).unwrap();
    assert_eq!(done["schema"], "ats-done/1");
    let files = done["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap());
    let read = |file: &str| {
        // Templates write a slash as a reference to its character.
        let text = fs::read_to_string(dir.path().join(file)).unwrap().replace("&#x2f;", "/");
        (Path::new(file).strip_prefix("pages").unwrap().to_owned(), text)
    };
    files.map(read).collect()
}

/// The values of an attribute in a page.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!(" {name}=\"");
    html.split(&begin).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The path that a relative link on a page leads to.
fn target(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap().to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{link} on {} leads out", page.display()),
            Component::Normal(name) => path.push(name),
            _ => panic!("{link} on {} is not relative", page.display()),
        }
    }
    path
}

/// Follows every link: each leads to a file of the reference, and to a place in it; returns how many there were.
fn follow(pages: &BTreeMap<PathBuf, String>) -> usize {
    let ids: BTreeMap<&Path, BTreeSet<&str>> =
        pages.iter().map(|(path, html)| (&**path, attributes(html, "id").into_iter().collect())).collect();
    let mut number = 0;
    for (page, html) in pages.iter().filter(|(path, _)| path.extension().is_some_and(|of| of == "html")) {
        assert_ids_are_unique(html);
        assert!(attributes(html, "src").is_empty(), "{} loads something", page.display());
        assert!(!html.contains("<script"), "{} has a script", page.display());
        for link in attributes(html, "href").into_iter().filter(|link| *link != "data:,") {
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let there = if file.is_empty() { page.clone() } else { target(page, file) };
            let ids =
                ids.get(&*there).unwrap_or_else(|| panic!("{link} on {} leads nowhere", page.display()));
            assert!(
                fragment.is_empty() || ids.contains(fragment),
                "{} has no place {fragment}, to which {} links",
                there.display(),
                page.display()
            );
            number += 1;
        }
    }
    number
}

#[test]
fn every_property_has_a_page_and_every_link_leads_somewhere() {
    let pages = reference(&[]);
    assert!(follow(&pages) > 5_000);
    let listed: Value = serde_json::from_str(&answer(Path::new("."), &["list", "--format", "json"])).unwrap();
    let programs = listed["programs"].as_array().unwrap();
    let properties: BTreeSet<PathBuf> = programs
        .iter()
        .map(|program| format!("properties/{}.html", program["property"].as_str().unwrap()).into())
        .collect();
    let indexes = ["index", "wait-states", "causes", "metrics", "rows"].map(|name| format!("{name}.html"));
    let expected = properties.iter().cloned().chain(indexes.map(PathBuf::from)).chain(["style.css".into()]);
    assert_eq!(pages.keys().cloned().collect::<BTreeSet<_>>(), expected.collect());
    let index = &pages[Path::new("index.html")];
    let linked: BTreeSet<PathBuf> = attributes(index, "href")
        .into_iter()
        .map(PathBuf::from)
        .filter(|link| link.starts_with("properties"))
        .collect();
    assert_eq!(linked, properties, "the first page leads to all");
    // What an index says of a property, its page says, too.
    let sender = &pages[Path::new("properties/late_sender.html")];
    for part in [
        "Receivers wait because their senders have more to do.",
        "late_sender(basework: seconds = 0.01, extrawork: seconds = 0.05, r: count = 10)",
        "pub fn late_sender(",
        "int main(",
        "Scalasca trace analysis",
        "MPI Late Sender",
        "A receive waits for a message that is sent later.",
        "class=\"drawing\"",
        "late_<wbr>sender_<wbr>nonblocking",
    ] {
        assert!(sender.contains(part), "{part}");
    }
}

#[test]
fn a_reference_of_a_few_properties_links_to_no_others() {
    let pages = reference(&["late_sender_balanced", "late_receiver"]);
    let names: Vec<&Path> =
        pages.keys().map(|path| &**path).filter(|path| path.starts_with("properties")).collect();
    assert_eq!(names, [Path::new("properties/late_receiver.html"), Path::new("properties/late_sender.html")]);
    assert!(follow(&pages) > 50);
}

#[test]
fn findings_on_other_pages_link_to_the_reference() {
    let pages = reference(&["late_sender"]);
    let ids: BTreeSet<&str> = attributes(&pages[Path::new("wait-states.html")], "id").into_iter().collect();
    let dir = TempDir::new().unwrap();
    let scores = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scores");
    let page = |words: &[&str]| {
        let board = ["scoreboard", scores.to_str().unwrap(), "-o", "board.md", "--html", "board.html"];
        answer(dir.path(), &[&board, words].concat());
        fs::read_to_string(dir.path().join("board.html")).unwrap().replace("&#x2f;", "/")
    };
    let board = page(&["--reference", "../pages/"]);
    let places = attributes(&board, "href").into_iter().filter_map(|link| link.split_once("../pages/"));
    let linked: BTreeSet<&str> =
        places.filter_map(|(_, link)| link.strip_prefix("wait-states.html#")).collect();
    assert!(linked.contains("late_sender") && linked.contains("omp_critical_contention"), "{linked:?}");
    assert!(linked.is_subset(&ids), "{linked:?}");
    assert!(!page(&[]).contains("wait-states.html"), "none is asked for");
}

/// The text of the cells of each row in the table of this id, a line for each line of a cell.
fn cells(html: &str, id: &str) -> Vec<Vec<String>> {
    let Some((_, table)) = html.split_once(&format!(" id=\"{id}\">")) else { return Vec::new() };
    let body = table.split("</table>").next().unwrap().split_once("<tbody>").unwrap().1;
    let text = |cell: &str| {
        let cell = cell.split_once('>').unwrap().1.replace("<br>", "\n").replace("<wbr>", "");
        let parts = cell.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        parts.collect::<String>().replace("&amp;", "&").trim().to_owned()
    };
    let row = |row: &str| row.replace("<th", "<td").split("<td").skip(1).map(text).collect();
    body.split("<tr>").skip(1).map(row).collect()
}

#[test]
fn the_numbers_on_pages_are_those_of_the_engine() {
    let properties = [
        ("late_sender", &[][..]),
        ("critical_section_contention", &[]),
        ("amdahl", &["--np", "4"]),
        ("big_message", &[]),
        ("no_overlap_nonblocking_collective", &[]),
        ("late_broadcast_hybrid_serial_root", &[]),
        ("barrier_completion", &[]),
    ];
    let pages = reference(&properties.map(|(name, _)| name));
    for (name, size) in properties {
        let words = [&["truth", name, "--format", "json"], size].concat();
        let truth: Truth = serde_json::from_str(&answer(Path::new("."), &words)).unwrap();
        let html = &pages[Path::new(&format!("properties/{name}.html"))];
        let shown = cells(html, "findings");
        assert!(!truth.findings.is_empty() && truth.findings.len() == shown.len(), "{name}: {shown:#?}");
        for (finding, row) in truth.findings.iter().zip(shown) {
            let [of, severity, amount, each, path] = &row[..] else { panic!("{row:?}") };
            assert_eq!((of.as_str(), path), (finding.name(), &finding.call_path.join("/")));
            assert_eq!(*amount, finding.quantity().to_string(), "{name}");
            let share: f64 = severity.trim_end_matches(" %").parse().unwrap_or_default();
            assert!((share / 100.0 - finding.severity).abs() <= 5.1e-5, "{name}: {severity}");
            let of_groups: BTreeSet<&str> =
                each.lines().map(|line| line.split_once(" s at ").unwrap().0).collect();
            let of_locations: BTreeSet<String> =
                finding.locations.iter().map(|share| format!("{:.6}", share.waiting_time)).collect();
            assert_eq!(of_groups, of_locations.iter().map(String::as_str).collect(), "{name}");
        }
        let wall_time = format!("{:.6} s of wall time", truth.basis.wall_time);
        assert!(html.contains(&wall_time), "{name}: {wall_time}");
    }
    // The formula, floor(P/2)·r·extrawork, for 4 ranks, 10 repetitions and 0.05 s.
    let formulas = cells(&pages[Path::new("properties/late_sender.html")], "formulas");
    assert_eq!(formulas[0][2], format!("{:.4} s", 2.0 * 10.0 * 0.05));
}

#[test]
fn folders_that_cannot_be_written_are_refused() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let failed = |words: &[&str]| {
        let output = ats_in(dir.path(), &[&["reference"], words].concat());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, error) = failed(&["late_sender", "-o", "file/pages"]);
    assert_eq!(code, Some(3), "{error}");
    assert!(error.contains("file/pages") && error.contains("choose a folder"), "{error}");
    let (code, error) = failed(&["late_sendr", "-o", "pages"]);
    assert_eq!((code, error.contains("did you mean late_sender")), (Some(2), true), "{error}");
    let (code, error) = failed(&["late_sender", "-o", "pages", "--scores", "file"]);
    assert_eq!((code, error.contains("file")), (Some(2), true), "{error}");
    assert!(!dir.path().join("pages").exists(), "nothing was written");
}

#[test]
fn ten_pages_open_in_a_browser_at_two_widths() {
    let properties = [
        "late_sender",
        "late_sender_test_polling",
        "critical_section_contention",
        "amdahl",
        "big_message",
        "wrong_order_same_source",
        "late_broadcast_hybrid_serial_root",
    ];
    let pages = reference(&properties);
    let style = format!("<style>{}</style>", pages[Path::new("style.css")]);
    let opened = ["index.html", "wait-states.html", "metrics.html"].map(str::to_owned);
    let opened = opened.into_iter().chain(properties.map(|name| format!("properties/{name}.html")));
    let script = "
        for (const details of all('details')) details.open = true;
        await wait();
        const inside = (one) => one.getBoundingClientRect().right <= innerWidth + 1;
        return {
            title: document.title, headings: all('h1').length,
            hidden: all('h1, h2').filter((one) => !one.offsetParent || !inside(one)).map((one) => one.textContent),
            loose: all('table, pre, svg.drawing').filter((one) => !one.closest('.wide')).length,
            drawing: one('svg.drawing')?.getBoundingClientRect().width ?? null,
            bars: all('svg.drawing rect').map((bar) => getComputedStyle(bar).fill).filter((fill) => fill === 'rgb(0, 0, 0)').length,
        };";
    for page in opened {
        let html = &pages[Path::new(&page)];
        let link = attributes(html, "href").into_iter().find(|link| link.ends_with("style.css")).unwrap();
        let html = html.replace(&format!("<link rel=\"stylesheet\" href=\"{link}\">"), &style);
        for width in [400, 1280] {
            let Some(seen) = use_page(&html, width, "", script) else { return };
            assert!(seen["title"].as_str().unwrap().ends_with(" · ATS reference"), "{page}: {seen}");
            assert_eq!(seen["headings"], 1, "{page}");
            assert_eq!(seen["hidden"], serde_json::json!([]), "{page} at {width}");
            assert_eq!((&seen["loose"], &seen["bars"]), (&0.into(), &0.into()), "{page} at {width}: {seen}");
            let drawing = seen["drawing"].as_f64();
            assert_eq!(drawing.is_some(), page.starts_with("properties"), "{page}");
            assert!(drawing.is_none_or(|drawing| drawing >= 640.0), "{page} at {width}: {drawing:?}");
        }
    }
}
