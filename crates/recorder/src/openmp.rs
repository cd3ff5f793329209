//! OpenMP: its runtime tells a tool (OMPT) what the threads do; here that becomes events, nested as Score-P nests them.
//!
//! - [`tool`]: how a runtime finds the recorder, and what it is asked to tell; [`runtime`]: which one it is.
//! - [`attachment`]: why it may not find it.
//! - [`callbacks`]: what it tells, and which event that is, by OMPT's numbers.
//! - [`thread`]: what one thread does, as regions in its buffer; [`open`]: what it has begun and not ended.
//! - [`team`], [`lock`]: what several threads share.
//! - [`test_lock`]: what some runtimes do not tell.

pub(crate) mod attachment;
mod callbacks;
mod lock;
pub(crate) mod open;
pub(crate) mod runtime;
pub(crate) mod team;
mod test_lock;
pub(crate) mod thread;
pub(crate) mod tool;
