//! A test whose tool is missing fails, or says that it was left out.

use std::process::{Command, Output};

/// This test, run again as its own child: what a test says and how it ends is seen from outside only.
fn child(variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "missing::needs_what_nobody_has", "--ignored"]);
    for name in ["ATS_SKIP_MISSING", "ATS_LEFT_OUT"] {
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
fn a_test_without_its_tool_fails_and_says_what_to_install() {
    for variables in [&[][..], &[("ATS_SKIP_MISSING", "0")], &[("ATS_SKIP_MISSING", "")]] {
        let ended = child(variables);
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
        let ended = child(&[("ATS_SKIP_MISSING", "1"), ("ATS_LEFT_OUT", list.to_str().unwrap())]);
        assert!(ended.status.success());
        let line =
            "missing::needs_what_nobody_has: needs a-tool-that-nobody-has (Debian: a-tool-that-nobody-has)\n";
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(said.contains(&format!("left out: {line}")), "{said}");
        assert_eq!(std::fs::read_to_string(&list).unwrap(), line.repeat(number));
    }
}
