//! Replay: entries and exits pinned to the stamps of a real run, its choices obeyed.

use crate::kernel::time::Picoseconds;

/// The actions of a rank in a real run, on the clock that all ranks share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankReplay {
    /// Entry into the measured part, in picoseconds.
    pub enter: Picoseconds,
    /// Exit from the measured part, in picoseconds.
    pub leave: Picoseconds,
    /// The actions of its master.
    pub master: ThreadReplay,
    /// The actions of its other threads, with their paths: the number in each team, from the outermost to the one the
    /// thread worked in, without trailing zeros.
    pub threads: Vec<(Vec<u32>, ThreadReplay)>,
}

/// The actions of a thread in a real run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreadReplay {
    /// Every call and construct in order of entry: name, entry, exit, in picoseconds.
    pub calls: Vec<(String, Picoseconds, Picoseconds)>,
    /// Calls in a row that found nothing, which are one in `calls`: its index, how many they are, in order.
    pub repeated: Vec<(usize, u64)>,
    /// The choices of the run in them: index into `calls`, and choice (see [`ats_model::witness::Choice`]).
    pub choices: Vec<(usize, u32)>,
    /// When each piece of its work ended, in picoseconds; where it is not known, work takes the time it was asked for.
    pub work_ends: Vec<Picoseconds>,
    /// When it began to work in a team, for each parallel region in turn, in picoseconds; where it is not known, it is
    /// taken to be at the fork.
    pub begins: Vec<Picoseconds>,
}

/// The progress of a location in its replay.
#[derive(Debug)]
pub(crate) struct Pins {
    replay: ThreadReplay,
    next: usize,
    /// The number of calls made, of those that `next` stands for.
    made_of_next: u64,
    /// The next of `repeated`.
    next_repeated: usize,
    next_begin: usize,
    next_work: usize,
}

impl Pins {
    pub(crate) fn new(mut replay: ThreadReplay) -> Self {
        // Those of one call stay in their order.
        replay.choices.sort_by_key(|&(call, _)| call);
        Pins { replay, next: 0, made_of_next: 0, next_repeated: 0, next_begin: 0, next_work: 0 }
    }

    /// Entry and exit of the next call, which the program says is `name`.
    pub(crate) fn next(&mut self, name: &str) -> Result<(Picoseconds, Pin), String> {
        let at = self.next;
        let Some((recorded, enter, leave)) = self.replay.calls.get(at) else {
            return Err(format!("it ends after {at} calls, where the program makes another, {name}"));
        };
        if recorded != name {
            return Err(format!("its call {at} is {recorded}, where the program makes {name}"));
        }
        let (enter, leave) = (*enter, (*leave).max(*enter));
        let pin = |enter, leave| Ok((enter, Pin { call: at as u32, leave }));
        match self.replay.repeated.get(self.next_repeated) {
            Some(&(of, times)) if of == at => {
                // They took the time in equal parts.
                let part = |number: u64| {
                    enter + (u128::from(leave - enter) * u128::from(number) / u128::from(times.max(1))) as u64
                };
                let number = self.made_of_next;
                self.made_of_next += 1;
                if self.made_of_next >= times {
                    (self.next, self.made_of_next) = (at + 1, 0);
                    self.next_repeated += 1;
                }
                pin(part(number), part(number + 1))
            }
            _ => {
                self.next += 1;
                pin(enter, leave)
            }
        }
    }

    /// When it began to work in the next team.
    pub(crate) fn next_begin(&mut self) -> Option<Picoseconds> {
        let begin = self.replay.begins.get(self.next_begin).copied();
        self.next_begin += 1;
        begin
    }

    /// When its next piece of work ended.
    pub(crate) fn next_work_end(&mut self) -> Option<Picoseconds> {
        let end = self.replay.work_ends.get(self.next_work).copied();
        self.next_work += 1;
        end
    }

    /// The choices in a call, in order.
    pub(crate) fn choices(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let call = call as usize;
        let first = self.replay.choices.partition_point(|&(of, _)| of < call);
        self.replay.choices[first..].iter().take_while(move |&&(of, _)| of == call).map(|&(_, chosen)| chosen)
    }

    /// The choice in the next call, if that is `name`, and the time when the run entered it.
    pub(crate) fn next_choice(&self, name: &str) -> Option<(u32, Picoseconds)> {
        let (recorded, enter, _) = self.replay.calls.get(self.next)?;
        (recorded == name).then(|| Some((self.choices(self.next as u32).next()?, *enter)))?
    }

    /// Whether all calls were made.
    pub(crate) fn finished(&self) -> Result<(), String> {
        let ThreadReplay { calls, repeated, .. } = &self.replay;
        if self.next == calls.len() {
            return Ok(());
        }
        let more = |repeated: &[(usize, u64)]| {
            repeated.iter().map(|&(_, times)| times.saturating_sub(1)).sum::<u64>()
        };
        let recorded = calls.len() as u64 + more(repeated);
        let made = self.next as u64 + more(&repeated[..self.next_repeated]) + self.made_of_next;
        Err(format!("it has {recorded} calls, the program makes {made}"))
    }
}

/// One call of a real run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pin {
    pub(crate) call: u32,
    pub(crate) leave: Picoseconds,
}
