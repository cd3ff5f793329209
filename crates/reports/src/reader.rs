//! The row that the module of each format provides.

use ats_documents::Report;

use crate::ReportError;
use crate::input::Input;

/// The reader of a format.
pub(crate) struct Reader {
    /// The format's name on a command line.
    pub(crate) name: &'static str,
    /// The tools that write the format.
    pub(crate) tools: &'static [&'static str],
    /// Tells whether the content is in this format; true of no other format's reports.
    pub(crate) recognises: fn(&Input) -> bool,
    /// Reads a recognised report.
    pub(crate) read: fn(&Input) -> Result<Report, ReportError>,
}
