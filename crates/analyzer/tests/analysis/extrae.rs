//! Extrae's Paraver traces of programs whose waits are known: by the stamps that one of them printed in that very run.

use ats_analyzer::{Options, analyze};
use ats_documents::Analysis;
use ats_testing::peer;
use ats_trace::Trace;

fn analysis(folder: &str) -> Analysis {
    analyze(&Trace::open(&peer(folder).join("trace.prv")).unwrap(), "extrae", &Options::default()).unwrap()
}

/// Seconds of a finding, and the ranks that it is on.
fn found(analysis: &Analysis, id: &str) -> (f64, Vec<u32>) {
    let finding = analysis.findings.iter().find(|finding| finding.id == id);
    let finding = finding.unwrap_or_else(|| panic!("{id} in {:?}", analysis.findings));
    (finding.waiting_time, finding.locations.iter().map(|share| share.rank).collect())
}

#[test]
fn stamped_waits_are_found_on_the_ranks_that_wait() {
    let analysis = analysis("extrae-7props-4ranks");
    let printed = std::fs::read_to_string(peer("extrae-7props-4ranks/stdout.txt")).unwrap();
    let stamped = |property: &str| -> f64 {
        let line = printed.lines().find(|line| line.contains(&format!("prop={property} "))).unwrap();
        let word = line.split_whitespace().find_map(|word| word.strip_prefix("stamped=")).unwrap();
        word.parse().unwrap()
    };
    for (property, id, ranks) in [
        ("late_sender", "late_sender@MPI_Recv", vec![1, 3]),
        ("late_receiver", "late_receiver@MPI_Ssend", vec![0, 2]),
        ("late_broadcast", "late_broadcast@MPI_Bcast", vec![1, 2, 3]),
        ("early_reduce", "early_reduce@MPI_Reduce", vec![0]),
        ("nxn", "wait_at_nxn@MPI_Allreduce", vec![0, 1, 2, 3]),
    ] {
        let (seconds, waiting) = found(&analysis, id);
        let known = stamped(property);
        // Between a stamp and the event beside it a rank may lose its core.
        assert!((seconds - known).abs() < 1e-3 * known, "{id}: {seconds}, stamped {known}");
        assert_eq!(waiting, ranks, "{id}");
    }
    // Barriers are also between the properties, and in the balanced one.
    let (barrier, _) = found(&analysis, "wait_at_barrier@MPI_Barrier");
    assert!(barrier > stamped("barrier") + stamped("balanced"), "{barrier}");
    let [warning] = &analysis.warnings[..] else { panic!("{:?}", analysis.warnings) };
    assert!(warning.starts_with("Paraver does not tell the communicators of messages"), "{warning}");
}

#[test]
fn communicators_requests_and_orders_of_messages_are_told_apart() {
    let analysis = analysis("extrae-patterns-4ranks");
    // On a communicator of ranks 2 and 3, whose second is the root.
    assert_eq!(found(&analysis, "late_broadcast@MPI_Bcast").1, [2]);
    assert_eq!(found(&analysis, "early_reduce@MPI_Gatherv").1, [1]);
    assert_eq!(found(&analysis, "late_broadcast@MPI_Scatterv").1, [0, 1, 3]);
    assert_eq!(found(&analysis, "late_sender_wrong_order_same_source@MPI_Recv").1, [1, 3]);
    // Five times three receives are started, and completed by MPI_Waitall.
    let waitall: Vec<_> =
        analysis.findings.iter().filter(|finding| finding.id.ends_with("@MPI_Waitall")).collect();
    assert!(!waitall.is_empty());
    for finding in waitall {
        assert_eq!(
            finding.locations.iter().map(|share| share.rank).collect::<Vec<_>>(),
            [0],
            "{}",
            finding.id
        );
    }
    // What it cannot tell: two ranks start five synchronous sends each.
    let told = |what: &str| analysis.warnings.iter().any(|warning| warning.contains(what));
    assert!(told("completes a send that was only started (10 of"), "{:?}", analysis.warnings);
    // The same in other words, which a damaged trace has.
    assert!(!told("requests that were started and not completed"), "{:?}", analysis.warnings);
}

