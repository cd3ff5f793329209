//! Templates of markup.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment};

/// The environment of templates: text is escaped, and a line with nothing but a block leaves nothing.
pub(crate) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("the usual delimiters"));
    environment
}
