//! Work of one rank that all others wait for.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_one_to_all};
use ats_props::{Balance, Distribution, Seconds, do_work, property};

use crate::family::between::Between;

/// All ranks wait for what one rank produces alone, and have less to do with it than that one.
///
/// Rank 0 works `production` and then sends to each of the others, which receive and work `consumption`.
///
/// ```text
/// rank 0  ├─ production ──────┬ MPI_Send ┬─ production ──────┬ MPI_Send
/// others  ├─ MPI_Recv ········┬─ consumption ─┬─ MPI_Recv ···┬─ consumption
///         └─ waits ───────────┘               └─ waits ──────┘
/// ```
///
/// As a late broadcast, but for the calls. The others are left `consumption` behind rank 0; where that is longer, messages lie
/// ready after the first, and they are left r·`consumption` − (r−1)·`production` behind. No other wait state shows. Needs
/// eager sends, which is probed at run time.
#[property(
    finds = LateSender,
    formula = (P - 1) * (production + (r - 1) * max(0, production - consumption)),
    at = "mpi_commpattern_one_to_all/MPI_Recv",
    each = if i > 0 { production + (r - 1) * max(0, production - consumption) },
    cause = if P > 2 { LackOfParallelism } else { UnevenWork },
    min_ranks = 2,
    send_mode = Standard
)]
pub fn lack_of_parallelism_p2p(
    /// Work of rank 0 in a repetition.
    #[default(Seconds(0.05))]
    production: Seconds,
    /// Work of each of the others in a repetition.
    #[default(Seconds(0.01))]
    consumption: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work = Between {
        before: Distribution::peak(0.0, production.0, 0),
        between: Distribution::peak(consumption.0, 0.0, 0),
        r,
    };
    let buf = c.base_buf();
    let messages = move |consumption| {
        mpi_commpattern_one_to_all(&buf, 0.0, SendMode::Standard, c);
        do_work(consumption);
    };
    work.run(balance, c, messages);
}
