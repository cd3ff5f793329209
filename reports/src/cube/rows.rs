//! A metric's index and data.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::error::{At, Origin};
use crate::{ReportError, limits};

/// How a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueType {
    Double,
    Signed(usize),
    Unsigned(usize),
}

impl ValueType {
    /// That of a metric's `dtype`; none of those that do not add up (minima, maxima, rates, statistics).
    pub(crate) fn of(data_type: &str) -> Option<Self> {
        match data_type {
            "DOUBLE" | "FLOAT" => Some(ValueType::Double),
            "INT64" | "INTEGER" | "SIGNED INTEGER" => Some(ValueType::Signed(8)),
            "INT32" | "INT" | "SIGNED INT" => Some(ValueType::Signed(4)),
            "INT16" | "SHORT INT" | "SIGNED SHORT INT" => Some(ValueType::Signed(2)),
            "INT8" => Some(ValueType::Signed(1)),
            "UINT64" | "UNSIGNED INTEGER" => Some(ValueType::Unsigned(8)),
            "UINT32" | "UNSIGNED INT" => Some(ValueType::Unsigned(4)),
            "UINT16" | "UNSIGNED SHORT INT" => Some(ValueType::Unsigned(2)),
            "UINT8" | "CHAR" => Some(ValueType::Unsigned(1)),
            _ => None,
        }
    }

    pub(crate) fn size(self) -> usize {
        match self {
            ValueType::Double => 8,
            ValueType::Signed(size) | ValueType::Unsigned(size) => size,
        }
    }

    fn value(self, bytes: &[u8], order: Order) -> f64 {
        let bits = order.unsigned(bytes);
        match self {
            ValueType::Double => f64::from_bits(bits),
            ValueType::Signed(size) => {
                let unused = 64 - 8 * size as u32;
                ((bits << unused) as i64 >> unused) as f64
            }
            ValueType::Unsigned(_) => bits as f64,
        }
    }
}

/// The byte order of a metric.
#[derive(Clone, Copy, Debug)]
enum Order {
    Little,
    Big,
}

impl Order {
    /// An unsigned integer of at most eight bytes.
    fn unsigned(self, bytes: &[u8]) -> u64 {
        let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        match self {
            Order::Little => bytes.iter().rev().fold(0, shift),
            Order::Big => bytes.iter().fold(0, shift),
        }
    }
}

/// Takes from the front of an entry.
struct Cursor<'a> {
    origin: Origin<'a>,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], ReportError> {
        let bytes = self.at.checked_add(length).and_then(|end| self.bytes.get(self.at..end));
        let bytes = bytes.ok_or_else(|| self.damaged(format!("it is cut short inside {what}")))?;
        self.at += length;
        Ok(bytes)
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn damaged(&self, what: impl Into<String>) -> ReportError {
        self.origin.damaged(At::Byte(self.at), what)
    }
}

/// The two entries of a metric.
pub(crate) struct Entries<'a> {
    pub(crate) index: (Origin<'a>, &'a [u8]),
    pub(crate) data: (Origin<'a>, &'a [u8]),
}

