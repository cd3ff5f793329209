//! A server that cannot serve all its clients at the same time.

use ats_mpi::{Communicator, Source, Tag};
use ats_props::{Balance, Distribution, Seconds, do_work, property};

use crate::family::between::Between;
use crate::family::hub;

/// Clients wait for the answers of a server that has too much to do.
///
/// Each of N = P−1 clients sends a request to rank 0, waits for the answer and thinks; rank 0 receives from the client
/// that comes first, works `service` and answers with an empty message. A barrier first keeps the requests apart from
/// those of an earlier run.
///
/// ```text
/// rank 0    ┬ MPI_Recv ┬─ service ──┬ MPI_Send ┬ MPI_Recv ┬─ service ──┬ MPI_Send
/// client 1  ┬ MPI_Send ┬─ MPI_Recv ·┬─ think ──┬ MPI_Send ┬─ MPI_Recv ···········
/// client 2  ┬ MPI_Send ┬─ MPI_Recv ····························┬─ think ─────────┬
///                      └─ waits ───────────────────────────────┘
/// ```
///
/// A client waits for its own service too. With less to do the server waits itself, for (r−1)·max(0, `think` −
/// (N−1)·`service`) in total. The wait of each client depends on the order of arrival: only the total is known, and
/// only if all begin together. Clients are left a `think` and services apart. No other wait state shows. Needs eager
/// sends, which is probed at run time.
#[property(
    finds = LateSender,
    formula = {
        let n = P - 1;
        let queue = service * n * (n + 1) / 2 + (r - 1) * n * (service + max(0, (n - 1) * service - think));
        queue + (r - 1) * max(0, think - (n - 1) * service)
    },
    at = "MPI_Recv",
    cause = if P > 3 { BusyWorkers } else { UnevenWork },
    part = (r - 1) * max(0, think - (P - 2) * service),
    cause = if P > 3 { BusyMaster } else { LackOfParallelism },
    min_ranks = 3,
    send_mode = Standard
)]
pub fn intensive_server(
    /// Work of the server for a request.
    #[default(Seconds(0.01))]
    service: Seconds,
    /// Work of a client between an answer and its next request.
    #[default(Seconds(0.01))]
    think: Seconds,
    /// Requests of each client.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let clients = c.size() as f64 - 1.0;
    let between = Distribution::peak(think.0, clients * service.0, 0);
    let work = Between { before: Distribution::same(0.0), between, r };
    c.barrier();
    // One request of each client.
    let request = c.base_buf();
    // Contents would tell which of rank 0's messages it is, which differs from run to run.
    let answer = c.alloc_mpi_buf(c.base_comm().datatype, 0);
    let clients = c.size() - 1;
    let serve = move |work| {
        if c.rank() > 0 {
            c.send(0, REQUEST, &request);
            c.recv(Source::Rank(0), Tag::Is(hub::OUT), &answer);
            do_work(work);
            return;
        }
        for _ in 0..clients {
            let client = c.recv(Source::Any, Tag::Is(REQUEST), &request).source;
            do_work(work / clients as f64);
            c.send(client, hub::OUT, &answer);
        }
    };
    work.run(balance, c, serve);
}

/// A tag of no other property, since rank 0 takes it from any rank.
const REQUEST: u32 = 44;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{assert_close, simulate};

    #[test]
    fn the_server_waits_where_it_has_less_to_do() {
        for (think, idle) in [("0.1", 4.0 * (0.1 - 2.0 * 0.01)), ("0.01", 0.0)] {
            let outcome = simulate(&PROPERTY, (4, 1), &[("think", think), ("r", "5")], false);
            assert_close(outcome.waiting_time_of(WaitState::LateSender, 0), idle);
        }
    }
}
