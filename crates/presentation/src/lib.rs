//! Shows results: tables, pages and files that other programs read.
//!
//! - [`text`]: tables for terminals.
//! - For a [`Score`](ats_documents::Score): [`junit()`] for CI systems, [`sarif()`] for code scanners and
//!   editors, [`csv()`] for spreadsheets, [`markdown()`] for people.
//! - For an [`Explanation`](ats_documents::Explanation): [`sarif_of_explanation()`].
//! - For several scores: [`scoreboard()`] as Markdown.
//! - For a trace: [`timeline()`] is its picture as a model, which [`draw_svg()`] and [`draw_text()`] draw for slides
//!   and terminals; [`chrome_trace()`] and [`speedscope()`] are files for the viewers of these names.
//! - For a profile: [`stacks()`] for flame graphs; and for its call graphs, [`dot()`] for Graphviz.
//! - [`Sources`]: the source files of regions, as far as they can be read.
//! - For experiments: [`Compared`], time and speed-up of their regions; [`severities_svg()`] draws how severe a property
//!   is over their sizes, [`prediction_svg()`] predicted times.
//! - [`reference()`]: the catalogue as pages that link to each other.
//! - [`page()`]: everything together as one HTML file that needs nothing else.
//!
//! Nothing here judges or measures; all that is shown comes from documents and from the events of [`ats_model`].

mod calls;
mod causes;
mod chrome;
mod communication;
mod csv;
mod curves;
mod differences;
mod dot;
mod drawing;
mod factors;
mod gains;
mod junit;
mod machine;
mod markdown;
mod page;
mod place;
mod predicted;
mod printable;
mod reference;
mod sarif;
mod scoreboard;
mod severities;
mod sources;
mod speed_up;
mod speedscope;
mod stacks;
mod stamps;
mod template;
pub mod text;
mod timeline;
mod traits;
mod words;

pub use chrome::chrome_trace;
pub use communication::communication;
pub use csv::csv;
pub use dot::dot;
pub use drawing::{svg as draw_svg, text as draw_text};
pub use factors::efficiencies_svg;
pub use junit::{junit, junit_of_gate};
pub use machine::sentences as machine_sentences;
pub use markdown::markdown;
pub use page::{ComparedRuns, Found, Moment, Page, Program, Tool, page};
pub use predicted::prediction_svg;
pub use reference::{Described, Picture, Reference, ReferenceRow, Source, Twin, reference};
pub use sarif::{sarif, sarif_of_explanation};
pub use scoreboard::scoreboard;
pub use severities::severities_svg;
pub use sources::Sources;
pub use speed_up::Compared;
pub use speedscope::speedscope;
pub use stacks::stacks;
pub use timeline::{
    Bar, Collective, Detail, Kind, Limits, MarkedWait, Message, Part, RegionName, Row, Timeline, Window,
    timeline, timeline_of,
};
pub use words::{definition, title};
