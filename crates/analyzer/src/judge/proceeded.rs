//! Messages that have proceeded by themselves, and those that need none of their partners.
//!
//! Whether a message needs its partner is seen by its size: none does that is no larger than one that has proceeded
//! without. This is known at the end of a trace; until then, what depends on it has a [`Condition`].

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::words::regions::CallKind;

/// The partner that a message may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Partner {
    Sender,
    Receiver,
}

/// The way that a message takes: a library has others on a node than between nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    OneNode,
    BetweenNodes,
    /// The node of a process is not known: messages between two ranks.
    Between {
        from: u32,
        to: u32,
    },
}

/// Messages that differ in size alone, as far as their progress is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Class {
    pub(crate) awaits: Partner,
    /// The kind of the call that sends.
    pub(crate) sent_by: CallKind,
    pub(crate) way: Way,
}

/// A message, as far as it shows how messages proceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    pub(crate) class: Class,
    /// Its bytes, as a size that few others have.
    bytes: u32,
}

impl Kind {
    /// A message of this class and so many bytes.
    pub(crate) fn new(class: Class, bytes: u32) -> Self {
        Kind { class, bytes: rounded(bytes) }
    }

    /// Whether this one needs no partner if the other does not.
    pub(crate) fn is_covered_by(self, other: Kind) -> bool {
        self.class == other.class && self.bytes <= other.bytes
    }
}

/// A number of bytes, rounded up to as many binary digits as tell sizes apart that differ by 3 %: a program that sends
/// messages of all sizes has less than a thousand.
fn rounded(bytes: u32) -> u32 {
    const DIGITS: u32 = 6;
    let shift = (u32::BITS - bytes.leading_zeros()).saturating_sub(DIGITS);
    let step = 1u64 << shift;
    u64::from(bytes).next_multiple_of(step).try_into().unwrap_or(u32::MAX)
}

/// The largest messages that have proceeded by themselves, in bytes.
#[derive(Debug, Default)]
pub(crate) struct Proceeded(FxHashMap<Class, u32>);

impl Proceeded {
    /// Adds a message.
    pub(crate) fn note(&mut self, Kind { class, bytes }: Kind) {
        let largest = self.0.entry(class).or_insert(bytes);
        *largest = bytes.max(*largest);
    }

    /// Adds the messages of another.
    pub(crate) fn absorb(&mut self, more: &Proceeded) {
        more.0.iter().for_each(|(&class, &bytes)| self.note(Kind { class, bytes }));
    }

    /// Whether messages of this kind need no partner.
    fn include(&self, Kind { class, bytes }: Kind) -> bool {
        self.0.get(&class).is_some_and(|&largest| bytes <= largest)
    }
}

/// The kinds of the messages that a call may have waited for, by falling waits. The first that needs its partner counts.
pub(crate) type Kinds = Arc<[Kind]>;

/// A condition on a wait: that its message is the one that counts, of those of its call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Condition {
    kinds: Kinds,
    index: usize,
}

impl Condition {
    /// The condition that this one of the `kinds` counts.
    pub(crate) fn new(kinds: &Kinds, index: usize) -> Self {
        Condition { kinds: kinds.clone(), index }
    }

    /// Whether it holds in a trace in which these messages have proceeded by themselves.
    pub(crate) fn holds(&self, proceeded: &Proceeded) -> bool {
        first_in_need(&self.kinds, proceeded) == Some(self.index)
    }
}

/// The first that needs its partner.
pub(crate) fn first_in_need(kinds: &[Kind], proceeded: &Proceeded) -> Option<usize> {
    kinds.iter().position(|&kind| !proceeded.include(kind))
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn few_sizes_are_told_apart() {
        assert!((0..=64).all(|bytes| rounded(bytes) == bytes));
        assert_eq!([65, 4000, 4096, 4097, u32::MAX].map(rounded), [66, 4032, 4096, 4224, u32::MAX]);
        let mut sizes: Vec<u32> = (0..=u32::MAX).step_by(1 << 12).chain(0..1 << 14).map(rounded).collect();
        sizes.sort_unstable();
        sizes.dedup();
        assert!(sizes.len() < 1000, "{}", sizes.len());
    }
}
