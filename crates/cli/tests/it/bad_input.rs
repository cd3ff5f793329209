//! Bad input gets an error that names what is wrong and the fix, and an exit code that says whose fault it is.

use std::fs;
use std::path::Path;

use crate::common::{answer, ats_in};
use ats_compose::Row;
use ats_launch::claim::Claim;
use tempfile::TempDir;

/// The error of a command that must fail with this exit code.
fn error(dir: &Path, arguments: &[&str], code: i32) -> String {
    let output = ats_in(dir, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert!(errors.starts_with("error: "), "{arguments:?}: {errors}");
    errors
}

#[track_caller]
fn assert_error(arguments: &[&str], code: i32, parts: &[&str]) {
    let dir = TempDir::new().unwrap();
    let error = error(dir.path(), arguments, code);
    for part in parts {
        assert!(error.contains(part), "{arguments:?}: `{part}` is not in: {error}");
    }
}

#[test]
fn a_name_that_is_not_known() {
    assert_error(&["truth", "late_sendr"], 2, &["no property `late_sendr`", "late_sender", "ats list"]);
    assert_error(&["show", "imbalance_at_barrier"], 2, &["imbalance_at_mpi_barrier"]);
    assert_error(&["show", "late_sender", "extrawrok=1"], 2, &["extrawork"]);
    assert_error(&["show", "late_sender", "r=1", "--format", "json"], 2, &["omit them"]);
    assert_error(&["show", "hybrid.toml", "--np", "2"], 2, &["`ats draw hybrid.toml`"]);
    assert_error(&["validate", "late_sendr", "--engine", "virtual"], 2, &["late_sender"]);
    assert_error(&["generate", "late_sendr", "-o", "x"], 2, &["late_sender"]);
    assert_error(&["truth", "late_sender", "extrawrok=1"], 2, &["no parameter `extrawrok`", "extrawork"]);
    assert_error(&["schema", "ats-trut"], 2, &["no schema `ats-trut`", "ats-truth/1"]);
    let counter = |name| ["record", "-o", "t", "--metrics", name, "--", "touch", "started"];
    assert_error(
        &counter("ru_stime,page_fault"),
        2,
        &["no counter `page_fault`", "did you mean page_faults?"],
    );
    assert_error(&counter("flops"), 2, &["no counter `flops`; there are page_faults, ru_minflt"]);
    assert_error(&["vaildate"], 2, &["vaildate", "validate"]);
    // Nothing is like it.
    assert_error(&["truth", "nope"], 2, &["no property `nope`; `ats list` shows all"]);
    assert_error(&["schema", "foo"], 2, &["no schema `foo`; `ats schema` shows all"]);
}

#[test]
fn overheads_of_what_is_not_there() {
    let dir = TempDir::new().unwrap();
    let virtually = ["--engine", "virtual", "--np"];
    for np in ["1", "2"] {
        answer(dir.path(), &[&["experiment", "add", "R", "amdahl"], &virtually[..], &[np]].concat());
    }
    let [one, two] = ["1", "2"].map(|np| format!("R/amdahl-virtual.Ranks{np}.threads1.r1"));
    for (words, parts) in [
        (&["none", "--sequential", &one][..], &["none is not a repository", "there is no such folder"][..]),
        (
            &["R/none", "--sequential", &one],
            &["R has no experiment none", "`ats experiment list R` shows all"],
        ),
        (&[&one, "--sequential", &one], &["no parallel run like amdahl", "ats experiment list"]),
        (&[&two, "--sequential", &one, "--basis", "amdal"], &["no region `amdal` (did you mean `amdahl`?)"]),
        (&[&one], &["no parallel run like amdahl", "ats experiment list"]),
    ] {
        let error = error(dir.path(), &[&["overheads"], words].concat(), 2);
        for part in parts {
            assert!(error.contains(part), "{words:?}: `{part}` is not in: {error}");
        }
    }
}

#[test]
fn efficiency_of_what_has_no_call_paths() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("t.csv"), "experiment,region,unit,metric,value\nheat,main,s,time,1\n").unwrap();
    answer(dir.path(), &["experiment", "add", "R", "t.csv", "--application", "heat"]);
    let error = error(dir.path(), &["efficiency", "R"], 2);
    assert!(
        error.contains("heat.Ranks1.threads1.r1: it has no call paths, as tables have none; add it"),
        "{error}"
    );
}

