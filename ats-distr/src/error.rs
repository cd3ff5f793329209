//! Errors in the text of a distribution.

use thiserror::Error;

use crate::number::NumberError;

/// Why a text is not a distribution; every message names the fix.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DistributionError {
    /// There is no such shape.
    #[error("there is no distribution `{shape}`; {hint}")]
    UnknownShape {
        /// The text before the first colon.
        shape: String,
        /// The nearest name, or all names.
        hint: String,
    },
    /// The descriptor has too few or too many values.
    #[error("{shape} takes {takes}, {fields}; got {got} in `{text}`")]
    WrongCount {
        /// The shape.
        shape: &'static str,
        /// The number of values it takes, in words: `2 values`.
        takes: String,
        /// Their names, as they are written: `low:high`.
        fields: String,
        /// The number of values given.
        got: usize,
        /// The whole text.
        text: String,
    },
    /// A value is not a number.
    #[error("{shape}: {field}: {error}")]
    Number {
        /// The shape.
        shape: &'static str,
        /// The value's name in the descriptor.
        field: &'static str,
        /// The error in it.
        error: NumberError,
    },
    /// A value is negative.
    #[error("{shape}: {field} is `{value}`, but nobody can get less than nothing; use 0 or more")]
    Negative {
        /// The shape.
        shape: &'static str,
        /// The value's name in the descriptor.
        field: &'static str,
        /// The value as it was written.
        value: String,
    },
    /// The participant is not a whole number.
    #[error("{shape}: {field} is `{value}`, but must be a participant's number, counted from 0: 0, 1, 2 …")]
    NotAParticipant {
        /// The shape.
        shape: &'static str,
        /// The value's name in the descriptor.
        field: &'static str,
        /// The value as it was written.
        value: String,
    },
}
