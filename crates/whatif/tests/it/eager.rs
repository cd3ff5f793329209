//! The eager limit of the network of a trace, as its standard sends show it.

use ats_model::source::InMemory;
use ats_mpi::{Communicator, Datatype, Source, Tag};
use ats_props::Catalogue;
use ats_truth::{TruthOptions, ideal_trace};
use ats_virtual::{Network, Simulation};
use ats_whatif::{EagerSizes, EagerSource, NetworkOfTrace, Program};
use ats_work::do_work;

use crate::planned;

/// Rank 0 sends messages of these sizes; rank 1 is late for each.
fn late_receives(eager_limit: usize, sizes: &[usize]) -> InMemory {
    let mut trace = InMemory::default();
    let network = Network { eager_limit, latency: 1e-6, bandwidth: 1e10, ..Network::default() };
    let program = |c: &dyn Communicator| {
        for (tag, &bytes) in (0..).zip(sizes) {
            let buf = c.alloc_mpi_buf(Datatype::Byte, bytes);
            if c.rank() == 0 {
                c.send(1, tag, &buf);
            } else {
                do_work(0.01);
                c.recv(Source::Rank(0), Tag::Is(tag), &buf);
            }
            c.barrier();
        }
    };
    Simulation::new(2).network(network).whole_program().record(&mut trace).run(program).unwrap();
    trace
}

/// The limit that is found in a trace, and the sizes that show it.
fn found(trace: &InMemory) -> (usize, EagerSource) {
    let program = Program::new(trace, &[], NetworkOfTrace::default()).unwrap();
    assert_eq!(program.unchanged().ends, program.recorded().ends);
    (program.eager_limit().bytes, program.eager_limit().source)
}

fn sizes(left: Option<u64>, waiting: Option<u64>) -> EagerSource {
    EagerSource::Found(EagerSizes { largest_left: left, smallest_waiting: waiting })
}

#[test]
fn a_larger_limit_is_found() {
    let trace = late_receives(1 << 16, &[100, 1 << 16, 1 << 17, 1 << 13]);
    assert_eq!(found(&trace), (1 << 16, sizes(Some(1 << 16), Some(1 << 17))));
    let told = Program::new(&trace, &[], NetworkOfTrace { eager_limit: Some(7), progress: None }).unwrap();
    assert_eq!((told.eager_limit().bytes, told.eager_limit().source), (7, EagerSource::Told));
}

#[test]
fn a_smaller_limit_is_found() {
    let trace = late_receives(100, &[100, 4000, 1000]);
    assert_eq!(found(&trace), (999, sizes(Some(100), Some(1000))));
    let program = Program::new(&trace, &[], NetworkOfTrace::default()).unwrap();
    let words = "messages up to 999 bytes are eager: the largest standard send that left before its receive was posted \
                 had 100 bytes, the smallest that waited for its receive had 1000 bytes";
    assert_eq!(program.remarks(), [words]);
}

#[test]
fn a_limit_that_nothing_contradicts_is_the_usual_one() {
    let trace = late_receives(4096, &[100, 8000]);
    assert_eq!(found(&trace), (4096, sizes(Some(100), Some(8000))));
    let early = late_receives(4096, &[]);
    assert_eq!(found(&early), (4096, EagerSource::Usual));
}

#[test]
fn sends_that_contradict_each_other_show_none() {
    let trace = "0: 0..1 MPI_Send send 1 bytes 5000; 3..9 MPI_Send send 1 bytes 100; 9..9 MPI_Barrier barrier
                 1: 3..3 MPI_Recv recv 0 bytes 5000; 8..9 MPI_Recv recv 0 bytes 100; 9..9 MPI_Barrier barrier";
    let trace = ats_analyzer::notation::parse(trace).unwrap();
    let program = Program::new(&trace, &[], NetworkOfTrace::default()).unwrap();
    let sizes = EagerSizes { largest_left: Some(5000), smallest_waiting: Some(100) };
    assert_eq!(program.eager_limit().source, EagerSource::Open(sizes));
    assert_eq!(program.eager_limit().bytes, 4096);
}

#[test]
fn limits_of_programs_of_the_suite_leave_them_exact() {
    for eager_limit in [0, 100, 4096, 1 << 20] {
        let network = Network { eager_limit, ..Network::default() };
        let options = TruthOptions { network, ..TruthOptions::default() };
        for program in Catalogue::builtin().programs() {
            if !program.property.needs.ranks || program.property.progress.is_some() {
                continue;
            }
            let threads = if program.property.needs.team { 2 } else { 1 };
            let it = planned(program.name(), &[], 4, threads);
            // Some need eager messages.
            let Ok(trace) = ideal_trace::in_memory(&it.subject, it.size, &options) else { continue };
            let again = Program::new(&trace, &[], NetworkOfTrace::default()).unwrap();
            let name = program.name();
            let exact = Program::new(&trace, &[], network).unwrap();
            if exact.unchanged().ends == exact.recorded().ends {
                assert_eq!(again.unchanged().ends, again.recorded().ends, "{name} with {eager_limit}");
            }
        }
    }
}
