//! Room for events, when the memory for them is full.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use super::{IS_WRITING, SESSION};
use crate::lock::lock;
use crate::{buffer, clock, track};

/// Writes events to make room for more; the thread notes how long that took.
#[cold]
pub(crate) fn make_room() {
    thread_local! {
        static MAKES_ROOM: Cell<bool> = const { Cell::new(false) };
    }
    // A signal may have interrupted the same.
    if MAKES_ROOM.replace(true) {
        return;
    }
    let begin = clock::now();
    if write_to_make_room() {
        track::flushed(begin, clock::now());
    }
    MAKES_ROOM.set(false);
}

/// Whether there is a session that could write.
fn write_to_make_room() -> bool {
    let mut current = lock(&SESSION);
    let is_there = current.is_some();
    // Another thread may have done so meanwhile.
    if let Some(session) = current.as_mut()
        && buffer::is_full()
    {
        IS_WRITING.store(true, Ordering::Relaxed);
        if let Err(error) = session.files.write_settled(&session.folder) {
            session.fail(&error);
        }
        buffer::written();
        IS_WRITING.store(false, Ordering::Relaxed);
    }
    is_there
}
