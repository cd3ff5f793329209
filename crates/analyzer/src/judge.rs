//! The rules: each file finds the waits of one kind of calls or constructs. Their results are in an [`account`] per
//! process, whose [`ledger`] adds them up.

pub(crate) mod account;
pub(crate) mod collective;
pub(crate) mod early;
pub(crate) mod flights;
pub(crate) mod init_finalize;
pub(crate) mod ledger;
pub(crate) mod misplaced;
pub(crate) mod openmp;
pub(crate) mod point_to_point;
pub(crate) mod points;
pub(crate) mod proceeded;
mod progress;
pub(crate) mod unacted;
pub(crate) mod violations;
pub(crate) mod waits;
pub(crate) mod wrong_order;
