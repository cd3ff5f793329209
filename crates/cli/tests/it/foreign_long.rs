//! Programs like those of `foreign` that take longer, or need a package of their own.

use std::collections::BTreeSet;
use std::fs;

use ats_model::{EventSource, WaitState};
use ats_trace::Archive;
use serde_json::Value;

use crate::foreign::{Foreign, seconds, seconds_in};

#[test]
fn a_message_of_more_bytes_than_an_int_counts() {
    let foreign = Foreign::compiled("large.c");
    let analysis = foreign.on_ranks(2).analysis();
    let [sends, receives] = ["MPI_Send", "MPI_Recv"].map(|call| &analysis.traffic[call]);
    assert_eq!((sends.messages_sent, sends.bytes_sent), (1, 6_000_000_000));
    assert_eq!((receives.messages_received, receives.bytes_received), (1, 6_000_000_000));
}

#[test]
fn objects_of_mpi4py_are_waited_for_in_probes() {
    if !ats_testing::required("/usr/bin/python3") {
        return;
    }
    let foreign = Foreign::empty();
    fs::write(foreign.dir.path().join("late.py"), include_str!("../programs/foreign/late.py")).unwrap();
    let launch = ["mpirun.openmpi", "--timeout", "60", "-np", "2", "/usr/bin/python3", "late.py"];
    let received = foreign.measured(&launch);
    let analysis = foreign.analysis();
    // Receiving is a probe, and little else.
    let probed = seconds_in(&analysis, WaitState::LateSenderInProbe, "MPI_Mprobe");
    assert!(probed <= received[0] && probed >= 0.9 * received[0], "{probed}, {received:?}");
    assert!(seconds(&analysis, WaitState::LateSender) < 0.1, "the receives find their messages");
}

const REGIONS: usize = 20_000;

/// The name of a region, which is no UTF-8 in the program.
fn name(index: usize) -> String {
    format!("region {index} \"quoted\"\n\t'<&\\ \u{fffd}</script>")
}

/// The names of the objects of an array.
fn names(objects: &Value) -> BTreeSet<&str> {
    objects.as_array().unwrap().iter().filter_map(|object| object["name"].as_str()).collect()
}

/// Fails unless all regions are among these names.
#[track_caller]
fn assert_has_all(names: &BTreeSet<&str>) {
    let missing: Vec<String> = (0..REGIONS).map(name).filter(|name| !names.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{} are missing: {:?}", missing.len(), missing.first());
}

#[test]
fn thousands_of_communicators_regions_and_messages_are_whole() {
    let foreign = Foreign::compiled("many.c");
    foreign.on_ranks(2);
    let analysis = foreign.analysis();
    assert_eq!(analysis.warnings, [""; 0]);
    assert_eq!(analysis.counts["MPI_Comm_dup"], 6_000);
    let sends = &analysis.traffic["MPI_Send"];
    assert_eq!((sends.messages_sent, sends.bytes_sent), (4_000, 16_000));
    assert_eq!(analysis.traffic["MPI_Recv"].messages_received, 4_000);

    let dir = foreign.dir.path();
    let archive = Archive::open(&dir.join("trace/traces.otf2")).unwrap();
    assert_eq!(archive.definitions().communicators.len(), 3_002);
    assert_has_all(&archive.definitions().regions.iter().map(|region| region.name.as_str()).collect());

    for (viewer, file) in [("chrome", "chrome.json"), ("speedscope", "scope.json"), ("html", "page.html")] {
        foreign.answer(&["export", "trace", "--as", viewer, "-o", file]);
    }
    foreign.answer(&["profile", "trace", "-o", "profile.cubex"]);
    let read = |file: &str| fs::read_to_string(dir.join(file)).unwrap();
    let chrome: Value = serde_json::from_str(&read("chrome.json")).unwrap();
    assert_has_all(&names(&chrome["traceEvents"]));
    let scope: Value = serde_json::from_str(&read("scope.json")).unwrap();
    assert_has_all(&names(&scope["shared"]["frames"]));
    // A name that ended the script would cut it.
    let page = read("page.html");
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let _: Value = serde_json::from_str(data).unwrap();
    let cube = ats_reports::profile(&dir.join("profile.cubex")).unwrap();
    assert_has_all(&cube.regions.iter().map(|region| region.name.as_str()).collect());
}
