//! Outcomes of calls that could have found something else: noted by a real run, obeyed by its replay.

use crate::{How, Source};

/// A decision that is left open until a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The source of the message that is matched: a receive or probe from any source.
    Source,
    /// The requests that are taken: a completion call for some of them.
    Requests,
    /// Whether all that is asked for is there: a call that does not wait for it.
    Flag,
}

/// The outcome of a call, by its [`Choice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The source of the message, if one was found.
    Matched(Option<usize>),
    /// The requests by index, in MPI's order.
    Took(Vec<usize>),
    /// Whether it was there.
    Flag(bool),
}

impl Choice {
    /// The outcome of a call that found this: a source, the indices of requests, anything at all.
    pub fn outcome(self, found: impl IntoIterator<Item = usize>) -> Outcome {
        let mut found = found.into_iter();
        match self {
            Choice::Source => Outcome::Matched(found.next()),
            Choice::Requests => Outcome::Took(found.collect()),
            Choice::Flag => Outcome::Flag(found.next().is_some()),
        }
    }
}

impl Outcome {
    /// The outcome as numbers, for [`Choice::outcome`] to make it again; empty if nothing was found.
    pub fn numbers(&self) -> Vec<usize> {
        match self {
            Outcome::Matched(source) => source.iter().copied().collect(),
            Outcome::Took(indices) => indices.clone(),
            Outcome::Flag(found) => found.then_some(1).into_iter().collect(),
        }
    }
}

impl Source {
    /// The decision that a receive or a waiting probe leaves open.
    pub fn choice(self) -> Option<Choice> {
        (self == Source::Any).then_some(Choice::Source)
    }

    /// The decision that a probe without waiting leaves open.
    pub fn choice_of_iprobe(self) -> Choice {
        self.choice().unwrap_or(Choice::Flag)
    }
}

impl How {
    /// The decision that the call leaves open; `None` if it waits for all.
    pub fn choice(self) -> Option<Choice> {
        match self {
            How::Wait | How::Waitall => None,
            How::Test | How::Testall => Some(Choice::Flag),
            How::Waitany | How::Waitsome | How::Testany | How::Testsome => Some(Choice::Requests),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_the_same_again() {
        for (choice, found, numbers) in [
            (Choice::Source, &[3][..], &[3][..]),
            (Choice::Source, &[], &[]),
            (Choice::Requests, &[4, 0, 2], &[4, 0, 2]),
            (Choice::Requests, &[], &[]),
            (Choice::Flag, &[0, 1, 2], &[1]),
            (Choice::Flag, &[], &[]),
        ] {
            let outcome = choice.outcome(found.iter().copied());
            assert_eq!(outcome.numbers(), numbers, "{outcome:?}");
            assert_eq!(choice.outcome(outcome.numbers()), outcome);
        }
    }
}
