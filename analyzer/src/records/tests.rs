use ats_model::{CallPathId, groups::Groups};

use super::{KeptFlags, KeptRecord, MessageEnd, MpiCall, Numbers, Records};
use crate::{
    records::{
        merge::merge,
        process::{Frontier, Process},
    },
    words::{
        place::{Base, Place},
        regions::CallKind,
    },
};

/// A made-up kind: the time during which a process may reach into a window of another. It takes this struct, its trait,
/// and its line in the list of [`Records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Epoch {
    /// The call that opens it: index into [`Records::calls`].
    call: u32,
    end: u64,
    place: Place,
    /// Number of its window.
    window: u32,
}

/// A window, by its number in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Window(u32);

impl KeptRecord for Epoch {
    type Groups = Groups<Window>;

    fn location(&self, _calls: &[MpiCall]) -> u32 {
        self.place.location
    }

    fn call(&self) -> Option<u32> {
        Some(self.call)
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        Some(&mut self.place)
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        std::iter::once(&mut self.end)
    }

    fn group_mut(&mut self) -> Option<&mut u32> {
        Some(&mut self.window)
    }

    fn order(&self, calls: &[MpiCall]) -> (u64, u32) {
        (calls[self.call as usize].enter, self.call)
    }

    fn renumber(&mut self, numbers: &Numbers) {
        self.call = numbers.calls.of(self.call);
    }
}

fn place(location: u32) -> Place {
    Place { location, path: CallPathId::ROOT, base: Base::of_membership(0) }
}

/// The records of a location: an epoch on each window, opened at a time and closed 5 ticks later, and before each a
/// call that sends.
fn thread(location: u32, epochs: &[(u64, u32)]) -> Records {
    let mut records = Records::default();
    for &(enter, window) in epochs {
        let call = |enter| MpiCall { enter, leave: enter + 1, place: place(location), kind: CallKind::Plain };
        let start = records.calls.push(call(enter - 1));
        records.sends.push(MessageEnd { start, channel: None });
        let call = records.calls.push(call(enter));
        let window = records.epochs.groups.number(Window(window));
        records.epochs.push(Epoch { call, end: enter + 5, place: place(location), window });
    }
    records
}

/// The opening time of each epoch, and its window.
fn epochs(records: &Records) -> Vec<(u64, u32)> {
    let epoch = |epoch: &Epoch| {
        let Window(window) = records.epochs.groups.key(epoch.window);
        (records.calls[epoch.call as usize].enter, window)
    };
    records.epochs.iter().map(epoch).collect()
}

#[test]
fn a_new_kind_is_merged_grouped_forgotten_and_split_as_all_others_are() {
    let threads = vec![(0, thread(0, &[(10, 7), (30, 8)])), (1, thread(1, &[(20, 8), (40, 7)]))];
    let (records, shares) = merge(threads);
    assert_eq!(epochs(&records), [(10, 7), (20, 8), (30, 8), (40, 7)]);

    let mut process = Process::new(0, 0, records, Frontier::default());
    let groups: Vec<_> =
        process.epochs.groups.iter().map(|(window, group)| (window.0, group.to_vec())).collect();
    assert_eq!(groups, [(7, vec![0, 3]), (8, vec![1, 2])]);
    assert_eq!(process.records.groups(), 2);
    let recorded = process.times();
    process.retime(|time| time + 100);
    assert_eq!((process.epochs[0].end, process.calls[0].enter), (115, 109));
    process.set_times(&recorded);
    assert_eq!((process.epochs[0].end, process.calls[0].enter), (15, 9));
    process.records.each_place(|place| place.base = Base::NOTHING);
    assert!(process.epochs.iter().all(|epoch| epoch.place.base.is_nothing()));

    let mut left = process.into_records();
    let kept =
        KeptFlags { sends: vec![false; 4], epochs: vec![false, true, true, true], ..KeptFlags::default() };
    let numbers = left.retain(kept, &[]);
    assert_eq!((left.calls.len(), left.sends.len(), left.count()), (3, 0, 6));
    let threads = shares.split(left, numbers);
    let of = |thread: usize| epochs(&threads[thread].1);
    assert_eq!((of(0), of(1)), (vec![(30, 8)], vec![(20, 8), (40, 7)]));
    // The call of what was the second epoch of the first thread.
    assert_eq!(threads[0].2.of(|numbers| &numbers.calls, 3), 0);
    assert_eq!(threads[1].2.of(|numbers| &numbers.epochs, 1), 1);
}
