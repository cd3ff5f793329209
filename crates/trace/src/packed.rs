//! Events in memory, until they are written: packed into bytes, a tenth of their unpacked size.
//!
//! Memory is the dearest part of an event. The machine hands it out page by page, and on a virtual machine whose host
//! has to find a page first, each costs 10 µs.

mod chunk;
pub(crate) mod form;
mod queue;

pub use chunk::Chunk;
pub use queue::Queue;
