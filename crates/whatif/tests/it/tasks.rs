//! Changes of tasks, which a thread executes in waits, too.

use ats_whatif::Changes;

use crate::{TICK, wall};

/// Three tasks for two threads: two of them in the barrier.
const TRACE: &str = "team t 0 0.1
    0: 0 fork; 0 begin t; 0 enter $parallel-@a.c:3; 0 create 1; 0 create 2; 0 create 3
    0: 0 enter $implicit-barrier-@a.c:3; 0 switch 1; 0..4 $task-@a.c:5; 4 complete 1; 4 switch 0
    0: 4 switch 2; 4..8 $task-@a.c:5; 8 complete 2; 8 switch 0; 8 leave; 8 leave; 8 end t; 8 join
    0.1: 0 begin t; 0 enter $parallel-@a.c:3; 0 enter $implicit-barrier-@a.c:3
    0.1: 0 switch 3; 0..4 $task-@a.c:5; 4 complete 3; 4 switch 0; 8 leave; 8 leave; 8 end t";

#[test]
fn tasks_of_a_team_are_shared_evenly() {
    let changes = Changes { balances: vec!["!$omp task*".parse().unwrap()], ..Changes::default() };
    assert_eq!(wall(TRACE, &Changes::default()), 8 * TICK);
    assert_eq!(wall(TRACE, &changes), 6 * TICK);
}

#[test]
fn tasks_take_less_time() {
    let changes = Changes { speeds: vec!["!$omp task*=2".parse().unwrap()], ..Changes::default() };
    assert_eq!(wall(TRACE, &changes), 4 * TICK);
}
