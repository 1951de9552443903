//! Arithmetic, comparison, logic and conditionals.

use super::*;

#[test]
fn arithmetic() {
    check(&[
        ("1 + 2 * 3", "7", &[]),
        ("7 / 2", "3.5", &[]),
        ("-7 % 3", "-1", &[]),
        ("-number", "-5", &[]),
        ("\"1\" + \"2\"", "3", &[]),
        ("1 / 0 > 5", "true", &[]),
        ("5 % 0", "5", &[]),
        ("0 / 0", "?number", &[("operation-failed", "0 / 0")]),
        ("null + 1", "?number", &[("operation-failed", "null + 1")]),
        ("-null", "?number", &[("operation-failed", "-null")]),
        ("u_number + null", "?number", &[("operation-failed", "u_number + null")]),
        ("u_number + 1", "?number!", &[]),
        ("-u_number", "?number!", &[]),
        ("dynamic * 2", "?number!", &[]),
        ("\"a\" + 1", "?number", &[("invalid-operand", "\"a\"")]),
        ("1 + [nope]", "?number", &[("unknown-variable", "nope"), ("invalid-operand", "[nope]")]),
        ("true + {}", "?number", &[("invalid-operand", "true"), ("invalid-operand", "{}")]),
        ("-[]", "?number", &[("invalid-operand", "[]")]),
        ("-nope", "?number", &[("unknown-variable", "nope")]),
        ("nope + nil", "?number", &[("unknown-variable", "nope"), ("unknown-variable", "nil")]),
        ("secret_index + 1", "2#", &[]),
        ("secret_unknown + 1", "?number!#", &[]),
        ("-secret_index", "-1#", &[]),
        ("secret + 1", "?number#", &[("invalid-operand", "secret")]),
    ]);
}

#[test]
fn comparison() {
    check(&[
        ("1 < 2", "true", &[]),
        ("2 <= 1", "false", &[]),
        ("\"10\" > \"9\"", "true", &[]),
        ("2 >= 2", "true", &[]),
        ("1 < null", "?bool", &[("operation-failed", "1 < null")]),
        ("1 < u_number", "?bool!", &[]),
        ("1 < {}", "?bool", &[("invalid-operand", "{}")]),
        ("1 == 1.0", "true", &[]),
        ("1 == \"1\"", "false", &[]),
        ("1 != \"1\"", "true", &[]),
        ("[1] == [1]", "true", &[]),
        ("null == null", "true", &[]),
        ("null_number == null", "true", &[]),
        ("1 != null", "true", &[]),
        ("number == secret_index", "false#", &[]),
        ("nope == 1", "?bool", &[("unknown-variable", "nope")]),
        ("u_number == 1", "?bool!", &[]),
        ("dynamic != 1", "?bool!", &[]),
        ("null_number == u_list", "?bool!", &[]),
    ]);
}

/// Like [`evaluate`], with short-circuiting operators.
fn evaluate_short(expression: &str) -> Outcome {
    let json = json(&interpolated(expression));
    let arena = Arena::new();
    let variables = variables(&arena);
    let scope = Scope::new().with_variables(&variables).with_functions(&TestFunctions);
    outcome(&arena, &json, &scope.with_short_circuits())
}

#[test]
fn both_operands_count() {
    check(&[
        ("false && nope", "?bool", &[("unknown-variable", "nope")]),
        ("true || nope", "?bool", &[("unknown-variable", "nope")]),
        ("null && false", "?bool", &[("operation-failed", "null && false")]),
        ("true || null", "?bool", &[("operation-failed", "true || null")]),
        ("true || u_bool", "?bool!", &[]),
        ("false && u_bool", "?bool!", &[]),
        ("true && false", "false", &[]),
        ("false || true", "true", &[]),
    ]);
}

/// Every pair of true, false, null, unknown, an error that leaves unknown, and a value that is not
/// a boolean.
#[test]
fn truth_table() {
    let operands = ["true", "false", "null", "u_bool", "nope", "[]"];
    let meaning = |letter| match letter {
        't' => "true",
        'f' => "false",
        'u' => "?bool!",
        '-' => "?bool operation-failed",
        'e' => "?bool! unknown-variable",
        'E' => "?bool unknown-variable",
        '2' => "?bool unknown-variable unknown-variable",
        'i' => "?bool invalid-operand",
        'j' => "?bool unknown-variable invalid-operand",
        _ => "?bool invalid-operand invalid-operand",
    };
    let or = ["ttttti", "tf-uei", "t--uei", "tuuuui", "teeE2j", "iiiijk"];
    let and = ["tffuei", "fffffi", "fffffi", "uffuui", "effE2j", "iiiijk"];
    for (operator, table) in [("||", or), ("&&", and)] {
        for (left, row) in operands.iter().zip(table) {
            for (right, letter) in operands.iter().zip(row.chars()) {
                let (value, told) = evaluate_short(&format!("{left} {operator} {right}"));
                let codes: String = told.iter().map(|(code, _)| format!(" {code}")).collect();
                assert_eq!(value + &codes, meaning(letter), "{left} {operator} {right}");
            }
        }
    }
    check_by(
        evaluate_short,
        &[
            ("!true", "false", &[]),
            ("!\"false\"", "true", &[]),
            ("!null", "?bool", &[("operation-failed", "!null")]),
            ("!u_bool", "?bool!", &[]),
            ("!nope", "?bool", &[("unknown-variable", "nope")]),
            ("![]", "?bool", &[("invalid-operand", "[]")]),
            ("!secret_bool", "false#", &[]),
            ("secret_bool || nope", "true#", &[]),
            ("false && secret_bool", "false#", &[]),
            ("true && \"true\"", "true", &[]),
        ],
    );
}

