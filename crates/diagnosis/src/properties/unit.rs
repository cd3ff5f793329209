//! Units of numbers.

use std::fmt;

/// A product of powers of seconds, bytes and counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    powers: [i8; 3],
    /// Whether it is whatever fits: that of a coefficient which is still to be found.
    is_any: bool,
}

/// The names of the base units, in the order of the powers.
const NAMES: [&str; 3] = ["s", "bytes", "count"];

impl Unit {
    /// The unit of plain numbers.
    pub const ONE: Unit = Unit::new([0, 0, 0]);
    /// The unit of times.
    pub const SECOND: Unit = Unit::new([1, 0, 0]);
    /// The unit of sizes.
    pub const BYTES: Unit = Unit::new([0, 1, 0]);
    /// The unit of counts, such as visits or instructions.
    pub const COUNT: Unit = Unit::new([0, 0, 1]);
    /// The unit that fits all others.
    pub const ANY: Unit = Unit { powers: [0, 0, 0], is_any: true };

    const fn new(powers: [i8; 3]) -> Self {
        Unit { powers, is_any: false }
    }

    /// The common unit of two numbers that are added or compared; `None` if they have none.
    pub fn common(self, other: Unit) -> Option<Unit> {
        match (self.is_any, other.is_any) {
            (true, _) => Some(other),
            (_, true) => Some(self),
            _ => (self == other).then_some(self),
        }
    }

    /// The unit of a power; `None` if it has a fraction of a base unit.
    pub fn power(self, exponent: f64) -> Option<Unit> {
        let powers = self.powers.map(|power| f64::from(power) * exponent);
        let is_whole = |power: &f64| power.fract() == 0.0 && power.abs() <= f64::from(i8::MAX);
        powers.iter().all(is_whole).then(|| Unit { powers: powers.map(|power| power as i8), ..self })
    }

    /// The unit of a product.
    pub fn times(self, other: Unit) -> Unit {
        self.with(other, i8::saturating_add)
    }

    /// The unit of a quotient.
    pub fn per(self, other: Unit) -> Unit {
        self.with(other, i8::saturating_sub)
    }

    fn with(self, other: Unit, combine: fn(i8, i8) -> i8) -> Unit {
        let powers = [0, 1, 2].map(|at| combine(self.powers[at], other.powers[at]));
        Unit { powers, is_any: self.is_any || other.is_any }
    }

    /// The unit that is written so: `s`, `bytes`, `count`, `1`, or a quotient of two, as `bytes/s`. Experiments write `occ` for
    /// counts, and Score-P `#`.
    pub fn named(text: &str) -> Option<Unit> {
        let single = |name: &str| match name.trim() {
            "1" => Some(Unit::ONE),
            "s" => Some(Unit::SECOND),
            "bytes" => Some(Unit::BYTES),
            "count" | "occ" | "#" => Some(Unit::COUNT),
            _ => None,
        };
        match text.split_once('/') {
            Some((above, below)) => Some(single(above)?.per(single(below)?)),
            None => single(text),
        }
    }
}

/// Writes it as a quotient, such as `bytes/s`.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let product = |is_meant: fn(i8) -> bool| {
            let factors = NAMES.into_iter().zip(self.powers).filter(|(_, power)| is_meant(*power));
            let factor = |(name, power): (&str, i8)| match power.unsigned_abs() {
                1 => name.to_owned(),
                power => format!("{name}^{power}"),
            };
            factors.map(factor).collect::<Vec<_>>().join("*")
        };
        let (above, below) = (product(|power| power > 0), product(|power| power < 0));
        f.write_str(if above.is_empty() { "1" } else { &above })?;
        if below.is_empty() { Ok(()) } else { write!(f, "/{below}") }
    }
}
