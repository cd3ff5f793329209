//! Replay: entries and exits pinned to the stamps of a real run, its choices obeyed.

use crate::time::Picoseconds;

/// What a rank of a real run did, on the clock that all ranks share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankReplay {
    /// Entry into the measured part, in picoseconds.
    pub enter: Picoseconds,
    /// Exit from the measured part, in picoseconds.
    pub leave: Picoseconds,
    /// Every call in order: name, entry, exit.
    pub calls: Vec<(String, Picoseconds, Picoseconds)>,
    /// What wildcards matched and `MPI_Waitany` took: index into `calls`, source or request.
    pub choices: Vec<(usize, u32)>,
}

/// How far a location is in its replay.
#[derive(Debug)]
pub(crate) struct Pins {
    replay: RankReplay,
    next: usize,
}

impl Pins {
    pub(crate) fn new(replay: RankReplay) -> Self {
        Pins { replay, next: 0 }
    }

    pub(crate) fn end(&self) -> Picoseconds {
        self.replay.leave
    }

    /// Entry and exit of the next call, which the program says is `name`.
    pub(crate) fn next(&mut self, name: &str) -> Result<Pin, String> {
        let at = self.next;
        let Some((recorded, enter, leave)) = self.replay.calls.get(at) else {
            return Err(format!("it ends after {at} calls, where the program makes another, {name}"));
        };
        if recorded != name {
            return Err(format!("its call {at} is {recorded}, where the program makes {name}"));
        }
        self.next += 1;
        let choice = self.replay.choices.iter().find(|(index, _)| *index == at).map(|&(_, chosen)| chosen);
        Ok(Pin { enter: *enter, leave: (*leave).max(*enter), choice })
    }

    /// Whether all calls were made.
    pub(crate) fn finished(&self) -> Result<(), String> {
        let (made, recorded) = (self.next, self.replay.calls.len());
        if made == recorded {
            Ok(())
        } else {
            Err(format!("it has {recorded} calls, the program makes {made}"))
        }
    }
}

/// One call of a real run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pin {
    pub(crate) enter: Picoseconds,
    pub(crate) leave: Picoseconds,
    pub(crate) choice: Option<u32>,
}
