//! An analysis as a report of Cube.

use std::io::Cursor;
use std::path::Path;

use ats_compose::Subject;
use ats_documents::profile::ProfiledRegion;
use ats_documents::score::{Expectation, ProgramResult, Severities};
use ats_documents::{Analysis, Profile, Report, Truth};
use ats_launch::tool::CallPaths;
use ats_model::WaitState;
use ats_model::definitions::RegionRole;
use ats_model::mpi::{Function, Kind};
use ats_model::wait_state::Class;
use ats_props::{Catalogue, Program};
use ats_reports::Stored;
use ats_truth::{self as truth, Size, TruthOptions, ideal_trace};
use ats_validation::score::judge::{Case, Rules, judge};

use crate::common::has_passed;

/// The truth of a program with its defaults, and what the analyzer finds in its ideal trace.
fn found(program: Program) -> (Truth, Analysis, Profile) {
    let options = TruthOptions::default();
    let size = Size::for_property(program.property)[0];
    let subject = Subject::Property { program, arguments: program.property.arguments([]).unwrap() };
    let truth = truth::nominal(&subject, size, &options).unwrap();
    let trace = ideal_trace::in_memory(&subject, size, &options).unwrap();
    let options = ats_analyzer::Options::default();
    let (analysis, profile) = ats_analyzer::analyze_and_profile(&trace, subject.name(), &options).unwrap();
    (truth, analysis, profile)
}

fn judged(truth: &Truth, report: &Report) -> ProgramResult {
    let case = Case {
        nominal: truth,
        observed: truth,
        report,
        call_paths: CallPaths::UserRegions,
        catalogue: &Catalogue::builtin(),
    };
    judge(case, &Rules::EXACT)
}

/// The order in which seconds are summed may differ.
fn rounded(expectations: Vec<Expectation>) -> Vec<Expectation> {
    let round = |value: f64| (value * 1e12).round() / 1e12;
    let rounded = |of: Expectation| {
        let severity = Severities { found: round(of.severity.found), ..of.severity };
        Expectation { found: round(of.found), severity, ..of }
    };
    expectations.into_iter().map(rounded).collect()
}

/// Whether a wait state is one of a region's calls: in a report of Cube it is a part of the time in these.
fn is_of(state: WaitState, region: &ProfiledRegion) -> bool {
    let function = Function::of_spelling(&region.name);
    let role = function.map_or(region.role, Function::role);
    let completes = matches!(function.map(Function::kind), Some(Kind::Completion { .. }));
    match state.class() {
        class if class != Class::PointToPoint && state.depends_on_progress() => completes,
        _ if state == WaitState::WaitAtCommunicatorManagement => {
            matches!(function.map(Function::kind), Some(Kind::Communicator(_)))
        }
        Class::PointToPoint => role == RegionRole::PointToPoint || completes,
        Class::Barrier => role == RegionRole::Barrier,
        Class::Collective => matches!(
            role,
            RegionRole::CollOneToAll
                | RegionRole::CollAllToOne
                | RegionRole::CollAllToAll
                | RegionRole::CollOther
        ),
        Class::InitAndFinalize => ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"].contains(&&*region.name),
        Class::OmpBarrier => [RegionRole::Barrier, RegionRole::ImplicitBarrier].contains(&role),
        Class::OmpLock => role == RegionRole::Critical || region.name.ends_with("_lock"),
        Class::OmpThreads | Class::Count => true,
    }
}

/// Holds the waits to the calls that they are in, and to the time there, on each location.
fn assert_waits_are_parts_of_times(profile: &Profile, name: &str) {
    for unit in &profile.units {
        let of = |metric: &str| profile.exclusive(metric, |one| one == *unit);
        let mut left = of(Profile::TIME);
        for state in WaitState::ALL.into_iter().filter(|state| state.class() != Class::OmpThreads) {
            for (node, waiting) in profile.call_tree.iter().zip(of(state.name())) {
                let region = &profile.regions[node.region as usize];
                assert!(waiting == 0.0 || is_of(state, region), "{name}: {state:?} in {region:?}");
                left[node.id as usize] -= waiting;
            }
        }
        let most = (0..).zip(&left).find(|(_, left)| **left < -1e-9);
        assert!(most.is_none(), "{name}: {unit:?} {:?}", most.map(|(path, left)| (profile.path(path), left)));
    }
}

#[test]
fn read_back_it_is_scored_as_the_analysis_is() {
    for (at, program) in Catalogue::builtin().programs().enumerate() {
        let (truth, analysis, profile) = found(program);
        let name = program.name();
        assert_waits_are_parts_of_times(&profile, name);
        if truth.shows_times() {
            // A report of wait states has no times of regions.
            continue;
        }
        let stored = if at % 2 == 0 { Stored::Compressed } else { Stored::Plain };
        let mut file = Cursor::new(Vec::new());
        ats_reports::cubex(&profile, stored, &mut file).unwrap();
        let report = ats_reports::parse(Path::new("scout.cubex"), file.into_inner(), None).unwrap();
        let analyzed = Report::from(analysis);
        assert_eq!((&report.tool, &report.names), (&analyzed.tool, &analyzed.names));
        let [own, back] = [&analyzed, &report].map(|report| judged(&truth, report));
        assert!(has_passed(&back, 0.0), "{name}: {back:#?}");
        assert_eq!(rounded(back.expectations), rounded(own.expectations), "{name}");
        assert_eq!((back.kendall_tau, back.false_seconds), (own.kendall_tau, own.false_seconds), "{name}");
    }
}
