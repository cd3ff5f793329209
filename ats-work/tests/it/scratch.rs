//! Work that writes into a folder without room ends the process with an error.

use std::process::Command;

use ats_work::amount::{Amount, Target, Writes};

#[test]
#[ignore = "a part of the other, which runs it in a process of its own"]
fn writes_into_the_scratch_folder() {
    ats_work::do_amount(&Amount::Writes(Writes { calls: 3, bytes: 4096, to: Target::Scratch }));
}

#[test]
fn a_full_scratch_folder_is_an_error_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let run = |folder: &std::path::Path, limit: &str| {
        // Files may have no byte: a full folder for whoever cannot make one.
        let shell =
            format!("trap '' XFSZ; {limit} exec \"$0\" --exact scratch::{} --ignored --nocapture", WRITES);
        let program = std::env::current_exe().unwrap();
        let output =
            Command::new("sh").arg("-c").arg(shell).arg(program).env("TMPDIR", folder).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run(folder.path(), ""), (Some(0), String::new()));
    let missing = folder.path().join("missing");
    for (folder, limit, why) in [
        (folder.path(), "ulimit -f 0;", "File too large (os error 27)"),
        (missing.as_path(), "", "No such file or directory (os error 2)"),
    ] {
        let (code, said) = run(folder, limit);
        let error = format!("error: cannot write 4096 bytes into {}: {why}", folder.display());
        assert!(said.starts_with(&error), "{said}");
        assert!(
            said.ends_with("; set TMPDIR to a folder with room\n") && !said.contains("panicked"),
            "{said}"
        );
        assert_eq!(code, Some(1));
    }
}

/// The test that writes.
const WRITES: &str = "writes_into_the_scratch_folder";
