//! Signatures of C++ functions, as debugging information and linkers have them, in words that fit into a sentence.

use std::borrow::Cow;

/// A signature without the arguments of templates, parameters, and the type that it returns; other names as they are.
///
/// ```
/// use ats_model::signature::short;
/// let name = "void exchange<CSRMatrix<double, int> >(CSRMatrix<double, int>&)";
/// assert_eq!(short(name), "exchange<…>(…)");
/// assert_eq!(short("CG(SparseMatrix const&, int)"), "CG(…)");
/// assert_eq!(short("solve (1)"), "solve (1)");
/// ```
pub fn short(name: &str) -> Cow<'_, str> {
    if name.starts_with("!$") || !name.contains(['<', '(']) {
        return Cow::Borrowed(name);
    }
    let (mut text, mut rest) = (String::new(), name);
    // The begin of the function's name after the type that it returns, which only instances of templates have.
    let (mut begin, mut is_template, mut has_parameters) = (0, false, false);
    while let Some(letter) = rest.chars().next() {
        let after_name = text.ends_with(|last: char| last.is_alphanumeric() || "_>)}".contains(last));
        let is_operator = text.ends_with("operator");
        let closing = match letter {
            '<' if after_name && !is_operator => '>',
            '(' if after_name && !is_operator => ')',
            _ => {
                let symbol = if is_operator { operator(rest) } else { letter.len_utf8() };
                let is_apart = letter == ' ' && !is_operator && !has_parameters;
                text += &rest[..symbol];
                rest = &rest[symbol..];
                if is_apart && !text.contains("operator") {
                    begin = text.len();
                }
                // That of an anonymous namespace.
                if letter == '(' && !is_operator {
                    let Some(end) = rest.find(')') else { return Cow::Borrowed(name) };
                    text += &rest[..=end];
                    rest = &rest[end + 1..];
                }
                continue;
            }
        };
        let Some(end) = end(rest) else { return Cow::Borrowed(name) };
        let inside = if end > 1 { "…" } else { "" };
        text += &format!("{letter}{inside}{closing}");
        rest = &rest[end + 1..];
        is_template |= letter == '<' && !has_parameters;
        has_parameters |= letter == '(';
    }
    Cow::Owned(if is_template && has_parameters { text.split_off(begin) } else { text })
}

/// The length of the symbol of an operator at the begin of a text.
fn operator(text: &str) -> usize {
    if text.starts_with("()") {
        return 2;
    }
    let symbol = text.find(|letter: char| !"<>=-".contains(letter)).unwrap_or(text.len());
    symbol.max(text.chars().next().map_or(0, char::len_utf8))
}

/// The place of the bracket that closes the one at the begin of a text.
fn end(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '<' | '(' => depth += 1,
            '>' if text[..at].ends_with('-') => {}
            '>' | ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn signatures_are_shortened_and_other_names_are_not() {
        let pairs = [
            ("std::vector<double, std::allocator<double> >::size()", "std::vector<…>::size()"),
            ("bool A::f<int>(A::T<int>::U, int (*)(char))", "A::f<…>(…)"),
            ("A::Traits<B<int> >::type A::dot<B<int> >(B<int> const&)", "A::dot<…>(…)"),
            ("CommSBN(Domain&, int, double& (Domain::**)(int))", "CommSBN(…)"),
            ("(anonymous namespace)::relax(double*)", "(anonymous namespace)::relax(…)"),
            (
                "run(int)::{lambda(int)#1}::operator()(int) const",
                "run(…)::{lambda(…)#1}::operator()(…) const",
            ),
            ("std::ostream& operator<< <int>(std::ostream&, V<int>)", "std::ostream& operator<< <int>(…)"),
            ("operator new(unsigned long)", "operator new(…)"),
            ("V::operator->()", "V::operator->()"),
            ("F<(A)1>::f(int)", "F<…>::f(…)"),
            ("clover_module::clover_exchange", "clover_module::clover_exchange"),
            ("!$omp parallel @dot<int>.hpp:4", "!$omp parallel @dot<int>.hpp:4"),
            ("phase (1)", "phase (1)"),
            ("a < b", "a < b"),
            ("f(int", "f(int"),
            ("f<int", "f<int"),
            ("work(", "work("),
            ("", ""),
        ];
        for (name, words) in pairs {
            assert_eq!(short(name), words);
        }
    }
}
