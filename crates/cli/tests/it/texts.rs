//! The texts that users read.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{answer, ats_in, verbs};
use ats_trace::{ArchiveProperties, ArchiveWriter};
use tempfile::TempDir;

fn text(arguments: &[&str]) -> String {
    answer(TempDir::new().unwrap().path(), arguments)
}

#[test]
fn list() {
    insta::assert_snapshot!(text(&["list", "sender"]));
    let all = text(&["list"]);
    let names: Vec<&str> =
        all.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let mut properties: Vec<_> = ats_props::Catalogue::builtin().properties().map(|it| it.name).collect();
    assert_ne!(names, properties, "family by family");
    properties.retain(|name| !names.contains(name));
    assert_eq!((properties, all.matches("_balanced").count()), (Vec::new(), 1), "{all}");
    assert_eq!(text(&["list", "late_sender_balanced"]).matches("  late_sender ").count(), 1);
    assert!(text(&["list", "omp_lock"]).contains("\n  pairwise_lock_contention "));
}

#[test]
fn list_of_wait_states() {
    insta::assert_snapshot!(text(&["list", "--waits", "collective"]));
    // By whatever name somebody knows it.
    for name in ["late_sender", "Late Sender", "mpi_latesender", "mpi late sender"] {
        assert!(text(&["list", "--waits", name]).starts_with("late_sender (point_to_point)\n"), "{name}");
    }
}

#[test]
fn list_of_nothing() {
    for (words, said) in [
        (&["nothing_has_it"][..], "No program matches.\n"),
        (&["late_sendr"], "No program matches. Did you mean late_sender?\n"),
        (&["late_sender", "--paradigm", "openmp"], "No program matches.\n"),
        (&["--waits", "mpi_rma"], "No wait state matches.\n"),
        (&["--rows", "nothing_has_it"], "No row matches.\n"),
    ] {
        assert_eq!(text(&[&["list"], words].concat()), said, "{words:?}");
    }
    let json = text(&["list", "nothing_has_it", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["programs"], serde_json::json!([]));
}

#[test]
fn list_of_what_cannot_be_had() {
    insta::assert_snapshot!(text(&["list", "--excluded"]));
}

#[test]
fn show() {
    insta::assert_snapshot!(text(&["show", "late_sender"]));
}

#[test]
fn show_draws_what_it_is_given() {
    let two = text(&["show", "late_sender", "basework=10ms", "extrawork=10ms", "--np", "2"]);
    let (_, drawn) = two.split_once("late_sender on 2 ranks, r=2:").unwrap();
    let waits = |text: &str| text.matches('░').count();
    assert!(drawn.contains("rank 1  ") && !drawn.contains("rank 2") && waits(drawn) > 20, "{drawn}");
    assert!(waits(&text(&["show", "late_sender", "r=1", "extrawork=0"])) == 0);
    let twin = text(&["show", "late_sender_balanced"]);
    assert!(twin.contains("late_sender_balanced on 4 ranks") && waits(&twin) == 0, "{twin}");
}

#[test]
fn show_of_a_composition() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hybrid.toml");
    insta::assert_snapshot!(text(&["show", file]));
}

#[test]
fn truth_says_how_long_each_rank_waits() {
    let words = ["truth", "imbalance_at_mpi_barrier", "--np", "8", "distribution=linear:10ms:80ms"];
    insta::assert_snapshot!(text(&words));
    let many =
        text(&["truth", "imbalance_at_mpi_barrier", "--np", "64", "distribution=linear:10ms:640ms", "r=1"]);
    assert!(many.contains("0.010000 … 0.630000  0-62"), "{many}");
}

#[test]
fn truth() {
    insta::assert_snapshot!(text(&["truth", "wrong_order", "--np", "4"]));
}

#[test]
fn truth_with_causes() {
    insta::assert_snapshot!(text(&["truth", "late_sender_propagation", "--np", "4", "--causes"]));
}

#[test]
fn a_truth_in_a_file_is_the_document() {
    let dir = TempDir::new().unwrap();
    for (program, size) in [("late_sender", "--np"), ("late_sender", "--ranks")] {
        let words = ["truth", program, size, "2"];
        let written = answer(dir.path(), &[&words[..], &["-o", "truth.json"]].concat());
        let document = answer(dir.path(), &[&words[..], &["--format", "json"]].concat());
        let file = std::fs::read_to_string(dir.path().join("truth.json")).unwrap();
        assert_eq!((written.as_str(), file), ("truth.json\n", document));
    }
}

