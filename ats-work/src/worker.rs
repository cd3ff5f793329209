//! State of one thread for its work: arrays, generator, memory, clock.

use std::hint::black_box;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::clock::{Clock, FastClock, ThreadCpu};
use crate::deadline;
use crate::operations::{
    arithmetic, bound::bound, branches::branches, memory, placed::placed, shared, system,
};
use crate::os::{Os, System};
use crate::random_access::RandomAccess;
use crate::{Amount, Config, Kind, checksum};

pub(crate) struct Worker {
    config: Config,
    clock: FastClock,
    accesses: RandomAccess,
    memory: memory::Memory,
    lines: memory::Lines,
    arrays: memory::Arrays,
    copy: shared::Copy,
    pages: system::Touched,
    files: system::Files,
    /// The result of work by amount.
    result: u64,
}

impl Worker {
    pub(crate) fn new(config: Config, generator: Xoshiro256PlusPlus) -> Self {
        if matches!(config.kind, Kind::Sleep | Kind::Hybrid) {
            System.sharpen_timers();
        }
        Worker {
            config,
            clock: config.clock(),
            accesses: RandomAccess::new(generator),
            memory: Default::default(),
            lines: Default::default(),
            arrays: Default::default(),
            copy: Default::default(),
            pages: Default::default(),
            files: Default::default(),
            result: 0,
        }
    }

    /// Works for a positive time.
    pub(crate) fn seconds(&mut self, seconds: f64) {
        match &self.clock.clone() {
            #[cfg(target_arch = "x86_64")]
            FastClock::Tsc(tsc) => self.seconds_by(tsc, seconds),
            FastClock::Monotonic(monotonic) => self.seconds_by(monotonic, seconds),
        }
    }

    fn seconds_by(&mut self, clock: &impl Clock, seconds: f64) {
        let deadline = clock.deadline(seconds);
        checksum::add_work(self.config.seed, seconds);
        let work = |n| self.accesses.iterate(n);
        match self.config.kind {
            Kind::None => {}
            Kind::Spin => deadline::spin(clock, deadline, work),
            Kind::Hybrid => deadline::sleep_then_spin(clock, &System, seconds, work),
            Kind::Yield => deadline::spin_yielding(clock, &System, deadline, work),
            Kind::Sleep => System.sleep(seconds),
            Kind::Cpu => deadline::spin(&ThreadCpu, ThreadCpu.deadline(seconds), work),
            Kind::Counted => {
                self.accesses.iterate((seconds * self.config.iterations_per_second()).round() as u64);
            }
        }
    }

    /// Does an amount of work, and returns the number of remote pages if it has touched some.
    pub(crate) fn amount(&mut self, amount: &Amount) -> Option<u64> {
        let mut remote_pages = None;
        let result = match amount {
            Amount::Flops(n) => arithmetic::flops(*n).to_bits(),
            Amount::IntOps(n) => arithmetic::int_ops(*n),
            Amount::Memory(work) => self.memory.walk(work),
            Amount::Chase(work) => self.lines.chase(work),
            Amount::Triad(work) => self.arrays.triad(work),
            Amount::Updates(work) => shared::update(work),
            Amount::Readings(work) => self.copy.read(work),
            Amount::Branches(work) => branches(work),
            Amount::Multiplications(work) => arithmetic::multiplications(work).to_bits(),
            Amount::Additions(n) => arithmetic::additions(*n).to_bits(),
            Amount::Conversions(n) => arithmetic::conversions(*n).to_bits(),
            Amount::Sines(n) => arithmetic::sines(*n).to_bits(),
            Amount::Pages(work) => self.pages.touch(work),
            Amount::Writes(work) => self.files.write(work),
            Amount::Allocations(work) => system::allocations(work),
            Amount::Bound(work) => bound(work),
            Amount::Placed(work) => {
                let (result, remote) = placed(work);
                remote_pages = remote;
                result
            }
        };
        checksum::add_amount(amount, result);
        self.result = black_box(self.result.rotate_left(1) ^ result);
        remote_pages
    }

    pub(crate) fn checksum(&self) -> u64 {
        self.accesses.checksum() ^ self.result
    }
}
