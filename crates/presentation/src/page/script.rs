//! The script of the page, joined from its parts.

/// Joins parts, which share one scope: a part uses only names of parts above it while it is loaded.
macro_rules! joined {
    ($($part:literal),* $(,)?) => {
        concat!("\"use strict\";\n(() => {\n", $(include_str!(concat!("script/", $part)),)* "})();\n")
    };
}

/// The script. Each part is a script of its own that can be parsed alone.
pub(super) const SCRIPT: &str = joined![
    "common.js",
    "colours.js",
    "scorecard.js",
    "experiments.js",
    "trees.js",
    "timeline/layout.js",
    "timeline/rows.js",
    "timeline/beside.js",
    "timeline/painter.js",
    "timeline/moves.js",
    "timeline/pointer.js",
    "timeline.js",
    "problems.js",
    "comparison.js",
    "profile.js",
    "processes.js",
    "causes.js",
    "address.js",
];
