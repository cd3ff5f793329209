//! Misses of caches, from traces of references and of programs that run under valgrind.

use std::fs;
use std::path::Path;

use ats_testing::required;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{answer, ats_command, ats_in};
use crate::documents::document;

/// A folder with a trace: a hundred rounds over eight lines that are in the same set.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    let round: String = (1..9).map(|line| format!("I  00400000,4\n L {:08x},8\n", line << 14)).collect();
    let text =
        format!("==1== Lackey, an example Valgrind tool\n{}==1== Exit code:       0\n", round.repeat(100));
    fs::write(dir.path().join("trace"), text).unwrap();
    dir
}

fn error(dir: &Path, words: &[&str], code: i32) -> String {
    let output = ats_in(dir, &[&["memory"], words].concat());
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn misses_of_a_trace_are_a_document_and_a_text() {
    let dir = folder();
    let words = ["memory", "trace", "--cache", "16KiB,4,64", "--penalty", "16KiB=4ns,1MiB=1us"];
    let memory = document(dir.path(), &words);
    assert_eq!((&memory["references"], &memory["is_complete"]), (&"data".into(), &true.into()));
    let total = &memory["total"];
    assert_eq!((&total["references"], &total["cold"]["value"]), (&800.into(), &8.0.into()));
    assert_eq!(total["caches"][0]["simulated"], 800);
    assert_eq!(total["caches"][0]["fully_associative"]["value"], 8.0);
    let seconds = total["seconds"]["value"].as_f64().unwrap();
    assert!((seconds - (800.0 * 4e-9 + 8.0 * 1e-6)).abs() < 1e-15, "{seconds}");
    let curve = total["curve"].as_array().unwrap();
    let points: Vec<_> =
        curve.iter().map(|of| (of["bytes"].as_u64(), of["misses"]["value"].as_f64())).collect();
    assert_eq!(points, [(Some(64), Some(800.0)), (Some(512), Some(8.0))]);
    let text = answer(dir.path(), &words);
    assert!(text.starts_with("800 loads and stores in trace: 8 lines of 64 bytes\n"), "{text}");
    let all = document(dir.path(), &["memory", "trace", "--references", "all"]);
    assert_eq!(all["total"]["references"], 1600);
}

#[test]
fn a_cut_trace_is_counted_and_a_wrong_one_refused() {
    let dir = folder();
    let text = fs::read_to_string(dir.path().join("trace")).unwrap();
    fs::write(dir.path().join("cut"), &text[..text.len() / 2]).unwrap();
    let output = ats_in(dir.path(), &["memory", "cut", "--format", "json"]);
    let memory: Value = serde_json::from_slice(&output.stdout).unwrap();
    let warning = memory["warnings"][0].as_str().unwrap();
    assert!(memory["is_complete"] == false && warning.starts_with("cut:"), "{memory:#}");
    assert!(String::from_utf8(output.stderr).unwrap().contains(warning));
    fs::write(dir.path().join("empty"), "").unwrap();
    assert!(error(dir.path(), &["empty"], 2).contains("empty is empty; make a trace with valgrind"));
    fs::write(dir.path().join("text"), "\nint main() {}\n").unwrap();
    assert!(error(dir.path(), &["text"], 2).contains("text:2: `int main() {}` is no reference"));
    assert!(error(dir.path(), &["none"], 2).contains("cannot read none: "));
    assert!(
        error(dir.path(), &["trace", "--symbols", "text"], 2).contains("cannot read the symbols of text: ")
    );
}

#[test]
fn wrong_options_name_the_fix() {
    let dir = folder();
    for (words, part) in [
        (&["--cache", "32KiB"][..], "as 32KiB,8,64"),
        (&["--cache", "32KiB,0,64"], "not a number of sets of 0 lines"),
        (&["--cache", "32KiB,7,64"], "32KiB is not a number of sets of 7 lines of 64 bytes"),
        (&["--cache", "32KiB,8,48"], "power of two"),
        (&["--cache", "32GiB,8,64"], "the largest cache"),
        (&["--cache", "limit,8,64"], "give a number of bytes"),
        (&["--cache", "32KiB,8,64", "--cache", "1MiB,8,128"], "lines of 64 and 128 bytes"),
        (&["--penalty", "32KiB"], "as 32KiB=4ns"),
        (&["--penalty", "32KiB=-4ns"], "-4ns"),
        (&["--penalty", "8=4ns"], "holds no line of 64 bytes"),
    ] {
        let error = error(dir.path(), &[&["trace"], words].concat(), 2);
        assert!(error.contains(part), "{words:?}: {error}");
    }
    assert!(error(dir.path(), &[], 2).contains("TRACE"));
    assert!(error(dir.path(), &["--", "./none"], 2).contains("none"));
    let launcher = error(dir.path(), &["--", "mpirun", "-np", "2", "true"], 2);
    assert!(launcher.contains("let it start valgrind"), "{launcher}");
}

#[test]
fn without_valgrind_the_error_names_it() {
    let dir = TempDir::new().unwrap();
    let output =
        ats_command(dir.path()).args(["memory", "--", "/bin/true"]).env("PATH", dir.path()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains("valgrind is not installed; install it (apt install valgrind)"), "{error}");
}

#[test]
fn a_program_runs_under_valgrind() {
    if !required("valgrind") || !required("sh") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let output =
        ats_in(dir.path(), &["memory", "--format", "json", "--", "sh", "-c", "echo printed; exit 3"]);
    let memory: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&memory["trace"], &memory["is_complete"]),
        (&"sh -c echo printed; exit 3".into(), &true.into())
    );
    assert!(memory["total"]["references"].as_u64().unwrap() > 1_000);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("printed\n") && errors.contains("ended with exit status: 3"), "{errors}");
}
