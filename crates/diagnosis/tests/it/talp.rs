//! Efficiencies that TALP reports, beside ours.

use ats_diagnosis::{DiagnosisError, Talp, TalpError};
use ats_documents::efficiencies::{Efficiencies, Scaling};

use crate::common::{assert_close, efficiencies, simulated};

/// A region: name, ranks, CPUs, elapsed and useful seconds, and the efficiencies of MPI (with communication and balance)
/// and OpenMP (with balance).
type Reported<'a> = (&'a str, u32, u32, f64, f64, [f64; 5]);

/// A report of these regions as DLB 3.5 writes it.
fn report(regions: &[Reported<'_>]) -> String {
    let region =
        |&(name, ranks, cpus, elapsed, useful, [mpi, communication, balance, omp, omp_balance]): &Reported<'_>| {
            let [elapsed, useful] = [elapsed, useful].map(|seconds: f64| (seconds * 1e9).round());
            format!(
                r#""{name}": {{
      "numCpus": {cpus}, "numMpiRanks": {ranks}, "numNodes": 1, "avgCpus": {cpus}.0,
      "cycles": 6000000000, "instructions": 3000000000, "numMeasurements": 1, "numMpiCalls": 48,
      "numOmpParallels": 0, "numOmpTasks": 0, "elapsedTime": {elapsed}, "usefulTime": {useful}, "mpiTime": 7,
      "ompLoadImbalanceTime": 0, "ompSchedulingTime": 0, "ompSerializationTime": 0,
      "usefulNormdApp": 1, "mpiNormdApp": 1, "maxUsefulNormdProc": 1, "maxUsefulNormdNode": 1,
      "mpiNormdOfMaxUseful": 1, "parallelEfficiency": {:.2}, "mpiParallelEfficiency": {mpi},
      "mpiCommunicationEfficiency": {communication}, "mpiLoadBalance": {balance}, "mpiLoadBalanceIn": {balance},
      "mpiLoadBalanceOut": 1.00, "ompParallelEfficiency": {omp}, "ompLoadBalance": {omp_balance},
      "ompSchedulingEfficiency": 1.00, "ompSerializationEfficiency": 1.00
    }}"#,
                mpi * omp
            )
        };
    let regions: Vec<String> = regions.iter().map(region).collect();
    format!(
        r#"{{"dlbVersion": "3.5.3", "timestamp": "2025-03-01T12:00:00",
  "resources": {{"numCpus": 4, "numNodes": 1, "numMpiRanks": 4}},
  "Application": {{{}}}}}"#,
        regions.join(",")
    )
}

fn talp(text: &str) -> Talp {
    Talp::parse(text, "talp.json").unwrap()
}

fn compared(reports: &[Talp], region: Option<&str>) -> Result<Efficiencies, DiagnosisError> {
    let ours = [2, 4].map(|ranks| simulated("amdahl", ranks, 1));
    let runs: Vec<_> = ours.iter().map(|kept| kept.run()).collect();
    efficiencies(&runs, reports, Scaling::Strong, region)
}

#[test]
fn a_report_stands_beside_our_values() {
    // Of the run on four ranks: 0.2 s, 0.5 s of them useful, and digits as TALP prints them.
    let text = report(&[
        ("solve", 4, 4, 0.1, 0.4, [1.0; 5]),
        ("Global", 4, 4, 0.2, 0.5, [0.63, 1.0, 0.63, 1.0, 1.0]),
    ]);
    let document = compared(&[talp(&text)], None).unwrap();
    let [_, ours, theirs] = &document.experiments[..] else { panic!("{document:?}") };
    assert_eq!((&theirs.tool, &theirs.id), (&Some("TALP 3.5.3".to_owned()), &"talp.json".to_owned()));
    assert_eq!((theirs.ranks, theirs.threads, theirs.units, theirs.region.as_str()), (4, 1, 4, "Global"));
    for (name, digits) in [
        ("global efficiency", 0.01),
        ("parallel efficiency", 0.01),
        ("load balance", 0.01),
        ("communication efficiency", 0.01),
        ("computation scalability", 1e-9),
    ] {
        let [own, other] = [ours, theirs].map(|run| run.factor(name).unwrap());
        assert!((own - other).abs() <= digits, "{name}: {own}, and {other} by TALP");
    }
    assert_close(theirs.speed_up.unwrap(), 1.5, "speed-up over our run on two ranks");
    assert_eq!(
        (theirs.factor("load balance in nodes"), theirs.factor("transfer efficiency")),
        (Some(0.63), None)
    );
    let unknown = theirs.multiplicative.iter().find(|factor| factor.name == "transfer efficiency").unwrap();
    assert_eq!(unknown.why.as_deref(), Some("TALP does not report it"));
    assert_eq!((theirs.ideal_time, theirs.additive.len()), (None, 0));
}