#[test]
fn a_report_of_cube_that_cannot_be_written() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "r=1", "-o", "t"]);
    for verb in ["analyze", "profile"] {
        let error = |file: &str| error(dir.path(), &[verb, "t", "-o", file], 2);
        assert!(
            error("scout.json").contains("scout.json would be a report of Cube: end its name with .cubex")
        );
        assert!(error("none/scout.cubex").contains("give a file in a folder that is there"));
    }
}

#[test]
fn a_part_that_a_run_does_not_have() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "4", "r=2", "-o", "t"]);
    for (part, why) in [
        (&["--from", "soon"][..], "give a time of the run, such as 250ms"),
        (&["--from", "1000"], "--from 1000 s is outside of the run of 0.1"),
        (&["--from", "2ms", "--to", "1ms"], "--from 0.002 s is not before --to 0.001 s"),
        (&["--rank", "2-4"], "--rank 4: the trace has ranks 0-3"),
        (&["--rank", "0-2147483647"], "--rank 4: the trace has ranks 0-3"),
        (&["--rank", "5%6"], "--rank 5%6: the trace has ranks 0-3"),
        (&["--rank", "3-2"], "`3-2` names no ranks"),
    ] {
        for command in [&["draw", "t"][..], &["export", "t", "-o", "page.html"]] {
            let output = ats_in(dir.path(), &[command, part].concat());
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && error.contains(why), "{part:?}: {error}");
        }
    }
    let words = ["export", "t", "--as", "chrome", "--from", "1ms", "-o", "t.json"];
    assert_eq!(ats_in(dir.path(), &words).status.code(), Some(2));
    assert!(!dir.path().join("page.html").exists() && !dir.path().join("t.json").exists());
    let drawn = answer(dir.path(), &["draw", "t", "--from", "20ms", "--to", "40ms", "--rank", "1,2"]);
    assert!(
        drawn.starts_with("rank 1  ") && drawn.lines().nth(2).unwrap().trim().starts_with("20 ms"),
        "{drawn}"
    );
}

#[test]
fn a_drawing_of_another_form() {
    let dir = TempDir::new().unwrap();
    for name in ["x.png", "x.pdf", "x"] {
        let error = error(dir.path(), &["draw", "late_sender", "r=1", "-o", name], 2);
        let said =
            format!("cannot draw into {name}: a drawing is SVG or text; end the name with .svg or .txt");
        assert!(error.contains(&said), "{error}");
        assert!(!dir.path().join(name).exists());
    }
}

#[test]
fn a_whole_number_that_is_none() {
    let all = "give a whole number from 0 to 18446744073709551615";
    assert_error(&["compose", "--random", "x"], 2, &["'x' for '--random <SEED>'", all]);
    assert_error(&["run", "late_sender", "--seed", "18446744073709551616"], 2, &[all]);
    assert_error(
        &["compose", "--random", "1", "--phases", "10001"],
        2,
        &["give a whole number from 1 to 10000"],
    );
    assert_error(&["profile", "t", "--rank=-1"], 2, &["give a whole number from 0 to 4294967295"]);
}

#[test]
fn a_location_that_is_not_there() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "2", "r=1", "-o", "t"]);
    let error = error(dir.path(), &["profile", "t", "--rank", "9"], 2);
    assert!(error.ends_with("no location matches; choose from ranks 0, 1 and threads 0\n"), "{error}");
}

#[test]
fn a_file_in_the_place_of_a_folder() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("two.c"), "mine").unwrap();
    for force in [&[][..], &["--force"]] {
        let words = [&["generate", "late_sender", "-o", "two.c"], force].concat();
        let error = error(dir.path(), &words, 2);
        let said = "two.c is a file; choose a folder, or with --standalone a file that ends in .c";
        assert!(error.contains(said), "{error}");
    }
    assert_eq!(fs::read_to_string(dir.path().join("two.c")).unwrap(), "mine");
}

#[test]
fn an_ideal_trace_is_no_program() {
    let said = ["no program can show barrier_completion", "`ats trace barrier_completion -o DIR`"];
    assert_error(&["run", "barrier_completion"], 2, &said);
    assert_error(&["generate", "barrier_completion", "-o", "x"], 2, &said);
}

