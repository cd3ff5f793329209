//! Amounts of data.

use ats_mpi::Communicator;

use super::{CPart, CType, CValue, ParameterType};

/// An amount of data in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// This number of bytes.
    Exactly(u64),
    /// The largest message that is sent eagerly, and more bytes.
    Limit {
        /// The number of additional bytes.
        above: u32,
    },
}

/// The units that may follow the number, and their sizes in bytes.
const UNITS: [(&str, u64); 8] = [
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("", 1),
];

/// The word for the eager limit.
const LIMIT: &str = "limit";

impl Bytes {
    /// The value that C and Fortran pass for the eager limit, `ATS_LIMIT`: far from every amount, so that more can be
    /// added to it.
    pub const LIMIT_IN_C: i64 = -(1 << 62);

    /// The number of bytes in messages of this communicator, whose eager limit may decide.
    pub fn on(self, c: &dyn Communicator) -> usize {
        match self {
            Bytes::Exactly(bytes) => usize::try_from(bytes).unwrap_or(usize::MAX),
            Bytes::Limit { above } => c.eager_limit().saturating_add(above as usize),
        }
    }

    /// The number of bytes; `None` if it depends on the eager limit.
    pub fn exactly(self) -> Option<u64> {
        match self {
            Bytes::Exactly(bytes) => Some(bytes),
            Bytes::Limit { .. } => None,
        }
    }

    fn of_limit(text: &str) -> Option<Self> {
        let above = match text.strip_prefix(LIMIT)?.trim_start() {
            "" => "0",
            more => more.strip_prefix('+')?.trim_start(),
        };
        let is_number = above.bytes().all(|digit| digit.is_ascii_digit());
        above.parse().ok().filter(|_| is_number).map(|above| Bytes::Limit { above })
    }

    fn of_number(text: &str) -> Option<Self> {
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let unit = text[end..].trim_start();
        let (_, times) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
        let bytes = text[..end].parse::<u64>().ok()?.checked_mul(times)?;
        i64::try_from(bytes).is_ok().then_some(Bytes::Exactly(bytes))
    }
}

impl ParameterType for Bytes {
    const KIND: &'static str = "bytes";
    const UNIT: &'static str = "B";
    const RANGE: &'static str = "a whole number, with B, kB, MB, GB, KiB, MiB or GiB behind it; or limit, limit+1 …: \
                                 the largest message that is sent eagerly, and so many bytes more";
    const IN_C: &'static [CPart] = &[CPart {
        suffix: "",
        ctype: CType::Long,
        getter: "ats_bytes",
        doc: "an amount of data in bytes, or `ATS_LIMIT` and so many bytes more",
    }];

    fn parse(text: &str) -> Result<Self, String> {
        let given = text.trim();
        let bytes = Bytes::of_limit(given).or_else(|| Bytes::of_number(given));
        bytes.ok_or_else(|| format!("`{text}` is not a valid amount of data; give {}", Self::RANGE))
    }

    fn text(&self) -> String {
        match self {
            Bytes::Exactly(bytes) => bytes.to_string(),
            Bytes::Limit { above: 0 } => LIMIT.to_owned(),
            Bytes::Limit { above } => format!("{LIMIT}+{above}"),
        }
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Long(match *self {
            Bytes::Exactly(bytes) => i64::try_from(bytes).unwrap_or(i64::MAX),
            Bytes::Limit { above } => Self::LIMIT_IN_C + i64::from(above),
        })]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        let [CValue::Long(bytes)] = *values else { unreachable!("IN_C says what is passed") };
        let above =
            || u32::try_from(bytes.wrapping_sub(Self::LIMIT_IN_C)).ok().map(|above| Bytes::Limit { above });
        let exactly = u64::try_from(bytes).ok().map(Bytes::Exactly);
        exactly
            .or_else(above)
            .ok_or_else(|| "it must be 0 or more, or ATS_LIMIT and some bytes more".to_owned())
    }

    fn number(&self) -> Option<f64> {
        self.exactly().map(|bytes| bytes as f64)
    }

    fn of_number(number: f64) -> Result<Self, String> {
        Self::parse(&number.round().to_string())
    }

    fn is_probed(&self) -> bool {
        matches!(self, Bytes::Limit { .. })
    }
}