#[test]
fn truth_of_a_twin() {
    insta::assert_snapshot!(text(&["truth", "late_sender_balanced"]));
}

#[test]
fn drawing() {
    insta::assert_snapshot!(text(&["draw", "late_sender_hybrid", "--np", "2", "--threads", "2", "r=2"]));
}

#[test]
fn drawing_into_a_file() {
    let dir = TempDir::new().unwrap();
    let drawn = |name: &str| {
        let written = answer(dir.path(), &["draw", "late_sender", "--np", "2", "r=2", "-o", name]);
        assert_eq!(written, format!("{name}\n"));
        std::fs::read_to_string(dir.path().join(name)).unwrap()
    };
    assert_eq!(drawn("x.txt"), text(&["draw", "late_sender", "--np", "2", "r=2"]));
    assert!(drawn("x.svg").starts_with("<svg") && drawn("x.SVG").starts_with("<svg"));
}

#[test]
fn validation() {
    insta::assert_snapshot!(text(&["validate", "--engine", "virtual", "late_sender", "early_gather"]));
}

#[test]
fn validation_with_causes() {
    let words = ["validate", "--engine", "virtual", "late_sender_propagation", "late_sender_hybrid"];
    insta::assert_snapshot!(text(&[&words[..], &["--np", "4", "--causes"]].concat()));
}

#[test]
fn validation_of_changes() {
    let words =
        ["validate", "--what-if", "late_sender", "early_gather_balanced", "near_eager_threshold_traffic"];
    insta::assert_snapshot!(text(&words));
}

#[test]
fn help() {
    insta::assert_snapshot!(text(&["--help"]));
    insta::assert_snapshot!("help_in_short", text(&["-h"]));
    insta::assert_snapshot!("help_of_a_command", text(&["help", "score"]));
}

#[test]
fn common_options_are_explained_once() {
    for (words, is_explained) in [(&["--help"][..], true), (&["help"], true), (&["list", "--help"], false)] {
        assert_eq!(text(words).contains("When to use colours"), is_explained, "{words:?}");
    }
    let listed = text(&["experiment", "list", "-h"]);
    assert_eq!(listed.matches("--format, --color, --quiet: see `ats --help`").count(), 1, "{listed}");
}

#[test]
fn profile() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_broadcast", "--np", "3", "r=2", "-o", "t"]);
    let shown = |more: &[&str]| answer(dir.path(), &[&["profile", "t"], more].concat());
    insta::assert_snapshot!("profile", shown(&[]));
    insta::assert_snapshot!("profile_as_a_tree", shown(&["--tree", "--above", "0.01"]));
    let names = |more: &[&str]| -> Vec<String> {
        let text = shown(&[&["--above", "0"], more].concat());
        let rows = text.lines().skip(3).map(|row| row.rsplit("  ").next().unwrap().trim().to_owned());
        rows.collect()
    };
    assert_eq!(names(&["--region", "Bcast"]), ["MPI_Bcast"]);
    assert!(shown(&["--region", "nothing like it"]).ends_with("Nothing of it is to be shown.\n"));
    assert!(names(&["--sort", "name"]).is_sorted() && names(&[]).len() > 4);
    let (shallow, deep) = (names(&["--tree", "--depth", "1"]), names(&["--tree"]));
    assert_eq!(names(&["--depth", "1"]), shallow);
    assert_eq!(shown(&["--tree", "--above", "1%"]), shown(&["--tree", "--above", "0.01"]));
    assert!(shallow.len() < deep.len() && shallow.iter().all(|name| deep.contains(name)), "{shallow:?}");
    assert_eq!(names(&["--tree", "--region", "Bcast"]).last().unwrap(), "MPI_Bcast");
}

/// A trace of two processes, with counters of the recorder.
const COUNTED: &str = "
    metric PAPI_TOT_INS accumulated
    metric ru_utime accumulated us
    metric ru_majflt accumulated
    metric temperature absolute K
    0: 0 enter main; 1 enter work; 1 count PAPI_TOT_INS 100; 1 count ru_utime 0; 1 count ru_majflt 0
    0: 3 count PAPI_TOT_INS 350; 3 count ru_utime 1500000; 3 count ru_majflt 2; 3 count temperature 300
    0: 3 leave; 4 count PAPI_TOT_INS 400; 4 leave
    1: 0 enter main; 4 leave";

