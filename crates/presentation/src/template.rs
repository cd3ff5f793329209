//! Templates of markup.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, HtmlEscape, Value};

/// The environment of templates: text is escaped, a line with nothing but a block leaves nothing, and `breakable` is a filter.
pub(crate) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("the usual delimiters"));
    environment.add_filter("breakable", breakable);
    environment
}

/// A name that may be broken after its underscores.
fn breakable(name: &str) -> Value {
    let parts: Vec<String> = name.split('_').map(|part| HtmlEscape(part).to_string()).collect();
    Value::from_safe_string(parts.join("_<wbr>"))
}
