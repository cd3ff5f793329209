//! Errors that end the program.

use std::sync::Once;

/// A panic must neither unwind into a runtime nor leave the other threads waiting: it ends the program.
pub(super) fn on_panic<R>(number: usize, run: impl FnOnce() -> R) -> R {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or(panic.downcast_ref::<&str>().copied()).unwrap_or("(no message)");
        ats_work::say(format_args!("error: thread {number} of a team panicked: {message}"));
        std::process::abort()
    })
}

/// A team has a master.
pub(crate) fn check_asked(threads: usize) {
    if threads == 0 {
        end_program("a team of 0 threads was asked for: it has at least one");
    }
}

/// Ends the program, because it could not show what it should; the first thread that comes here prints the reason.
#[cold]
pub(crate) fn end_program(problem: &str) -> ! {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| ats_work::say(format_args!("error: {problem}")));
    std::process::exit(1)
}
