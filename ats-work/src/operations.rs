//! Doing an exact number of operations.
//!
//! The loops are generic over the operation, so that the tests run the very same loops on numbers and memory that
//! count. None of them looks at a clock.

pub(crate) mod arithmetic;
pub(crate) mod bound;
pub(crate) mod branches;
pub(crate) mod memory;
pub(crate) mod placed;
pub(crate) mod shared;
pub(crate) mod system;
