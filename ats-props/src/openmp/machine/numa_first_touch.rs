//! Memory that lies where one thread has touched it.

use ats_props::{Amount, Balance, Counter, Placed, REMOTE_PAGES, Team, Thread, do_amount, property, region};

/// A master touches all pages first, and then threads on another node of memory work on them.
///
/// The master runs on the first node of the machine while it touches `pages` small pages for each thread, in the region `touch`;
/// there they lie. Each thread touches as many others itself, on the second node. Then all threads load from all lines of
/// their pages on the second node, `r` times in turn: in the region `touched_by_master` those of the former, in the region
/// `touched_by_each` those of the latter. In the twin every thread touches all its pages itself.
///
/// ```text
/// master  ├─ touch ────────────┼─ touched_by_master ────────┬─ touched_by_each ─┤
/// others  ├─ touch ┬ barrier ··┼─ touched_by_master ────────┼─ touched_by_each ─┤
/// ```
///
/// The findings are the time of one region over that of the other, and the number of pages that lie on another node than the
/// thread that reads them, as the system tells. The other threads wait for the master at a barrier besides. A machine shows it if
/// it has two nodes of memory with cores, and is unsupported if it has one.
#[property(
    finds = Ratio { of: "touched_by_master", over: "touched_by_each", at_least: 1.2 },
    twin = 1,
    finds = Count(Counter::Witness(REMOTE_PAGES), TOUCH),
    formula = T * pages,
    twin = 0,
    also = WaitAtExplicitOmpBarrier,
    at = "!$omp parallel/!$omp barrier",
    min_threads = 2,
    c = "numa_first_touch.c"
)]
pub fn numa_first_touch(
    /// Pages of a thread that one thread touches, and as many that each touches itself.
    #[default(8192)]
    pages: usize,
    /// Number of repetitions.
    #[default(20)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let is_alone = balance.pick(true, false);
    let home = balance.pick(MASTERS_NODE, READERS_NODE);
    team.parallel(team.max_threads(), |t| {
        let (me, threads) = (t.number() as u64, t.threads() as u64);
        let placed = |place, home, rounds| {
            let pages = pages as u64;
            do_amount(&Amount::Placed(Placed { pages, rounds, place, home, node: READERS_NODE }));
        };
        let touch = |place, home| {
            let _region = region(TOUCH);
            placed(place, home, 0);
        };
        match (is_alone, me) {
            (true, 0) => (0..threads).for_each(|place| touch(place, home)),
            (true, _) => {}
            (false, _) => touch(me, home),
        }
        touch(threads + me, READERS_NODE);
        for _ in 0..r {
            for (name, place, home) in
                [("touched_by_master", me, home), ("touched_by_each", threads + me, READERS_NODE)]
            {
                // All begin at once.
                t.barrier();
                let _region = region(name);
                placed(place, home, 1);
            }
        }
    });
}

/// The node of the master while it touches pages.
const MASTERS_NODE: u64 = 0;

/// The node of all threads that read.
const READERS_NODE: u64 = 1;

/// The region of the first stores.
const TOUCH: &str = "touch";
