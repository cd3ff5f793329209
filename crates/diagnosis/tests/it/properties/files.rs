use super::common::{of_rows, reasons, severity, with};

const HEAD: &str = "schema = \"ats-properties/1\"\n";

/// The error of a file.
fn refused(text: &str) -> String {
    with(text).err().unwrap_or_else(|| panic!("accepted:\n{text}"))
}

/// The error of a property with this severity, which is in line 5.
fn severity_said(severity: &str) -> String {
    let own = format!(
        "{HEAD}[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\nseverity = '{severity}'\n"
    );
    refused(&own)
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
        let error = severity_said(severity);
        assert!(error.contains(said), "{severity}: {error}");
    }
}

#[test]
fn numbers_end_where_they_cannot_go_on() {
    let value = |severity: &str| {
        let own = format!(
            "{HEAD}[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\nseverity = '{severity}'\n"
        );
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
        let error = severity_said(text);
        assert!(error.contains("own.toml:5:14: it is not an expression:"), "{text}: {error}");
    }
}

#[test]
fn texts_have_escapes_and_an_end() {
    let of_metric = format!(
        "{HEAD}units = {{ 'a\"\\ b' = \"s\" }}\n[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\n\
         severity = 'max(parallel[\"a\\\"\\\\ b\"])'\n"
    );
    let error = refused(&of_metric);
    assert!(
        error.contains("own.toml:6:13: severity is a number without a unit, and this is in s"),
        "{error}"
    );
    for severity in ["1 + \"ä", "1 + \"\\"] {
        let error = severity_said(severity);
        assert!(error.contains("own.toml:5:17: a text has no end; write a `\"` after it"), "{error}");
    }
}

#[test]
fn signs_are_as_long_as_they_can_be() {
    let error = severity_said("1<=!true");
    assert!(error.contains("own.toml:5:14: `<=` is for numbers"), "{error}");
    for (severity, sign) in [("1 § 2", '§'), ("a & b", '&')] {
        let said = format!("own.toml:5:15: it is not an expression: `{sign}` has no meaning in one");
        let error = severity_said(severity);
        assert!(error.contains(&said), "{error}");
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
        let error = refused(&own);
        assert!(error.contains(&in_unit(unit)), "{error}");
    }
    for (severity, unit) in [
        ("max(parallel.time) * max(parallel.time)", "s^2"),
        ("1 / max(parallel.visits)", "1/count"),
        ("max(parallel.visits) / s", "count/s"),
    ] {
        let error = severity_said(severity);
        assert!(error.contains(&in_unit(unit)), "{error}");
    }
    let plain = format!(
        "{HEAD}units = {{ x = \"1\" }}\n[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\n"
    );
    assert!(with(&format!("{plain}severity = 'max(parallel.x)'\n")).is_ok());
}

#[test]
fn long_deep_and_slow_expressions_are_refused() {
    let long = format!("1{}", " + 1".repeat(600));
    assert!(
        severity_said(&long)
            .contains("own.toml:5:13: an expression has at most 2000 bytes, and this one 2401")
    );
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    assert!(
        severity_said(&deep).contains("it is more than 32 levels deep, of brackets or of terms in a row")
    );
    let slow = vec![format!("(1{})", "+1".repeat(11)); 12].join("+");
    let error = severity_said(&slow);
    assert!(error.contains("own.toml:5:") && error.contains("it takes more than 200 steps"), "{error}");
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
        let error = refused(text);
        assert!(error.contains(said), "{text}: {error}");
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
            "of = [\"region\", \"unit\"]\nseverity = \"1\"\nexplains = [\"Ineficiency\"]",
            "did you mean Inefficiency?",
        ),
        (
            "of = [\"region\", \"unit\"]\nseverity = \"1\"\neach.x = \"1\"",
            "own.toml:6:11: `each` is for properties of parallels",
        ),
        (
            "of = [\"region\", \"unit\"]\nseverity = \"1\"\nlet.unit = \"1\"",
            "`unit` has a meaning in expressions",
        ),
        ("of = [\"region\", \"unit\"]\nseverity = \"1\"\nlet.A = \"1\"", "`A` cannot be the name of a part"),
        (
            "of = [\"region\", \"unit\"]\nseverity = \"1\"\ntext = \"a {x}\"",
            "own.toml:6:12: there is no part `x`; there are region, severity",
        ),
        ("of = [\"region\", \"unit\"]\nseverity = \"1\"\ntext = \"a {\"", "a `{` has no `}`"),
        (
            "of = [\"region\", \"unit\"]\nseverity = \"1\"\nholds = \"1\"",
            "own.toml:6:10: it has to be true or false",
        ),
        (
            "of = [\"region\", \"unit\"]\nseverity = \"1\"\nconfidence = \"1 * s\"",
            "own.toml:6:15: confidence is a number without a unit",
        ),
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
        let error = refused(&format!("{HEAD}[[property]]\nname = \"Own\"\n{keys}\n"));
        assert!(error.contains(said), "{keys}: {error}");
    }
    let both = "[[property]]\nname = \"A\"\nof = [\"region\", \"parallel\"]\nseverity = \"1\"\nover = [\"B\"]\n\
                [[property]]\nname = \"B\"\nof = [\"region\", \"parallel\"]\nseverity = \"1\"\nover = [\"A\"]\n";
    let error = refused(&format!("{HEAD}{both}"));
    assert!(error.contains("own.toml:6:10: A is over itself, by way of B; remove one of the two"), "{error}");
    let error = refused(&format!("{HEAD}{}", both.replace("\"B\"", "\"A\"")));
    assert!(error.contains("there are two called A; rename or omit one"), "{error}");
}

#[test]
fn places_in_texts_of_several_lines() {
    let own = format!(
        "{HEAD}[[property]]\nname = \"Own\"\nof = [\"region\", \"parallel\"]\nseverity = \"\"\"\n1 -\n  2 * s\"\"\"\n"
    );
    let error = refused(&own);
    assert!(error.contains("own.toml:6:3: it subtracts numbers in 1 and s"), "{error}");
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
    let error = refused(&format!("{HEAD}off = [\"LateSender\"]\n"));
    assert!(
        error.contains("own.toml:2:9: LateSenderForAnyExecution is over LateSender; switch it off, too"),
        "{error}"
    );
    // Nothing needs what it explains.
    assert!(with(&format!("{HEAD}off = [\"NonScalability\"]\n")).is_ok());
}
