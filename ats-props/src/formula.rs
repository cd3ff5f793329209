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
    pub fn share(self, participant: f64) -> f64 {
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

    /// Whether one works [alone].
    pub fn alone(self) -> bool {
        alone(0.0, self.participants as f64, |participant| self.share(participant))
    }

    /// Whether some are [idle].
    pub fn idle(self) -> bool {
        idle(0.0, self.participants as f64, |participant| self.share(participant))
    }

    /// The shares of all, in order.
    pub fn iter(self) -> impl Iterator<Item = f64> {
        (0..self.participants).map(move |participant| self.share(participant as f64))
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

/// The part of all work that one of at least three has if it works alone: the others spend the rest passing by.
const ALONE: f64 = 0.99;

/// The part of the most work of one that another has at most if it is idle: it has to see that there is none for it.
const IDLE: f64 = 0.02;

/// Whether one of three or more has the work of all, nearly. With two, one has more than the other, and that is all.
pub fn alone(from: f64, below: f64, of: impl Fn(f64) -> f64) -> bool {
    whole(from, below).count() > 2 && most(from, below, &of) >= ALONE * sum(from, below, &of)
}

/// Whether one has next to no work where others have some.
pub fn idle(from: f64, below: f64, of: impl Fn(f64) -> f64) -> bool {
    whole(from, below).map(&of).any(|work| work <= IDLE * most(from, below, &of))
}

fn whole(from: f64, below: f64) -> impl Iterator<Item = f64> {
    (from as usize..below.max(from) as usize).map(|number| number as f64)
}

#[cfg(test)]
mod tests {
    use super::Location;
    use crate::{Bytes, Communicator, Distribution, Seconds, property};

    const LOCATION: Location =
        Location { ranks: 4, threads: 2, rank: 3, thread: 1, participants: 4, eager_limit: 4096 };

    /// Everything that formulas have.
    #[property(
        finds = LateSender,
        formula = if bytes > eager_limit && !flag { 2.5 * work / (k + 1) } else if even(k) { -1 } else { 0 },
        at = "a/MPI_Recv",
        each = { let w = over(distribution, 2 * T); max(w) - w[i] + min(1, k, P % 3) },
        at = "MPI_Recv",
        each = if odd(i) || t != 1 { sum(0..k, |j| j * j) + max(1..=i, |j| distribution[j]) },
        also = None,
        at = "",
        each = own(distribution, k) + floor(7 / 2) + ceil(5 / 2) + round(0.4) + log2(8)
    )]
    fn made_up(
        /// Some seconds.
        #[default(Seconds(3.0))]
        work: Seconds,
        /// Some amounts.
        #[default(Distribution::linear(1.0, 4.0))]
        distribution: Distribution,
        /// Some bytes.
        #[default(Bytes::Limit { above: 1 })]
        bytes: Bytes,
        /// A number.
        #[default(5)]
        k: usize,
        /// A flag.
        #[default(false)]
        flag: bool,
        c: &dyn Communicator,
    ) {
        let _ = (work, distribution, bytes, k, flag);
        c.barrier();
    }

    fn balanced(_: Seconds, _: Distribution, _: Bytes, _: usize, _: bool, c: &dyn Communicator) {
        c.barrier();
    }

    fn own(work: super::Amounts<'_>, k: f64) -> f64 {
        work.iter().sum::<f64>() * k
    }

    #[test]
    fn formulas_are_read_as_they_are_evaluated() {
        let [shown] = PROPERTY.finds.shown else { panic!("one quantity") };
        assert_eq!(
            shown.formula,
            "W = 2.5·work/(k + 1) if bytes > eager_limit and not flag, else −1 if k even, else 0; \
             Wᵢ at a/MPI_Recv = max(w) − w[i] + min(1, k, P mod 3) with w = distribution over 2·T; \
             Wᵢ at MPI_Recv = Σ(j·j, 0 ≤ j < k) + max(distribution[j], 1 ≤ j ≤ i) if i odd or t ≠ 1"
        );
        let given = |given: &[(&str, &str)]| PROPERTY.arguments(given.iter().copied()).unwrap();
        let total = |arguments| shown.total.unwrap()(&given(arguments), &LOCATION);
        assert_eq!(total(&[]), 1.25);
        assert_eq!(total(&[("bytes", "limit")]), 0.0);
        assert_eq!(total(&[("flag", "true"), ("k", "2")]), -1.0);
        let each = |place: usize, rank| {
            shown.places[place].each.unwrap()(&given(&[]), &Location { rank, ..LOCATION })
        };
        assert_eq!([each(0, 3), each(0, 0)], [1.0, 4.0]);
        assert_eq!([each(1, 3), each(1, 1), each(1, 2)], [34.0, 32.0, 0.0]);
        let [also] = PROPERTY.finds.also else { panic!("one wait besides") };
        let text = "W = Σ Wᵢ; Wᵢ = own(distribution, k) + floor(7/2) + ceil(5/2) + round(0.4) + log2(8)";
        assert_eq!(also.formula, text);
        assert_eq!(also.places[0].each.unwrap()(&given(&[]), &LOCATION), 50.0 + 3.0 + 3.0 + 0.0 + 3.0);
        assert_eq!(also.places[0].path(&PROPERTY), ["made_up"]);
    }
}
