//! Attributes: values that a recorder notes with single events, with OTF2's names and meanings.

use crate::listed;

/// An attribute that events may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeDefinition {
    /// Its name, such as `ALLOCATION_SIZE`.
    pub name: String,
    /// A description in words; may be empty.
    pub description: String,
    /// The type of its values; `None` if they refer to something that the model does not have.
    pub value_type: Option<AttributeType>,
}

impl AttributeDefinition {
    /// The meaning of its values, derived from its name because OTF2 does not record it.
    ///
    /// ```
    /// use ats_model::attribute::{AttributeDefinition, Meaning};
    /// let meaning = |name: &str| AttributeDefinition { name: name.to_owned(), ..Default::default() }.meaning();
    /// assert_eq!(meaning("ALLOCATION_SIZE"), Meaning::Amount("bytes"));
    /// assert_eq!(meaning("CUDA_EVENT_REF"), Meaning::Name);
    /// assert_eq!(meaning("acc_kernel_gangs"), Meaning::State);
    /// ```
    pub fn meaning(&self) -> Meaning {
        if let Some((_, unit)) = AMOUNTS.iter().find(|(name, _)| *name == self.name) {
            return Meaning::Amount(unit);
        }
        let is_name = NAMES.iter().any(|end| self.name.ends_with(end));
        if is_name { Meaning::Name } else { Meaning::State }
    }
}

/// The meaning of an attribute's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An amount at the event, in this unit; the amounts of several events add up.
    Amount(&'static str),
    /// An identity, such as an address: no value is more than another.
    Name,
    /// A state at the event.
    State,
}

/// The name of [`crate::own_attribute::Own::FailedTests`].
pub(crate) const FAILED_TESTS: &str = "ATS::FAILED_TESTS";

/// The amounts among the attributes of Score-P, and our own.
const AMOUNTS: [(&str, &str); 4] = [
    ("ALLOCATION_SIZE", "bytes"),
    ("DEALLOCATION_SIZE", "bytes"),
    ("acc_transfer_bytes", "bytes"),
    (FAILED_TESTS, "tests"),
];

/// The name of [`crate::own_attribute::Own::ProbedSource`].
pub(crate) const PROBED_SOURCE: &str = "ATS::PROBED_SOURCE";
/// The name of [`crate::own_attribute::Own::ProbedTag`].
pub(crate) const PROBED_TAG: &str = "ATS::PROBED_TAG";

/// Endings of the names of attributes that identify something: those of Score-P and of APEX, and our own.
const NAMES: [&str; 8] = ["_ADDRESS", "_REF", "_ID", "_RESULT", "Id", "GUID", PROBED_SOURCE, PROBED_TAG];

/// A value of an attribute, in the type that it was recorded in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeValue {
    /// The type that the bits are interpreted in.
    pub of: AttributeType,
    /// The number in its type: signed ones in two's complement of 64 bits, floating-point ones as IEEE 754; or the
    /// reference.
    pub bits: u64,
}

impl AttributeValue {
    /// As a floating-point number; integers beyond 2^53 lose their last digits. None of a reference.
    pub fn number(self) -> Option<f64> {
        use AttributeType::{CallingContext, Comm, Double, Float, Int8, Int16, Int32, Int64, Region, String};
        use AttributeType::{Uint8, Uint16, Uint32, Uint64};
        Some(match self.of {
            Uint8 | Uint16 | Uint32 | Uint64 => self.bits as f64,
            Int8 | Int16 | Int32 | Int64 => self.bits as i64 as f64,
            Float => f32::from_bits(self.bits as u32).into(),
            Double => f64::from_bits(self.bits),
            String | Region | Comm | CallingContext => return None,
        })
    }
}

listed! {
    /// The type of an attribute, with the numbers of `OTF2_Type`: a number, or a reference to a definition of the
    /// model.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    #[allow(missing_docs, reason = "the names of OTF2_Type")]
    pub enum AttributeType {
        Uint8 = 1,
        Uint16 = 2,
        Uint32 = 3,
        Uint64 = 4,
        Int8 = 5,
        Int16 = 6,
        Int32 = 7,
        Int64 = 8,
        Float = 9,
        Double = 10,
        /// The number of a string in [`crate::Definitions::strings`].
        String = 11,
        /// Of a region: an index into [`crate::Definitions::regions`].
        Region = 14,
        /// Of a communicator: an index into [`crate::Definitions::communicators`].
        Comm = 17,
        /// Of a call and those that lead to it: an index into [`crate::Definitions::calling_contexts`].
        CallingContext = 21,
    }
}

impl AttributeType {
    /// The type of an `OTF2_Type` number; `None` if values refer to something that the model does not have.
    pub fn from_otf2(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&of| of as u8 == number)
    }
}
