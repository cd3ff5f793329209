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
    insta::assert_snapshot!("profile_as_a_tree", shown(&["--tree", "--above", "1"]));
    let names = |more: &[&str]| -> Vec<String> {
        let text = shown(more);
        let rows = text.lines().skip(3).map(|row| row.rsplit("  ").next().unwrap().trim().to_owned());
        rows.collect()
    };
    assert_eq!(names(&["--region", "Bcast"]), ["MPI_Bcast"]);
    assert!(shown(&["--region", "nothing like it"]).ends_with("Nothing of it is to be shown.\n"));
    assert!(names(&["--sort", "name"]).is_sorted() && names(&[]).len() > 4);
    let (shallow, deep) = (names(&["--tree", "--depth", "1"]), names(&["--tree"]));
    assert_eq!(names(&["--depth", "1"]), shallow);
    assert_eq!(shown(&["--tree", "--above", "1%"]), shown(&["--tree", "--above", "1"]));
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
fn profile_with_call_sites() {
    let dir = recorded(CALLED);
    let shown = |more: &[&str]| answer(dir.path(), &[&["profile", "t"], more].concat());
    let forms = [&[][..], &["--tree"], &["--graph", "text"], &["--graph", "dot"], &["--stacks"]].map(shown);
    insta::assert_snapshot!(forms.join("\n"));
    assert_eq!(shown(&["--region", "halo"]).matches(" in halo ").count(), 2);
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
        shown(&["text", "--per", "thread", "--rank", "1", "--above", "1"])
    );
    insta::assert_snapshot!("graph_for_graphviz", shown(&["dot", "--per", "process", "--above", "1"]));
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
    assert_eq!(rows(&["--above", "30"]).len(), 3);
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
fn nobody_reads_to_the_end() {
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
