//! Measurements of a replay, of each location, for the replays that follow: whole numbers, most of them small.

/// Whether a replay measures what calls take beside waiting, or takes it as measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Measure,
    Replay,
}

/// Numbers that are written once and read in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    bytes: Vec<u8>,
    at: usize,
}

impl Tape {
    /// The same numbers, from the first.
    pub(crate) fn rewound(&self) -> Self {
        Tape { bytes: self.bytes.clone(), at: 0 }
    }

    /// Writes a number: seven bits a byte, the sign in the lowest.
    pub(crate) fn write(&mut self, number: i64) {
        let mut rest = ((number << 1) ^ (number >> 63)) as u64;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    /// Makes the number behind `before` others the next one.
    pub(crate) fn bring(&mut self, before: usize) {
        let rest = self.bytes.get_mut(self.at..).unwrap_or_default();
        let mut ends = (0..rest.len()).filter(|&at| rest[at] & 0x80 == 0).skip(before.saturating_sub(1));
        if before > 0
            && let (Some(begin), Some(end)) = (ends.next(), ends.next())
        {
            rest[..=end].rotate_right(end - begin);
        }
    }

    /// Reads the next number; 0 after the last one.
    pub(crate) fn read(&mut self) -> i64 {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else { break };
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }
}
