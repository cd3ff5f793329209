//! Services for the harness of a program: alignment, clocks, the eager probe, the log of calls.

use ats_mpi::real::{MpiCommunicator, align, clock, eager_held};
use ats_mpi::{BaseComm, Communicator, Datatype, Source, Tag};
use ats_work::log;

pub(crate) fn check(c: &MpiCommunicator) {
    align(c);
    let before = log::now_ns();
    let offset = clock::offset_to_rank0(c);
    assert_eq!(offset.offset_ns, 0, "all ranks of this test share a machine");
    assert!((before..=log::now_ns()).contains(&offset.at_ns));

    let named: &dyn Communicator = c;
    assert!(eager_held(c, &named.alloc_mpi_buf(Datatype::Byte, 4)), "four bytes are eager in every library");
    let large = eager_held(c, &named.alloc_mpi_buf(Datatype::Byte, 64 << 20));
    assert_eq!(large, c.size() == 1, "64 MiB are eager in none");

    let base = BaseComm { datatype: Datatype::Double, count: 3 };
    c.set_base_comm(base);
    assert_eq!((c.base_comm(), named.dup().base_comm()), (base, base), "the default is the process's");
    logged(named);
}

fn logged(c: &dyn Communicator) {
    let buf = c.alloc_mpi_buf(Datatype::Int, 1);
    log::start(16);
    c.barrier();
    if c.rank() == 0 {
        for _ in 1..c.size() {
            c.recv(Source::Any, Tag::Is(6), &buf);
        }
    } else {
        c.send(0, 6, &buf);
    }
    let log = log::stop();
    let names: Vec<&str> = log.constructs.iter().map(|construct| construct.0).collect();
    assert!(log.constructs.is_sorted_by(|a, b| a.1 <= a.2 && a.2 <= b.1), "stamps are in order");
    if c.rank() == 0 {
        let mut sources: Vec<u32> = log.choices.iter().map(|choice| choice.1).collect();
        sources.sort_unstable();
        assert_eq!(sources, (1..c.size() as u32).collect::<Vec<_>>(), "each wildcard's source is noted");
        assert_eq!(names.len(), c.size());
    } else {
        assert_eq!(names, ["MPI_Barrier", "MPI_Send"]);
    }
}
