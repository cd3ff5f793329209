//! Two independent witnesses: the truth of the virtual engine and what the analyzer finds in its ideal trace agree to
//! the picosecond, and in every count, for every property and its twin, on many numbers of ranks.

use std::collections::BTreeMap;

use ats_compose::Subject;
use ats_documents::Finding;
use ats_model::WaitState;
use ats_model::source::InMemory;
use ats_mpi::{Communicator, Source, Tag};
use ats_omp::{Team, Thread};
use ats_props::{Catalogue, Needs, Program};
use ats_truth::{self as truth, Size, TruthOptions, ideal_trace};
use ats_virtual::{Network, Simulation, VirtualTeam};
use ats_work::do_work;

/// A wait state, the call path, rank and thread, with the seconds.
type Share = ((Option<WaitState>, Vec<String>, u32, u32), f64);

/// Seconds by wait state, call path, rank and thread.
pub(crate) type Seconds = BTreeMap<(Option<WaitState>, Vec<String>, u32, u32), f64>;

fn shares(findings: &[Finding]) -> Seconds {
    let share = |finding: &Finding| -> Vec<Share> {
        let inner: Vec<String> =
            finding.call_path.iter().filter(|&region| region != "ats_measured").cloned().collect();
        let of = |share: &ats_documents::finding::LocationShare| {
            ((finding.property, inner.clone(), share.rank, share.thread), share.waiting_time)
        };
        finding.locations.iter().map(of).collect()
    };
    findings.iter().flat_map(share).collect()
}

/// The number of waits by wait state and call path.
fn instances(findings: &[Finding]) -> BTreeMap<(Option<WaitState>, Vec<String>), u64> {
    let waits = findings.iter().filter(|finding| !finding.locations.is_empty());
    let inner = |finding: &Finding| {
        finding.call_path.iter().filter(|&region| region != "ats_measured").cloned().collect()
    };
    waits.map(|finding| ((finding.property, inner(finding)), finding.instances)).collect()
}

fn assert_agreement(program: &Program, given: &[(&str, &str)], size: Size) {
    let arguments = program.property.arguments(given.iter().copied()).unwrap();
    assert_agreement_on(&Subject::Property { program: *program, arguments }, size);
}

fn assert_agreement_on(subject: &Subject, size: Size) {
    let options = TruthOptions::default();
    let truth = truth::nominal(subject, size, &options).unwrap();
    let trace = ideal_trace::in_memory(subject, size, &options).unwrap();
    let analysis = ats_analyzer::analyze(&trace, "ideal", &ats_analyzer::Options::default()).unwrap();

    // Times of regions are in profiles.
    let known = truth.findings.iter().chain(&truth.ambient).filter(|finding| finding.unit().is_time());
    let known: Vec<Finding> = known.cloned().collect();
    let name = subject.name();
    assert_eq!(instances(&analysis.findings), instances(&known), "{name} on {size}");
    let large = analysis.findings.iter().find(|finding| finding.severity > 1.0);
    assert_eq!(large, None, "{name} on {size}: more than the basis");
    let (known, found) = (shares(&known), shares(&analysis.findings));
    assert_eq!(found.keys().collect::<Vec<_>>(), known.keys().collect::<Vec<_>>(), "{name} on {size}");
    for (key, known) in known {
        assert!((found[&key] - known).abs() < 1e-11, "{name} on {size}: {key:?}: {} {known}", found[&key]);
    }
    let counts: BTreeMap<String, u64> =
        truth.counts.into_iter().map(|(call, count)| (call, count.calls)).collect();
    assert_eq!(analysis.counts, counts, "{name} on {size}");
    assert!((analysis.basis.wall_time - truth.basis.wall_time).abs() < 1e-11, "{name} on {size}");
}

/// Up to 33 ranks, 17 threads, or both in moderation.
fn sizes(program: &Program) -> Vec<Size> {
    let property = program.property;
    let ranks = || (property.min_ranks..=9).chain([16, 33]);
    let threads = || (property.min_threads..=9).chain([16, 17]);
    match property.needs {
        Needs::RANKS => ranks().map(Size::ranks).collect(),
        Needs::TEAM => threads().map(|threads| Size { ranks: 1, threads }).collect(),
        Needs::RANKS_AND_TEAM => ranks()
            .flat_map(|ranks| [2, 3, 8].map(|threads| Size { ranks, threads }))
            .filter(|size| size.threads >= property.min_threads)
            .collect(),
        Needs::NOTHING => vec![Size::ranks(1)],
    }
}

#[test]
fn analyzer_and_truth_agree_on_every_program() {
    for program in Catalogue::builtin().programs() {
        for size in sizes(&program) {
            assert_agreement(&program, program.property.repeated("3").as_slice(), size);
        }
    }
}

