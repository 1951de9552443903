//! Deep and long programs, and the limits of evaluation.

use super::*;

#[test]
fn deep_programs() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("-", "1", ""),
        ("!", "true", ""),
        ("{a=", "1", "}"),
        ("true?", "1", ":1"),
        ("[for x in [1]:", "x", "]"),
        ("\"${", "1", "}\""),
        ("count(", "1", ")"),
    ] {
        // A template in quotes and its interpolation are two levels.
        let depth = if open.starts_with('"') { 4_900 } else { 9_900 };
        let expression = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
        let json = json(&interpolated(&expression));
        let arena = Arena::new();
        let scope = Scope::new().with_functions(&TestFunctions);
        let mut diagnostics = Vec::new();
        let value = value(&arena, &json, &scope, &mut diagnostics);
        assert!(value.is_known() && diagnostics.is_empty(), "{open}: {diagnostics:?}");
    }
}

#[test]
fn many_operands_and_many_diagnostics() {
    let (value, told) = evaluate(&format!("1{}", " + 1".repeat(100_000)));
    assert_eq!((value.as_str(), told.len()), ("100001", 0));
    let (value, told) = evaluate(&format!("{{{}}}", "([])=1,".repeat(10_000)));
    assert_eq!((value.as_str(), told.len()), ("?", 10_000));
    let (value, told) = evaluate(&format!("nope{}", " + [nope]".repeat(10_000)));
    assert_eq!((value.as_str(), told.len()), ("?number", 20_001));
    let nested = format!("{}[]{}", "{([])=1, a=".repeat(5_000), "}".repeat(5_000));
    assert_eq!(evaluate(&nested).1.len(), 5_000);
}

#[test]
fn work_is_limited() {
    const LONG: &str = "evaluation-too-long";
    const LARGE: &str = "evaluation-too-large";
    let many = |what: &str, count: usize| what.repeat(count);
    for (expression, code) in [
        ("[for x in l : [for y in l : x]][9][9]".to_owned(), ""),
        (format!("{}1{}", many("[for x in l : ", 60), many("]", 60)), LONG),
        (format!("{}1{}", many("[for x in [1] : 1 if ", 40), many(" == 1]", 40)), LONG),
        (format!("[for a in l : \"{}\"]", many("${long}", 1000)), LONG),
        (
            format!(
                "{}a{}",
                many("[for a in [\"${long}${long}\"] : [for long in [\"${a}${a}\"] : ", 30),
                many("]]", 30)
            ),
            LONG,
        ),
        (
            format!(
                "{}a{}",
                many("[for a in [[l, l]] : [for l in [{a = a, b = a}] : ", 30),
                many("]]", 30)
            ),
            LARGE,
        ),
        (format!("[{}1]", many("\"x${1e9999}\", ", 1000)), LONG),
    ] {
        let json = json(&interpolated(&expression));
        let long = many("x", 100_000);
        let arena = Arena::new();
        let list = Value::tuple(&arena, &[Value::bool(true); 10]);
        let variables = [("l", list), ("long", Value::string(&arena, &long))];
        let scope = Scope::new()
            .with_variables(&variables)
            .with_budget(Budget::DEFAULT.with_steps(100_000));
        let (value, told) = outcome(&arena, &json, &scope);
        let codes: Vec<_> = told.iter().map(|(code, _)| code.as_str()).collect();
        let expected: (_, &[_]) = match code {
            "" => ("true", &[]),
            code => ("?", &[code]),
        };
        assert_eq!((value.as_str(), codes.as_slice()), expected, "{expression:.40}");
    }
}

/// With any budget, an evaluation returns the same as without one, or reports one diagnostic.
#[test]
fn every_budget_ends_an_evaluation_cleanly() {
    for expression in [
        "count(1, [number, text]...)",
        "first(\"1\", \"${text}b\")",
        "[for i, x in list : \"${i}${x}\" if x > 1]",
        "{for x in strings : x => [x, objects[*].a]...}",
        "u_bool ? [list, partly] : [list, list]",
        "\"%{for x in list}${x} of the elements, %{endfor}${number + 1.5 == 6 ? text : \"\"}\"",
        "try(nope, count(fail(text), set...), \"a${1}\")",
        "[secret_list[*], -number * 2, !u_bool, {(text) = 1}]",
    ] {
        let json = json(&interpolated(expression));
        let result = |budget: Budget| {
            let arena = Arena::new();
            let variables = variables(&arena);
            let scope = Scope::new().with_variables(&variables).with_functions(&TestFunctions);
            outcome(&arena, &json, &scope.with_budget(budget))
        };
        let whole = result(Budget::DEFAULT);
        assert_ne!(whole.0, "?", "{expression}");
        let check = |code: &str, results: &mut dyn Iterator<Item = Outcome>| {
            let ended = ("?".to_owned(), vec![(code.to_owned(), interpolated(expression))]);
            let results: Vec<Outcome> = results.collect();
            let enough = results.iter().position(|result| *result != ended).unwrap();
            assert!(enough > 0, "{expression}: {:?}", results[0]);
            let differs = results[enough..].iter().find(|result| **result != whole);
            assert_eq!(differs, None, "{expression}");
        };
        let steps = &mut (0..200).map(|steps| result(Budget::DEFAULT.with_steps(steps)));
        check("evaluation-too-long", steps);
        let bytes = &mut (0..400).map(|bytes| result(Budget::DEFAULT.with_bytes(16 * bytes)));
        check("evaluation-too-large", bytes);
    }
}
