//! Numbers with units of time.

use ats_distr::parse_number;

#[test]
fn units_give_the_very_number_one_would_write_in_seconds() {
    for (text, seconds) in [
        ("10ms", 0.01),
        ("50us", 0.00005),
        ("50\u{b5}s", 0.00005),
        ("50\u{3bc}s", 0.00005),
        ("3ns", 3e-9),
        ("1s", 1.0),
        ("1.5 min", 90.0),
        ("2h", 7200.0),
        ("1e3", 1000.0),
        ("1e3ms", 1.0),
        (" .5 ", 0.5),
        ("-2ms", -0.002),
    ] {
        assert_eq!(parse_number(text), Ok(seconds), "{text}");
    }
}

#[test]
fn names_a_wrong_number() {
    for (text, message) in [
        ("", "`` is not a number; write for example 0.05, 50ms or 20us"),
        ("abc", "`abc` is not a number; write for example 0.05, 50ms or 20us"),
        ("ms", "`ms` is not a number; write for example 0.05, 50ms or 20us"),
        ("1,5", "`1,5` is not a number; write for example 0.05, 50ms or 20us"),
        ("5kg", "`5kg` has the unknown unit `kg`; units are ns, us, ms, s, min and h"),
        ("NaN", "`NaN` is not a finite number"),
        ("-inf", "`-inf` is not a finite number"),
        ("1e400", "`1e400` is not a finite number"),
        ("1e308h", "`1e308h` is not a finite number"),
    ] {
        assert_eq!(parse_number(text).unwrap_err().to_string(), message);
    }
}
