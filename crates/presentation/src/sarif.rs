//! SARIF 2.1.0, as code scanners and editors read it.

mod explanation;
mod log;
mod score;

pub use explanation::sarif_of_explanation;
pub use score::sarif;
