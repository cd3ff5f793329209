//! Files of drawings.

use std::path::{Path, PathBuf};

/// The name of a file that a command draws into.
pub(crate) fn svg(text: &str) -> Result<PathBuf, String> {
    let is_svg = Path::new(text).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(text.into()) } else { Err("the drawing is SVG; end the name with .svg".to_owned()) }
}
