//! Numbers and marks of a line of text.

use std::fmt::Display;

/// A mistake in a file of text, with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    /// The byte of the file.
    pub(super) offset: u64,
    /// In words; `None` if the file ends.
    pub(super) what: Option<String>,
}

impl Fault {
    /// The file ends too early, behind this many bytes.
    pub(super) fn end(offset: u64) -> Self {
        Fault { offset, what: None }
    }
}

/// A place in a line.
pub(super) struct Text<'a> {
    line: &'a [u8],
    at: usize,
    /// The offset of the line in its file.
    base: u64,
}

impl<'a> Text<'a> {
    pub(super) fn new(line: &'a [u8], base: u64) -> Self {
        Text { line, at: 0, base }
    }

    pub(super) fn fault(&self, what: impl Display) -> Fault {
        Fault { offset: self.base + self.at as u64, what: Some(what.to_string()) }
    }

    pub(super) fn is_over(&self) -> bool {
        self.at == self.line.len()
    }

    /// Steps over this mark, if it comes next.
    pub(super) fn has(&mut self, mark: u8) -> bool {
        let is_next = self.line.get(self.at) == Some(&mark);
        self.at += usize::from(is_next);
        is_next
    }

    /// Steps over this mark, which has to come next.
    pub(super) fn expect(&mut self, mark: u8) -> Result<(), Fault> {
        if self.has(mark) {
            return Ok(());
        }
        let found = match self.line.get(self.at) {
            None => "the end of the line".to_owned(),
            Some(&byte) => format!("`{}`", byte.escape_ascii()),
        };
        Err(self.fault(format!("`{}` is expected, not {found}", char::from(mark))))
    }

    /// All up to this mark, which is stepped over.
    pub(super) fn until(&mut self, mark: u8) -> Result<&'a [u8], Fault> {
        let rest = &self.line[self.at..];
        let Some(length) = rest.iter().position(|&byte| byte == mark) else {
            return Err(self.fault(format!("there is no `{}` from here on", char::from(mark))));
        };
        self.at += length + 1;
        Ok(&rest[..length])
    }

    /// A number without a sign.
    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        let digits = self.line[self.at..].iter().take_while(|byte| byte.is_ascii_digit());
        let (mut number, mut count) = (Some(0_u64), 0);
        for digit in digits {
            count += 1;
            number = number
                .and_then(|number| number.checked_mul(10))
                .and_then(|number| number.checked_add(u64::from(digit - b'0')));
        }
        if count == 0 {
            return Err(self.fault("a number is expected"));
        }
        let number = number.ok_or_else(|| self.fault("a number above 18446744073709551615"))?;
        self.at += count;
        Ok(number)
    }

    /// A number that other programs may write with a sign; a negative one is that of the same 64 bits.
    pub(super) fn signed(&mut self) -> Result<u64, Fault> {
        let is_negative = self.has(b'-');
        let number = self.number()?;
        Ok(if is_negative { number.wrapping_neg() } else { number })
    }

    /// A number behind a colon.
    pub(super) fn next(&mut self) -> Result<u64, Fault> {
        self.expect(b':')?;
        self.number()
    }

    /// A number of 32 bits behind a colon.
    pub(super) fn next_u32(&mut self, what: &str) -> Result<u32, Fault> {
        self.expect(b':')?;
        let here = self.at;
        let number = self.number()?;
        number.try_into().map_err(|_| {
            self.at = here;
            self.fault(format!("{what} above {}", u32::MAX))
        })
    }
}
