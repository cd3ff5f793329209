//! Events of a thread that count together.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use super::{Kernel, Linux, Page, PerfEvent, Refusal, page};

/// The words before the values of a group: the number of its events, and two times.
const TIMES: usize = 3;

/// The times of a group, in nanoseconds of its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The time that it was to count.
    pub enabled: u64,
    /// The time that it did: less where others have the hardware's counters at times.
    pub running: u64,
}

impl Share {
    /// The share in 1/1000.
    pub fn permille(self) -> u32 {
        let counted = u128::from(self.running) * 1000;
        counted.checked_div(self.enabled.into()).map_or(1000, |share| share.min(1000) as u32)
    }
}

/// Events of this thread, which the hardware counts at the same times.
#[derive(Debug)]
pub struct Group {
    kernel: Box<dyn Kernel + Send>,
    /// From the leader on.
    members: Vec<Member>,
    /// As the kernel has told them last.
    words: Vec<u64>,
    values: Vec<u64>,
    share: Share,
    /// As it was when the values were told.
    told: Share,
}

#[derive(Debug)]
struct Member {
    file: OwnedFd,
    page: Option<Page>,
    /// Its count when the kernel was asked last, and the value of that count.
    raw: u64,
    value: u64,
}

impl Group {
    /// Opens events of this thread, which begin to count. Those that are refused are not among them, and returned by their places.
    pub fn open(events: &[PerfEvent]) -> (Self, Vec<(usize, Refusal)>) {
        Self::open_by(Box::new(Linux), events)
    }

    /// As [`Group::open`], of another kernel.
    pub fn open_by(kernel: Box<dyn Kernel + Send>, events: &[PerfEvent]) -> (Self, Vec<(usize, Refusal)>) {
        let share = Share::default();
        let mut group =
            Group { kernel, members: Vec::new(), words: Vec::new(), values: Vec::new(), share, told: share };
        let refused = (0..).zip(events).filter_map(|(place, &event)| Some((place, group.add(event).err()?)));
        let refused = refused.collect();
        let members = group.members.len();
        (group.words, group.values) = (vec![0; TIMES + members], vec![0; members]);
        if let Some(leader) = group.leader() {
            group.kernel.start(leader);
        }
        (group, refused)
    }

    /// Opens one more event.
    fn add(&mut self, event: PerfEvent) -> Result<(), Refusal> {
        let leader = self.leader();
        let opened = self.kernel.open(event, leader);
        // The kernel says the same of an event that it never counts, and of one too many in a group.
        let is_granted_alone = |error: &io::Error| {
            leader.is_some()
                && error.raw_os_error() == Some(libc::EINVAL)
                && self.kernel.open(event, None).is_ok()
        };
        let file = opened.map_err(|error| {
            let beside_others = is_granted_alone(&error);
            Refusal::new(error, beside_others)
        })?;
        let page = page(&file);
        self.members.push(Member { file, page, raw: 0, value: 0 });
        Ok(())
    }

    fn leader(&self) -> Option<i32> {
        self.members.first().map(|member| member.file.as_raw_fd())
    }

    /// The values of the events since the group was opened, in their order; `None` if the kernel does not tell, or the events
    /// have not counted since the last time: the next values have it. Only the thread that has opened it may read it.
    ///
    /// Counts of events that did not run all the time are scaled as if they had.
    #[inline]
    pub fn read(&mut self) -> Option<&[u64]> {
        if !self.read_pages() {
            self.ask_kernel()?;
        }
        Some(&self.values)
    }

    /// The share of the time in which the events have counted, as the kernel has told it last.
    pub fn share(&self) -> Share {
        self.share
    }

    /// Reads the values without the kernel, where that is allowed and nothing is to be scaled.
    #[inline]
    fn read_pages(&mut self) -> bool {
        self.share.enabled == self.share.running
            && self.members.iter().zip(&mut self.values).all(|(member, value)| {
                let raw = member.page.as_ref().and_then(Page::value);
                raw.is_some_and(|raw| {
                    *value = member.value + raw.wrapping_sub(member.raw);
                    true
                })
            })
    }