#[test]
fn a_trace_that_breaks_off_anywhere_still_gives_what_came_before() {
    let dir = tempfile::tempdir().unwrap();
    let file = |extension: &str| peer("extrae-late-sender").join("trace").with_extension(extension);
    std::fs::copy(file("pcf"), dir.path().join("trace.pcf")).unwrap();
    let prv = dir.path().join("trace.prv");
    let bytes = std::fs::read(file("prv")).unwrap();
    let whole = analysis("extrae-late-sender");
    let first_line = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    for length in (first_line + 200..bytes.len()).step_by(97) {
        std::fs::write(&prv, &bytes[..length]).unwrap();
        let part = match analyze(&Trace::open(&prv).unwrap(), "extrae", &Options::default()) {
            Ok(part) => part,
            Err(error) => {
                assert!(error.to_string().contains("cut short"), "{error}");
                continue;
            }
        };
        assert!(part.events <= whole.events);
        let told = |what: &str| part.warnings.iter().any(|warning| warning.contains(what));
        assert!(told("could only be read in part") || told("is it cut?"), "{length}: {:?}", part.warnings);
        for finding in &part.findings {
            let most = whole.basis.wall_time * 4.0;
            assert!(finding.waiting_time > 0.0 && finding.waiting_time < most, "{length}: {finding:?}");
        }
    }
}

/// Seconds by thread, as another reader has them of the records: until the last one comes, or the lock is given back.
#[test]
fn waits_of_threads_are_found_as_by_another_reader() {
    const CRITICAL: &str = "omp_critical_contention@!$omp parallel/!$omp critical";
    const JOIN: &str = "wait_at_implicit_omp_barrier@!$omp parallel/!$omp implicit barrier";
    const SECTIONS: &str =
        "wait_at_implicit_omp_barrier@!$omp parallel/!$omp sections/!$omp implicit barrier";
    const BARRIER: &str = "wait_at_explicit_omp_barrier@!$omp parallel/!$omp barrier";
    for (folder, id, seconds) in [
        (
            "extrae-gnu-critical-section-contention-1x3",
            CRITICAL,
            [0.383_575_25, 0.593_716_786, 0.483_099_537],
        ),
        ("extrae-gnu-critical-section-contention-1x3", JOIN, [0.187_158_841, 0.049_064_946, 0.011_127_11]),
        ("extrae-gnu-imbalance-in-omp-sections-1x3", SECTIONS, [0.248_381_033, 0.335_097_257, 0.152_802_449]),
        ("extrae-llvm-unparallelized-in-single-region-1x3", BARRIER, [0.0, 0.561_292_09, 0.542_444_112]),
        (
            "extrae-llvm-unparallelized-in-single-region-1x3",
            JOIN,
            [0.060_129_594, 0.000_138_115, 0.024_030_06],
        ),
    ] {
        let analysis = analysis(folder);
        let finding = analysis.findings.iter().find(|finding| finding.id == id);
        let finding = finding.unwrap_or_else(|| panic!("{folder}: {id} in {:?}", analysis.findings));
        for (thread, expected) in (0..).zip(seconds) {
            let share = finding.locations.iter().find(|share| share.thread == thread);
            let waited = share.map_or(0.0, |share| share.waiting_time);
            assert!(
                (waited - expected).abs() < 1e-9,
                "{folder}, {id}, thread {thread}: {waited}, not {expected}"
            );
        }
        let asked = "Extrae does not tell the barriers at the ends of loops";
        let told: Vec<bool> = analysis.warnings.iter().map(|warning| warning.starts_with(asked)).collect();
        let expected: &[bool] = if folder.contains("llvm") { &[true] } else { &[] };
        assert_eq!(told, expected, "{:?}", analysis.warnings);
    }
}
