//! Failing calls: a message, and the end of all ranks.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

use crate::ranks;

/// The error of a call, in words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem(pub(crate) String);

impl Problem {
    /// Ends the call from where it has no other way out: inside a distribution function.
    pub(crate) fn throw(self) -> ! {
        panic::resume_unwind(Box::new(self))
    }
}

/// Runs the exported function `name`.
pub(crate) fn call<R>(name: &str, run: impl FnOnce() -> Result<R, Problem>) -> R {
    let Problem(problem) = match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(result)) => return result,
        Ok(Err(problem)) => problem,
        Err(payload) => of_panic(payload),
    };
    ranks::fatal(name, &problem)
}

fn of_panic(payload: Box<dyn Any + Send>) -> Problem {
    match payload.downcast::<Problem>() {
        Ok(problem) => *problem,
        Err(_) => Problem("a defect of the suite, described above; please report it".to_owned()),
    }
}
