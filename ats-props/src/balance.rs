//! The balance of a program's work.

use ats_distr::Distribution;

/// The balance of a program's work: uneven, as a property has it, or even, as in its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// That of the property.
    Uneven,
    /// That of its twin.
    Even,
}

impl Balance {
    /// The first for the property, the other for its twin.
    pub fn pick<T>(self, uneven: T, even: T) -> T {
        match self {
            Balance::Uneven => uneven,
            Balance::Even => even,
        }
    }

    /// The work of the property, or the mean for each of so many participants.
    pub fn share(self, work: Distribution, participants: usize) -> Distribution {
        match self {
            Balance::Uneven => work,
            Balance::Even => work.balanced(participants),
        }
    }
}
