//! Values of a metric by call path and unit.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::de::Deserializer;
use serde::ser::{Error, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};

/// A value: its call path, its unit, and its amount.
pub type Value = (u32, u32, f64);

/// Values that are too many for memory, and that a file has.
pub trait Stored: Send + Sync {
    /// A reader of them, for as long as they are needed.
    ///
    /// # Errors
    /// The file cannot be read, in words.
    fn open(&self) -> Result<Reader, String>;

    /// The number of call paths.
    fn paths(&self) -> u32;
}

/// Reads the values at a call path, by rising unit; an error is in words.
pub type Reader = Box<dyn FnMut(u32) -> Result<Vec<Value>, String>>;

/// The values of a metric, in the order of call paths: in memory, or read from a file whenever they are used.
///
/// A file is read through when its profile is made. If it can no longer be read later, the rest of its values is missing,
/// and [`Values::failure`] says so.
#[derive(Clone, Default)]
pub struct Values(Place);

#[derive(Clone)]
enum Place {
    Memory(Vec<Value>),
    File { file: Arc<dyn Stored>, failure: Arc<OnceLock<String>> },
}

impl Default for Place {
    fn default() -> Self {
        Place::Memory(Vec::new())
    }
}

impl Values {
    /// Values that are read when they are used.
    pub fn stored(file: Arc<dyn Stored>) -> Self {
        Values(Place::File { file, failure: Arc::default() })
    }

    /// All of them.
    pub fn iter<'a>(&'a self) -> impl Iterator<Item = Value> + use<'a> {
        let (memory, file) = match self.access() {
            Access::Memory(values) => (values, None),
            Access::File(cursor) => (&[][..], Some(cursor)),
        };
        let all = |mut cursor: Cursor<'a>| (0..cursor.file.paths()).flat_map(move |path| cursor.read(path));
        memory.iter().copied().chain(file.into_iter().flat_map(all))
    }

    /// The values, or what reads them.
    pub(crate) fn access(&self) -> Access<'_> {
        match &self.0 {
            Place::Memory(values) => Access::Memory(values),
            Place::File { file, failure } => Access::File(Cursor { file: &**file, failure, reader: None }),
        }
    }

    /// The values, which are in memory from then on.
    pub fn memory(&mut self) -> &mut Vec<Value> {
        if let Place::File { .. } = self.0 {
            self.0 = Place::Memory(self.iter().collect());
        }
        match &mut self.0 {
            Place::Memory(values) => values,
            Place::File { .. } => unreachable!("they are in memory"),
        }
    }

    /// The reason why some of them could not be read, if that has happened.
    pub fn failure(&self) -> Option<&str> {
        match &self.0 {
            Place::Memory(_) => None,
            Place::File { failure, .. } => failure.get().map(String::as_str),
        }
    }
}

/// Values in memory, or in a file.
pub(crate) enum Access<'a> {
    Memory(&'a [Value]),
    File(Cursor<'a>),
}

/// Reads the values of call paths in any order.
pub(crate) struct Cursor<'a> {
    file: &'a dyn Stored,
    failure: &'a OnceLock<String>,
    reader: Option<Reader>,
}

impl Cursor<'_> {
    /// The values at a call path.
    pub(crate) fn read(&mut self, path: u32) -> Vec<Value> {
        if self.failure.get().is_some() {
            return Vec::new();
        }
        let mut read = || {
            let reader = match &mut self.reader {
                Some(reader) => reader,
                none => none.insert(self.file.open()?),
            };
            reader(path)
        };
        read().unwrap_or_else(|error| {
            self.failure.get_or_init(|| error);
            Vec::new()
        })
    }
}

impl From<Vec<Value>> for Values {
    fn from(values: Vec<Value>) -> Self {
        Values(Place::Memory(values))
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Values::from(Vec::from_iter(values))
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.access() {
            Access::Memory(values) => values.fmt(f),
            Access::File(_) => f.write_str("values in a file"),
        }
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<const N: usize> PartialEq<[Value; N]> for Values {
    fn eq(&self, other: &[Value; N]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl PartialEq<Vec<Value>> for Values {
    fn eq(&self, other: &Vec<Value>) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let length = match self.access() {
            Access::Memory(values) => Some(values.len()),
            Access::File(_) => None,
        };
        let mut all = serializer.serialize_seq(length)?;
        self.iter().try_for_each(|value| all.serialize_element(&value))?;
        match self.failure() {
            Some(failure) => Err(S::Error::custom(failure)),
            None => all.end(),
        }
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Values::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of two units at each of three paths; the last cannot be read if it `is_cut`.
    struct Three {
        is_cut: bool,
    }

    impl Stored for Three {
        fn open(&self) -> Result<Reader, String> {
            let is_cut = self.is_cut;
            Ok(Box::new(move |path| match (path, is_cut) {
                (2, true) => Err("it is cut short".to_owned()),
                _ => Ok(vec![(path, 0, 1.0), (path, 3, f64::from(path))]),
            }))
        }

        fn paths(&self) -> u32 {
            3
        }
    }

    const ALL: [Value; 6] = [(0, 0, 1.0), (0, 3, 0.0), (1, 0, 1.0), (1, 3, 1.0), (2, 0, 1.0), (2, 3, 2.0)];

    #[test]
    fn values_in_a_file_are_as_those_in_memory() {
        let mut file = Values::stored(Arc::new(Three { is_cut: false }));
        let memory = Values::from(ALL.to_vec());
        assert_eq!(file, memory);
        assert_eq!(file, ALL);
        let written = serde_json::to_string(&file).unwrap();
        assert_eq!(written, serde_json::to_string(&memory).unwrap());
        assert_eq!(serde_json::from_str::<Values>(&written).unwrap(), memory);
        let Access::File(mut cursor) = file.access() else { panic!("they are in a file") };
        assert_eq!([2, 0, 1, 2].map(|path| cursor.read(path)[1].2), [2.0, 0.0, 1.0, 2.0]);
        assert_eq!(file.memory(), &ALL.to_vec());
        assert!(matches!(file.access(), Access::Memory(_)));
    }

    #[test]
    fn unreadable_values_are_reported() {
        let file = Values::stored(Arc::new(Three { is_cut: true }));
        assert_eq!(file.failure(), None);
        assert_eq!(file, ALL[..4].to_vec());
        assert_eq!(file.failure(), Some("it is cut short"));
        assert!(serde_json::to_string(&file).unwrap_err().to_string().contains("cut short"));
    }
}
