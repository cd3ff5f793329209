#![allow(unsafe_code, reason = "asks the runtime for chunks")]
//! Loops and sections, shared out as clang's code does it.

use std::ops::Range;

use super::entry::{self, Ident, LOOP, SECTIONS, sched};
use crate::Schedule;

/// Runs this thread's chunks of a loop.
#[inline(always)]
pub(super) fn chunks(thread: i32, iterations: usize, schedule: Schedule, chunk: impl FnMut(Range<usize>)) {
    let kind = match schedule {
        Schedule::Static => return share(&LOOP, thread, iterations, None, chunk),
        Schedule::StaticChunk(_) => return share(&LOOP, thread, iterations, schedule.chunk(), chunk),
        Schedule::Dynamic(_) => sched::DYNAMIC | sched::MONOTONIC,
        Schedule::DynamicNonmonotonic(_) => sched::DYNAMIC | sched::NONMONOTONIC,
        Schedule::Guided(_) => sched::GUIDED | sched::MONOTONIC,
    };
    dispatch(thread, iterations, kind, schedule, chunk);
}

/// Runs this thread's chunks of a loop whose iterations take turns; [`end_turn`] ends each.
#[inline(always)]
pub(super) fn ordered_chunks(
    thread: i32,
    iterations: usize,
    schedule: Schedule,
    chunk: impl FnMut(Range<usize>),
) {
    let kind = match schedule {
        Schedule::Static => sched::ORDERED_STATIC,
        Schedule::StaticChunk(_) => sched::ORDERED_STATIC_CHUNKED,
        Schedule::Dynamic(_) | Schedule::DynamicNonmonotonic(_) => sched::ORDERED_DYNAMIC,
        Schedule::Guided(_) => sched::ORDERED_GUIDED,
    };
    dispatch(thread, iterations, kind, schedule, chunk);
}

/// Ends an iteration's turn.
#[inline(always)]
pub(super) fn end_turn(thread: i32) {
    // SAFETY: this thread is in an ordered loop, at the turn of the iteration that it executes.
    unsafe {
        entry::__kmpc_end_ordered(&LOOP, thread);
        entry::__kmpc_dispatch_fini_8u(&LOOP, thread);
    }
}

/// Runs this thread's block of sections.
#[inline(always)]
pub(super) fn section_block(thread: i32, sections: usize, block: impl FnMut(Range<usize>)) {
    share(&SECTIONS, thread, sections, None, block);
}

/// Runs the iterations that a static schedule gives this thread: one block, or a chunk in every turn.
#[inline(always)]
fn share(
    at: &'static Ident,
    thread: i32,
    iterations: usize,
    chunk: Option<std::num::NonZeroUsize>,
    mut run: impl FnMut(Range<usize>),
) {
    if iterations == 0 {
        return;
    }
    let kind = if chunk.is_some() { sched::STATIC_CHUNKED } else { sched::STATIC };
    let length = chunk.map_or(1, |chunk| chunk.get() as i64);
    let last_iteration = iterations as u64 - 1;
    let (mut last, mut lower, mut upper, mut stride) = (0, 0, last_iteration, 1);
    // SAFETY: every thread of the team comes here, and the places are valid.
    unsafe {
        entry::__kmpc_for_static_init_8u(
            at,
            thread,
            kind,
            &mut last,
            &mut lower,
            &mut upper,
            &mut stride,
            1,
            length,
        );
    }
    while lower <= last_iteration && lower <= upper {
        run(lower as usize..upper.min(last_iteration) as usize + 1);
        if chunk.is_none() {
            break;
        }
        lower = lower.saturating_add(stride as u64);
        upper = upper.saturating_add(stride as u64);
    }
    // SAFETY: ends what began above.
    unsafe { entry::__kmpc_for_static_fini(at, thread) };
}

/// Runs the chunks that the runtime gives this thread one after the other.
#[inline(always)]
fn dispatch(
    thread: i32,
    iterations: usize,
    kind: i32,
    schedule: Schedule,
    mut run: impl FnMut(Range<usize>),
) {
    if iterations == 0 {
        return;
    }
    let length = schedule.chunk().map_or(1, |chunk| chunk.get() as i64);
    let (mut last, mut lower, mut upper, mut stride) = (0, 0, 0, 1);
    // SAFETY: every thread of the team comes here, and the places are valid.
    unsafe {
        entry::__kmpc_dispatch_init_8u(&LOOP, thread, kind, 0, iterations as u64 - 1, 1, length);
        while entry::__kmpc_dispatch_next_8u(&LOOP, thread, &mut last, &mut lower, &mut upper, &mut stride)
            != 0
        {
            run(lower as usize..upper as usize + 1);
        }
    }
}