#[test]
fn entries_that_initialise_mpi_are_programs_in_rust() {
    let said = ["wait_at_mpi_finalize", "initialises MPI itself"];
    assert_error(&["generate", "wait_at_mpi_finalize", "--lang", "c", "-o", "x"], 2, &said);
}

#[test]
fn needs_a_single_file() {
    let one = |words: &[&str], said: &[&str]| {
        assert_error(&[&["generate", "-o", "x", "--standalone"], words].concat(), 2, said);
    };
    one(&["late_sender", "--lang", "rust"], &["--standalone writes C, not rust"]);
    one(&["late_sender", "--lang", "fortran"], &["--standalone writes C, not fortran"]);
    one(&["late_sender", "--team", "rayon"], &["--standalone", "cannot be used with"]);
    one(
        &["barrier_completion"],
        &["no program can show barrier_completion", "`ats trace barrier_completion"],
    );
    one(&["late_sender", "--threads", "2"], &["late_sender has processes of one thread", "omit --threads"]);
    one(&["imbalance_at_omp_barrier", "--np", "2"], &["runs as one process", "omit --np"]);
    one(&["late_sender", "--np", "1"], &["needs at least 2 ranks, 1 given"]);
    one(&["late_sender", "--np", "257"], &["made for 257 ranks, and can be for 256", "omit --standalone"]);
    one(&["late_sender", "extrawrok=1"], &["no parameter `extrawrok`", "extrawork"]);
    one(&["late_sender", "late_sender"], &["late_sender is named twice"]);
    one(&["late_sender", "late_receiver", "r=1"], &["r=1", "parameters need a single property"]);
    let composition = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hybrid.toml");
    one(&[composition], &["cannot be one file in C", "composition of several properties"]);
    assert_error(
        &["generate", "late_sender", "r=1", "-o", "x"],
        2,
        &["r=1", "take parameters when they run"],
    );
    assert_error(
        &["generate", "late_sender", "--np", "2", "-o", "x"],
        2,
        &["--np", "take parameters when they run"],
    );
    let two = ["generate", "late_sender", "late_receiver", "--standalone", "-o", "x.c"];
    assert_error(&two, 2, &["x.c is the name of one file", "give a folder"]);
}

#[test]
fn a_value_that_does_not_fit() {
    assert_error(&["truth", "late_sender", "r=-1"], 2, &["late_sender: r:", "-1"]);
    assert_error(&["truth", "late_sender", "r=many"], 2, &["`many`"]);
    let limit = ["big_message: bytes: `limit+x` is not a valid amount of data", "limit, limit+1"];
    assert_error(&["truth", "big_message", "bytes=limit+x"], 2, &limit);
    assert_error(&["truth", "late_sender", "extrawork=1kg"], 2, &["extrawork", "kg", "ms"]);
    assert_error(&["truth", "late_sender", "extrawork=nan"], 2, &["extrawork", "nan"]);
    assert_error(&["truth", "late_sender", "r=1", "r=2"], 2, &["r is given twice"]);
    assert_error(&["truth", "late_sender", "quickly"], 2, &["`quickly` is not a parameter", "name=value"]);
    let barrier = |distribution| format!("distribution={distribution}");
    for (distribution, fix) in [
        ("block2:0.1", "low:high"),
        ("blok2:0.1:0.5", "block2"),
        ("same:-1", "0 or more"),
        ("peak:0.1:0.5:x", "participant"),
        ("cyclic3:1:2:3:4", "low:med:high"),
    ] {
        assert_error(
            &["truth", "imbalance_at_mpi_barrier", &barrier(distribution)],
            2,
            &["distribution", fix],
        );
    }
}

#[test]
fn a_number_of_ranks_that_does_not_fit() {
    assert_error(&["truth", "late_sender", "--np", "1"], 2, &["at least 2 ranks", "--np 2"]);
    assert_error(&["validate", "late_sender", "--np", "1", "--engine", "virtual"], 2, &["at least 2 ranks"]);
    for np in ["0", "-4", "four", "99999999999"] {
        assert_error(&["truth", "late_sender", &format!("--np={np}")], 2, &["--np", "a whole number from 1"]);
    }
}

