//! Operations of threads that are bound to cores.

use super::arithmetic::int_ops;
use crate::affinity::{on_cores, usable_cores};
use crate::amount::Bound;
use crate::machine;

/// Really binds the thread, does the operations, and puts the thread back to where it was; returns their result.
pub(crate) fn bound(work: &Bound) -> u64 {
    let cores = usable_cores();
    if cores.len() < 2 {
        machine::unfit("threads are bound to a part of the cores, and there is one core");
    }
    on_cores(&[cores[work.core() as usize % cores.len()]], || int_ops(work.operations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_thread_does_the_same_operations() {
        if usable_cores().len() > 1 {
            assert_eq!(bound(&Bound { operations: 10, place: 1, places: 2, cores: 2 }), int_ops(10));
        }
    }
}
