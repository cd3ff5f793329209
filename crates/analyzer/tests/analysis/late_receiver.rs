//! Late Receiver: [enter of the receive request − enter of the send's completing call]+, if that call is left later.

use crate::check;

#[test]
fn a_send_waits_from_its_enter_to_the_enter_of_the_receive() {
    for call in ["MPI_Send", "MPI_Ssend"] {
        check(
            &format!("0: 3..13 {call} send 1 \n 1: 11..14 MPI_Recv recv 0"),
            &format!("late_receiver {call} 0:8"),
        );
    }
}

#[test]
fn a_send_that_returns_before_the_receive_was_not_held() {
    check("0: 3..10 MPI_Send send 1 \n 1: 11..14 MPI_Recv recv 0", "");
    check("0: 3..12 MPI_Send send 1 \n 1: 11..14 MPI_Recv recv 0", "late_receiver MPI_Send 0:8");
}

#[test]
fn a_send_that_returns_in_the_tick_of_its_receive_was_held() {
    check("0: 3..11 MPI_Ssend send 1 \n 1: 11..11 MPI_Recv recv 0", "late_receiver MPI_Ssend 0:8");
}

#[test]
fn an_eager_send_without_latency_was_not_held() {
    check("0: 3..3 MPI_Send send 1 \n 1: 11..11 MPI_Recv recv 0", "");
    check("0: 11..11 MPI_Send send 1 \n 1: 11..11 MPI_Recv recv 0", "");
}

#[test]
fn a_receive_that_is_entered_at_the_same_time_is_not_late() {
    check("0: 3..12 MPI_Ssend send 1 \n 1: 3..12 MPI_Recv recv 0", "");
}

#[test]
fn a_receive_is_requested_when_it_is_posted() {
    check(
        "0: 0..9 MPI_Ssend send 1
         1: 4..5 MPI_Irecv post 1; 8..9 MPI_Wait irecv 0 request 1",
        "late_progress MPI_Ssend 0:4
         late_receiver MPI_Ssend 0:4",
    );
}

#[test]
fn a_nonblocking_send_waits_in_its_completing_call() {
    for call in ["MPI_Wait", "MPI_Waitany", "MPI_Waitall", "MPI_Waitsome"] {
        check(
            &format!(
                "0: 0..1 MPI_Issend isend 1 request 9; 1..5 work; 5..13 {call} sent 9
                 1: 12..13 MPI_Recv recv 0"
            ),
            &format!("late_receiver {call} 0:7"),
        );
    }
}

#[test]
fn a_receive_posted_before_the_completing_call_is_not_late() {
    check(
        "0: 0..1 MPI_Issend isend 1 request 9; 7..13 MPI_Wait sent 9
         1: 6..13 MPI_Recv recv 0",
        "late_progress MPI_Recv 1:1",
    );
}

#[test]
fn buffered_ready_combined_and_tested_sends_never_wait() {
    for call in ["MPI_Bsend", "MPI_Rsend"] {
        check(&format!("0: 3..13 {call} send 1 \n 1: 11..14 MPI_Recv recv 0"), "");
    }
    check("0: 3..13 MPI_Sendrecv send 1 \n 1: 11..14 MPI_Recv recv 0", "");
    check(
        "0: 0..1 MPI_Issend isend 1 request 9; 5..13 MPI_Test sent 9
         1: 12..13 MPI_Recv recv 0",
        "",
    );
}

#[test]
fn the_receive_may_be_tested_or_combined() {
    check(
        "0: 0..9 MPI_Ssend send 1
         1: 4..5 MPI_Irecv post 1; 8..9 MPI_Test irecv 0 request 1",
        "late_progress MPI_Ssend 0:4
         late_receiver MPI_Ssend 0:4",
    );
    check("0: 0..9 MPI_Ssend send 1 \n 1: 4..9 MPI_Sendrecv recv 0", "late_receiver MPI_Ssend 0:4");
}
