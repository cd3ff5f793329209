//! The parts of formulas that `#[property]` evaluates.

use ats_distr::Distribution;

use crate::{Arguments, Bytes, Seconds, Seed, Share};

/// A formula: a number, given the arguments of a property and a location.
pub type Formula = fn(&Arguments, &Location) -> f64;

/// A location of a run, and the facts about the run that formulas depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of ranks: P.
    pub ranks: usize,
    /// The number of threads of each: T.
    pub threads: usize,
    /// The rank: i.
    pub rank: usize,
    /// The thread in its process: t.
    pub thread: usize,
    /// The number of participants of distributions: ranks, or threads where there are no ranks.
    pub participants: usize,
    /// The largest message that is sent eagerly, in bytes.
    pub eager_limit: usize,
}

/// The form that a parameter has in formulas.
pub trait Term {
    /// A number, or something that numbers are derived from.
    type Term<'a>
    where
        Self: 'a;

    /// Its form at a location.
    fn term(&self, location: &Location) -> Self::Term<'_>;
}

/// A parameter that formulas have as a number, or as it is.
macro_rules! terms {
    ($($parameter:ty => $term:ty: |$value:ident, $location:ident| $number:expr;)*) => {
        $(impl Term for $parameter {
            type Term<'a> = $term;

            fn term(&self, $location: &Location) -> $term {
                let $value = self;
                $number
            }
        })*
    };
}

terms! {
    Seconds => f64: |seconds, _location| seconds.0;
    usize => f64: |count, _location| *count as f64;
    Share => f64: |share, _location| share.0;
    bool => bool: |flag, _location| *flag;
    Seed => Seed: |seed, _location| *seed;
    Bytes => f64: |bytes, location| match *bytes {
        Bytes::Exactly(bytes) => bytes as f64,
        Bytes::Limit { above } => location.eager_limit as f64 + f64::from(above),
    };
}

impl Term for Distribution {
    type Term<'a> = Amounts<'a>;

    fn term(&self, location: &Location) -> Amounts<'_> {
        Amounts { distribution: self, participants: location.participants }
    }
}

/// The amounts of a distribution.
#[derive(Clone, Copy, Debug)]
pub struct Amounts<'a> {
    distribution: &'a Distribution,
    participants: usize,
}

impl Amounts<'_> {
    /// The same distribution over so many participants.
    #[must_use]
    pub fn over(self, participants: f64) -> Self {
        Amounts { participants: participants as usize, ..self }
    }

    /// The share of a participant, from 0.
    pub fn of(self, participant: f64) -> f64 {
        self.distribution.value(participant as usize, self.participants, 1.0)
    }

    /// The most that one has.
    pub fn max(self) -> f64 {
        self.distribution.max(self.participants, 1.0)
    }

    /// The least that one has.
    pub fn min(self) -> f64 {
        self.iter().fold(f64::INFINITY, f64::min)
    }

    /// The shares of all, in order.
    pub fn iter(self) -> impl Iterator<Item = f64> {
        (0..self.participants).map(move |participant| self.of(participant as f64))
    }
}

/// The sum over the whole numbers from one to below another.
pub fn sum(from: f64, below: f64, of: impl Fn(f64) -> f64) -> f64 {
    whole(from, below).map(of).sum()
}

/// The most over the whole numbers from one to below another; 0 if there is none.
pub fn most(from: f64, below: f64, of: impl Fn(f64) -> f64) -> f64 {
    whole(from, below).map(of).fold(0.0, f64::max)
}

fn whole(from: f64, below: f64) -> impl Iterator<Item = f64> {
    (from as usize..below.max(from) as usize).map(|number| number as f64)
}