#[test]
fn a_run_that_is_too_long_or_too_large() {
    let work = ["late_sender", "extrawork=1e7", "r=10"];
    assert_error(
        &["truth", work[0], work[1], work[2]],
        2,
        &["late_sender on 4 ranks", "213 days", "less work"],
    );
    assert_error(&["trace", work[0], work[1], work[2], "-o", "x"], 2, &["213 days"]);
    let dir = TempDir::new().unwrap();
    let validate = ats_in(dir.path(), &["validate", "--engine", "virtual", work[0], work[1], work[2]]);
    let text = String::from_utf8(validate.stdout).unwrap();
    assert_eq!(validate.status.code(), Some(1), "{text}");
    assert!(text.contains("not started") && text.contains("213 days"), "{text}");
    assert_error(&["compose", "--random", "7", "--np", "1"], 2, &["1 rank of 1 thread", "use more"]);
}

#[test]
fn options_that_do_not_fit() {
    assert_error(&["validate", "r=3", "--engine", "virtual"], 2, &["`r=3` follows no property"]);
    assert_error(&["validate", "--table", "9"], 2, &["--table", "1 to 8", "ats list --rows"]);
    let has_none = |table: &u8| Row::list().iter().all(|row| row.table != *table || row.property.is_none());
    if let Some(table) = (1..=8).find(has_none) {
        assert_error(
            &["validate", "--table", &table.to_string()],
            2,
            &["no such property yet", "ats list --rows"],
        );
    }
    assert_error(&["validate", "--all", "late_sender"], 2, &["--all", "cannot be used with"]);
    assert_error(&["validate", "--threshold", "2"], 2, &["--threshold", "0 to 1"]);
    assert_error(&["validate", "--timeout", "0"], 2, &["--timeout", "above 0"]);
    assert_error(&["validate", "--work", "lazy"], 2, &["lazy", "spin"]);
    assert_error(&["generate", "-o", "x"], 2, &["PROPERTY or FILE"]);
    assert_error(&["record", "-o", "x", "--"], 2, &["COMMAND"]);
}

#[test]
fn classes_that_are_none() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "-o", "t"]);
    for (text, said) in [
        ("", "classes.toml:1:1: there is no rule; begin one with [[region]]"),
        (
            "[[region]]\nmatch = \"a\"\nclass = \"contrl\"\n",
            "classes.toml:3:9: there is no class `contrl`; did you mean control?",
        ),
        ("[[region]]\nmatch = \"a[\"\nclass = \"io\"\n", "classes.toml:2:9: `a[` is not a valid pattern"),
        ("[[region]]\nmatch = \"a\"\nclas = \"io\"\n", "classes.toml:3:1: unknown field `clas`"),
        ("[[region]\n", "classes.toml:1:10: "),
    ] {
        fs::write(dir.path().join("classes.toml"), text).unwrap();
        let error = error(dir.path(), &["profile", "t", "--summaries", "--classes", "classes.toml"], 2);
        assert!(error.contains(said), "{error}");
    }
    let missing = error(dir.path(), &["profile", "t", "--summaries", "--classes", "nowhere.toml"], 2);
    assert!(missing.contains("nowhere.toml: cannot be read"), "{missing}");
    let alone = error(dir.path(), &["profile", "t", "--classes", "classes.toml"], 2);
    assert!(alone.contains("--summaries"), "{alone}");
}

#[test]
fn a_trace_that_is_none() {
    let dir = TempDir::new().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name).join("traces.otf2");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("text", b"this is no trace, but a letter to my aunt"),
        ("zeros", &[0; 4096]),
        ("ones", &[255; 4096]),
    ] {
        let path = file(name, bytes);
        let error = error(dir.path(), &["analyze", &path], 2);
        assert!(error.contains(&format!("{name}/traces.otf2")), "{error}");
    }
    let missing = error(dir.path(), &["analyze", "nowhere/traces.otf2"], 2);
    assert!(missing.contains("nowhere/traces.otf2"), "{missing}");
    let folder = error(dir.path(), &["analyze", "."], 2);
    assert!(folder.contains("there is no trace in .: no file in it ends in .otf2 or .prv"), "{folder}");
}