/// Hands over every stored row: its number, which is less than `rows`, and as many values as there are `locations`.
pub(crate) fn read(
    entries: &Entries<'_>,
    value_type: ValueType,
    rows: usize,
    locations: usize,
    mut row: impl FnMut(usize, Vec<f64>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let (order, numbers) = index(entries.index, rows)?;
    let (origin, bytes) = entries.data;
    let row_size = value_type.size() * locations;
    if row_size.saturating_mul(numbers.len()) > limits::VALUES * size_of::<f64>() {
        let what = format!("{} rows of {locations} values are beyond all measure", numbers.len());
        return Err(origin.refused(At::Whole, what));
    }
    let values =
        |bytes: &[u8]| bytes.chunks_exact(value_type.size()).map(|v| value_type.value(v, order)).collect();
    let mut data = Cursor { origin, bytes, at: 0 };
    if bytes.starts_with(b"ZCUBEX.DATA") {
        data.at = b"ZCUBEX.DATA".len();
        for (position, bytes) in compressed(&mut data, order, row_size, numbers.len())? {
            row(numbers[position], values(&bytes))?;
        }
        return Ok(());
    }
    if data.take(b"CUBEX.DATA".len(), "its mark")? != b"CUBEX.DATA" {
        return Err(origin.damaged(At::Byte(0), "it is no data of CUBE"));
    }
    for number in numbers {
        row(number, values(data.take(row_size, "a row")?))?;
    }
    Ok(())
}

/// The byte order and the row numbers.
fn index((origin, bytes): (Origin<'_>, &[u8]), rows: usize) -> Result<(Order, Vec<usize>), ReportError> {
    let mut index = Cursor { origin, bytes, at: 0 };
    if index.take(11, "its mark")? != b"CUBEX.INDEX" {
        return Err(origin.damaged(At::Byte(0), "it is no index of CUBE"));
    }
    let order = match index.take(4, "its header")? {
        [1, 0, 0, 0] => Order::Little,
        [0, 0, 0, 1] => Order::Big,
        _ => return Err(index.damaged("its byte order is unknown")),
    };
    index.take(2, "its header")?;
    if index.take(1, "its header")? != [1] {
        let fix = "have the tool write it again, or convert it with cube_merge";
        return Err(origin.unsupported(At::Byte(17), "is no sparse index", fix));
    }
    let count = order.unsigned(index.take(4, "its header")?) as usize;
    if count > rows {
        return Err(index.damaged(format!("it has {count} rows of {rows} call paths")));
    }
    let mut numbers = Vec::with_capacity(count);
    let mut seen = vec![false; rows];
    for bytes in index.take(4 * count, "its row numbers")?.chunks_exact(4) {
        let number = order.unsigned(bytes) as usize;
        match seen.get_mut(number) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => return Err(index.damaged(format!("row {number} is there twice"))),
            None => return Err(index.damaged(format!("row {number} is of no call path; there are {rows}"))),
        }
        numbers.push(number);
    }
    Ok((order, numbers))
}

/// The rows that are no zeros, each with its position in the index.
fn compressed(
    data: &mut Cursor<'_>,
    order: Order,
    row_size: usize,
    rows: usize,
) -> Result<Vec<(usize, Vec<u8>)>, ReportError> {
    let count = order.unsigned(data.take(8, "its header")?) as usize;
    if count > rows {
        return Err(data.damaged(format!("it has {count} compressed rows, but its index only {rows}")));
    }
    let headers = data.take(24 * count, "its headers")?;
    let streams = data.rest();
    let mut decompressed = Vec::new();
    let mut seen = vec![false; rows];
    for header in headers.chunks_exact(24) {
        let [offset, begin, size] = [0, 8, 16].map(|at| order.unsigned(&header[at..at + 8]) as usize);
        if size == 0 || row_size == 0 {
            continue;
        }
        let position = offset / row_size;
        if offset % row_size != 0 || seen.get(position).is_none_or(|&seen| seen) {
            return Err(data.damaged(format!("a compressed row begins at {offset}, where none does")));
        }
        seen[position] = true;
        let stream = begin.checked_add(size).and_then(|end| streams.get(begin..end));
        let stream = stream.ok_or_else(|| data.damaged("a compressed row lies behind the end"))?;
        let mut row = Vec::with_capacity(row_size);
        let decoder = ZlibDecoder::new(stream).take(row_size as u64 + 1).read_to_end(&mut row);
        let length =
            decoder.map_err(|error| data.damaged(format!("a row cannot be decompressed: {error}")))?;
        if length != row_size {
            let what = format!("a row decompresses to {length} bytes or more instead of {row_size}");
            return Err(data.damaged(what));
        }
        decompressed.push((position, row));
    }
    Ok(decompressed)
}
