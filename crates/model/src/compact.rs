//! Fields of events in fewer bytes than their plain types take, so that an event with many of them is no larger than the
//! others.

/// The root's rank in a communicator, or none, in four bytes.
///
/// ```
/// use ats_model::event::Root;
/// assert_eq!(Root::from(Some(3)).rank(), Some(3));
/// assert_eq!(Root::from(None), Root::NONE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root(u32);

impl Root {
    /// The operation has no root.
    pub const NONE: Self = Root(u32::MAX);

    /// Its rank in the communicator.
    pub fn rank(self) -> Option<u32> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl From<Option<u32>> for Root {
    fn from(rank: Option<u32>) -> Self {
        rank.map_or(Self::NONE, Root)
    }
}

/// A number of bytes that a process may have in its memory, in six bytes. It ends at [`Bytes::MOST`].
///
/// ```
/// use ats_model::event::Bytes;
/// assert_eq!(u64::from(Bytes::from(1 << 40)), 1 << 40);
/// assert_eq!(u64::from(Bytes::from(u64::MAX)), Bytes::MOST);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bytes([u16; 3]);

impl Bytes {
    /// The largest number; larger ones become this: 256 TiB less a byte.
    pub const MOST: u64 = (1 << 48) - 1;
}

impl From<u64> for Bytes {
    fn from(bytes: u64) -> Self {
        let bytes = bytes.min(Self::MOST);
        Bytes([bytes as u16, (bytes >> 16) as u16, (bytes >> 32) as u16])
    }
}

impl From<Bytes> for u64 {
    fn from(Bytes([low, middle, high]): Bytes) -> u64 {
        u64::from(low) | u64::from(middle) << 16 | u64::from(high) << 32
    }
}

#[cfg(test)]
mod tests {
    use crate::Event;

    #[test]
    fn no_event_is_larger_than_a_message() {
        assert_eq!(size_of::<Event>(), 32);
    }
}