/// All commands that open traces.
const OPENING: [&[&str]; 6] = [
    &["analyze", "t"],
    &["draw", "t"],
    &["export", "t", "-o", "page.html"],
    &["profile", "t"],
    &["score", "--truth", "truth.json", "t"],
    &["experiment", "add", "repository", "t", "--application", "a"],
];

/// The message of a command that fails; `ats score` has it in its answer.
fn refusal(dir: &Path, command: &[&str]) -> String {
    let output = ats_in(dir, command);
    assert!(!output.status.success(), "{command:?}");
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// A folder with a trace in `t`, by its anchor, and its truth.
fn traced(anchor: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "r=1", "-o", "t"]);
    let truth = answer(dir.path(), &["truth", "late_sender", "r=1", "--format", "json"]);
    fs::write(dir.path().join("truth.json"), truth).unwrap();
    let stem = Path::new(anchor).with_extension("");
    for (old, new) in
        [("traces.otf2", Path::new(anchor)), ("traces.def", &stem.with_extension("def")), ("traces", &stem)]
    {
        fs::rename(dir.path().join("t").join(old), dir.path().join("t").join(new)).unwrap();
    }
    dir
}

#[test]
fn a_folder_means_its_only_trace() {
    let dir = traced("eztrace_log.otf2");
    for command in OPENING {
        answer(dir.path(), command);
    }
    let analysis = answer(dir.path(), &["analyze", "t"]);
    assert!(analysis.starts_with("t/eztrace_log.otf2: "), "{analysis}");
    fs::write(dir.path().join("t/another.otf2"), "").unwrap();
    for command in OPENING {
        let error = refusal(dir.path(), command);
        assert!(error.contains("t holds several traces: another.otf2, eztrace_log.otf2; "), "{error}");
    }
}

#[test]
fn a_recording_that_was_interrupted() {
    let dir = traced("traces.otf2");
    fs::remove_dir_all(dir.path().join("t")).unwrap();
    fs::create_dir(dir.path().join("t")).unwrap();
    for rank in 0..2 {
        let marker = dir.path().join("t").join(format!("incomplete.{rank}"));
        fs::write(marker, format!("rank {rank}: it did not end; was it killed?\n")).unwrap();
    }
    let said = "the trace in t is incomplete: ranks 0,1: it did not end; was it killed?; record again";
    for command in OPENING {
        let error = refusal(dir.path(), command);
        assert!(error.contains(said), "{command:?}: {error}");
    }
    for verb in ["analyze", "draw", "profile"] {
        let error = error(dir.path(), &[verb, "t/traces.otf2"], 2);
        assert!(error.contains(said), "{verb}: {error}");
    }
}

#[test]
fn a_trace_that_is_cut_short() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "4", "r=3", "-o", "t"]);
    for file in ["traces.otf2", "traces.def", "traces/0.evt"] {
        let path = dir.path().join("t").join(file);
        let whole = fs::read(&path).unwrap();
        for length in (0..whole.len().min(600)).step_by(37) {
            fs::write(&path, &whole[..length]).unwrap();
            let output = ats_in(dir.path(), &["analyze", "t"]);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 2)), "{file} cut to {length}: {errors}");
            assert!(!errors.contains("panicked"), "{file} cut to {length}: {errors}");
            // Of the anchor, what comes last is not needed.
            let is_said = errors.contains("error: ") || errors.contains("warning: ");
            assert!(is_said || file == "traces.otf2" && length > 60, "{file} cut to {length}: {errors}");
        }
        fs::write(&path, whole).unwrap();
    }
    answer(dir.path(), &["analyze", "t"]);
}

#[test]
fn a_region_that_is_not_there() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "2", "r=1", "-o", "t"]);
    let error = error(dir.path(), &["analyze", "t", "--basis", "late_sendr"], 2);
    assert!(error.contains("late_sendr") && error.contains("late_sender"), "{error}");
}

