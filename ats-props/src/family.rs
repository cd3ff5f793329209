//! Common parts of near-equal properties: the same work around different calls. Each property is a file of its own all
//! the same, with its timeline, its parameters and its call.

pub(crate) mod between;
pub(crate) mod compared;
pub(crate) mod compared_in_a_team;
pub(crate) mod construct;
pub(crate) mod heat;
pub(crate) mod hub;
pub(crate) mod last_of_all;
pub(crate) mod late_exit;
pub(crate) mod many_tasks;
pub(crate) mod often;
pub(crate) mod overlap;
pub(crate) mod pairs;
pub(crate) mod rooted;
pub(crate) mod sizes;
pub(crate) mod started;
pub(crate) mod uneven;
pub(crate) mod uneven_team;
pub(crate) mod writes;
pub(crate) mod writes_of_a_team;
