//! The start and the end of MPI.

use ats_mpi::par_do_mpi_work;
use ats_props::{Balance, Distribution, MpiFunction, Process, Seconds, property};

/// A program does so little that most of its time is spent in `MPI_Init_thread` and `MPI_Finalize`.
///
/// The program initialises MPI, and ends. The twin works in between for `enough` on every rank, so that the same two calls
/// are a small share of its time.
///
/// ```text
/// all  ├─ MPI_Init_thread ─────────┼─ MPI_Finalize ───────┤
/// ```
///
/// The finding is the time of `MPI_Init_thread`, added up over the ranks. It is the machine's and the library's affair: on an
/// ideal machine no call takes time, and nothing shows. Ranks that their launcher has not started together wait there for one
/// another, which is part of it. The time of `MPI_Finalize` is no finding: tools write their results there, and what the
/// program sees of that call is their time, too.
#[property(finds = Time(MpiFunction::Init_thread.name()))]
pub fn high_mpi_init_finalize_overhead(
    /// Work of each rank in the twin.
    #[default(Seconds(0.5))]
    enough: Seconds,
    process: &dyn Process,
    balance: Balance,
) {
    let world = process.init();
    par_do_mpi_work(&Distribution::same(balance.pick(0.0, enough.0)), 1.0, &*world);
    process.finalize(world);
}
