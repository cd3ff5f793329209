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

#[cfg(test)]
mod tests {
    use super::location;

    #[test]
    fn files_tell_their_location() {
        assert_eq!(location("a/profile.3.0.12".as_ref()), Some((3, 0, 12)));
        for name in
            ["profile.cubex", "profile.3.0", "profile.3.0.1.2", "profile.-1.0.0", "profile.3.0.99999999999"]
        {
            assert_eq!(location(name.as_ref()), None, "{name}");
        }
    }
}