    fn ask_kernel(&mut self) -> Option<()> {
        self.kernel.read(self.leader()?, &mut self.words).ok()?;
        self.share = Share { enabled: self.words[1], running: self.words[2] };
        let enabled = self.share.enabled.saturating_sub(self.told.enabled);
        let running = self.share.running.saturating_sub(self.told.running);
        if running == 0 && enabled > 0 {
            return None;
        }
        self.told = self.share;
        let told = self.members.iter_mut().zip(&self.words[TIMES..]).zip(&mut self.values);
        for ((member, &raw), value) in told {
            let more = u128::from(raw.wrapping_sub(member.raw));
            let scaled =
                if enabled == running { more } else { more * u128::from(enabled) / u128::from(running) };
            member.value += scaled as u64;
            (member.raw, *value) = (raw, member.value);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::RawFd;
    use std::sync::Mutex;
    use std::sync::atomic::Ordering;

    use super::*;

    const INSTRUCTIONS: PerfEvent = PerfEvent { kind: 0, config: 1 };
    const CYCLES: PerfEvent = PerfEvent { kind: 0, config: 0 };
    const BRANCHES: PerfEvent = PerfEvent { kind: 0, config: 4 };
    /// `PERF_TYPE_SOFTWARE`, faults of pages.
    const FAULTS: PerfEvent = PerfEvent { kind: 1, config: 2 };

    /// A kernel that refuses an event, alone or in a group, with an error, and says these words, one row each time.
    #[derive(Debug, Default)]
    struct Faked {
        refused: Option<(PerfEvent, i32)>,
        only_in_groups: bool,
        rows: Mutex<Vec<Vec<u64>>>,
    }

    impl Kernel for Faked {
        fn open(&self, event: PerfEvent, leader: Option<RawFd>) -> io::Result<OwnedFd> {
            match self.refused {
                Some((refused, error)) if refused == event && (leader.is_some() || !self.only_in_groups) => {
                    Err(io::Error::from_raw_os_error(error))
                }
                _ => Ok(File::open("/dev/null")?.into()),
            }
        }

        fn start(&self, _leader: RawFd) {}

        fn read(&self, _leader: RawFd, words: &mut [u64]) -> io::Result<()> {
            words.copy_from_slice(&self.rows.lock().unwrap().remove(0));
            Ok(())
        }
    }

    #[test]
    fn granted_events_tell_what_they_count() {
        let rows = vec![vec![2, 10, 10, 100, 300], vec![2, 30, 30, 150, 400]].into();
        let (mut group, refused) =
            Group::open_by(Box::new(Faked { rows, ..Faked::default() }), &[INSTRUCTIONS, CYCLES]);
        assert!(refused.is_empty());
        assert_eq!(group.read(), Some(&[100, 300][..]));
        assert_eq!(group.read(), Some(&[150, 400][..]));
        assert_eq!(group.share(), Share { enabled: 30, running: 30 });
    }

    #[test]
    fn multiplexed_events_are_scaled_by_the_time_that_they_counted_since_the_last_value() {
        let rows =
            vec![vec![1, 10, 10, 100], vec![1, 30, 20, 150], vec![1, 40, 20, 150], vec![1, 60, 30, 200]];
        let (mut group, _) =
            Group::open_by(Box::new(Faked { rows: rows.into(), ..Faked::default() }), &[INSTRUCTIONS]);
        assert_eq!(group.read(), Some(&[100][..]));
        assert_eq!(group.read(), Some(&[200][..]), "it counted in half of the time");
        assert_eq!(group.read(), None, "never 0 more instead of what is unknown");
        assert_eq!(group.share(), Share { enabled: 40, running: 20 });
        assert_eq!((group.share().permille(), Share::default().permille()), (500, 1000));
        assert_eq!(group.read(), Some(&[350][..]), "50 in a third of the time");
    }

    #[test]
    fn refused_events_are_told_with_who_refuses_and_the_remedy() {
        let refusal = |error| {
            let faked = Faked { refused: Some((CYCLES, error)), ..Faked::default() };
            let (group, mut refused) = Group::open_by(Box::new(faked), &[INSTRUCTIONS, CYCLES, BRANCHES]);
            assert_eq!(group.members.len(), 2, "the others are granted");
            let (place, refusal) = refused.remove(0);
            assert_eq!((place, refused.len()), (1, 0));
            (refusal.to_string(), refusal.fix())
        };
        for (error, by, fix) in [
            (libc::ENOENT, "the hardware here has no counter for it: No such file", "virtual machine"),
            (libc::EINVAL, "the hardware here has no counter for it: Invalid argument", "virtual machine"),
            (libc::EACCES, "kernel.perf_event_paranoid", "sysctl kernel.perf_event_paranoid=2"),
            (libc::EPERM, "the seccomp profile of a container", "seccomp=unconfined"),
            (libc::EMFILE, "there are too many open files", "ulimit -n"),
            (libc::ENOSYS, "the kernel has no such events", "CONFIG_PERF_EVENTS"),
            (libc::ENOSPC, "the hardware does not count that many events at a time", "in another run"),
        ] {
            let (said, remedy) = refusal(error);
            assert!(said.starts_with(by) && remedy.contains(fix), "{error}: {said}; {remedy}");
        }
    }

    #[test]
    fn an_event_that_is_granted_alone_is_one_too_many_in_its_group() {
        let refused = Some((BRANCHES, libc::EINVAL));
        let faked = Faked { refused, only_in_groups: true, ..Faked::default() };
        let (_, refused) = Group::open_by(Box::new(faked), &[INSTRUCTIONS, CYCLES, BRANCHES]);
        assert!(refused[0].0 == 2 && refused[0].1.is_of_too_many(), "{refused:?}");
    }

    /// Events of the kernel itself are granted nearly everywhere, and read like those of the hardware.
    #[test]
    fn the_kernel_counts_for_this_thread() {
        const PAGES: usize = 50;
        let (mut group, refused) = Group::open(&[FAULTS, FAULTS]);
        if !refused.is_empty() {
            return;
        }
        let before = group.read().unwrap().to_vec();
        let fresh = crate::mapping::Mapping::new(PAGES * 4096, crate::mapping::PageSize::Small);
        fresh.words().iter().step_by(512).for_each(|word| word.store(1, Ordering::Relaxed));
        let after = group.read().unwrap();
        assert_eq!(after[0], after[1]);
        assert!((PAGES as u64..PAGES as u64 + 20).contains(&(after[0] - before[0])), "{before:?} {after:?}");
        assert_eq!(group.share().enabled, group.share().running);
    }
}
