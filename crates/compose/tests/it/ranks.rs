//! Texts that name ranks.

use ats_compose::Ranks;

fn members(text: &str) -> Vec<usize> {
    let ranks: Ranks = text.parse().unwrap();
    assert_eq!(ranks.to_string().parse(), Ok(ranks.clone()), "{text}");
    (0..20).filter(|&rank| ranks.contains(rank)).collect()
}

#[test]
fn ranges_strides_and_colours_name_ranks() {
    assert_eq!(members("3"), [3]);
    assert_eq!(members("0-3, 9"), [0, 1, 2, 3, 9]);
    assert_eq!(members("1-8:3"), [1, 4, 7]);
    assert_eq!(members("2%7"), [2, 9, 16]);
    assert_eq!("1-8:3".parse::<Ranks>().unwrap().highest(), Some(7));
    assert_eq!("2%7".parse::<Ranks>().unwrap().highest(), None);
}

#[test]
fn a_wrong_set_of_ranks_is_refused_with_the_accepted_forms() {
    for text in ["", "a", "3-1", "-3", "0-7:0", "0-7:", "1,,2", "0-7:2:2", "1-", "2147483648"] {
        let error = text.parse::<Ranks>().unwrap_err();
        assert!(error.ends_with("names no ranks; write 3, 0-7, 0-14:2 or 1%3, joined by commas"), "{error}");
    }
    for text in ["3%3", "1%0", "%2", "1%2%3"] {
        let error = text.parse::<Ranks>().unwrap_err();
        assert!(error.contains("is not a valid colour; write color%colors"), "{error}");
    }
}
