//! EZTrace's trace of a program whose waits are known: its ranks' clocks are 20 ms apart, and not measured.

use std::path::{Path, PathBuf};

use ats_analyzer::{Options, analyze};
use ats_documents::Analysis;
use ats_model::clock_correction::{ClockEvidence, ClockMethod};
use ats_trace::Archive;

/// The error of the machine against the program's specification, as stamps inside it show, in seconds.
const MACHINE: f64 = 0.005;

fn folder() -> PathBuf {
    ats_testing::peer("eztrace-7props-4ranks")
}

fn analysis(anchor: &Path) -> Analysis {
    analyze(&Archive::open(anchor).unwrap(), "eztrace", &Options::default()).unwrap()
}

/// Seconds of a finding by rank.
fn seconds(analysis: &Analysis, id: &str) -> [f64; 4] {
    let finding = analysis.findings.iter().find(|finding| finding.id == id);
    let finding = finding.unwrap_or_else(|| panic!("{id} in {:?}", analysis.findings));
    let mut seconds = [0.0; 4];
    finding.locations.iter().for_each(|share| seconds[share.rank as usize] = share.waiting_time);
    seconds
}

#[test]
fn specified_waits_are_found_on_the_ranks_that_wait() {
    let analysis = analysis(&folder().join("eztrace_log.otf2"));
    // Each of ten repetitions keeps somebody waiting for 50 ms.
    let all = 0.5;
    for (id, known) in [
        ("late_sender@Working/MPI_Recv", [0.0, all, 0.0, all]),
        ("late_receiver@Working/MPI_Ssend", [all, 0.0, all, 0.0]),
        ("late_broadcast@Working/MPI_Bcast", [0.0, all, all, all]),
        ("early_reduce@Working/MPI_Reduce", [all, 0.0, 0.0, 0.0]),
        ("wait_at_nxn@Working/MPI_Allreduce", [all, all, 0.0, 0.0]),
    ] {
        for (rank, (found, known)) in seconds(&analysis, id).into_iter().zip(known).enumerate() {
            assert!(
                (found - known).abs() <= MACHINE * all,
                "{id} on rank {rank}: {found}, specified {known}"
            );
        }
    }
    // The program's start, where rank 0 is late, is in a barrier, too.
    let barrier = seconds(&analysis, "wait_at_barrier@Working/MPI_Barrier");
    for (rank, (found, known)) in barrier.into_iter().zip([all, all, 0.0, 0.0]).enumerate() {
        assert!((known - MACHINE..known + 0.03).contains(&found), "barrier on rank {rank}: {found}");
    }
    let other: f64 = analysis.findings.iter().skip(6).map(|finding| finding.waiting_time).sum();
    assert!(other < 0.01, "{:?}", &analysis.findings[6..]);
}

#[test]
fn the_correction_of_the_clocks_is_told() {
    let analysis = analysis(&folder().join("eztrace_log.otf2"));
    let clocks = analysis.clock_correction.unwrap();
    assert_eq!(clocks.method, ClockMethod::Derived);
    assert!(clocks.before.violated > 100 && clocks.before.worst > 0.02, "{:?}", clocks.before);
    assert_eq!((clocks.after.checked, clocks.after.violated), (clocks.before.checked, 0));
    let [reference, others @ ..] = &clocks.processes[..] else { panic!("{:?}", clocks.processes) };
    assert_eq!((reference.offset, reference.drift), (0.0, 0.0));
    assert_eq!((reference.rank, reference.evidence), (0, ClockEvidence::Reference));
    assert_eq!(others.len(), 3);
    for other in others {
        assert_eq!(other.evidence, ClockEvidence::BothSides);
        assert!((-0.0212..-0.0198).contains(&other.offset), "{other:?}");
        // They are cores of one machine.
        assert!(other.drift.abs() < 1e-4, "{other:?}");
    }
    let warning = &analysis.warnings[0];
    assert!(
        warning.starts_with("the trace has not measured how the clocks of its processes differ"),
        "{warning}"
    );
}

#[test]
fn a_trace_that_breaks_off_anywhere_still_gives_what_came_before() {
    let dir = tempfile::tempdir().unwrap();
    let locations = dir.path().join("eztrace_log");
    std::fs::create_dir(&locations).unwrap();
    let copy = |name: &str| std::fs::copy(folder().join(name), dir.path().join(name)).unwrap();
    copy("eztrace_log.otf2");
    copy("eztrace_log.def");
    for entry in std::fs::read_dir(folder().join("eztrace_log")).unwrap() {
        let name = entry.unwrap().file_name();
        copy(&format!("eztrace_log/{}", name.to_str().unwrap()));
    }
    let anchor = dir.path().join("eztrace_log.otf2");
    let whole = analysis(&anchor);
    let torn = locations.join("1073741822.evt");
    let bytes = std::fs::read(&torn).unwrap();
    for length in (1..bytes.len()).step_by(97) {
        std::fs::write(&torn, &bytes[..length]).unwrap();
        let part = analysis(&anchor);
        assert!(part.events < whole.events);
        let warning = "rank 2, thread 0 could only be read in part";
        assert!(part.warnings[0].starts_with(warning), "{length}: {:?}", part.warnings);
        for finding in &part.findings {
            let most = whole.basis.wall_time * 4.0;
            assert!(finding.waiting_time > 0.0 && finding.waiting_time < most, "{length}: {finding:?}");
        }
        // Ranks 0 and 1 have nothing to do with rank 2 here.
        let known = seconds(&whole, "late_sender@Working/MPI_Recv")[1];
        let found = seconds(&part, "late_sender@Working/MPI_Recv")[1];
        assert!((found - known).abs() <= MACHINE * known, "{length}: {found}, whole {known}");
    }
}

#[test]
fn whatever_the_bytes_are_the_analysis_ends_with_sound_seconds() {
    let read = |name: &str| std::fs::read(folder().join(name)).unwrap();
    let ids = [0, 536_870_911, 1_073_741_822, 1_610_612_733u64];
    let part = |id: u64| (id, read(&format!("eztrace_log/{id}.evt")), read(&format!("eztrace_log/{id}.def")));
    let (anchor, definitions) = (read("eztrace_log.otf2"), read("eztrace_log.def"));
    let parts = ids.map(part).to_vec();
    let mut random = 1u64;
    let mut below = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    let mut methods = Vec::new();
    for _ in ats_testing::seeds(500) {
        let (mut definitions, mut parts) = (definitions.clone(), parts.clone());
        for _ in 0..=below(4) {
            let chosen = below(9);
            let file = parts.get_mut(chosen).map_or(&mut definitions, |(_, events, _)| events);
            let at = below(file.len());
            // Sizes and stamps, mostly: what is in the way of the clocks.
            file[at] = [0, 1, 2, 0x10, 0x7f, 0x80, 0xff, file[at] ^ 8][below(8)];
        }
        let Ok(archive) = Archive::from_parts(&anchor, &definitions, parts) else { continue };
        let Ok(analysis) = analyze(&archive, "eztrace", &Options::default()) else { continue };
        for finding in &analysis.findings {
            assert!(finding.waiting_time.is_finite() && finding.waiting_time > 0.0, "{finding:?}");
        }
        methods.extend(analysis.clock_correction.map(|clocks| clocks.method));
    }
    for method in [ClockMethod::Derived, ClockMethod::Durations] {
        let count = methods.iter().filter(|&&found| found == method).count();
        assert!(count > 6, "{method:?}: {count} of {}", methods.len());
    }
}
