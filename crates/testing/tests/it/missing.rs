//! A test whose tool is missing fails, or reports that it was left out; one whose tool was not promised fails.

use std::process::{Command, Output};

use ats_testing::is_promised;

/// A test of this file, run again as its own child: its output and its end are seen from outside only.
fn child(test: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("missing::{test}"), "--ignored"]);
    for name in ["ATS_SKIP_MISSING", "ATS_LEFT_OUT", "ATS_PROMISED"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

#[test]
#[ignore = "the other tests run it"]
fn needs_what_nobody_has() {
    assert!(!ats_testing::required("a-tool-that-nobody-has"));
}

#[test]
#[ignore = "the other tests run it"]
fn needs_grep() {
    assert!(ats_testing::required("grep"));
}

#[test]
#[ignore = "the other tests run it"]
fn needs_bash() {
    assert!(ats_testing::required("bash"));
}

#[test]
fn a_test_without_its_tool_fails_and_says_what_to_install() {
    for variables in [&[][..], &[("ATS_SKIP_MISSING", "0")], &[("ATS_SKIP_MISSING", "")]] {
        let ended = child("needs_what_nobody_has", variables);
        assert!(!ended.status.success());
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(said.contains("apt-get install a-tool-that-nobody-has"), "{said}");
    }
}

#[test]
fn omitted_documents_are_reported_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    for number in 1..=2 {
        let variables = [("ATS_SKIP_MISSING", "1"), ("ATS_LEFT_OUT", list.to_str().unwrap())];
        let ended = child("needs_what_nobody_has", &variables);
        assert!(ended.status.success());
        let line =
            "missing::needs_what_nobody_has: needs a-tool-that-nobody-has (Debian: a-tool-that-nobody-has)\n";
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(said.contains(&format!("left out: {line}")), "{said}");
        assert_eq!(std::fs::read_to_string(&list).unwrap(), line.repeat(number));
    }
}

#[test]
fn a_tool_that_nobody_promised_is_refused_even_if_it_is_there() {
    let succeeds = |test, promised| child(test, &[("ATS_PROMISED", promised)]).status.success();
    for promised in ["", "grep", "gcc grep"] {
        assert!(succeeds("needs_grep", promised), "{promised}");
    }
    assert!(succeeds("needs_bash", "gcc"), "every machine has it");
    let ended = child("needs_grep", &[("ATS_PROMISED", "gcc pgrep"), ("ATS_SKIP_MISSING", "1")]);
    assert!(!ended.status.success());
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(said.contains("this test needs grep (Debian: grep), which this level"), "{said}");
}

#[test]
fn a_tool_is_promised_by_all_of_its_packages() {
    assert!(is_promised("mpicc.openmpi", "clang openmpi-bin libopenmpi-dev"));
    assert!(!is_promised("mpicc.openmpi", "clang openmpi-bin"));
    assert!(!is_promised("mpicc.mpich", "libopenmpi-dev openmpi-bin"));
    assert!(is_promised("sh", ""));
}
