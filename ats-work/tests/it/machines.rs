//! Machines that are unfit for an amount: the program ends and says why.

use std::process::Command;

use ats_testing::required;
use ats_work::amount::{Amount, Bound, Placed, Triad, Updates};
use ats_work::machine::UNFIT_EXIT_CODE;

/// The variable that names the amount which [`does_an_amount`] does.
const AMOUNT: &str = "ATS_TEST_AMOUNT";

/// A library to be preloaded: the system then grants one core, whatever a program asks for.
const ONE_CORE: &str = "#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* set) {
    (void)thread;
    memset(set, 0, size);
    CPU_SET_S(0, size, set);
    return 0;
}
";

#[test]
#[ignore = "a part of the other, which runs it in processes of its own"]
fn does_an_amount() {
    ats_work::do_amount(&match std::env::var(AMOUNT).unwrap().as_str() {
        "updates" => {
            Amount::Updates(Updates { number: 1, place: 0, places: 2, padded: false, atomic: false })
        }
        "triad" => Amount::Triad(Triad { elements: 1, rounds: 1, streams: 2 }),
        "bound" => Amount::Bound(Bound { operations: 10, place: 0, places: 2, cores: 1 }),
        _ => Amount::Placed(Placed { pages: 1, rounds: 0, place: 0, home: 0, node: 1 }),
    });
}

#[test]
fn a_machine_with_one_core_is_unfit_for_several() {
    if !required("cc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, library] = ["one_core.c", "one_core.so"].map(|name| folder.path().join(name));
    std::fs::write(&source, ONE_CORE).unwrap();
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    assert!(compiled.unwrap().success());
    for (amount, reason) in [
        ("bound", "threads are bound to a part of the cores, and there is one core"),
        (
            "updates",
            "threads update a line of the cache on two cores at the same time, and this process may use one",
        ),
        (
            "triad",
            "threads stream through memory on two cores at the same time, and this process may use one",
        ),
        ("placed", "pages are placed on two nodes of memory, and the machine has one"),
    ] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "machines::does_an_amount", "--ignored", "--nocapture"])
            .env(AMOUNT, amount)
            .env("LD_PRELOAD", &library)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(UNFIT_EXIT_CODE), "{amount}: {said}");
        assert!(said.contains(reason) && said.contains(": this program is unsupported here"), "{said}");
    }
}
