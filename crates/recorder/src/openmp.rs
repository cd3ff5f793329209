//! OpenMP: the actions of threads as events, nested as Score-P nests them.
//!
//! - [`thread`]: what one thread does, as regions in its buffer; [`open`]: what it has begun and not ended.
//! - [`team`], [`lock`]: what several threads share.
//! - [`runtime`]: which runtime the program has; [`attachment`]: why it may not find the recorder.

pub(crate) mod attachment;
mod lock;
pub(crate) mod open;
pub(crate) mod runtime;
pub(crate) mod team;
pub(crate) mod thread;
