//! Parts of findings, as cases have them.

/// Seconds that a location makes others wait in a finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The finding, by its index.
    pub(super) finding: usize,
    /// The call path that is late, by its number among the root causes; none if it is not known.
    pub(super) path: Option<u32>,
    /// The location that is late, if it is known.
    pub(super) unit: Option<u32>,
    /// Seconds that are waited for its work.
    pub(super) direct: f64,
    /// Seconds that are waited because it has waited itself.
    pub(super) indirect: f64,
}

impl Part {
    pub(super) fn seconds(&self) -> f64 {
        self.direct + self.indirect
    }
}
