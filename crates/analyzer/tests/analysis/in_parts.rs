//! Traces that are read piece by piece.

use std::convert::Infallible;

use ats_analyzer::{Options, analyze_with, notation::parse};
use ats_documents::{Analysis, Wait};
use ats_model::{Definitions, Event, EventSource, source::InMemory};

use crate::check_damaged;

/// A trace that is read a few events at a time.
pub(crate) struct InParts {
    pub(crate) trace: InMemory,
    pub(crate) part: usize,
    pub(crate) has_common_clock: bool,
}

impl EventSource for InParts {
    type Error = Infallible;

    fn definitions(&self) -> &Definitions {
        self.trace.definitions()
    }

    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), Infallible> {
        self.trace.read_location(index, visit)
    }

    fn has_common_clock(&self) -> bool {
        self.has_common_clock
    }

    fn read_part(
        &self,
        index: usize,
        part: usize,
        mut visit: impl FnMut(u64, Event),
    ) -> Result<bool, Infallible> {
        let mut parts = self.trace.events[index].chunks(self.part).skip(part);
        parts.next().into_iter().flatten().for_each(|&(time, event)| visit(time, event));
        Ok(parts.next().is_some())
    }
}

/// The analysis of a trace, and its single waits in a fixed order.
#[track_caller]
pub(crate) fn with_waits(trace: &InParts, options: &Options) -> (Analysis, Vec<Wait>) {
    let mut waits = Vec::new();
    let analysis = analyze_with(trace, "test", options, &mut |wait| waits.push(wait)).unwrap();
    waits.sort_by_key(|wait| (wait.finding, wait.location, wait.begin, wait.end, wait.awaited));
    (analysis, waits)
}

/// However early it is settled, the trace gives these findings and these warnings.
#[track_caller]
pub(crate) fn check_in_parts(trace: &str, findings: &str, warnings: &str) {
    check_damaged(trace, findings, warnings);
    let mut trace = InParts { trace: parse(trace).unwrap(), part: 1, has_common_clock: true };
    let at_once = with_waits(&trace, &Options::default());
    for part in 1..8 {
        trace.part = part;
        for records_in_memory in 0..16 {
            let options = Options { records_in_memory, ..Options::default() };
            assert_eq!(with_waits(&trace, &options), at_once);
        }
    }
}

#[test]
fn a_thread_that_ends_in_a_call_has_left_it() {
    let trace = "0: 0..1 work; 5 enter MPI_Recv; 10 recv 1 tag 1
                 0.1: 4..12 MPI_Recv recv 1 tag 2; 22..23 MPI_Recv recv 1; 26..27 work
                 1: 6..7 MPI_Send send 0 tag 2; 7..8 MPI_Send send 0 tag 1; 20..21 MPI_Send send 0; 26..27 work";
    let findings = "late_sender MPI_Recv 0:2 0.1:2";
    let warnings = "regions that were entered and not left (closed with the region around them): 1; the first on rank 0, \
                    thread 0, at 5 s";
    check_in_parts(trace, findings, warnings);
}

#[test]
fn events_in_a_function_without_its_call_keep_their_times() {
    check_in_parts(
        "0: 0 enter work; 30 send 1; 41 leave; 42..43 work
         0.1: 10..11 MPI_Send send 1; 42..43 work
         1: 5..11 MPI_Recv recv 0; 20..31 MPI_Recv recv 0; 42..43 work",
        "late_sender MPI_Recv 1:15",
        "MPI records outside every MPI call (no wait is counted for them): 1; the first on rank 0, thread 0, at 30 s",
    );
    check_in_parts(
        "0: 0 enter work; 10 begin; 30 end barrier; 41 leave; 42..43 work
         0.1: 20..36 MPI_Barrier barrier; 42..43 work
         1: 8..30 MPI_Barrier barrier; 33..36 MPI_Barrier barrier; 42..43 work",
        "wait_at_barrier MPI_Barrier 0.1:13 1:2",
        "",
    );
}

#[test]
fn events_before_a_leave_without_its_enter_have_no_time() {
    check_in_parts(
        "0: 10 send 1; 11 leave MPI_Send; 20 enter work; 21 leave; 30 send 1; 31 enter work; 32 leave; 33 leave MPI_Send
         0: 40..41 MPI_Send send 1; 50..51 work
         1: 5..11 MPI_Recv recv 0; 25..31 MPI_Recv recv 0; 35..42 MPI_Recv recv 0; 50..51 work",
        "late_sender MPI_Recv 1:5",
        "leaves of a region that was not entered (ignored): 2; the first on rank 0, thread 0, at 11 s
         MPI records outside every MPI call (no wait is counted for them): 2; the first on rank 0, thread 0, at 10 s",
    );
    // The call in between, and the end of the function around them, tell that the records are of others.
    check_in_parts(
        "0: 10 send 1; 11..12 MPI_Wtime; 13 leave MPI_Send; 20 enter work; 30 send 1; 31 leave; 32 leave MPI_Send
         0: 50..51 work
         1: 5..11 MPI_Recv recv 0; 25..31 MPI_Recv recv 0; 50..51 work",
        "late_sender MPI_Recv 1:10",
        "leaves of a region that was not entered (ignored): 2; the first on rank 0, thread 0, at 13 s
         MPI records outside every MPI call (no wait is counted for them): 2; the first on rank 0, thread 0, at 10 s",
    );
}

#[test]
fn a_request_of_a_call_that_has_lost_its_enter_has_no_time_in_another_thread() {
    check_in_parts(
        "0: 10 isend 1 request 1; 16..17 work; 17..18 work; 18..19 work; 19..20 work; 20 leave MPI_Isend; 50..51 work
         0.1: 12..15 MPI_Wait sent 1; 18..19 work; 19..30 work; 50..51 work
         1: 5..11 MPI_Recv recv 0; 50..51 work",
        "",
        "leaves of a region that was not entered (ignored): 1; the first on rank 0, thread 0, at 20 s
         MPI records outside every MPI call (no wait is counted for them): 1; the first on rank 0, thread 0, at 10 s",
    );
}

#[test]
fn a_team_that_goes_on_after_the_one_around_it_counts_as_a_whole() {
    check_in_parts(
        "team a 0
         team b 0 0.1
         0: 0 fork; 0 begin a; 0 enter $parallel; 1 fork; 1 begin b; 1 enter $parallel; 5 leave; 5 end b
         0: 6 leave; 6 end a; 9 join; 9 fork; 9 begin a; 9 enter $parallel; 14 leave; 14 end a; 14 join; 20..21 work
         0.1: 1 begin b; 1 enter $parallel; 5 leave; 5 end b; 20 other",
        "omp_management !$omp parallel/!$omp parallel 0:4 0.1:4
         limited_parallelism !$omp parallel 0.1:5",
        "forks without a join (their management is counted up to the region's begin): 1; the first on rank 0, \
         thread 0, at 0 s",
    );
}
