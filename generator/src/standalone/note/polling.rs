//! Requests that are tested until they are complete.

use ats_mpi::How;

use super::super::arguments::Passed;
use super::{FLAG, NO_STATUS, Noting};

impl Noting {
    /// A call has tested the requests at these places: a loop that tests one until it is complete is a single step.
    pub(super) fn tested(&mut self, how: How, places: &[usize], is_complete: bool) {
        let (How::Test, &[place]) = (how, places) else {
            return self.unfit(&format!("it calls {} on some of its requests", how.name()));
        };
        let rank = self.rank();
        if rank.polls.replace(place).is_some_and(|other| other != place) {
            self.unfit("it tests several requests in turn");
        } else if is_complete {
            rank.polls = None;
            rank.open[place] = rank.open[place].filter(|open| open.persistent);
            self.call(how.name(), Passed::default().request(place).word(FLAG).word(NO_STATUS));
        }
    }
}
