//! The file names of TAU's profiles.

use std::path::Path;

/// The prefix of the folders of metrics.
pub(crate) const METRIC_FOLDER: &str = "MULTI__";

/// The node, context and thread of a `profile.N.C.T`.
pub(crate) fn location(path: &Path) -> Option<(u32, u32, u32)> {
    let name = path.file_name()?.to_str()?;
    let mut numbers = name.strip_prefix("profile.")?.split('.').map(str::parse);
    let location = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    numbers.next().is_none().then_some(location)
}
