//! SimGrid's time-independent traces, which `smpirun -replay` reads: a file that lists one file per rank, and in these a
//! line per action: the rank, the action, its numbers, and the number of the datatype.
//!
//! The format is that of `smpirun -trace-ti` of SimGrid 3.32, and of its manual, "Offline simulation". Work is in
//! floating-point operations; here, a process makes one in a nanosecond.

use std::fmt::Write;

use ats_model::event::CollectiveOperation::*;

use super::actions::{Action, Message};

/// The number of `MPI_BYTE`.
const BYTE: u32 = 6;

/// The files, with their names.
pub(super) fn files(processes: &[Vec<Action>]) -> Vec<(String, String)> {
    let name = |rank: usize| format!("rank-{rank}.txt");
    let list = (0..processes.len()).map(|rank| name(rank) + "\n").collect();
    let ranks = processes.iter().enumerate().map(|(rank, actions)| (name(rank), text(rank, actions)));
    std::iter::once(("trace.txt".to_owned(), list)).chain(ranks).collect()
}

fn text(rank: usize, actions: &[Action]) -> String {
    let mut text = format!("{rank} init\n");
    for action in actions {
        let line = match *action {
            Action::Compute(picoseconds) => format!("compute {}", picoseconds as f64 / 1e3),
            Action::Send(Message { to, tag, bytes, .. }, request) => {
                format!("{} {to} {tag} {bytes} {BYTE}", if request.is_some() { "isend" } else { "send" })
            }
            Action::Receive(Message { from, tag, bytes, .. }, request) => {
                format!("{} {from} {tag} {bytes} {BYTE}", if request.is_some() { "irecv" } else { "recv" })
            }
            Action::Wait(Message { from, to, tag, .. }, _) => format!("wait {from} {to} {tag}"),
            Action::Collective { operation, root, bytes } => match operation {
                Bcast => format!("bcast {bytes} {root} {BYTE}"),
                Reduce => format!("reduce {bytes} 0 {root} {BYTE}"),
                Allreduce => format!("allreduce {bytes} 0 {BYTE}"),
                Alltoall => format!("alltoall {bytes} {bytes} {BYTE} {BYTE}"),
                Allgather => format!("allgather {bytes} {bytes} {BYTE} {BYTE}"),
                Gather => format!("gather {bytes} {bytes} {root} {BYTE} {BYTE}"),
                Scatter => format!("scatter {bytes} {bytes} {root} {BYTE} {BYTE}"),
                Scan => format!("scan {bytes} 0 {BYTE}"),
                Exscan => format!("exscan {bytes} 0 {BYTE}"),
                // As many bytes for each; the record has no other.
                ReduceScatterBlock => format!("allreduce {bytes} 0 {BYTE}"),
                _ => "barrier".to_owned(),
            },
        };
        _ = writeln!(text, "{rank} {line}");
    }
    text + &format!("{rank} finalize\n")
}
