//! Calls inside of other calls of MPI, in callbacks: each has its own waits, and no second counts twice.

use crate::{check, check_damaged, in_parts::check_in_parts};

/// Rank 1 duplicates a communicator; a callback has a barrier on another one before or after the library's own part.
#[test]
fn a_call_does_not_wait_while_calls_inside_it_do() {
    // The callback comes first: until rank 0 is there, rank 1 is in the barrier.
    check_in_parts(
        "comm box 0 1
         0: 8 enter MPI_Comm_dup; 8 begin; 9..12 work; 12..13 MPI_Barrier barrier on box; 14 end createhandle; 14 leave
         1: 0 enter MPI_Comm_dup; 0 begin; 0..13 MPI_Barrier barrier on box; 14 end createhandle; 14 leave",
        "wait_at_barrier MPI_Comm_dup/MPI_Barrier 1:12",
        "",
    );
    // Rank 1 is in the callback later than in the call around it.
    check_in_parts(
        "comm box 0 1
         0: 8 enter MPI_Comm_dup; 8 begin; 9..12 work; 12..13 MPI_Barrier barrier on box; 14 end createhandle; 14 leave
         1: 0 enter MPI_Comm_dup; 0 begin; 3..13 MPI_Barrier barrier on box; 14 end createhandle; 14 leave",
        "wait_at_barrier MPI_Comm_dup/MPI_Barrier 1:9
         wait_at_communicator_management MPI_Comm_dup 1:3",
        "",
    );
    // The callback comes last.
    check_in_parts(
        "comm box 0 1
         0: 8 enter MPI_Comm_dup; 8 begin; 9..12 work; 12..13 MPI_Barrier barrier on box; 14 end createhandle; 14 leave
         1: 0 enter MPI_Comm_dup; 0 begin; 9..13 MPI_Barrier barrier on box; 14 end createhandle; 14 leave",
        "wait_at_communicator_management MPI_Comm_dup 1:8
         wait_at_barrier MPI_Comm_dup/MPI_Barrier 1:3",
        "",
    );
}

#[test]
fn callbacks_may_have_calls_of_all_kinds_and_callbacks_of_their_own() {
    // Three levels; a receive, a send and a barrier.
    check_in_parts(
        "comm box 0 1 \n comm inner 0 1
         0: 10 enter MPI_Barrier; 10 begin; 11 enter MPI_Comm_dup; 11 begin; 12..13 MPI_Send send 1; 14 end createhandle on box
         0: 14 leave; 15 end barrier; 15 leave
         1: 0 enter MPI_Barrier; 0 begin; 2 enter copy; 3 enter MPI_Comm_dup; 3 begin; 5..13 MPI_Recv recv 0
         1: 14 end createhandle on box; 14 leave; 14 leave; 15 end barrier; 15 leave",
        "late_sender MPI_Barrier/copy/MPI_Comm_dup/MPI_Recv 1:7
         wait_at_barrier MPI_Barrier 1:3
         wait_at_communicator_management MPI_Barrier/copy/MPI_Comm_dup 1:2",
        "",
    );
    // A call that has no record lies between.
    check_in_parts(
        "comm box 0 1
         0: 8..10 MPI_Barrier barrier; 10..11 MPI_Barrier barrier on box
         1: 0 enter MPI_Barrier; 0 begin; 1 enter MPI_Comm_free; 2..11 MPI_Barrier barrier on box; 11 leave; 11 end barrier; 11 leave",
        "wait_at_barrier MPI_Barrier/MPI_Comm_free/MPI_Barrier 1:8
         wait_at_barrier MPI_Barrier 1:2",
        "",
    );
    // Calls that complete messages have callbacks, too.
    check_in_parts(
        "comm box 0 1
         0: 8..9 MPI_Barrier barrier on box; 10..11 MPI_Send send 1
         1: 0..1 MPI_Irecv post 1; 1 enter MPI_Wait; 2..9 MPI_Barrier barrier on box; 11 irecv 0 request 1; 11 leave",
        "wait_at_barrier MPI_Wait/MPI_Barrier 1:6
         late_sender MPI_Wait 1:2",
        "",
    );
}

#[test]
fn the_waits_in_init_and_finalize_are_without_those_of_callbacks() {
    check_in_parts(
        "comm box 0 1
         0: 0..1 MPI_Init; 9 enter MPI_Finalize; 12..13 MPI_Barrier barrier on box; 14 leave
         1: 0..1 MPI_Init; 2 enter MPI_Finalize; 4..13 MPI_Barrier barrier on box; 14 leave",
        "wait_at_barrier MPI_Finalize/MPI_Barrier 1:8
         wait_at_finalize MPI_Finalize 1:2",
        "",
    );
}

#[test]
fn completion_is_without_that_of_calls_inside() {
    check(
        "comm box 0 1
         0: 0 enter MPI_Allreduce; 0 begin; 3 end allreduce; 3 leave; 8..9 MPI_Barrier barrier on box
         1: 0 enter MPI_Allreduce; 0 begin; 5..9 MPI_Barrier barrier on box; 10 end allreduce; 10 leave",
        "nxn_completion MPI_Allreduce 1:3
         wait_at_barrier MPI_Allreduce/MPI_Barrier 1:3",
    );
}

#[test]
fn work_in_a_callback_and_calls_without_records_change_nothing() {
    check(
        "0: 8..9 MPI_Barrier barrier
         1: 0 enter MPI_Barrier; 0 begin; 1..3 work; 3..4 MPI_Comm_rank; 4..5 MPI_Barrier; 9 end barrier; 9 leave",
        "wait_at_barrier MPI_Barrier 1:8",
    );
}

#[test]
fn an_operation_on_the_same_communicator_is_the_second_of_the_two() {
    check_in_parts(
        "0: 5 enter MPI_Comm_dup; 5 begin; 7..8 MPI_Comm_dup createhandle; 9 end createhandle; 9 leave
         1: 0 enter MPI_Comm_dup; 0 begin; 6..8 MPI_Comm_dup createhandle; 9 end createhandle; 9 leave",
        "wait_at_communicator_management MPI_Comm_dup 1:5
         wait_at_communicator_management MPI_Comm_dup/MPI_Comm_dup 1:1",
        "",
    );
}

#[test]
fn a_begin_belongs_to_the_end_in_its_own_call() {
    check_damaged(
        "comm box 0 1
         0: 2 enter MPI_Barrier; 2 begin; 3 enter MPI_Comm_dup; 3 begin; 4 enter MPI_Comm_free; 5 begin; 6 leave; 6 leave
         0: 9 end barrier; 9 leave; 10 enter MPI_Barrier; 11 end barrier on box; 11 leave
         1: 0..9 MPI_Barrier barrier; 9..11 MPI_Barrier barrier on box",
        "wait_at_barrier MPI_Barrier 1:3",
        "collective operations without a begin (the enter of their call is taken, outside every call their end): 1; \
         the first on rank 0, thread 0, at 11 s
         collective operations without an end (ignored): 2; the first on rank 0, thread 0, at 3 s",
    );
}
