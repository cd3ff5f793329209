//! Regions in which the recorder did not record.

use super::{Profile, ProfiledRegion};

impl Profile {
    /// The region that a location is in while the recorder has stopped, as Score-P calls it.
    pub const RECORDING_OFF: &str = "MEASUREMENT OFF";

    /// The region that a location is in while the recorder writes its buffers, as Score-P calls it.
    pub const BUFFER_FLUSH: &str = "TRACE BUFFER FLUSH";
}

impl ProfiledRegion {
    /// Whether the recorder had stopped in it, or wrote its buffers.
    pub fn is_of_recorder(&self) -> bool {
        [Profile::RECORDING_OFF, Profile::BUFFER_FLUSH].contains(&self.name.as_str())
    }
}
