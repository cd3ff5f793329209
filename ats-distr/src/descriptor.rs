//! Distribution descriptors: the values that a distribution function is given.

/// One value (`val1_distr_t` of the report).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val1 {
    /// What everyone gets.
    pub val: f64,
}

/// Two values (`val2_distr_t`). `low` may be the larger one; the names only say who gets it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val2 {
    /// What the even, the first, or the first of all participants get.
    pub low: f64,
    /// What the odd, the later, or the last participants get.
    pub high: f64,
}

/// Two values and a participant (`val2_n_distr_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val2N {
    /// What all participants but one get.
    pub low: f64,
    /// What participant `n` gets.
    pub high: f64,
    /// The one that differs.
    pub n: usize,
}

/// Three values (`val3_distr_t`, whose C struct has `high` before `med`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Val3 {
    /// What the first of three kinds of participants get.
    pub low: f64,
    /// What the second kind gets.
    pub med: f64,
    /// What the third kind gets.
    pub high: f64,
}
