//! Reads the reports of other tools into our documents, and writes a profile of ours as one of them does ([`cubex`]).
//!
//! [`read`] recognises a report by its content and returns an [`ats_documents::Report`]: the wait states that the tool
//! names, and the time of each call. A profile names no wait states; its results are in the calls. [`Format`] lists what
//! is read.
//!
//! ```
//! use ats_reports::Format;
//! let text = b"@ mpiP\n@ Version : 3.5.0\n\
//!     -----\n@--- MPI Time (seconds) ---\n-----\n\
//!     Task    AppTime    MPITime     MPI%\n   0      4.416      2.007    45.46\n\
//!     -----\n@--- Callsites: 1 ---\n-----\n ID Lev File/Address Line Parent_Funct MPI_Call\n  1   0 heat.c 17 main Recv\n\
//!     -----\n@--- Callsite Time statistics (all, milliseconds): 1 ---\n-----\n\
//!     Name Site Rank Count Max Mean Min App% MPI%\nRecv 1 0 10 50.1 50.0 49.9 11.33 24.94\n";
//! let report = ats_reports::parse("heat.mpiP".as_ref(), text.to_vec(), None)?;
//! assert_eq!(report.tool, Format::Mpip.tools()[0]);
//! assert_eq!(report.calls[0].call_path, ["main", "MPI_Recv"]);
//! assert_eq!(report.calls[0].locations[0].inclusive_time, 0.5);
//! # Ok::<(), ats_reports::ReportError>(())
//! ```
//!
//! Reports come from anywhere. Sizes are limited before memory is taken, an archive is read in place by the names of
//! its entries, nothing recurses on the input's depth, and an error about refused input names its file and place.

mod analysis;
mod archive;
mod caliper;
mod content;
mod counted;
mod cube;
mod draft;
mod error;
mod input;
mod limits;
mod mpip;
mod names;
mod number;
mod perf;
mod profiles;
mod reader;
pub mod source;
mod table;
mod tau;
mod valgrind;
mod written;

use std::fmt;
use std::path::Path;

use ats_documents::{Profile, Report};

pub use cube::write::{Stored, cubex};
pub use error::{At, Place, ReportError};
use input::Input;
pub use names::region as region_name;
use reader::Reader;
pub use table::csv;

/// Defines [`Format`] from the reader of each.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident = $reader:path),* $(,)?) => {
        ats_model::listed! {
            /// A kind of report.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub enum Format {
                $($(#[$doc])* $format),*
            }
        }

        impl Format {
            fn reader(self) -> &'static Reader {
                match self {
                    $(Self::$format => &$reader),*
                }
            }
        }
    };
}

formats! {
    /// CUBE 4, one `.cubex` file: profiles of Score-P, TAU, Extra-P's tools and [`cubex`]; trace reports of Scalasca,
    /// which name wait states.
    Cube = cube::READER,
    /// The text report of mpiP, a profile.
    Mpip = mpip::READER,
    /// A folder of the `profile.N.C.T` of TAU or APEX, or one of them.
    Tau = tau::READER,
    /// Caliper's `json-split`, a profile.
    CaliperJson = caliper::json_split::READER,
    /// Caliper's own `.cali`, a profile.
    Cali = caliper::cali::READER,
    /// Valgrind's `cachegrind.out`: simulated instructions, branches and caches by function.
    Cachegrind = valgrind::cachegrind::READER,
    /// Valgrind's `callgrind.out`: the same, in the regions that the program marks.
    Callgrind = valgrind::callgrind::READER,
    /// The output of `perf stat -j`: numbers of the whole program.
    PerfStat = perf::READER,
    /// Our analyzer's document, `ats-analysis/1`.
    Analysis = analysis::READER,
    /// `ats-report/1`, the document for any tool.
    Report = written::READER,
    /// The same as a table, `property,call path,rank,thread,seconds`.
    Csv = table::READER,
}

impl Format {
    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        self.reader().name
    }

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The tools that [`Report::tool`] may name; a report in our own format names any, or none.
    pub fn tools(self) -> &'static [&'static str] {
        self.reader().tools
    }

    fn recognises(self, input: &Input) -> bool {
        (self.reader().recognises)(input)
    }

    fn read(self, input: &Input) -> Result<Report, ReportError> {
        (self.reader().read)(input)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads a report in the given format, or in the one that its content shows.
///
/// # Errors
///
/// If it cannot be read, is not of the format, is damaged, or is refused; see [`ReportError`].
pub fn read(path: &Path, format: Option<Format>) -> Result<Report, ReportError> {
    read_input(&Input::open(path)?, format)
}

/// Reads the profile of a run from a report of any kind: the result of [`read`] as a profile, and from a report of Cube
/// also minima, maxima, counts by call path and location, and the places of regions. Those that count and measure no time
/// have their counts.
///
/// # Errors
///
/// As [`read`].
pub fn profile(path: &Path) -> Result<Profile, ReportError> {
    let input = Input::open(path)?;
    match format_of(&input)? {
        Format::Cube => cube::profile(&input),
        Format::Cachegrind => valgrind::cachegrind::profile(&input),
        Format::Callgrind => valgrind::callgrind::profile(&input),
        Format::PerfStat => perf::profile(&input),
        format => format.read(&input).map(Profile::from),
    }
}

/// Reads a report that is in memory. `name` stands for its file; that of a `profile.N.C.T` has its location.
///
/// # Errors
///
/// As [`read`].
pub fn parse(name: &Path, bytes: Vec<u8>, format: Option<Format>) -> Result<Report, ReportError> {
    read_input(&Input::from_bytes(name, bytes), format)
}

/// The format that the content of a file or folder shows.
///
/// # Errors
///
/// If it cannot be read, or shows none.
pub fn recognise(path: &Path) -> Result<Format, ReportError> {
    format_of(&Input::open(path)?)
}

fn format_of(input: &Input) -> Result<Format, ReportError> {
    let recognised = Format::ALL.into_iter().find(|format| format.recognises(input));
    recognised.ok_or_else(|| ReportError::Unknown { file: input.path.clone(), found: input.found() })
}

fn read_input(input: &Input, format: Option<Format>) -> Result<Report, ReportError> {
    let format = match format {
        Some(format) if !format.recognises(input) => {
            return Err(ReportError::Other { file: input.path.clone(), format, found: input.found() });
        }
        Some(format) => format,
        None => format_of(input)?,
    };
    format.read(input)
}
