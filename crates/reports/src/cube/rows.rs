//! A metric's index and data.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use flate2::read::ZlibDecoder;

use crate::content::{Content, Window};
use crate::error::{At, Origin};
use crate::{ReportError, limits};

/// The type of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueType {
    Double,
    Signed(usize),
    Unsigned(usize),
}

impl ValueType {
    /// The type of a metric's `dtype`; `None` for types that do not add up (minima, maxima, rates, statistics).
    pub(crate) fn from_name(data_type: &str) -> Option<Self> {
        match data_type {
            "DOUBLE" | "FLOAT" | "MINDOUBLE" | "MAXDOUBLE" => Some(ValueType::Double),
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
    content: Content,
    at: u64,
}

impl Cursor<'_> {
    fn take(&mut self, length: usize, what: &str) -> Result<Vec<u8>, ReportError> {
        let end = self.at.checked_add(length as u64);
        let part = end.and_then(|end| self.content.part(self.at..end));
        let part = part.ok_or_else(|| self.damaged(format!("it is cut short inside {what}")))?;
        self.at += length as u64;
        part.read_all().map(Cow::into_owned).map_err(|error| self.origin.unread(error))
    }

    fn damaged(&self, what: impl Into<String>) -> ReportError {
        self.origin.damaged(At::Byte(self.at as usize), what)
    }
}

/// An entry of a metric.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) content: Content,
}

impl Entry {
    pub(crate) fn origin<'o>(&'o self, file: Origin<'o>) -> Origin<'o> {
        file.entry(&self.name)
    }
}

/// The position of a row among those that are stored.
type Position = u32;

/// The stored rows of a metric, each read on demand.
pub(crate) struct Rows {
    data: Entry,
    value_type: ValueType,
    order: Order,
    locations: usize,
    /// Row numbers in rising order, and their positions.
    numbers: Vec<(u32, Position)>,
    form: Form,
}

/// The form of stored rows.
enum Form {
    /// One behind the other.
    Plain(Window),
    /// By position: the begin of a row's stream and its length; an empty stream is a row of zeros.
    Compressed { begin: u64, streams: Vec<(u64, u64)> },
}

impl Rows {
    /// The rows of a metric's two entries: their numbers are less than `rows`, and each has as many values as there are
    /// `locations`.
    pub(crate) fn open(
        file: Origin<'_>,
        [index, data]: [Entry; 2],
        value_type: ValueType,
        rows: usize,
        locations: usize,
    ) -> Result<Self, ReportError> {
        let (order, numbers) = read_index(index.origin(file), index.content.clone(), rows)?;
        let row_size = value_type.size() * locations;
        if row_size.saturating_mul(numbers.len()) > limits::VALUES * size_of::<f64>() {
            let what = format!("{} rows of {locations} values are beyond all measure", numbers.len());
            return Err(data.origin(file).refused(At::Whole, what));
        }
        let mut head = Cursor { origin: data.origin(file), content: data.content.clone(), at: 0 };
        let first = head.take(b"CUBEX.DATA".len(), "its mark")?;
        let form = if first == b"CUBEX.DATA" {
            Form::Plain(Window::new(data.content.clone()))
        } else if first == b"ZCUBEX.DAT" && head.take(1, "its mark")? == b"A" {
            let streams = read_headers(&mut head, order, row_size, numbers.len())?;
            Form::Compressed { begin: head.at, streams }
        } else {
            return Err(head.origin.damaged(At::Byte(0), "it is not data of CUBE"));
        };
        Ok(Rows { data, value_type, order, locations, numbers, form })
    }

    /// The most values that it can have, beside zeros.
    pub(crate) fn size(&self) -> usize {
        self.numbers.len() * self.locations
    }

    /// The name and place, in a file, for errors about the values.
    pub(crate) fn origin<'o>(&'o self, file: Origin<'o>) -> Origin<'o> {
        self.data.origin(file)
    }

