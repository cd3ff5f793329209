//! Lines that are not too long.

/// The longest line.
pub(crate) const WIDTH: usize = 110;

/// The indentation of a block.
pub(crate) fn pad(depth: usize) -> String {
    "    ".repeat(depth)
}

/// A list between a head and a tail, in as many lines as it takes; `mark` ends each line that continues.
pub(crate) fn broken(head: &str, items: &[String], tail: &str, mark: &str) -> String {
    let width = |text: &str| text.chars().count();
    let deepest = WIDTH / 2;
    let indent =
        if width(head) <= deepest { width(head) } else { width(head) - width(head.trim_start()) + 4 };
    let mut text = head.to_owned();
    let mut column = width(head);
    for (at, item) in items.iter().enumerate() {
        let last = at + 1 == items.len();
        let item = format!("{item}{}", if last { tail } else { "," });
        let space = usize::from(at > 0);
        if at > 0 && column + space + width(&item) + width(mark) > WIDTH {
            text += &format!("{mark}\n{}", " ".repeat(indent));
            column = indent;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text += &item;
        column += width(&item);
    }
    if items.is_empty() {
        text += tail;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_goes_on_below_its_beginning() {
        let items: Vec<_> = (0..40).map(|number| number.to_string()).collect();
        let text = broken("  call f(", &items, ")", " &");
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() > 1, "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("         ")), "{text}");
        assert!(text.lines().next().unwrap().ends_with(" &") && text.ends_with("39)"), "{text}");
        assert_eq!(broken("f(", &[], ");", ""), "f();");
    }
}