#[test]
fn causes_of_what_is_not_there() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "2", "r=1", "-o", "t"]);
    let analysis: serde_json::Value =
        serde_json::from_str(&answer(dir.path(), &["analyze", "t", "--format", "json"])).unwrap();
    let id = analysis["findings"][0]["id"].as_str().unwrap();
    let said = |words: &[&str]| error(dir.path(), &[&["analyze", "t"], words].concat(), 2);
    let misspelt = id.replace("sender", "sendr");
    assert_eq!(
        said(&["--causes", "--of", &misspelt]),
        format!("error: --of {misspelt}: there is no such finding; did you mean `{id}`?\n")
    );
    assert!(
        said(&["--causes", "--of", "x"])
            .ends_with("there is no such finding; `ats analyze --format json` lists them\n")
    );
    assert!(said(&["--of", id]).contains("--causes"));
    assert!(said(&["--causes=some"]).contains("scalasca, all"));
    assert!(said(&["--causes", "--temp", "nowhere"]).contains("--temp nowhere: there is no such folder"));
    let speedscope = ["export", "t", "--as", "speedscope", "--causes", "-o", "x.json"];
    assert!(error(dir.path(), &speedscope, 2).contains("omit --causes"));
    for viewer in ["chrome", "speedscope"] {
        let words = ["export", "t", "--as", viewer, "--explain", "-o", "x.json"];
        let error = error(dir.path(), &words, 2);
        assert!(error.contains("only a page lists problems; omit --explain or use --as html"), "{error}");
    }
    assert!(said(&["--temp", "."]).contains("--causes"));
    let words = ["export", "t", "--explain", "--temp", "nowhere", "-o", "page.html"];
    assert!(error(dir.path(), &words, 2).contains("--temp nowhere: there is no such folder"));
}

#[test]
fn causes_of_several_runs() {
    let dir = TempDir::new().unwrap();
    let truth = ["truth", "amdahl", "-o", "truth.json"];
    let refused = error(dir.path(), &[&truth[..], &["--causes"]].concat(), 2);
    let why = "--causes are those of one run, and amdahl has 3; choose one with --np and --threads";
    assert_eq!(refused, format!("error: {why}\n"));
    assert!(!dir.path().join("truth.json").exists(), "nothing is written");
    answer(dir.path(), &truth);
    let refused = error(dir.path(), &["score", "--truth", "truth.json", "truth.json"], 2);
    assert!(refused.contains("it is of several runs; `ats truth` writes that of one with --np"), "{refused}");
    answer(dir.path(), &[&truth[..], &["--causes", "--np", "2"]].concat());
    let written = fs::read(dir.path().join("truth.json")).unwrap();
    let truth: ats_documents::Truth = serde_json::from_slice(&written).unwrap();
    assert!(truth.causes.is_some_and(|causes| causes.metrics.contains_key("delay_barrier")));
}

#[test]
fn a_trace_cannot_speak_to_the_terminal() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "r=1", "-o", "t"]);
    let path = dir.path().join("t/traces.def");
    let bytes = fs::read(&path).unwrap();
    let (name, evil) =
        (b"mpi_commpattern_sendrecv", "\u{1b}[31m\u{1b}]0;x\u{7}\r\n\u{9b}\u{202e}12345\u{7f}");
    assert_eq!(name.len(), evil.len());
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
    let changed = [&bytes[..at], evil.as_bytes(), &bytes[at + name.len()..]].concat();
    fs::write(&path, changed).unwrap();
    let is_plain = |text: &[u8]| {
        let text = std::str::from_utf8(text).unwrap();
        assert!(!text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
        text.to_owned()
    };
    let shown = answer(dir.path(), &["analyze", "t"]);
    let shown = is_plain(shown.as_bytes());
    let escaped = r"late_sender/\u{1b}[31m\u{1b}]0;x\u{7}\u{d}\u{a}\u{9b}\u{202e}12345\u{7f}/MPI_Recv";
    assert!(shown.contains(escaped), "{shown}");
    assert!(
        is_plain(&ats_in(dir.path(), &["analyze", "t", "--region", "\u{1b}]0;x"]).stderr).contains(r"\u{1b}")
    );
    let truth = answer(dir.path(), &["truth", "late_sender_balanced", "r=1", "--format", "json"]);
    fs::write(dir.path().join("truth.json"), truth).unwrap();
    let scored = ats_in(dir.path(), &["score", "--truth", "truth.json", "t/traces.otf2"]);
    let scored = is_plain(&scored.stdout);
    assert!(scored.contains(r"\u{1b}]0;x"), "{scored}");
}

