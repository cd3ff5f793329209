//! Data that all ranks would compute alike is computed once in a simulation, and not kept for another.

use std::cell::Cell;

use ats_virtual::Simulation;

#[test]
fn common_data_of_ranks_is_made_by_one() {
    let made = Cell::new(0);
    for simulation in 1..=2 {
        let result = Simulation::new(17).run(|c| {
            for last in [3, 5, 3] {
                let values = ats_work::same_for_all(&format!("numbers to {last}"), || {
                    made.set(made.get() + 1);
                    (0..=last).map(f64::from).collect()
                });
                assert_eq!(values.last(), Some(&f64::from(last)));
                c.barrier();
            }
        });
        result.unwrap();
        assert_eq!(made.get(), 2 * simulation);
    }
}
