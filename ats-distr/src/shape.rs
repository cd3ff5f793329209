//! The shapes: their names, codes and descriptors, in one table that reading and error messages derive from.

use crate::{Distribution, Val1, Val2, Val2N, Val3};

/// A shape as a user writes it.
#[derive(Debug)]
pub struct Shape {
    /// The report's name: `cyclic2`.
    pub name: &'static str,
    /// The short code: `c2`.
    pub code: &'static str,
    /// The values of its descriptor, in order: `low`, `high`. One called `n` is a participant, all others are amounts.
    pub fields: &'static [&'static str],
    /// The shares of the participants, for help texts.
    pub summary: &'static str,
    pub(crate) build: fn(&Values) -> Distribution,
}

/// The values of a descriptor's text: the amounts in order, and the participant if there is one.
#[derive(Default)]
pub(crate) struct Values {
    pub(crate) amounts: Vec<f64>,
    pub(crate) n: usize,
}

/// The report's seven shapes.
pub const SHAPES: [Shape; 7] = [
    Shape {
        name: "same",
        code: "ss",
        fields: &["val"],
        summary: "everyone gets val",
        build: |v| Distribution::Same(Val1 { val: v.amounts[0] }),
    },
    Shape {
        name: "cyclic2",
        code: "c2",
        fields: &["low", "high"],
        summary: "even participants get low, odd ones high",
        build: |v| Distribution::Cyclic2(v.val2()),
    },
    Shape {
        name: "block2",
        code: "b2",
        fields: &["low", "high"],
        summary: "the first half gets low, the rest high",
        build: |v| Distribution::Block2(v.val2()),
    },
    Shape {
        name: "linear",
        code: "lr",
        fields: &["low", "high"],
        summary: "evenly rising from low to high",
        build: |v| Distribution::Linear(v.val2()),
    },
    Shape {
        name: "peak",
        code: "pk",
        fields: &["low", "high", "n"],
        summary: "participant n gets high, all others low",
        build: |v| Distribution::Peak(Val2N { low: v.amounts[0], high: v.amounts[1], n: v.n }),
    },
    Shape {
        name: "cyclic3",
        code: "c3",
        fields: &["low", "med", "high"],
        summary: "low, med and high in turn",
        build: |v| Distribution::Cyclic3(v.val3()),
    },
    Shape {
        name: "block3",
        code: "b3",
        fields: &["low", "med", "high"],
        summary: "the first third gets low, the second med, the rest high",
        build: |v| Distribution::Block3(v.val3()),
    },
];

impl Values {
    fn val2(&self) -> Val2 {
        Val2 { low: self.amounts[0], high: self.amounts[1] }
    }

    fn val3(&self) -> Val3 {
        Val3 { low: self.amounts[0], med: self.amounts[1], high: self.amounts[2] }
    }
}
