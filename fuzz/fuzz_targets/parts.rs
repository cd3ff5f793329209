//! Inputs that consist of several files.

/// The next part of the input, behind its length.
pub(crate) fn part<'a>(input: &mut &'a [u8]) -> &'a [u8] {
    let Some((length, rest)) = input.split_first_chunk::<2>() else { return &[] };
    let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
    let (part, rest) = rest.split_at(length);
    *input = rest;
    part
}