#[test]
fn inputs_are_not_written_over() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "r=1", "-o", "t"]);
    let result = answer(dir.path(), &["validate", "--engine", "virtual", "late_sender", "--format", "json"]);
    fs::write(dir.path().join("v.json"), &result).unwrap();
    fs::hard_link(dir.path().join("v.json"), dir.path().join("link.json")).unwrap();
    fs::hard_link(dir.path().join("t/traces.otf2"), dir.path().join("link.svg")).unwrap();
    for (arguments, file) in [
        (&["export", "t", "-o", "t/traces.otf2"][..], "t/traces.otf2"),
        (&["export", "t/traces.otf2", "-o", "./t/../t/traces.def"], "t/traces.def"),
        (&["export", "t", "-o", "t/traces/0.evt"], "t/traces/0.evt"),
        (&["draw", "t", "-o", "link.svg"], "t/traces.otf2"),
        (&["report", "v.json", "-o", "v.json"], "v.json"),
        (&["report", "v.json", "-o", "link.json"], "v.json"),
        (&["report", "--runs", ".", "-o", "t/traces.otf2"], "t/traces.otf2"),
    ] {
        let before = fs::read(dir.path().join(file)).unwrap();
        let error = error(dir.path(), arguments, 2);
        assert!(error.contains("is what is read, and would be lost"), "{error}");
        assert_eq!(fs::read(dir.path().join(file)).unwrap(), before, "{arguments:?}");
    }
}

#[test]
fn the_folder_of_sources_is_there() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "r=1", "-o", "t"]);
    for arguments in [&["export", "t", "-o", "page.html"][..], &["report", "--runs", ".", "-o", "page.html"]]
    {
        let error = error(dir.path(), &[arguments, &["--sources", "none"]].concat(), 2);
        assert!(error.contains("--sources none: there is no such folder"), "{error}");
        assert!(!dir.path().join("page.html").exists());
    }
}

#[test]
fn a_trace_replaces_the_one_before_it() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "8", "r=1", "-o", "t"]);
    fs::write(dir.path().join("t/notes.txt"), "mine").unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "2", "r=1", "-o", "t"]);
    let mut parts: Vec<_> =
        fs::read_dir(dir.path().join("t/traces")).unwrap().map(|part| part.unwrap().file_name()).collect();
    parts.sort();
    assert_eq!(parts, ["0.def", "0.evt", "1.def", "1.evt"]);
    assert!(dir.path().join("t/notes.txt").exists());
}

#[test]
fn a_trace_that_fails_leaves_no_parts() {
    let dir = TempDir::new().unwrap();
    let output = std::process::Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" trace late_sender --np 64 r=100 -o t"])
        .arg(env!("CARGO_BIN_EXE_ats"))
        .current_dir(dir.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.starts_with("error: "), "{errors}");
    assert_eq!(fs::read_dir(dir.path().join("t")).unwrap().count(), 0);
}

#[test]
fn an_output_that_cannot_be_written() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    for (arguments, code) in [
        (&["trace", "late_sender", "r=1", "-o", "file/t"][..], 3),
        (&["generate", "late_sender", "-o", "file/g"], 3),
    ] {
        let error = error(dir.path(), arguments, code);
        assert!(error.contains("file/"), "{error}");
    }
    fs::create_dir(dir.path().join("full")).unwrap();
    fs::write(dir.path().join("full/letter"), "dear aunt").unwrap();
    fs::write(dir.path().join("mine.c"), "mine").unwrap();
    let kept = error(dir.path(), &["generate", "late_sender", "--standalone", "-o", "mine.c"], 2);
    assert!(kept.contains("mine.c exists; choose another file, or --force"), "{kept}");
    assert_eq!(fs::read_to_string(dir.path().join("mine.c")).unwrap(), "mine");
    let error = error(dir.path(), &["generate", "late_sender", "-o", "full"], 2);
    assert!(error.contains("not empty") && error.contains("--force"), "{error}");
}

#[test]
fn a_launcher_that_is_missing_or_none() {
    assert_error(
        &["validate", "--launcher", "mpirun.nowhere"],
        3,
        &["`mpirun.nowhere` was not found", "apt-get install"],
    );
    assert_error(
        &["run", "late_sender", "--launcher", "/bin/true"],
        3,
        &["`/bin/true` is not a launcher that ATS knows"],
    );
    assert_error(
        &["record", "-o", "t", "--", "mpirun.nowhere", "-np", "2", "./a"],
        3,
        &["`mpirun.nowhere` was not found"],
    );
}

