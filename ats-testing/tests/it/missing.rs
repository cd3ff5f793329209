//! A test whose tool is missing fails, or reports that it was left out; one whose tool was not promised fails.

use std::process::{Command, Output};

use ats_testing::{is_promised, suite};

use crate::house::{members, read, walk};

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
fn what_is_left_out_is_told_and_listed() {
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
    assert!(said.contains("this test needs grep (Debian: grep), which this target"), "{said}");
}

#[test]
fn a_tool_is_promised_by_all_of_its_packages() {
    assert!(is_promised("mpicc.openmpi", "clang openmpi-bin libopenmpi-dev"));
    assert!(!is_promised("mpicc.openmpi", "clang openmpi-bin"));
    assert!(!is_promised("mpicc.mpich", "libopenmpi-dev openmpi-bin"));
    assert!(is_promised("sh", ""));
}

/// The packages that a job installs: `tests` or `all`.
fn installed(job: &str) -> String {
    let output =
        Command::new(suite().join("scripts/install-missing")).args(["--list", job]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_makefile_promises_what_it_installs() {
    let makefile = read(&suite().join("Makefile"));
    for (target, job) in [("test", "tests"), ("test-all", "all")] {
        let promise =
            format!("\n{target}: export ATS_PROMISED = $(shell scripts/install-missing --list {job})\n");
        let recipe = format!("\n{target}:\n\t@scripts/install-missing {job}\n");
        assert!(makefile.contains(&promise) && makefile.contains(&recipe), "{promise}{recipe}");
        assert!(is_promised("otf2-print", &installed(job)), "{job}");
    }
    assert!(!is_promised("mpicc.mpich", &installed("tests")));
    assert!(is_promised("mpicc.mpich", &installed("all")));
}

/// The words that stand between this beginning and the next quote.
fn quoted<'a>(text: &'a str, begin: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split('"').next())
}

/// A tool without a row in the table of packages counts as a package of its own name, which is never promised.
#[test]
fn every_tool_that_is_started_or_asked_for_is_of_a_package_that_is_installed() {
    let (tests, all) = (installed("tests"), installed("all"));
    let mut tools = 0;
    for member in members() {
        walk(&suite().join(&member), "rs", &mut |file| {
            if file.ends_with("ats-testing/tests/it/missing.rs") {
                return;
            }
            let text = read(file);
            let started = quoted(&text, "Command::new(\"").map(|tool| (tool, &tests));
            let asked = ["required(\"", "ats_testing::find(\"", "ats_testing::find_any(&[\""].into_iter();
            let asked = asked.flat_map(|begin| quoted(&text, begin)).map(|tool| (tool, &all));
            for (tool, promised) in started.chain(asked) {
                assert!(is_promised(tool, promised), "{}: {tool}", file.display());
                tools += 1;
            }
        });
    }
    assert!(tools > 50, "only {tools} are found");
}
