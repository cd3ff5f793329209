//! Metrics: values that a recorder samples beside the events, with OTF2's names and meanings.

use serde::{Deserialize, Serialize};

use crate::listed;

/// A metric whose values are among the events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MetricDefinition {
    /// Its name, such as `PAPI_TOT_INS` or `ru_utime`.
    pub name: String,
    /// The unit of its values once [`MetricDefinition::scale`] is applied; empty for a mere number.
    pub unit: String,
    /// The meaning of a value.
    pub property: ValueProperty,
    /// The type of its values.
    pub value_type: ValueType,
    /// The base of the scale factor.
    pub base: Base,
    /// The exponent of the scale factor.
    pub exponent: i64,
}

impl MetricDefinition {
    /// The amount of the unit that a value of 1 stands for; infinite or 0 if it exceeds the range of numbers.
    pub fn scale(&self) -> f64 {
        let base: f64 = match self.base {
            Base::Binary => 2.0,
            Base::Decimal => 10.0,
        };
        // `powi` may be off by a digit; products are exact as long as they can be.
        let times = self.exponent.unsigned_abs().min(f64::MAX_EXP as u64) as usize;
        let power: f64 = std::iter::repeat_n(base, times).product();
        if self.exponent < 0 { power.recip() } else { power }
    }
}

listed! {
    /// The meaning of a value, with the numbers of `OTF2_MetricValueProperty`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum ValueProperty {
        /// The total since some time in the past: it never falls, and the difference of two values is the amount
        /// between them.
        #[default]
        Accumulated = 0,
        /// The amount at this time, such as a temperature.
        Absolute = 1,
        /// The change since the value before.
        Relative = 2,
    }
}

impl ValueProperty {
    /// The property in the lower half of an `OTF2_MetricMode`; the upper half gives the time that a value belongs to.
    pub fn from_otf2_mode(mode: u8) -> Option<Self> {
        Self::ALL.get(usize::from(mode & 0xf)).copied()
    }

    /// The `OTF2_MetricMode` of values that are of the time since the measurement began, or else of a moment.
    pub const fn to_otf2_mode(self) -> u8 {
        const POINT: u8 = 0x10;
        match self {
            ValueProperty::Accumulated => self as u8,
            ValueProperty::Absolute | ValueProperty::Relative => self as u8 | POINT,
        }
    }
}

listed! {
    /// The base of a scale factor, with the numbers of `OTF2_Base`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum Base {
        /// Powers of 2.
        Binary = 0,
        /// Powers of 10.
        #[default]
        Decimal = 1,
    }
}

/// A value of a metric, in the type that it was recorded in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricValue {
    /// The type that the bits are interpreted in.
    pub of: ValueType,
    /// The number, as its type has it; signed ones in two's complement, floating-point ones as IEEE 754.
    pub bits: u64,
}

impl MetricValue {
    /// As a floating-point number; integers beyond 2^53 lose their last digits.
    pub fn number(self) -> f64 {
        match self.of {
            ValueType::Uint64 => self.bits as f64,
            ValueType::Int64 => self.bits as i64 as f64,
            ValueType::Double => f64::from_bits(self.bits),
        }
    }

    /// The difference to an earlier value of the same type; negative if this one is less.
    pub fn since(self, before: MetricValue) -> f64 {
        match (self.of, before.of) {
            (ValueType::Uint64 | ValueType::Int64, ValueType::Uint64 | ValueType::Int64) => {
                (self.bits.wrapping_sub(before.bits) as i64) as f64
            }
            _ => self.number() - before.number(),
        }
    }
}

/// The type of a metric's values: those that OTF2 allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ValueType {
    /// As `OTF2_TYPE_UINT64`.
    #[default]
    Uint64,
    /// As `OTF2_TYPE_INT64`.
    Int64,
    /// As `OTF2_TYPE_DOUBLE`.
    Double,
}

impl ValueType {
    /// Its number in `OTF2_Type`.
    pub const fn to_otf2(self) -> u8 {
        match self {
            ValueType::Uint64 => 4,
            ValueType::Int64 => 8,
            ValueType::Double => 10,
        }
    }

    /// The type of an `OTF2_Type` number.
    pub const fn from_otf2(number: u8) -> Option<Self> {
        match number {
            4 => Some(ValueType::Uint64),
            8 => Some(ValueType::Int64),
            10 => Some(ValueType::Double),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(of: ValueType, bits: u64) -> MetricValue {
        MetricValue { of, bits }
    }

    #[test]
    fn values_are_numbers_of_their_type() {
        assert_eq!(value(ValueType::Uint64, 7).number(), 7.0);
        assert_eq!(value(ValueType::Int64, (-5_i64) as u64).number(), -5.0);
        assert_eq!(value(ValueType::Double, 1.5_f64.to_bits()).number(), 1.5);
        for of in [ValueType::Uint64, ValueType::Int64, ValueType::Double] {
            assert_eq!(ValueType::from_otf2(of.to_otf2()), Some(of));
        }
    }

    #[test]
    fn differences_of_large_counters_are_exact() {
        let large = 1 << 60;
        assert_eq!(value(ValueType::Uint64, large + 3).since(value(ValueType::Uint64, large)), 3.0);
        assert_eq!(value(ValueType::Uint64, large).since(value(ValueType::Uint64, large + 3)), -3.0);
        let double = |number: f64| value(ValueType::Double, number.to_bits());
        assert_eq!(double(2.5).since(double(1.0)), 1.5);
    }

    #[test]
    fn a_mode_is_property_and_time() {
        let properties = [0x00, 0x20, 0x11, 0x32].map(ValueProperty::from_otf2_mode);
        let all = [ValueProperty::Accumulated, ValueProperty::Accumulated, ValueProperty::Absolute];
        assert_eq!(properties[..3], all.map(Some));
        assert_eq!(properties[3], Some(ValueProperty::Relative));
        assert_eq!(ValueProperty::from_otf2_mode(0x03), None);
        for property in ValueProperty::ALL {
            assert_eq!(ValueProperty::from_otf2_mode(property.to_otf2_mode()), Some(property));
        }
    }

    #[test]
    fn values_are_multiples_of_powers() {
        let metric = |base, exponent| MetricDefinition {
            name: "PAPI_L1_DCM".into(),
            unit: "bytes".into(),
            property: ValueProperty::Accumulated,
            value_type: ValueType::Uint64,
            base,
            exponent,
        };
        assert_eq!(metric(Base::Decimal, 3).scale(), 1000.0);
        assert_eq!(metric(Base::Binary, -2).scale(), 0.25);
        assert_eq!(metric(Base::Decimal, 0).scale(), 1.0);
        assert_eq!(metric(Base::Decimal, i64::MAX).scale(), f64::INFINITY);
        assert_eq!(metric(Base::Binary, i64::MIN).scale(), 0.0);
    }
}
