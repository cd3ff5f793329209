//! A metric's index and data, in little-endian order.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::Stored;

/// Cube's type for a value, and its way to combine several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Sum,
    Count,
    Least,
    Most,
}

impl Number {
    /// Cube's name of it.
    pub(super) fn data_type(self) -> &'static str {
        match self {
            Number::Sum => "DOUBLE",
            Number::Count => "UINT64",
            Number::Least => "MINDOUBLE",
            Number::Most => "MAXDOUBLE",
        }
    }

    pub(super) fn bytes(self, value: f64) -> [u8; 8] {
        match self {
            Number::Count => (value as u64).to_le_bytes(),
            _ => value.to_le_bytes(),
        }
    }
}

/// A value: its row, its column, and its amount. Those of a row are side by side.
pub(super) type Value = (u32, u32, f64);

/// The bytes of the shortest rows that are compressed: those of a shorter one, with its place, take more room than it does,
/// and a thousand times as long.
const LEAST_COMPRESSED: usize = 64;

/// The values by row.
fn rows(values: &[Value]) -> impl Iterator<Item = &[Value]> {
    values.chunk_by(|one, next| one.0 == next.0)
}

/// Writes the index of existing rows.
pub(super) fn index(values: &[Value], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"CUBEX.INDEX")?;
    out.write_all(&1_u32.to_le_bytes())?;
    // Version 0, sparse.
    out.write_all(&[0, 0, 1])?;
    out.write_all(&(rows(values).count() as u32).to_le_bytes())?;
    rows(values).try_for_each(|row| out.write_all(&row[0].0.to_le_bytes()))
}

/// Writes the rows, each with `columns` values.
pub(super) fn data(
    values: &[Value],
    number: Number,
    columns: usize,
    stored: Stored,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut bytes = vec![0; columns * size_of::<f64>()];
    let mut full = |row: &[Value], out: &mut dyn Write| {
        bytes.fill(0);
        for &(_, column, value) in row {
            let at = column as usize * size_of::<f64>();
            bytes[at..at + size_of::<f64>()].copy_from_slice(&number.bytes(value));
        }
        out.write_all(&bytes)
    };
    if stored == Stored::Plain || columns * size_of::<f64>() < LEAST_COMPRESSED {
        out.write_all(b"CUBEX.DATA")?;
        return rows(values).try_for_each(|row| full(row, out));
    }
    let (mut headers, mut streams) = (Vec::new(), Vec::new());
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    for (position, row) in rows(values).enumerate() {
        full(row, &mut encoder)?;
        let stream = encoder.reset(Vec::new())?;
        for place in [position * columns * size_of::<f64>(), streams.len(), stream.len()] {
            headers.extend((place as u64).to_le_bytes());
        }
        streams.extend(stream);
    }
    out.write_all(b"ZCUBEX.DATA")?;
    out.write_all(&(rows(values).count() as u64).to_le_bytes())?;
    out.write_all(&headers)?;
    out.write_all(&streams)
}
