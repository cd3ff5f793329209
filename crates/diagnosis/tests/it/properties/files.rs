use super::common::{HEAD, of_rows, own, reasons, severity, with};

/// Checks that a file is refused with these words.
#[track_caller]
fn assert_refused(text: &str, words: &str) {
    let error = with(text).err().unwrap_or_else(|| panic!("accepted:\n{text}"));
    assert!(error.contains(words), "{error}, and not {words}, of\n{text}");
}

/// Checks that a property with this severity, which is in line 5, is refused with these words.
#[track_caller]
fn assert_severity_refused(severity: &str, words: &str) {
    assert_refused(&own(&format!("severity = '{severity}'")), words);
}

#[test]
fn mistakes_in_expressions_have_places() {
    for (severity, said) in [
        ("max(parallel.time) + 1", "own.toml:5:32: it adds numbers in s and 1; convert one of them"),
        ("1 - max(parallel.time)", "own.toml:5:15: it subtracts numbers in 1 and s"),
        ("max(parallel.time)", "own.toml:5:13: severity is a number without a unit, and this is in s"),
        ("parallel.time / basis.time", "own.toml:5:13: it has a number for each unit; take one of them"),
        ("parallel.tme", "own.toml:5:21: there is no amount `tme`; did you mean time?"),
        (
            "parallel[\"own metric\"]",
            "if it is a metric of your own, declare its unit, as in [units] own metric = \"s\"",
        ),
        ("paralel.units", "own.toml:5:13: there is no `paralel` here; did you mean parallel?"),
        ("sequential.time", "there is no `sequential` here; there are s, bytes, count, parallel, basis"),
        ("maxi(parallel.time)", "own.toml:5:13: there is no function `maxi`; did you mean max?"),
        ("mean(parallel.time, 1)", "`mean` has other arguments; write mean(numbers)"),
        ("max(basis.time)", "it is a single number; only numbers of several units have a maximum or mean"),
        ("1 +", "own.toml:5:16: the expression is not complete"),
        ("1 1", "own.toml:5:15: it is not an expression:"),
        ("if true { 1 } else { 0 }", "it is not an expression:"),
        ("let x = 1; x", "it is not an expression:"),
        ("loop { }", "it is not an expression:"),
        ("", "own.toml:5:14: the expression is not complete"),
        ("1 < 2", "it has to be a number, and is true or false"),
        ("parallel", "it has to be a number, and is all amounts of a region"),
        ("\"a\"", "it has to be a number, and is a text"),
        ("parallel + 1", "own.toml:5:22: `+` is for numbers"),
    ] {
        assert_severity_refused(severity, said);
    }
}

#[test]
fn numbers_end_where_they_cannot_go_on() {
    let value = |severity: &str| {
        let own = own(&format!("severity = '{severity}'"));
        let diagnosis = of_rows(&with(&own).unwrap(), "a,f,s,time,8\n");
        self::severity(&diagnosis, "Own", "f").ok_or_else(|| reasons(&diagnosis, "Own"))
    };
    for (text, severity) in
        [("25 / 100", 0.25), ("0.8", 0.8), ("1e9 / 2e9", 0.5), ("1.5E-3", 0.0015), ("2e+1 / 100", 0.2)]
    {
        assert_eq!(value(text), Ok(severity), "{text}");
    }
    assert_eq!(value("1 / 1e999"), Err(vec![("a number is too large to compute with".to_owned(), 1)]));
    for text in ["1.e", "1e"] {
        assert_severity_refused(text, "own.toml:5:14: it is not an expression:");
    }
}

#[test]
fn texts_have_escapes_and_an_end() {
    let of_metric = format!(
        "{HEAD}units = {{ 'a\"\\ b' = \"s\" }}\n[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\n\
         severity = 'max(parallel[\"a\\\"\\\\ b\"])'\n"
    );
    assert_refused(&of_metric, "own.toml:6:13: severity is a number without a unit, and this is in s");
    for severity in ["1 + \"ä", "1 + \"\\"] {
        assert_severity_refused(severity, "own.toml:5:17: a text has no end; write a `\"` after it");
    }
}

#[test]
fn signs_are_as_long_as_they_can_be() {
    assert_severity_refused("1<=!true", "own.toml:5:14: `<=` is for numbers");
    for (severity, sign) in [("1 § 2", '§'), ("a & b", '&')] {
        let said = format!("own.toml:5:15: it is not an expression: `{sign}` has no meaning in one");
        assert_severity_refused(severity, &said);
    }
}

#[test]
fn units_are_quotients_of_products() {
    let in_unit = |unit: &str| format!("severity is a number without a unit, and this is in {unit}");
    for unit in ["s", "bytes/s", "1/count"] {
        let own = format!(
            "{HEAD}units = {{ x = \"{unit}\" }}\n[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\n\
             severity = 'max(parallel.x)'\n"
        );
        assert_refused(&own, &in_unit(unit));
    }
    for (severity, unit) in [
        ("max(parallel.time) * max(parallel.time)", "s^2"),
        ("1 / max(parallel.visits)", "1/count"),
        ("max(parallel.visits) / s", "count/s"),
    ] {
        assert_severity_refused(severity, &in_unit(unit));
    }
    let plain = format!(
        "{HEAD}units = {{ x = \"1\" }}\n[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\n"
    );
    assert!(with(&format!("{plain}severity = 'max(parallel.x)'\n")).is_ok());
}

#[test]
fn long_deep_and_slow_expressions_are_refused() {
    let long = format!("1{}", " + 1".repeat(600));
    assert_severity_refused(&long, "own.toml:5:13: an expression has at most 2000 bytes, and this one 2401");
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    assert_severity_refused(&deep, "it is more than 32 levels deep, of brackets or of terms in a row");
    let slow = vec![format!("(1{})", "+1".repeat(11)); 12].join("+");
    assert_severity_refused(&slow, "own.toml:5:");
    assert_severity_refused(&slow, "it takes more than 200 steps");
}

