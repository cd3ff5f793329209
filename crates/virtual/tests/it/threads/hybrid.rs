use ats_model::WaitState::{
    IdleThreads, LateSender, WaitAtBarrier, WaitAtExplicitOmpBarrier, WaitAtImplicitOmpBarrier,
};
use ats_mpi::{Source, Tag};
use ats_omp::{Team, Thread};
use ats_virtual::Simulation;
use ats_work::do_work;

use super::{REPETITIONS, UNIT, assert_only};

#[test]
fn imbalance_of_threads_and_processes_adds_up() {
    for (ranks, threads) in [(1, 4), (2, 2), (3, 5), (8, 4)] {
        let work = |rank: usize, thread: usize| ((rank * 3 + thread * 7) % 5 + 1) as f64;
        let outcome = Simulation::new(ranks).threads(threads).run_with_team(|c, team| {
            for _ in 0..REPETITIONS {
                team.parallel(threads, |t| do_work(UNIT * work(c.rank(), t.number())));
                c.barrier();
            }
        });
        let slowest = |rank| (0..threads).map(|thread| work(rank, thread)).fold(0.0, f64::max);
        let all = (0..ranks).map(slowest).fold(0.0, f64::max);
        let in_teams: f64 = (0..ranks)
            .flat_map(|rank| (0..threads).map(move |thread| slowest(rank) - work(rank, thread)))
            .sum();
        let between: f64 = (0..ranks).map(|rank| all - slowest(rank)).sum();
        let unit = REPETITIONS as f64 * UNIT;
        let known = [
            (Some(WaitAtImplicitOmpBarrier), unit * in_teams),
            (Some(WaitAtBarrier), unit * between),
            (Some(IdleThreads), unit * (threads - 1) as f64 * between),
        ];
        assert_only(&outcome.unwrap(), &known);
    }
}

#[test]
fn the_master_may_communicate_inside_a_region() {
    let outcome = Simulation::new(2).threads(3).run_with_team(|c, team| {
        let buf = c.base_buf();
        team.parallel(3, |t| {
            t.master(|| {
                if c.rank() == 0 {
                    do_work(UNIT);
                    c.ssend(1, 0, &buf);
                } else {
                    c.recv(Source::Rank(0), Tag::Any, &buf);
                }
            });
            t.barrier();
        });
    });
    let known = [(Some(LateSender), UNIT), (Some(WaitAtExplicitOmpBarrier), 4.0 * UNIT)];
    assert_only(&outcome.unwrap(), &known);
}
