//! Options that several verbs have.

pub(crate) mod causes;
pub(crate) mod clocks;
pub(crate) mod compared;
pub(crate) mod drawn;
pub(crate) mod keep;
pub(crate) mod machine;
pub(crate) mod number;
pub(crate) mod part;
pub(crate) mod program;
pub(crate) mod reference;
pub(crate) mod share;