#[test]
fn analyzer_and_truth_agree_on_every_distribution_and_root() {
    let distributions =
        ["cyclic2:0.05:0.01", "linear:0.01:0.05", "peak:0.05:0.01:2", "block3:0.01:0.02:0.05"];
    for program in Catalogue::builtin().programs() {
        let has = |name: &str| program.property.parameters.iter().any(|parameter| parameter.name == name);
        let [ranks, threads] = [program.property.needs.ranks, program.property.needs.team];
        for many in [3, 8] {
            let size = Size { ranks: if ranks { many } else { 1 }, threads: if threads { many } else { 1 } };
            if has("distribution") {
                for text in distributions {
                    assert_agreement(&program, &[("distribution", text)], size);
                }
            }
            if has("root") {
                for root in ["1", "7"] {
                    assert_agreement(&program, &[("root", root)], size);
                }
            }
        }
    }
}

/// The waits of a program with teams, on which the engine and the analyzer agree.
pub(crate) fn agreed(
    ranks: usize,
    threads: usize,
    program: impl Fn(&dyn Communicator, &VirtualTeam),
) -> Seconds {
    agreed_on(Network::default(), ranks, threads, program)
}

/// The same on a network.
pub(crate) fn agreed_on(
    network: Network,
    ranks: usize,
    threads: usize,
    program: impl Fn(&dyn Communicator, &VirtualTeam),
) -> Seconds {
    let mut trace = InMemory::default();
    let simulation = Simulation::new(ranks).threads(threads).network(network).record(&mut trace);
    let outcome = simulation.run_with_team(program).unwrap();
    let analysis = ats_analyzer::analyze(&trace, "ideal", &ats_analyzer::Options::default()).unwrap();
    let known = outcome.waits.iter().filter(|wait| wait.state.is_some()).map(|wait| {
        let path = wait.call_path.iter().map(|region| (*region).to_owned()).collect();
        ((wait.state, path, wait.rank as u32, wait.thread as u32), wait.waiting_time)
    });
    let (known, found): (Seconds, _) = (known.collect(), shares(&analysis.findings));
    assert_eq!(found.keys().collect::<Vec<_>>(), known.keys().collect::<Vec<_>>());
    for (key, known) in &known {
        assert!((found[key] - known).abs() < 1e-11, "{key:?}: {} {known}", found[key]);
    }
    known
}

#[test]
fn threads_of_a_process_that_starts_no_team_are_idle_for_both() {
    let known = agreed(2, 3, |c, team| {
        let _phase = ats_work::region("phase");
        match c.rank() {
            0 => team.parallel(3, |_| do_work(0.02)),
            _ => do_work(0.01),
        }
        c.barrier();
    });
    assert!(known.keys().any(|(state, _, rank, _)| (*state, *rank) == (Some(WaitState::IdleThreads), 1)));
}

/// One thread of a rank: it exchanges messages with the same thread of the next and the previous rank, and meets all of
/// them; at last any thread may receive its message.
fn communicate(own: &dyn Communicator, shared: &dyn Communicator, thread: usize) {
    let (rank, size) = (own.rank(), own.size());
    let [next, previous] = [(rank + 1) % size, (rank + size - 1) % size];
    let from = Source::Rank(previous);
    let work = |seed: usize| do_work(0.001 * ((rank * 7 + thread * 5 + seed * 3) % 11) as f64);
    // No two threads of a rank do something at the same time.
    do_work(1e-6 * (1 + thread) as f64);
    for round in 0..6 {
        work(round);
        let requests = [0, 1].map(|tag| own.irecv(from, Tag::Is(tag), &own.base_buf()));
        work(round + 1);
        for tag in [1, 0] {
            own.ssend(next, tag, &own.base_buf());
            work(round + 2);
        }
        own.waitall(requests.into());
        for tag in [3, 4] {
            own.send(next, tag, &own.base_buf());
            work(round);
        }
        for tag in [4, 3] {
            own.recv(from, Tag::Is(tag), &own.base_buf());
        }
        work(round + 4);
        if round % 2 == 0 { own.barrier() } else { own.bcast(round % size, &own.base_buf()) }
    }
    shared.send(next, 9, &own.base_buf());
    work(5);
    shared.recv(from, Tag::Is(9), &own.base_buf());
}

#[test]
fn threads_that_communicate_wait_alike_for_both() {
    for (ranks, threads) in [(2, 2), (3, 4), (5, 3)] {
        let known = agreed(ranks, threads, |c, team| {
            let of_threads: Vec<_> = (0..threads).map(|_| c.dup()).collect();
            team.parallel(threads, |t| communicate(&*of_threads[t.number()], c, t.number()));
            c.barrier();
        });
        let late = [
            WaitState::LateSender,
            WaitState::LateSenderWrongOrderSameSource,
            WaitState::LateReceiver,
            WaitState::WaitAtBarrier,
            WaitState::LateBroadcast,
        ];
        for state in late {
            assert!(known.keys().any(|key| key.0 == Some(state) && key.3 > 0), "{state:?} on {ranks}");
        }
    }
}
