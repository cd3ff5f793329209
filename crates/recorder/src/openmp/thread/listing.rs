//! A thread as tests see it.

use ats_model::Event;
use ats_model::event::RegionRef;
use ats_trace::packed::Chunk;

use super::Thread;
use crate::openmp::open::Buffer;
use crate::{clock, region};

/// A thread with its buffer.
pub(super) struct Recorded {
    pub(super) thread: Thread,
    pub(super) buffer: Buffer,
}

impl Recorded {
    pub(super) fn new(number: u32) -> Self {
        Recorded { thread: Thread::new(number), buffer: Buffer::new() }
    }
}

/// The recorded events, from call to call: the names of constructs by their depth, events by their kinds.
pub(super) fn listing(Recorded { mut thread, mut buffer }: Recorded) -> Vec<String> {
    thread.settle_all(&mut buffer);
    buffer.end_to(clock::now(), 0);
    let regions = region::regions();
    let mut depth = 0;
    let mut lines = Vec::new();
    for (ticks, event) in buffer.take(|_| true).iter().flat_map(Chunk::iter) {
        let name = |region: RegionRef| {
            let name = ats_model::openmp::without_place(&regions[region.0 as usize].name);
            name.trim_start_matches("!$omp ").to_owned()
        };
        match event {
            Event::Enter { region } => {
                lines.push(format!("{}{} {ticks}", "  ".repeat(depth), name(region)));
                depth += 1;
            }
            Event::Leave { region } => {
                depth -= 1;
                lines.push(format!("{}/{} {ticks}", "  ".repeat(depth), name(region)));
            }
            Event::ThreadAcquireLock { order, .. } => lines.push(format!("acquire {order}")),
            Event::ThreadReleaseLock { order, .. } => lines.push(format!("release {order}")),
            Event::ThreadTaskSwitch { task, .. } => lines.push(format!("switch {}", task.generation)),
            Event::ThreadTaskComplete { task, .. } => lines.push(format!("complete {}", task.generation)),
            _ => {}
        }
    }
    lines
}

pub(super) fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}