#[test]
fn profile_of_no_locations() {
    let dir = TempDir::new().unwrap();
    let writer = ArchiveWriter::create(&dir.path().join("t")).unwrap();
    writer.finish(&Default::default(), &ArchiveProperties::default()).unwrap();
    let output = ats_in(dir.path(), &["profile", "t"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.ends_with(
            "t/traces.otf2: there are no locations, so there is nothing to show; check how it was written\n"
        ),
        "{errors}"
    );
}

/// A folder with an archive `t` of this trace.
pub(crate) fn recorded(trace: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    let trace = ats_analyzer::notation::parse(trace).unwrap();
    let mut writer = ArchiveWriter::create(&dir.path().join("t")).unwrap();
    for (location, events) in trace.definitions.locations.iter().zip(&trace.events) {
        let location = writer.add_location(location.id);
        events.iter().for_each(|(time, event)| writer.event(location, *time, event).unwrap());
    }
    writer.finish(&trace.definitions, &ArchiveProperties::default()).unwrap();
    dir
}

#[test]
fn profile_with_counters() {
    let dir = recorded(COUNTED);
    insta::assert_snapshot!(answer(dir.path(), &["profile", "t"]));
    let inside = |text: &str| text.split("With all that is inside:\n").nth(1).unwrap().to_owned();
    let tree = inside(&answer(dir.path(), &["profile", "t", "--tree", "--rank", "1"]));
    assert_eq!(tree.matches("  main\n").count(), 2, "{tree}");
    // Of what it has no data, there is nothing in the document either.
    let json = answer(dir.path(), &["profile", "t", "--summaries", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let main = &json["summaries"][0];
    let amounts = ["user", "page_faults", "major_faults", "minor_faults", "system", "swaps"];
    assert_eq!(
        amounts.map(|amount| main[amount].as_f64()),
        [Some(1.5), Some(2.0), Some(2.0), None, None, None]
    );
}

/// 400 instructions in 200 cycles are 2 per cycle; misses of loads are no share of anything where loads are not counted.
#[test]
fn profile_with_quotients_of_counters() {
    let dir = recorded(
        "
    metric PAPI_TOT_INS accumulated
    metric PAPI_TOT_CYC accumulated
    metric branches accumulated
    metric branch-misses accumulated
    metric L1-dcache-load-misses accumulated
    0: 0 enter main; 1 enter work; 1 count PAPI_TOT_INS 0; 1 count PAPI_TOT_CYC 0; 1 count branches 0
    0: 1 count branch-misses 0; 1 count L1-dcache-load-misses 0; 3 count PAPI_TOT_INS 400
    0: 3 count PAPI_TOT_CYC 200; 3 count branches 40; 3 count branch-misses 1
    0: 3 count L1-dcache-load-misses 9; 3 leave; 4 enter rest; 5 leave; 6 leave",
    );
    let text = answer(dir.path(), &["profile", "t"]);
    let table = text.split("With all that is inside:\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0].join(" "), "instructions per cycle branches missed region", "{text}");
    assert_eq!(
        rows[1..],
        [["2.0000", "0.0250", "main"], ["2.0000", "0.0250", "work"], ["–", "–", "rest"]],
        "{text}"
    );
    // 9 misses of 100 ms.
    let costs = answer(dir.path(), &["profile", "t", "--penalty", "L1=100ms", "--format", "json"]);
    let costs: serde_json::Value = serde_json::from_str(&costs).unwrap();
    assert_eq!(costs["values"]["l1_miss_cost"], serde_json::json!([[1, 0, 0.9]]));
    let refused = |penalty: &str| {
        let output = ats_in(dir.path(), &["profile", "t", "--penalty", penalty]);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused("TLB=1ns").contains("misses of TLB were not counted; count dTLB-load-misses"));
    assert!(refused("L9=1ns").contains("there are those of L1, L2, L3, LLC, TLB, branch"));
}

/// Rank 1 waits 5 s for a message in `setup` and twice 2 s in `halo`. The last message takes as long as the others, so
/// the clocks are taken as they are.
const CALLED: &str = "
    0: 0 enter main; 0..5 work; 5..6 MPI_Send@setup@src/two.c:8 send 1
    0: 6..8 work; 8..9 MPI_Send@halo@src/two.c:20 send 1; 9..11 work; 11..12 MPI_Send@halo@src/two.c:20 send 1
    0: 12..13 MPI_Recv recv 1; 13 leave
    1: 0 enter main; 0..6 MPI_Recv@setup@src/two.c:10 recv 0; 6..9 MPI_Recv@halo@src/two.c:22 recv 0
    1: 9..12 MPI_Recv@halo@src/two.c:22 recv 0; 12..13 MPI_Send send 0; 13 leave";

#[test]
fn explanation_with_call_sites() {
    let dir = recorded(CALLED);
    insta::assert_snapshot!(answer(dir.path(), &["explain", "t", "--details"]));
    let enough = answer(dir.path(), &["explain", "t", "--require", "0.3"]);
    assert!(enough.starts_with("efficiency 34.6 %; 30.0 % is enough"), "{enough}");
    assert!(!enough.contains("1. "), "{enough}");
}

/// The same in a later version: `setup` takes a second longer and its lines have moved, and rank 0 ends with other code.
const CALLED_LATER: &str = "
    0: 0 enter main; 0..6 work; 6..7 MPI_Send@setup@src/two.c:9 send 1
    0: 7..9 work; 9..10 MPI_Send@halo@src/two.c:21 send 1; 10..12 work; 12..13 MPI_Send@halo@src/two.c:21 send 1
    0: 13..14 MPI_Recv recv 1; 14..16 write; 16 leave
    1: 0 enter main; 0..7 MPI_Recv@setup@src/two.c:11 recv 0; 7..10 MPI_Recv@halo@src/two.c:23 recv 0
    1: 10..13 MPI_Recv@halo@src/two.c:23 recv 0; 13..14 MPI_Send send 0; 14..16 write; 16 leave";

#[test]
fn differences_of_two_versions() {
    let (before, after) = (recorded(CALLED), recorded(CALLED_LATER));
    std::fs::rename(after.path().join("t"), before.path().join("later")).unwrap();
    let dir = before.path();
    insta::assert_snapshot!(answer(dir, &["compare", "t", "later"]));
    assert_eq!(answer(dir, &["compare", "later", "later"]).matches(" work").count(), 0);
    let page = |arguments: &[&str]| {
        let plain = answer(dir, arguments);
        assert_eq!(answer(dir, &[arguments, &["--html", "page.html"]].concat()), plain);
        std::fs::read_to_string(dir.join("page.html")).unwrap()
    };
    assert!(page(&["compare", "t", "later"]).contains(r#""timelines":[{""#));
    let over = ats_in(dir, &["compare", "t", "later", "--html", "later/traces.def"]);
    assert_eq!(over.status.code(), Some(2), "it would be lost");
    let required = |share: &str| ats_in(dir, &["compare", "t", "later", "--require", share]);
    assert_eq!(required("0.5").status.code(), Some(0));
    let slower = required("0.01");
    assert_eq!(slower.status.code(), Some(1));
    let why = String::from_utf8_lossy(&slower.stderr).into_owned();
    let said =
        "ats: B spends more on more_work, slower_work, waiting_for_messages than --require 0.01 allows\n";
    assert!(why.ends_with(said), "{why}");
    // As experiments, by their profiles.
    for (trace, name) in [("t", "one"), ("later", "two")] {
        answer(dir, &["experiment", "add", "repo", trace, "--application", "two", "--name", name]);
    }
    let arguments = ["compare", "repo/one.Ranks2.threads1.r1", "repo/two.Ranks2.threads1.r1"];
    let by_profile = answer(dir, &arguments);
    assert!(page(&arguments).contains(r#""differences":[{"#));
    assert!(!page(&arguments).contains(r#""timelines":"#), "there are no traces");
    assert!(by_profile.contains(" s    +3.8 %  slower work\n"), "{by_profile}");
    let region = ats_in(dir, &[&arguments[..], &["--basis", "main"]].concat());
    assert_eq!(region.status.code(), Some(2), "a profile has no region of a time");
    // With all repetitions of each.
    for (trace, name) in [("later", "one"), ("later", "two"), ("later", "two")] {
        let given = ["--application", "two", "--name", name, "--repeat", "next"];
        answer(dir, &[&["experiment", "add", "repo", trace][..], &given].concat());
    }
    let runs = |more: &[&str]| {
        let words = [&["compare"], more, &["--format", "json"]].concat();
        let compared: serde_json::Value = serde_json::from_str(&answer(dir, &words)).unwrap();
        ["a", "b"].map(|side| compared[side]["runs"].as_array().unwrap().len())
    };
    assert_eq!(runs(&arguments[1..]), [2, 3]);
    assert_eq!(runs(&["repo/one.Ranks2.threads1", "repo/two.Ranks2.threads1"]), [2, 3]);
    assert_eq!(runs(&[&arguments[1..], &["--single"]].concat()), [1, 1]);
    assert_eq!(runs(&["repo/one.Ranks2.threads1.r1", "repo/one.Ranks2.threads1.r2"]), [1, 1]);
    let several = ats_in(dir, &["compare", "repo/two", "repo/one.Ranks2.threads1"]);
    assert_eq!(several.status.code(), Some(2), "the version has two configurations");
}

#[test]
fn explanation_for_code_scanners() {
    let dir = recorded(CALLED);
    let plain = answer(dir.path(), &["explain", "t"]);
    assert_eq!(answer(dir.path(), &["explain", "t", "--sarif", "t.sarif"]), plain);
    let log = std::fs::read_to_string(dir.path().join("t.sarif")).unwrap();
    let log: serde_json::Value = serde_json::from_str(&log).unwrap();
    let [result] = &log["runs"][0]["results"].as_array().unwrap()[..] else { panic!("{log:#}") };
    assert_eq!(result["ruleId"], "uneven_work");
    assert!(result["message"]["text"].as_str().is_some_and(|text| plain.contains(text)), "{result:#}");
    let waits = result["relatedLocations"].as_array().unwrap().iter();
    let lines = waits.map(|wait| wait["physicalLocation"]["region"]["startLine"].as_u64());
    assert_eq!(lines.collect::<Vec<_>>(), [Some(10), Some(22)]);
    for (file, why) in [
        ("no/such/folder.sarif", "give a file in a folder that is there"),
        (".", "give a file in a folder that is there"),
        ("t/traces.def", "would be lost"),
    ] {
        let output = ats_in(dir.path(), &["explain", "t", "--sarif", file]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(why), "{file}: {error}");
        assert_eq!(output.stdout, b"");
    }
}

#[test]
fn an_explanation_against_another_run() {
    let dir = tempfile::TempDir::new().unwrap();
    let dir = dir.path();
    for (program, extra, name) in [
        ("late_sender", "extrawork=0.05", "before"),
        ("late_sender", "extrawork=0.06", "repeated"),
        ("late_sender", "extrawork=0.08", "after"),
    ] {
        answer(dir, &["trace", program, extra, "--np", "4", "-o", name]);
    }
    let said = answer(dir, &["explain", "after", "--against", "before"]);
    let expected = "How far runs of one program differ is not known: there is one run a side.
B takes 1.200 s more than A over all locations, +50.0 %.
0.600 s more: waiting for messages in `MPI_Recv` in mpi_commpattern_sendrecv, for ranks 0,2 in `late_sender`, where all work 0.600 s more.
0.600 s more: slower work in `late_sender`.
0.000 s more in all that is not said here.

efficiency ";
    assert!(said.starts_with(expected), "{said}");
    let less = answer(dir, &["explain", "before", "--against", "after"]);
    assert!(less.contains("0.600 s less: faster work in `late_sender`.\n"), "{less}");
    assert!(less.contains(", for `late_sender`, where all work 0.600 s less.\n"), "{less}");
    let repeated = ["explain", "after", "--against", "before", "--against", "repeated", "--format", "json"];
    let document: ats_documents::Explanation = serde_json::from_str(&answer(dir, &repeated)).unwrap();
    let against = document.against.unwrap();
    assert_eq!(against.comparison.a.runs.len(), 2);
    assert!(against.sentences[0].starts_with("B takes 1.000 s more"), "{:?}", against.sentences);
}

#[test]
fn a_gate_by_cause() {
    let dir = tempfile::TempDir::new().unwrap();
    let dir = dir.path();
    for (program, name) in [("heat_solver", "sound"), ("heat_solver_serial_output", "serial")] {
        answer(dir, &["trace", program, "--np", "4", "-o", name]);
    }
    std::fs::write(dir.join("kept.json"), answer(dir, &["explain", "sound", "--format", "json"])).unwrap();
    let gate = |trace: &str, more: &[&str]| {
        let arguments = [&["explain", trace, "--baseline", "kept.json"], more].concat();
        let output = ats_in(dir, &arguments);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, said, _) = gate("sound", &["--junit", "passed.xml"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Gate passed: 0 new, 0 moved, 0 grown, 0 functions with more calls;"), "{said}");
    let (code, said, _) = gate("serial", &["--junit", "failed.xml", "--sarif", "failed.sarif"]);
    assert_eq!(code, Some(1), "{said}");
    let end = said.split_once("There is one earlier run").unwrap().1;
    let lines: Vec<&str> = end.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "New: Lack of parallelism in MPI_Waitall because of write: 21.5 % of the time, 0.0 % before; rank 0",
            "New: Late arrival in MPI_Allreduce because of heat_solver_serial_output: 2.6 % of the time, 0.0 % before; rank 0",
            "New: Lack of parallelism in MPI_Allreduce because of write: 2.6 % of the time, 0.0 % before; rank 0",
            "More calls: MPI_Gather: 8 calls, 0 before; 64 bytes, 0 before",
            "Gate failed: 3 new, 0 moved, 0 grown, 1 function with more calls; 0 not judged, 0 gone, 0 unchanged.",
        ],
        "{said}"
    );
    let read = |file: &str| std::fs::read_to_string(dir.join(file)).unwrap();
    assert!(read("passed.xml").contains(r#"tests="1" skipped="0" failures="0" errors="0""#));
    assert!(
        read("failed.xml").contains(r#"tests="4" skipped="0" failures="4" errors="0""#),
        "{}",
        read("failed.xml")
    );
    let log: serde_json::Value = serde_json::from_str(&read("failed.sarif")).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let states: Vec<&str> = results.iter().map(|of| of["baselineState"].as_str().unwrap()).collect();
    assert_eq!(states, ["new", "new", "new", "updated"], "{log:#}");
    let document = gate("serial", &["--format", "json"]).1;
    let document: ats_documents::Explanation = serde_json::from_str(&document).unwrap();
    assert_eq!(document.gate.unwrap().numbers.new, 3);
    answer(dir, &["trace", "heat_solver", "--np", "6", "-o", "larger"]);
    for (trace, more, why) in [
        ("larger", &[][..], "that run has 4 locations and this one 6"),
        ("sound", &["--baseline", "passed.xml"], "no answer of `ats explain TRACE --format json`"),
        ("sound", &["--require", "0.5"], "cannot be used with"),
        ("sound", &["--junit", "kept.json"], "would be lost"),
    ] {
        let (code, said, error) = gate(trace, more);
        assert!(code == Some(2) && error.contains(why) && said.is_empty(), "{trace} {more:?}: {error}");
    }
}

#[test]
fn profile_with_call_sites() {
    let dir = recorded(CALLED);
    let shown = |more: &[&str]| answer(dir.path(), &[&["profile", "t"], more].concat());
    let forms = [&[][..], &["--tree"], &["--graph", "text"], &["--graph", "dot"], &["--stacks"]].map(shown);
    insta::assert_snapshot!(forms.join("\n"));
    assert_eq!(shown(&["--region", "halo"]).matches(" in halo\n").count(), 2);
    assert_eq!(shown(&["--graph", "dot", "--region", "halo"]).matches(" in halo ").count(), 2);
}

#[test]
fn graph_of_a_profile() {
    let dir = TempDir::new().unwrap();
    let trace = ["trace", "late_sender_hybrid", "--np", "2", "--threads", "2", "r=2", "-o", "t"];
    answer(dir.path(), &trace);
    let shown = |more: &[&str]| answer(dir.path(), &[&["profile", "t", "--graph"], more].concat());
    insta::assert_snapshot!("graph", shown(&["text"]));
    insta::assert_snapshot!(
        "graph_of_threads",
        shown(&["text", "--per", "thread", "--rank", "1", "--above", "0.01"])
    );
    insta::assert_snapshot!("graph_for_graphviz", shown(&["dot", "--per", "process", "--above", "0.01"]));
    assert!(shown(&["text", "--region", "nothing like it"]).ends_with("Nothing of it is to be shown.\n"));
    insta::assert_snapshot!("stacks", answer(dir.path(), &["profile", "t", "--stacks", "--rank", "0"]));
}

#[test]
fn summaries() {
    let dir = TempDir::new().unwrap();
    let threads = ["--np", "2", "--threads", "2", "r=2"];
    answer(dir.path(), &[&["trace", "late_sender_hybrid", "-o", "t"], &threads[..]].concat());
    let rule = "[[region]]\nmatch = \"mpi_commpattern_*\"\nclass = \"control\"\nsub = \"halo\"\n";
    std::fs::write(dir.path().join("classes.toml"), rule).unwrap();
    let shown = |more: &[&str]| answer(dir.path(), &[&["profile", "t", "--summaries"], more].concat());
    insta::assert_snapshot!("summaries", shown(&["--classes", "classes.toml"]));
    insta::assert_snapshot!("summaries_over_locations", shown(&["--statistics", "--region", "sender"]));
    let alone = answer(dir.path(), &["profile", "t", "--statistics", "--region", "sender"]);
    assert_eq!(alone, shown(&["--statistics", "--region", "sender"]));
    assert!(shown(&["--statistics=cycles"]).ends_with("The trace has no data of cycles.\n"));
    let of_regions = |more: &[&str]| shown(more).split("\n\n").nth(1).unwrap().to_owned();
    let rows = |more: &[&str]| of_regions(more).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let [receive] = &rows(&["--region", "Recv", "--rank", "1", "--thread", "0"])[..] else { panic!() };
    assert!(receive.starts_with("0.100000       0.100000  0.100000"), "{receive}");
    assert!(shown(&["--region", "Recv", "--rank", "0"]).ends_with("Nothing of it is to be shown.\n"));
    assert_eq!(rows(&["--above", "0.3"]).len(), 3);
    assert!(rows(&["--sort", "name"])[0].ends_with("  !$omp implicit barrier"));
}

#[test]
fn profile_of_a_report() {
    let shown =
        answer(&ats_testing::peer(""), &["profile", "caliper-late-sender/late_sender.json", "--tree"]);
    // It counts no visits.
    insta::assert_snapshot!("profile_of_a_report", shown);
}

#[test]
fn every_verb_helps_with_examples() {
    for verb in verbs() {
        let help = text(&[&verb, "--help"]);
        assert!(help.contains(&format!("Examples:\n  ats {verb}")), "{help}");
    }
}

#[test]
fn help_has_the_environment_variables_of_the_documentation() {
    let page = std::fs::read_to_string(ats_testing::suite().join("docs/environment.md")).unwrap();
    for (words, heading, of_page) in [
        (&["--help"][..], "Environment", "Of the command"),
        (&["generate", "--help"], "Environment of programs", "Of generated programs"),
        (&["record", "--help"], "Environment", "Of the recorder"),
    ] {
        let rows = page.split(&format!("\n## {of_page}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
        let rows = rows.lines().filter(|line| line.starts_with("| `"));
        let documented = rows.map(|row| {
            let cells = row.replace('`', "");
            let [_, names, says, unset, _] = cells.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            format!("{names} {says}; unless set: {unset}")
        });
        let help = text(words);
        let section = help.split(&format!("\n{heading}:\n")).nth(1).unwrap().split("\n\n").next().unwrap();
        let mut listed: Vec<String> = Vec::new();
        for line in section.lines() {
            assert!(line.chars().count() <= 78, "{line}");
            match line.strip_prefix("          ") {
                Some(more) => listed.last_mut().unwrap().extend([" ", more]),
                None => listed.push(line.trim_start().to_owned()),
            }
        }
        assert_eq!(listed, documented.collect::<Vec<_>>(), "{words:?}");
    }
}

#[test]
fn help_fits_a_terminal_of_80_columns() {
    let help = text(&["--help"]);
    let groups = help.split("\nOptions:\n").next().unwrap().lines().filter(|line| line.starts_with("  "));
    let long: Vec<&str> = groups.filter(|line| line.chars().count() > 80).collect();
    assert_eq!(long, [] as [&str; 0], "wrapped lines would be no table");
    for verb in verbs() {
        let output =
            Command::new(env!("CARGO_BIN_EXE_ats")).args([&verb, "--help"]).env("COLUMNS", "80").output();
        let help = String::from_utf8(output.unwrap().stdout).unwrap();
        let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
        assert_eq!(long, [] as [&str; 0], "{verb}");
    }
}

#[test]
fn a_closed_pipe_ends_a_command() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ats"))
        .args(["truth", "imbalance_at_mpi_barrier", "--np", "3000", "r=1", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn every_verb_has_a_man_page_and_completions() {
    let dir = TempDir::new().unwrap();
    let pages = dir.path().join("man");
    text(&["man", "-o", pages.to_str().unwrap()]);
    let page = |name: &str| std::fs::read_to_string(pages.join(name)).unwrap();
    let groups = page("ats.1");
    assert!(
        groups.contains("\n.SH \"TRACES AND PROFILES\"\n") && !groups.contains("SUBCOMMANDS"),
        "{groups}"
    );
    for verb in ["truth", "validate", "compose", "completions"] {
        let page = page(&format!("ats-{verb}.1"));
        let sections = ["\n.SH EXAMPLES\n", "\n.SH \"COMMON OPTIONS\"\n", ".TH"];
        assert!(sections.iter().all(|section| page.contains(section)), "{page}");
    }
    for (name, variable) in [("ats.1", "ATS_SUITE"), ("ats-record.1", "ATS_RECORDER_DIR")] {
        let page = page(name);
        let environment = page.split("\n.SH ENVIRONMENT\n").nth(1).unwrap_or_default();
        assert!(environment.contains(&format!("\n  {variable}\n")), "{page}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&["completions", shell]);
        assert!(script.contains("ATS_COMPLETE") && !script.contains(env!("CARGO_BIN_EXE_ats")), "{script}");
    }
}

/// The words that a shell offers to complete the last of these.
fn completed(words: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_ats"))
        .arg("--")
        .args(words)
        .current_dir(ats_testing::suite())
        .envs([("ATS_COMPLETE", "bash"), ("_CLAP_IFS", "\n")])
        .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn groups_of_the_help_have_every_verb_once_in_the_order_of_completions() {
    let offered = completed(&["ats", ""]).into_iter();
    let offered: Vec<String> = offered.filter(|word| !word.starts_with('-') && word != "help").collect();
    assert_eq!(verbs(), offered);
}

#[test]
fn a_shell_knows_properties_parameters_kinds_and_tools() {
    assert_eq!(completed(&["ats", "val"]), ["validate"]);
    let knows = |words: &[&str], name: &str| completed(words).iter().any(|word| word == name);
    let begun = ["ats", "show", "late_se"];
    assert!(knows(&begun, "late_sender") && completed(&begun).iter().all(|word| word.starts_with("late_se")));
    assert!(!knows(&begun, "late_sender_balanced"), "who has not written its property's name has no twin");
    assert!(knows(&["ats", "truth", "late_sender"], "late_sender_balanced"));
    assert_eq!(completed(&["ats", "truth", "late_sender", "ex"]), ["extrawork="]);
    let words = ["ats", "validate", "late_sender", "r=3", "imbalance_at_mpi_barrier", "dis"];
    assert_eq!(completed(&words), ["distribution="]);
    assert!(knows(&["ats", "validate", "late_sender", "imbalance_in_omp_l"], "imbalance_in_omp_loop"));
    assert_eq!(completed(&["ats", "validate", "late_sender", "--sweep", "basew"]), ["basework="]);
    assert_eq!(completed(&["ats", "show", "examples/hyb"]), ["examples/hybrid.toml"]);
    assert_eq!(completed(&["ats", "run", "late_sender", "--work", "c"]), ["cpu", "counted"]);
    assert_eq!(completed(&["ats", "validate", "--tool", "sca"]), ["scalasca"]);
    assert_eq!(completed(&["ats", "generate", "--lang", "f"]), ["fortran"]);
    assert!(knows(&["ats", "template", "report", "wrong_o"], "wrong_order"));
    assert_eq!(completed(&["ats", "schema", "ats-tr"]), ["ats-truth/1"]);
}
