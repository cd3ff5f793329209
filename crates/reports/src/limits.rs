//! Limits of a report, past which it is refused: more than any real one, less than a machine's memory.

/// Bytes of a file that is read into memory, or of all files of a folder.
pub(crate) const FILE: u64 = 1 << 30;

/// Bytes of an archive; no more than a few of its rows are in memory.
pub(crate) const ARCHIVE: u64 = 1 << 36;

/// Bytes of the anchor of an archive, also after decompression: those of a million regions and call paths are a quarter.
pub(crate) const ANCHOR: usize = 1 << 30;

/// Bytes of a text, of XML or of JSON, also after decompression.
pub(crate) const TEXT: usize = 1 << 27;

/// Files in a folder, and entries in an archive.
pub(crate) const ENTRIES: usize = 1 << 18;

/// The largest ratio of an XML document's size to its compressed size, beyond the first mebibyte.
pub(crate) const RATIO: usize = 200;

/// Frames of a call path, and nested elements of XML.
pub(crate) const DEPTH: usize = 2_000;

/// Metrics of a report.
pub(crate) const METRICS: usize = 1 << 10;

/// Call paths, and locations, of a report.
pub(crate) const NODES: usize = 1 << 20;

/// Bytes that demangling may add to a name.
pub(crate) const DEMANGLED: usize = 1 << 14;

/// Values of one metric, over all call paths and locations.
pub(crate) const VALUES: usize = 1 << 26;

/// Values of all metrics of a report that are in memory beside time, visits and waits; others are read when they are used.
pub(crate) const COLUMNS: usize = 1 << 20;

/// Bytes of the results read from a report: names, call paths, shares.
pub(crate) const RESULT: usize = 1 << 29;

/// Lines about one thing in [`ats_documents::Report::warnings`], and names in a line.
pub(crate) const WARNINGS: usize = 5;
