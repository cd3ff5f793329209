//! A limit on what the definitions of a file may take in memory.

use super::cursor::{Cause, Fault};
use super::definitions::GlobalDefinitions;

/// The bytes that may be copied out of a file of some size: a hostile one could name one long string a million times.
pub(super) struct Budget {
    left: usize,
    file_bytes: usize,
}

impl Budget {
    pub(super) fn of_file(file_bytes: usize) -> Self {
        Budget { left: (1 << 20) + 256 * file_bytes, file_bytes }
    }

    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            let what = "its definitions repeat one name or group beyond all measure";
            Fault::new(self.file_bytes as u64, Cause::Bad(what))
        })?;
        Ok(())
    }

    /// The string with this id; empty if there is none.
    pub(super) fn text(&mut self, raw: &GlobalDefinitions<'_>, id: u32) -> Result<String, Fault> {
        let bytes = raw.strings.get(&id).copied().unwrap_or_default();
        self.spend(bytes.len())?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}