    /// The values of a row; `None` if they are all zero.
    pub(crate) fn read(&mut self, file: Origin<'_>, number: u32) -> Result<Option<Vec<f64>>, ReportError> {
        let Ok(at) = self.numbers.binary_search_by_key(&number, |row| row.0) else { return Ok(None) };
        let position = self.numbers[at].1;
        let origin = self.data.origin(file);
        let row_size = self.value_type.size() * self.locations;
        let (value_type, order) = (self.value_type, self.order);
        let values = |bytes: &[u8]| {
            let values = bytes.chunks_exact(value_type.size());
            Some(values.map(|value| value_type.value(value, order)).collect())
        };
        match &mut self.form {
            Form::Plain(window) => {
                let begin = (b"CUBEX.DATA".len() + position as usize * row_size) as u64;
                if begin + row_size as u64 > self.data.content.len() {
                    return Err(origin.damaged(At::Byte(begin as usize), "it is cut short inside a row"));
                }
                Ok(values(window.get(begin, row_size).map_err(|error| origin.unread(error))?))
            }
            Form::Compressed { begin, streams } => {
                let (at, size) = streams[position as usize];
                if size == 0 {
                    return Ok(None);
                }
                let stream = self.data.content.part(*begin + at..*begin + at + size);
                let stream = stream.unwrap_or_else(|| Content::memory(Arc::default()));
                decompressed(stream, row_size)
                    .map(|row| values(&row))
                    .map_err(|what| origin.damaged(At::Byte(*begin as usize), what))
            }
        }
    }
}

/// The byte order and the row numbers, in rising order.
fn read_index(
    origin: Origin<'_>,
    content: Content,
    rows: usize,
) -> Result<(Order, Vec<(u32, Position)>), ReportError> {
    let mut index = Cursor { origin, content, at: 0 };
    if index.take(11, "its mark")? != b"CUBEX.INDEX" {
        return Err(origin.damaged(At::Byte(0), "it is not an index of CUBE"));
    }
    let order = match index.take(4, "its header")?[..] {
        [1, 0, 0, 0] => Order::Little,
        [0, 0, 0, 1] => Order::Big,
        _ => return Err(index.damaged("its byte order is unknown")),
    };
    index.take(2, "its header")?;
    if index.take(1, "its header")? != [1] {
        let fix = "have the tool write it again, or convert it with cube_merge";
        return Err(origin.unsupported(At::Byte(17), "is not a sparse index", fix));
    }
    let count = order.unsigned(&index.take(4, "its header")?) as usize;
    if count > rows {
        return Err(index.damaged(format!("it has {count} rows of {rows} call paths")));
    }
    let mut numbers = Vec::with_capacity(count);
    for (bytes, position) in index.take(4 * count, "its row numbers")?.chunks_exact(4).zip(0..) {
        let number = order.unsigned(bytes) as u32;
        if number as usize >= rows {
            return Err(index.damaged(format!("row {number} is of no call path; there are {rows}")));
        }
        numbers.push((number, position));
    }
    numbers.sort_unstable();
    match numbers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(index.damaged(format!("row {} is there twice", pair[0].0))),
        None => Ok((order, numbers)),
    }
}

/// By position, the begin of a row's stream behind the headers, and its length.
fn read_headers(
    data: &mut Cursor<'_>,
    order: Order,
    row_size: usize,
    rows: usize,
) -> Result<Vec<(u64, u64)>, ReportError> {
    let count = order.unsigned(&data.take(8, "its header")?) as usize;
    if count > rows {
        return Err(data.damaged(format!("it has {count} compressed rows, but its index only {rows}")));
    }
    let headers = data.take(24 * count, "its headers")?;
    let left = data.content.len() - data.at;
    let mut streams = vec![(0, 0); rows];
    for header in headers.chunks_exact(24) {
        let [offset, begin, size] = [0, 8, 16].map(|at| order.unsigned(&header[at..at + 8]));
        if size == 0 || row_size == 0 {
            continue;
        }
        let stream = usize::try_from(offset / row_size as u64).ok().and_then(|at| streams.get_mut(at));
        match stream.filter(|stream| offset % row_size as u64 == 0 && stream.1 == 0) {
            Some(stream) => *stream = (begin, size),
            None => {
                return Err(data.damaged(format!("a compressed row begins at {offset}, where none does")));
            }
        }
        if begin.checked_add(size).is_none_or(|end| end > left) {
            return Err(data.damaged("a compressed row lies behind the end"));
        }
    }
    Ok(streams)
}

/// A row of `row_size` bytes, or the error in words.
fn decompressed(stream: Content, row_size: usize) -> Result<Vec<u8>, String> {
    let mut row = Vec::with_capacity(row_size);
    let decoder = ZlibDecoder::new(stream).take(row_size as u64 + 1).read_to_end(&mut row);
    let length = decoder.map_err(|error| format!("a row cannot be decompressed: {error}"))?;
    if length == row_size {
        Ok(row)
    } else {
        Err(format!("a row decompresses to {length} bytes or more instead of {row_size}"))
    }
}
