#![allow(
    unsafe_code,
    reason = "members run a closure that stands on the stack of the thread that started them"
)]
//! The body that the members of a team execute.

/// The body that every member of a team executes. It stands on the stack of the team's master, which stays there until
/// the last member has finished with it.
#[derive(Clone, Copy)]
pub(crate) struct Body(*const dyn Fn());

impl Body {
    /// Of a closure that outlives the team.
    pub(crate) fn new<'a>(body: &'a (dyn Fn() + 'a)) -> Self {
        // SAFETY: only the lifetime changes; `run` has the contract.
        let body = unsafe { std::mem::transmute::<&'a (dyn Fn() + 'a), &'static (dyn Fn() + 'static)>(body) };
        Body(body)
    }

    /// Executes it.
    ///
    /// # Safety
    /// The closure is still there.
    pub(crate) unsafe fn run(self) {
        // SAFETY: the caller's.
        unsafe { (*self.0)() };
    }
}
