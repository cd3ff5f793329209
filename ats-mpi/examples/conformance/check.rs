//! Buffers with known contents.

use ats_mpi::{Communicator, Datatype, MpiBuf};

/// A buffer of these integers.
pub(crate) fn ints(c: &dyn Communicator, values: &[i32]) -> MpiBuf {
    let buf = c.alloc_mpi_buf(Datatype::Int, values.len());
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    buf.memory().fill(&bytes);
    buf
}

/// The integers of a buffer.
pub(crate) fn values(buf: &MpiBuf) -> Vec<i32> {
    let bytes = buf.memory().to_vec();
    bytes[..buf.bytes()]
        .chunks_exact(4)
        .map(|word| i32::from_ne_bytes(word.try_into().expect("four")))
        .collect()
}

/// `count` values that tell their author and their place.
pub(crate) fn signed(author: usize, count: usize) -> Vec<i32> {
    (0..count).map(|place| (author * 1000 + place) as i32).collect()
}

/// Fails unless the buffer holds `expected`.
#[track_caller]
pub(crate) fn holds(what: &str, buf: &MpiBuf, expected: &[i32]) {
    assert_eq!(values(buf), expected, "{what}");
}