#[test]
fn a_launcher_of_nothing() {
    for option in [["--launcher", "/bin/true"], ["--work", "spin"], ["--seed", "7"]] {
        let arguments = [&["validate", "--engine", "virtual", "late_sender"][..], &option].concat();
        assert_error(&arguments, 2, &[option[0], "omit", "--engine virtual"]);
    }
}

#[test]
fn a_folder_that_another_command_writes_to() {
    let dir = TempDir::new().unwrap();
    let claim = Claim::acquire(&dir.path().join("runs"), "ats-validate").unwrap();
    let _run = Claim::acquire(&dir.path().join("run"), "late_sender").unwrap();
    let holder = format!("is in use by process {} since ", std::process::id());
    for arguments in [
        &["validate", "late_sender", "-o", "runs", "--skip-missing"][..],
        &["run", "late_sender", "-o", "run"],
    ] {
        let error = error(dir.path(), arguments, 3);
        assert!(error.contains(&holder) && error.contains("give another folder with -o"), "{error}");
    }
    drop(claim);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ats"))
        .args(["validate", "late_sender", "-o", "runs"])
        .current_dir(dir.path())
        .env("PATH", dir.path())
        .env_remove("MPICC")
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("no MPI library"), "the folder is free: {errors}");
}

#[test]
fn without_mpi_there_is_still_the_virtual_engine() {
    let dir = TempDir::new().unwrap();
    for (arguments, code) in [(&["validate"][..], 3), (&["validate", "--skip-missing"], 77)] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ats"))
            .args(arguments)
            .current_dir(dir.path())
            .env("PATH", dir.path())
            .env_remove("MPICC")
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains("apt-get install openmpi-bin libopenmpi-dev"), "{errors}");
        assert!(errors.contains("--engine virtual"), "{errors}");
    }
}

#[test]
fn a_program_that_is_not_there_is_not_recorded() {
    for (program, says_of_it) in [
        ("/nowhere/program", "no program /nowhere/program: the file does not exist"),
        (
            "no-such-program",
            "no program no-such-program on the PATH; write ./no-such-program for one in this folder",
        ),
        ("/usr", "/usr is a folder"),
        ("/etc/passwd", "/etc/passwd is not executable"),
    ] {
        assert_error(&["record", "-o", "t", "--", program], 2, &[says_of_it]);
        // As other commands that run one, it can do without `--`.
        assert_error(&["record", "-o", "t", program], 2, &[says_of_it]);
        assert_error(&["record", "-o", "t", program, "-o", "--help"], 2, &[says_of_it]);
    }
}

#[test]
fn more_processes_than_a_machine_bears() {
    assert_error(
        &["run", "late_sender", "--np", "100000"],
        2,
        &["100000 processes and threads", "--limit 100000"],
    );
    assert_error(&["run", "late_sender", "--np", "4", "--limit", "3"], 2, &["4 processes and threads"]);
}

#[test]
fn a_place_that_cannot_be_written_to() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "2", "r=1", "-o", "t"]);
    fs::write(dir.path().join("file"), "").unwrap();
    for words in [
        &["trace", "late_sender", "--np", "2"][..],
        &["generate", "late_sender"],
        &["generate", "late_sender", "--standalone"],
        &["install"],
        &["man"],
    ] {
        let place: &[&str] = if words[0] == "install" { &["file/x"] } else { &["-o", "file/x"] };
        let error = error(dir.path(), &[words, place].concat(), 3);
        assert!(error.contains("cannot "), "{error}");
    }
    for words in [
        &["export", "t", "-o", "file/x.html"][..],
        &["draw", "t", "-o", "file/x.svg"],
        &["analyze", "t", "-o", "file/x.cubex"],
        &["explain", "t", "--sarif", "file/x.sarif"],
        &["compose", "--random", "1", "-o", "file/x.toml"],
    ] {
        let error = error(dir.path(), words, 2);
        assert!(error.contains("give a file in a folder that is there"), "{error}");
    }
}
