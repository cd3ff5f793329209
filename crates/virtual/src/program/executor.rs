//! Work and regions in virtual time.

use std::rc::Rc;

use ats_work::amount::{Placed, REMOTE_PAGES};
use ats_work::log::TASK_CLOCK;
use ats_work::{Amount, Executor};

use crate::kernel::time::{picoseconds, seconds};
use crate::world::{kernel, omp, pause};

/// Lets work pass on the clock of the location that runs.
pub(crate) struct VirtualExecutor;

/// Waits until no other location can ask for the processor earlier.
pub(super) fn await_turn() {
    kernel(|kernel| kernel.ask_for_processor());
    pause();
    omp(|omp, kernel| {
        if kernel.current < omp.threads.len() {
            omp.mark_exchangeable(kernel);
        }
    });
}

/// Passes seconds of work, so many of them on the processor.
fn pass(seconds: f64, processor: f64) {
    if kernel(|kernel| kernel.turns.is_some()) {
        await_turn();
    }
    kernel(|kernel| {
        kernel.may_stop();
        kernel.operations += 1;
        let now = kernel.now();
        match kernel.here().pins.as_mut().and_then(|pins| pins.after_work(now)) {
            Some(end) => kernel.advance_to(end),
            None => {
                kernel.work(picoseconds(seconds));
                kernel.count_work(processor);
            }
        }
        if kernel.measuring.chosen.contains(&TASK_CLOCK) {
            kernel.measuring.count(TASK_CLOCK, (processor * 1e9).round() as u64, kernel.current);
        }
    });
}

impl Executor for VirtualExecutor {
    fn work(&self, seconds: f64) {
        pass(seconds, seconds);
    }

    fn amount(&self, amount: &Amount) {
        let costs = kernel(|kernel| kernel.costs);
        pass(costs.seconds(amount), costs.processor_seconds(amount));
        kernel(|kernel| kernel.count_loads(costs.loads(amount)));
        if let Amount::Placed(work @ Placed { rounds: 0, .. }) = amount {
            self.count(REMOTE_PAGES, if work.is_remote() { work.pages } else { 0 });
        }
    }

    fn count(&self, counter: &'static str, number: u64) {
        kernel(|kernel| kernel.measuring.count(counter, number, kernel.current));
    }

    fn enter(&self, region: &'static str) {
        kernel(|kernel| {
            if kernel.follows_call_paths() {
                let region = kernel.regions.get(region);
                kernel.enter_region(region);
            }
        });
    }

    fn leave(&self, region: &'static str) {
        kernel(|kernel| {
            if kernel.follows_call_paths() {
                let region = kernel.regions.get(region);
                kernel.leave_region(region);
            }
        });
    }

    fn now(&self) -> f64 {
        seconds(kernel(|kernel| kernel.now()))
    }
    fn same_for_all(&self, of: &str, make: &dyn Fn() -> Vec<f64>) -> Rc<[f64]> {
        if let Some(made) = kernel(|kernel| kernel.same_for_all.get(of).cloned()) {
            return made;
        }
        let made: Rc<[f64]> = make().into();
        kernel(|kernel| kernel.same_for_all.insert(of.to_owned(), made.clone()));
        made
    }
}
