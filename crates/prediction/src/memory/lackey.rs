//! Reference traces as valgrind's lackey writes them with `--trace-mem=yes`: `I  04001000,3`, ` L 1ffeffe7e8,8`, ` S …`, ` M …`.

use std::io::{self, ErrorKind, Read};

/// The bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// More bytes than any line of a reference has.
const LONGEST_LINE: usize = 64;

/// The most bytes that a reference may move: a page, more than any instruction does.
const LARGEST_REFERENCE: u64 = 4096;

/// The letters of a wrong line that a message shows.
const SHOWN: usize = 40;

/// The purpose of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instruction is fetched.
    Instruction,
    /// Data are loaded, stored, or both, which is one reference as cachegrind counts.
    Data,
}

/// A reference to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its purpose.
    pub kind: Kind,
    /// The first byte.
    pub address: u64,
    /// The number of bytes, at least 1.
    pub bytes: u64,
}

/// A line that is no reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// The number of the line in the trace, from 1.
    pub line: u64,
    /// Its beginning.
    pub text: String,
}

/// The state of a trace's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing shows that something is missing.
    Whole,
    /// The last line has no end.
    InLine,
    /// Lackey's own last lines are missing, though its first ones are there.
    WithoutSummary,
    /// The trace could not be read further, for this reason.
    Unreadable(String),
}

/// A reader of references, line by line. Lines of other programs are left out and counted.
#[derive(Debug)]
pub struct Lackey<R> {
    input: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    has_ended: bool,
    line: u64,
    has_header: bool,
    has_summary: bool,
    last: End,
    wrong: u64,
    first_wrong: Option<WrongLine>,
}

impl<R: Read> Lackey<R> {
    /// A reader from the beginning of a trace.
    pub fn new(input: R) -> Self {
        Lackey {
            input,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            has_ended: false,
            line: 0,
            has_header: false,
            has_summary: false,
            last: End::Whole,
            wrong: 0,
            first_wrong: None,
        }
    }

    /// The number of lines that were read.
    pub fn lines(&self) -> u64 {
        self.line
    }

    /// The number of lines that are neither references nor valgrind's own, and the first of them.
    pub fn wrong_lines(&self) -> (u64, Option<&WrongLine>) {
        (self.wrong, self.first_wrong.as_ref())
    }

    /// The state of the end, after the last reference.
    pub fn end(&self) -> End {
        match &self.last {
            End::Whole if self.has_header && !self.has_summary => End::WithoutSummary,
            last => last.clone(),
        }
    }

    /// Reads more, until a line of a reference fits or the input ends.
    #[cold]
    fn fill(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        while !self.has_ended && self.end < LONGEST_LINE {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.has_ended = true,
                Ok(bytes) => self.end += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.fail(&error),
            }
        }
    }

    fn fail(&mut self, error: &io::Error) {
        (self.has_ended, self.last) = (true, End::Unreadable(error.to_string()));
    }

    /// Passes over a line that is no reference, however long it is; keeps its beginning if it is wrong.
    #[cold]
    fn pass_over(&mut self) {
        let mut text = Vec::new();
        // What is kept of a line: lackey's own lines are shorter.
        const KEPT: usize = 256;
        let is_whole = loop {
            let rest = &self.buffer[self.start..self.end];
            let length = rest.iter().position(|&byte| byte == b'\n');
            let taken = length.unwrap_or(rest.len());
            text.extend_from_slice(&rest[..taken.min(KEPT - text.len())]);
            self.start += length.map_or(taken, |length| length + 1);
            if length.is_some() {
                break true;
            }
            if self.has_ended {
                break false;
            }
            self.fill();
        };
        if !is_whole && self.last == End::Whole {
            self.last = End::InLine;
        }
        let text = String::from_utf8_lossy(&text);
        if ["==", "--", "**"].iter().any(|mark| text.starts_with(mark)) {
            self.has_header |= text.contains("Lackey, ");
            self.has_summary |= text.contains("Exit code:");
        } else if is_whole && !text.trim().is_empty() {
            self.wrong += 1;
            let text = text.chars().take(SHOWN).collect();
            self.first_wrong.get_or_insert(WrongLine { line: self.line, text });
        }
    }
}

impl<R: Read> Iterator for Lackey<R> {
    type Item = Reference;

    #[inline]
    fn next(&mut self) -> Option<Reference> {
        loop {
            if self.end - self.start < LONGEST_LINE && !self.has_ended {
                self.fill();
            }
            if self.start == self.end {
                return None;
            }
            self.line += 1;
            if let Some((reference, length)) = reference(&self.buffer[self.start..self.end]) {
                self.start += length;
                return Some(reference);
            }
            self.pass_over();
        }
    }
}

/// The reference that begins a text, and the length of its line.
#[inline]
fn reference(text: &[u8]) -> Option<(Reference, usize)> {
    let kind = match text.get(..3)? {
        b"I  " => Kind::Instruction,
        b" L " | b" S " | b" M " => Kind::Data,
        _ => return None,
    };
    let (mut address, mut at) = (0_u64, 3);
    loop {
        let digit = match *text.get(at)? {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            b',' if at > 3 => break,
            _ => return None,
        };
        if address >> 60 != 0 {
            return None;
        }
        address = address << 4 | u64::from(digit);
        at += 1;
    }
    let mut bytes = 0_u64;
    loop {
        at += 1;
        match *text.get(at)? {
            digit @ b'0'..=b'9' if bytes <= LARGEST_REFERENCE => bytes = 10 * bytes + u64::from(digit - b'0'),
            b'\n' => break,
            _ => return None,
        }
    }
    let is_sound = (1..=LARGEST_REFERENCE).contains(&bytes) && address.checked_add(bytes - 1).is_some();
    is_sound.then_some((Reference { kind, address, bytes }, at + 1))
}