#[test]
fn mistakes_in_files_have_places() {
    for (text, said) in [
        ("[[property]", "own.toml:1:"),
        ("# Nothing.\n", "own.toml:1:1: missing field `schema`"),
        (
            "schema = \"ats-properties/2\"\n",
            "own.toml:1:11: its schema is `ats-properties/2`, and not ats-properties/1",
        ),
        (
            "schema = \"ats-properties/1\"\n[[property]]\nname = \"A\"\nseveritty = \"1\"\n",
            "own.toml:4:1: unknown field `severitty`, expected one of",
        ),
        (
            "schema = \"ats-properties/1\"\noff = [\"LateSendr\"]\n",
            "own.toml:2:9: there is no property `LateSendr`; did you mean LateSender?",
        ),
        (
            "schema = \"ats-properties/1\"\n[units]\nx = \"ms\"\n",
            "own.toml:3:6: `ms` is not a unit; write s, bytes",
        ),
        ("schema = \"ats-properties/1\"\n[units]\nloss = \"bytes\"\n", "own.toml:3:9: loss is in s already"),
    ] {
        assert_refused(text, said);
    }
}

#[test]
fn mistakes_in_properties_have_places() {
    for (keys, said) in [
        ("severity = \"1\"", "own.toml:3:9: say what an instance is made of: of = [\"region\", \"unit\"]"),
        ("of = [\"unit\"]\nseverity = \"1\"", "own.toml:4:8: say what an instance is made of"),
        ("of = [\"region\", \"units\"]\nseverity = \"1\"", "own.toml:4:18: an instance has no `units`"),
        ("of = [\"region\", \"unit\"]", "own.toml:3:9: it has no severity"),
        (
            "of = [\"region\", \"unit\"]\nover = [\"Inefficiency\"]\nseverity = \"1\"",
            "whose instances are larger than its own",
        ),
        (
            "template = \"LoadImbalanc\"",
            "own.toml:4:13: there is no template `LoadImbalanc`; did you mean LoadImbalance?",
        ),
        ("template = \"LoadImbalance\"", "own.toml:4:13: it lacks amount; write with = { amount = \"…\" }"),
        (
            "template = \"LoadImbalance\"\nwith = { amuont = \"1\" }",
            "LoadImbalance has no parameter `amuont`; did you mean amount?",
        ),
        ("with = { amount = \"1\" }", "`with` is for the parameters of a template"),
        (
            "of = [\"region\", \"parallel\"]\nseverity = \"1\"\nover = [\"Own\"]",
            "own.toml:6:10: Own is over itself",
        ),
    ] {
        assert_refused(&format!("{HEAD}[[property]]\nname = \"Own\"\n{keys}\n"), said);
    }
    for (keys, said) in [
        ("explains = [\"Ineficiency\"]", "did you mean Inefficiency?"),
        ("each.x = \"1\"", "own.toml:6:11: `each` is for properties of parallels"),
        ("let.unit = \"1\"", "`unit` has a meaning in expressions"),
        ("let.A = \"1\"", "`A` cannot be the name of a part"),
        ("text = \"a {x}\"", "own.toml:6:12: there is no part `x`; there are region, severity"),
        ("text = \"a {\"", "a `{` has no `}`"),
        ("holds = \"1\"", "own.toml:6:10: it has to be true or false"),
        ("confidence = \"1 * s\"", "own.toml:6:15: confidence is a number without a unit"),
    ] {
        assert_refused(&own(&format!("of = [\"region\", \"unit\"]\nseverity = \"1\"\n{keys}")), said);
    }
    let both = "[[property]]\nname = \"A\"\nof = [\"region\", \"parallel\"]\nseverity = \"1\"\nover = [\"B\"]\n\
                [[property]]\nname = \"B\"\nof = [\"region\", \"parallel\"]\nseverity = \"1\"\nover = [\"A\"]\n";
    assert_refused(
        &format!("{HEAD}{both}"),
        "own.toml:6:10: A is over itself, by way of B; remove one of the two",
    );
    assert_refused(
        &format!("{HEAD}{}", both.replace("\"B\"", "\"A\"")),
        "there are two called A; rename or omit one",
    );
}

#[test]
fn places_in_texts_of_several_lines() {
    assert_refused(
        &own("severity = \"\"\"\n1 -\n  2 * s\"\"\""),
        "own.toml:6:3: it subtracts numbers in 1 and s",
    );
}

#[test]
fn a_file_replaces_adds_and_switches_off() {
    let own = format!(
        "{HEAD}off = [\"LateSender\", \"LateSenderForAnyExecution\"]\n[units]\n\"own time\" = \"s\"\n\
         [[property]]\nname = \"CommunicationOverhead\"\nof = [\"region\", \"unit\"]\n\
         severity = 'unit[\"own time\"] / basis.time'\n"
    );
    let properties = with(&own).unwrap();
    assert!(properties.names().all(|name| !name.starts_with("LateSender")));
    let diagnosis = of_rows(&properties, "a,f,s,time,8\na,f,s,own time,2\n");
    assert_eq!(severity(&diagnosis, "CommunicationOverhead", "f"), Some(0.25));
    assert_refused(
        &format!("{HEAD}off = [\"LateSender\"]\n"),
        "own.toml:2:9: LateSenderForAnyExecution is over LateSender; switch it off, too",
    );
    // Nothing needs what it explains.
    assert!(with(&format!("{HEAD}off = [\"NonScalability\"]\n")).is_ok());
}
