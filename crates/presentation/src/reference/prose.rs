//! The doc comments of properties as HTML. They have paragraphs, names in backticks and fenced drawings.

use minijinja::{HtmlEscape, Value};

/// The text as HTML; `link` gives the address of what a name in backticks stands for, if it has a page.
pub(super) fn html(doc: &str, link: &dyn Fn(&str) -> Option<String>) -> Value {
    let mut html = String::new();
    // A fence has its text between two others.
    for (number, part) in doc.split("```").enumerate() {
        if number % 2 == 1 {
            let drawing = part.split_once('\n').map_or(part, |(_, drawing)| drawing).trim_end();
            html += &format!("<pre class=\"wide\">{}</pre>\n", HtmlEscape(drawing));
        } else {
            let paragraphs = part.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
            html.extend(paragraphs.map(|text| format!("<p>{}</p>\n", spans(text, link))));
        }
    }
    Value::from_safe_string(html)
}

/// A sentence with its names marked, without links.
pub(super) fn marked(text: &str) -> Value {
    Value::from_safe_string(spans(text, &|_| None))
}

/// A paragraph with its names marked, and linked where they have a page.
fn spans(text: &str, link: &dyn Fn(&str) -> Option<String>) -> String {
    let span = |(number, part): (usize, &str)| {
        let text = HtmlEscape(part);
        match (number % 2 == 1).then(|| link(part)) {
            None => text.to_string(),
            Some(None) => format!("<code>{text}</code>"),
            Some(Some(address)) => format!("<a href=\"{}\"><code>{text}</code></a>", HtmlEscape(&address)),
        }
    };
    text.split('`').enumerate().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn drawings_stay_as_they_are_and_text_is_no_markup() {
        let link = |name: &str| (name == "late_sender").then(|| "late_sender.html".to_owned());
        let doc = "Like `late_sender`, with `a < b` & c.\n\n```text\n0 ├─ <x>\n1 │\n```\n\nThe <end>.";
        assert_eq!(
            html(doc, &link).to_string(),
            "<p>Like <a href=\"late_sender.html\"><code>late_sender</code></a>, with <code>a &lt; b</code> &amp; c.</p>\n\
             <pre class=\"wide\">0 ├─ &lt;x&gt;\n1 │</pre>\n<p>The &lt;end&gt;.</p>\n"
        );
    }
}
