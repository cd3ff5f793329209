//! Definition records and the texts that they name.

use rustc_hash::FxHashMap;

use super::encode::Body;
use crate::ChunkSize;
use crate::format::{CHUNK_HEADER_BYTES, token};

/// Smallest chunks of definition files, as the C library's default.
pub(super) const CHUNK_BYTES: usize = 4 << 20;

/// Definition records in the order of writing.
#[derive(Default)]
pub(super) struct Records(Vec<Vec<u8>>);

impl Records {
    pub(super) fn push(&mut self, id: u8, body: Body) {
        self.0.push(body.record(id));
    }

    pub(super) fn append(&mut self, others: Records) {
        self.0.extend(others.0);
    }

    /// The number of records.
    pub(super) fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// The chunk size that the longest record needs, if there is one.
    pub(super) fn chunk_bytes(&self) -> Option<usize> {
        let longest = self.0.iter().map(Vec::len).max().unwrap_or(0) + CHUNK_HEADER_BYTES + 2;
        (longest <= ChunkSize::MAX.bytes()).then(|| CHUNK_BYTES.max(longest.next_power_of_two()))
    }

    /// The file, in chunks of this many bytes.
    pub(super) fn into_file(self, chunk_bytes: usize) -> Vec<u8> {
        let mut header = [0; CHUNK_HEADER_BYTES];
        header[..3].copy_from_slice(&[token::CHUNK_HEADER, token::LITTLE_ENDIAN, 1]);
        let mut file = header.to_vec();
        let mut chunk_end = chunk_bytes;
        for record in self.0 {
            if file.len() + record.len() + 2 > chunk_end {
                file.resize(chunk_end, token::END_OF_CHUNK);
                file.extend(header);
                chunk_end += chunk_bytes;
            }
            file.extend(record);
        }
        file.extend([token::END_OF_FILE, token::END_OF_BUFFER]);
        file
    }
}

/// Every text once, numbered in the order of its first use.
#[derive(Default)]
pub(super) struct Strings(Vec<String>, FxHashMap<String, u32>);

impl Strings {
    /// With these, by their numbers; others follow.
    pub(super) fn beginning_with(given: &ats_model::strings::Strings) -> Self {
        let numbers = given.iter().zip(0..).map(|(text, id)| (text.to_owned(), id)).collect();
        Strings(given.iter().map(str::to_owned).collect(), numbers)
    }

    /// In the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    pub(super) fn id(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.1.get(text) {
            return id;
        }
        let id = self.0.len() as u32;
        self.0.push(text.to_owned());
        self.1.insert(text.to_owned(), id);
        id
    }
}
