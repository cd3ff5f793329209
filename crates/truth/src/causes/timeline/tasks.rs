//! The time that a thread spends in explicit tasks of its team.

/// The explicit tasks of a thread in a team.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// Whether the thread has switched to one.
    is_in_one: bool,
    /// Regions of tasks around it.
    regions: u32,
    /// Since when it is in one.
    since: Option<u64>,
    /// Ticks in those before.
    before: u64,
}

impl Tasks {
    pub(super) fn switch(&mut self, time: u64, is_explicit: bool) {
        self.is_in_one = is_explicit;
        self.note(time);
    }

    pub(super) fn enter(&mut self, time: u64) {
        self.regions += 1;
        self.note(time);
    }

    pub(super) fn leave(&mut self, time: u64) {
        self.regions = self.regions.saturating_sub(1);
        self.note(time);
    }

    fn note(&mut self, time: u64) {
        self.before = self.ticks(time);
        self.since = (self.is_in_one || self.regions > 0).then_some(time);
    }

    /// Ticks in explicit tasks up to now.
    pub(super) fn ticks(&self, now: u64) -> u64 {
        self.before + self.since.map_or(0, |since| now.saturating_sub(since))
    }
}
