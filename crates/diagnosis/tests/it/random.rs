//! Overheads of random compositions in virtual time: each second that is waited is in its class.

use ats_documents::Truth;
use ats_documents::overheads::OverheadClass;
use ats_model::WaitState;
use ats_model::definitions::{Paradigm, RegionRole};
use ats_model::delay::Extent;
use ats_model::quantity::View;
use ats_model::region_class::{Class, RegionClass};
use ats_truth::{Planned, TruthOptions, nominal};

use crate::common::{assert_close, composed, over_one_unit};

/// Seconds of all units by the truth of a program.
#[derive(Debug, Default)]
struct PlantedSeconds {
    movement: f64,
    synchronisation: f64,
    control: f64,
    /// Threads that have nothing to do while their process works.
    idle: f64,
    /// Waits of those that come to the basis early or leave it early.
    outside: f64,
}

/// At no cost of communication all time that is not work is waited, and a wait is of the class of the call that waits.
/// Threads idle for the class of what their master does.
fn planted(truth: &Truth) -> PlantedSeconds {
    let mut seconds = PlantedSeconds::default();
    for finding in &truth.ambient {
        if matches!(finding.view, View::Wait | View::Idle) && !finding.in_basis {
            seconds.outside += finding.waiting_time;
        }
    }
    for finding in truth.findings.iter().chain(&truth.ambient).filter(|finding| finding.in_basis) {
        if !matches!(finding.view, View::Wait | View::Idle) {
            continue;
        }
        let call = finding.call_path.last().map(String::as_str).unwrap_or_default();
        let class = RegionClass::for_region(call, RegionRole::Unknown, Paradigm::Unknown);
        *match class.map(|of| of.class) {
            _ if finding.property == Some(WaitState::OmpManagement) => &mut seconds.control,
            Some(Class::Communication) => &mut seconds.movement,
            Some(Class::Synchronisation) => &mut seconds.synchronisation,
            Some(Class::Control) => &mut seconds.control,
            _ => &mut seconds.idle,
        } += finding.physical_time.unwrap_or(finding.waiting_time);
    }
    seconds
}

/// Checks the overheads of a composition of each seed, with `size` ranks and threads; of every second with root causes.
fn check(seeds: std::ops::Range<u64>, size: fn(u64) -> (usize, usize)) {
    for seed in seeds {
        let program = composed(seed, size(seed), 1 + seed as usize % 3);
        // A test in vain takes time, which is part of a wait but for the end of the last one.
        let polls = |state| state == Some(WaitState::LateSenderInTest);
        if program.subject.properties().into_iter().any(|property| polls(property.finds.wait_state())) {
            continue;
        }
        let Planned { subject, size } = &program;
        let causes = (seed % 2 == 0).then_some(Extent::All);
        let options = TruthOptions { fork: 1e-6 * (seed % 3) as f64, causes, ..TruthOptions::default() };
        let run = over_one_unit(&program, &options);
        let (of, units) = (&run.program, f64::from(run.units));
        let planted = planted(&nominal(subject, *size, &TruthOptions { causes: None, ..options }).unwrap());
        let what = |what: &str| format!("{what} of seed {seed} on {size}: {planted:?} in {of:?}");
        let class = |class| of.classes[&class] * units;
        assert_close(class(OverheadClass::Movement), planted.movement, &what("movement"));
        assert_close(class(OverheadClass::Control), planted.control, &what("control"));
        assert_close(class(OverheadClass::Additional), 0.0, &what("additional work"));
        let (loss, synchronisation) = (class(OverheadClass::Loss), class(OverheadClass::Synchronisation));
        assert_close(loss + synchronisation, planted.idle + planted.synchronisation, &what("waits and loss"));
        assert!(synchronisation <= planted.synchronisation + 1e-9, "{}", what("waits"));
        assert_close(of.unidentified.unwrap() * units, planted.outside, &what("T_u"));
        assert!(of.estimated.is_empty() || causes.is_none(), "{}", what("estimates"));
    }
}

#[test]
fn of_processes() {
    check(ats_testing::seeds(32), |seed| (2 + 11 * seed as usize % 63, 1));
}

#[test]
fn of_processes_with_threads() {
    check(ats_testing::seeds(32), |seed| (1 + seed as usize % 9, 2 + seed as usize % 6));
}
