//! Distribution descriptors: the values that a distribution function is given.

/// One value (`val1_distr_t` of the report).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val1 {
    /// The share of every participant.
    pub val: f64,
}

/// Two values (`val2_distr_t`). `low` may be the larger one; the names only say which participants get it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val2 {
    /// The share of the even, the first, or the first of all participants.
    pub low: f64,
    /// The share of the odd, the later, or the last participants.
    pub high: f64,
}

/// Two values and a participant (`val2_n_distr_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val2N {
    /// The share of all participants but one.
    pub low: f64,
    /// The share of participant `n`.
    pub high: f64,
    /// The one that differs.
    pub n: usize,
}

/// Three values (`val3_distr_t`, whose C struct has `high` before `med`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val3 {
    /// The share of the first of three kinds of participants.
    pub low: f64,
    /// The share of the second kind.
    pub med: f64,
    /// The share of the third kind.
    pub high: f64,
}