#[test]
fn conditionals() {
    check(&[
        ("true ? 1 : 2", "1", &[]),
        ("\"false\" ? 1 : 2", "2", &[]),
        ("true ? 1 : \"a\"", "\"1\"", &[]),
        ("true ? [1] : [\"a\", true]", "list[\"1\"]", &[]),
        ("true ? null : 1", "null(number)", &[]),
        ("false ? null : 1", "1", &[]),
        ("true ? null : null", "null(dynamic)", &[]),
        ("true ? 1 : dynamic", "1", &[]),
        ("false ? 1 : dynamic", "?", &[]),
        ("true ? 1 : nope", "1", &[]),
        ("false ? 1 : nope", "?", &[("unknown-variable", "nope")]),
        ("true ? nope : nil", "?", &[("unknown-variable", "nope")]),
        ("u_bool ? nope : nil", "?", &[]),
        ("true ? 1 : [nope]", "?", &[("inconsistent-conditional", "1 : [nope]")]),
        ("true ? 1 : false", "?", &[("inconsistent-conditional", "1 : false")]),
        ("nope ? 1 : [2]", "?", &[("inconsistent-conditional", "1 : [2]")]),
        ("true ? {a = 1} : {a = []}", "?", &[("inconsistent-conditional", "{a = 1} : {a = []}")]),
        ("null ? 1 : 2", "?number", &[("null-condition", "null")]),
        ("null ? nope : 2", "?", &[("null-condition", "null")]),
        ("5 ? 1 : 2", "?number", &[("incorrect-condition-type", "5")]),
        ("nope ? 1 : \"a\"", "?string!", &[("unknown-variable", "nope")]),
        ("u_bool ? 1 : 2", "?number!", &[]),
        ("u_bool ? 1 : 1", "1", &[]),
        ("u_bool ? 1 : null", "?number", &[]),
        ("u_bool ? null_number : 1", "?number", &[]),
        ("u_bool ? 1 : u_number", "?number", &[]),
        ("u_bool ? 1 : u_some", "?number!", &[]),
        ("u_bool ? null : null_number", "null(number)", &[]),
        ("u_bool ? empty_list : empty_list", "list(number)[]", &[]),
        ("u_bool ? list : empty_list", "?list(number)!", &[]),
        ("u_bool ? strings : bools", "?list(string)!", &[]),
        ("u_bool ? strings : strings", "list[?string, ?string]", &[]),
        ("u_bool ? set : set", "?set(string)!", &[]),
        ("u_bool ? one_set : one_set", "set[?string]", &[]),
        ("u_bool ? one_set : set", "?set(string)!", &[]),
        ("u_bool ? empty_set : empty_set", "set[]", &[]),
        ("u_bool ? map : map", "?map(number)!", &[]),
        ("u_bool ? empty_map : empty_map", "map{}", &[]),
        ("u_bool ? empty_map : map", "?map(number)!", &[]),
        ("u_bool ? [1] : [2]", "?tuple(number)!", &[]),
        ("u_bool ? u_some : 1", "?number!", &[]),
        ("u_bool ? 1 : 1.5", "?number!", &[]),
        ("dynamic ? 1 : \"a\"", "?string!", &[]),
        ("secret_bool ? 1 : 2", "1#", &[]),
        ("true ? 1 : secret_index", "1#", &[]),
        ("u_bool ? 1 : secret_index", "1#", &[]),
        ("true ? secret_null : 1", "null(dynamic)#", &[]),
        ("true ? \"a\" : list[0]", "\"a\"", &[]),
        ("true ? false ? 1 : 2 : 3", "2", &[]),
    ]);
}

/// Diagnostics name the path to the first difference, and both types there.
#[test]
fn where_the_results_of_a_conditional_differ() {
    for (results, difference) in [
        ("1 : [2]", "the true result is a number, the false result a tuple"),
        ("{a = 1, b = []} : {b = 2}", "the false result has no attribute \"a\""),
        ("{b = []} : {a = 1, b = 2}", "the true result has no attribute \"a\""),
        (
            "{a = 1, b = {c = []}} : {a = 2, b = {c = 3}}",
            "in attribute \"b\": in attribute \"c\": the true result is a tuple, the false result a number",
        ),
        ("[1, []] : [2]", "the true result has 2 elements, the false result 1"),
        (
            "[1, {}] : [2, 3]",
            "in element 1: the true result is an object, the false result a number",
        ),
        (
            "lists : bools",
            "in the elements: the true result is a list of number, the false result a bool",
        ),
        (
            "[[[[[[[[[1]]]]]]]]] : [[[[[[[[[[]]]]]]]]]]",
            "in element 0: in element 0: in element 0: in element 0: in element 0: in element 0: \
             in element 0: in element 0: a nested attribute or element differs",
        ),
    ] {
        let detail = "Both results of a conditional must have the same type, or types that can be converted to a common one";
        check_detail(&format!("true ? {results}"), &format!("{detail}: {difference}."));
    }
}
