//! Remarks about a calibration that a caller should print for its user.

use std::fmt;
use std::path::PathBuf;

use crate::machine::Machine;

/// Why a calibration was measured anew, or could not be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There was none.
    Missing {
        /// The path that was searched.
        path: PathBuf,
    },
    /// The file cannot be read, or is not a calibration of this version.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The error.
        reason: String,
    },
    /// It was made on another machine, or this machine has changed.
    Foreign {
        /// The file.
        path: PathBuf,
        /// The machine it is of.
        found: Box<Machine>,
        /// This machine.
        here: Box<Machine>,
    },
    /// It is too old, or no longer true.
    Stale {
        /// The file.
        path: PathBuf,
        /// Why it is stale.
        reason: String,
    },
    /// The new calibration is used, but the next process must measure again.
    NotStored {
        /// The file.
        path: PathBuf,
        /// Why it could not be written.
        reason: String,
    },
    /// There is no folder to keep a calibration in.
    NoPlace,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Notice::Missing { path } => {
                write!(f, "this machine was not calibrated yet; calibrated now ({})", path.display())
            }
            Notice::Damaged { path, reason } => {
                write!(f, "the calibration {} is damaged: {reason}; calibrated anew", path.display())
            }
            Notice::Foreign { path, found, here } => write!(
                f,
                "the calibration {} is of {found}, but this is {here}; calibrated anew",
                path.display()
            ),
            Notice::Stale { path, reason } => {
                write!(f, "the calibration {} is stale: {reason}; calibrated anew", path.display())
            }
            Notice::NotStored { path, reason } => write!(
                f,
                "the calibration cannot be stored in {}: {reason}; set ATS_CALIBRATION to a path that can be written",
                path.display()
            ),
            Notice::NoPlace => f.write_str(
                "the calibration cannot be stored: set ATS_CALIBRATION to a path that can be written, or HOME",
            ),
        }
    }
}