#[test]
fn counters_of_two_reports() {
    let twice = report(&[("Global", 2, 2, 1.0, 2.0, [1.0; 5])]).replace("6000000000", "8000000000");
    let reports = [talp(&report(&[("Global", 1, 1, 1.0, 1.0, [1.0; 5])])), talp(&twice)];
    let document = efficiencies(&[], &reports, Scaling::Weak, None).unwrap();
    let run = &document.experiments[1];
    for (name, value) in [
        ("computation scalability", 1.0),
        ("instruction scalability", 2.0),
        ("IPC scalability", 0.75),
        ("frequency scalability", 8.0 / 2.0 / 6.0),
    ] {
        assert_close(run.factor(name).unwrap(), value, name);
    }
}

#[test]
fn processes_with_threads_have_factors_of_both() {
    let text = report(&[("Global", 2, 8, 1.0, 4.0, [0.8, 1.0, 0.8, 0.63, 0.7])]);
    let document = compared(&[talp(&text)], None).unwrap();
    let run = document.experiments.last().unwrap();
    assert_eq!((run.ranks, run.threads), (2, 4));
    let names =
        ["MPI parallel efficiency", "MPI load balance", "OpenMP parallel efficiency", "OpenMP load balance"];
    assert_eq!(names.map(|name| run.factor(name).unwrap()), [0.8, 0.8, 0.63, 0.7]);
}

#[test]
fn a_region_that_takes_no_time_has_no_efficiency() {
    let text = report(&[("Global", 2, 2, 0.0, 0.0, [0.0; 5])]);
    let document = compared(&[talp(&text)], None).unwrap();
    let run = document.experiments.iter().find(|run| run.tool.is_some()).unwrap();
    assert!(run.multiplicative.iter().take(4).all(|factor| factor.value.is_none()), "{run:?}");
}

#[test]
fn regions_are_chosen_by_name() {
    let text = report(&[("solve", 4, 4, 0.1, 0.4, [1.0; 5]), ("other", 4, 4, 0.2, 0.5, [0.5; 5])]);
    let region = |wanted: Option<&str>| -> Result<String, String> {
        let document = efficiencies(&[], &[talp(&text)], Scaling::Weak, wanted);
        let document = document.map_err(|error| error.to_string())?;
        Ok(document.experiments[0].region.clone())
    };
    assert_eq!(region(None).as_deref(), Ok("other"), "without one of the whole program, the longest");
    assert_eq!(region(Some("solve")).as_deref(), Ok("solve"));
    assert!(region(Some("slove")).unwrap_err().contains("did you mean `solve`?"));
}

#[test]
fn other_files_are_no_reports() {
    let whole = report(&[("Global", 2, 2, 1.0, 1.0, [1.0; 5])]);
    let error = |text: &str| Talp::parse(text, "talp.json").unwrap_err();
    for (text, said) in [
        ("", "talp.json:1:0: EOF while parsing a value; is it a report of TALP"),
        ("[1]", "talp.json:1:2: invalid type: "),
        (&whole.replace("\"usefulTime\": 1000000000", "\"usefulTime\": nan"), "talp.json:6:"),
        (&whole.replace("\"usefulTime\": 1000000000,", ""), "missing field `usefulTime`"),
        (&whole.replace("\"numCpus\": 2,", "\"numCpus\": 0,"), "talp.json: region `Global` has no CPUs"),
        ("{\"dlbVersion\": \"3.6.0\"}", "talp.json: it has no regions under \"Application\""),
        (
            r#"{"popMetrics": [{"name": "MPI Execution", "elapsedTime": 7}]}"#,
            "talp.json: it is of DLB before 3.5",
        ),
    ] {
        let error = error(text).to_string();
        assert!(error.contains(said), "{error}, and not {said}");
    }
    let missing = Talp::read("no/such.json".as_ref()).unwrap_err();
    assert!(matches!(missing, TalpError::Io { .. }), "{missing}");
}
