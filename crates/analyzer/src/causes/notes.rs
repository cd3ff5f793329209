//! The notes that locations leave where they wait for others.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::{compared::Spent, sums::Position};

/// The note of a location that waits.
#[derive(Debug, Default)]
pub(super) struct Note {
    /// The location, and the point there.
    pub(super) waits: (u32, Position),
    /// Its ticks since it met the causer last.
    pub(super) spent: Spent,
    /// The index of the next note for the same point, or [`Notes::NONE`].
    pub(super) next: u32,
}

/// The notes of all that wait. Those that are taken are used again, with their memory.
#[derive(Debug, Default)]
pub(super) struct Notes {
    all: Vec<Note>,
    free: Vec<u32>,
    /// By the causer's point, the first and the last note for it.
    of_points: FxHashMap<(u32, Position), (u32, u32)>,
}

impl Notes {
    /// No note.
    pub(super) const NONE: u32 = u32::MAX;

    /// A new note for a causer's point, to be filled in.
    pub(super) fn note(&mut self, causer: (u32, Position)) -> &mut Note {
        let note = self.free.pop().unwrap_or_else(|| {
            self.all.push(Note::default());
            self.all.len() as u32 - 1
        });
        match self.of_points.entry(causer) {
            Entry::Vacant(entry) => {
                entry.insert((note, note));
            }
            Entry::Occupied(mut entry) => {
                let last = std::mem::replace(&mut entry.get_mut().1, note);
                self.all[last as usize].next = note;
            }
        }
        let new = &mut self.all[note as usize];
        new.next = Notes::NONE;
        new
    }

    /// Takes the notes for a point; returns the index of the first.
    pub(super) fn first_of(&mut self, point: (u32, Position)) -> Option<u32> {
        self.of_points.remove(&point).map(|(first, _)| first)
    }

    /// The note of an index.
    pub(super) fn get(&self, note: u32) -> &Note {
        &self.all[note as usize]
    }

    /// Lets the memory of a note be used again.
    pub(super) fn free(&mut self, note: u32) {
        self.free.push(note);
    }

    /// The number of notes that are not taken.
    pub(super) fn count(&self) -> u64 {
        (self.all.len() - self.free.len()) as u64
    }
}
