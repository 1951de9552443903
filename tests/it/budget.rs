//! The budget of evaluation: functions and templates are charged before they allocate.

use simd_hcl::evaluate::{Budget, Meter, Scope};
use simd_hcl::value::{AttributeType, Marks, Type, Value};
use simd_hcl::{Arena, Diagnostic, Document, functions};

/// Returns the value of an expression as text, or the code of the first diagnostic, and the growth
/// of the arena in bytes.
fn evaluate(expression: &str, budget: Budget) -> (String, usize) {
    let long = "x".repeat(10_000);
    let attribute = |name| AttributeType { name, ty: Type::String, optional: false };
    let object = [attribute("a"), attribute("b")];
    let mut arena = Arena::new();
    let text = serde_json::json!({ "x": format!("${{{expression}}}") }).to_string();
    let before = arena.allocated_bytes();
    let result = {
        let document = Document::parse_bytes(&arena, "test", text.as_bytes()).unwrap();
        let mut told: Vec<Diagnostic<'_>> = Vec::new();
        let attributes = document.body().just_attributes(&mut told);
        let standard = functions::standard();
        let marked = Value::string(&arena, "a").with_marks(Marks::SENSITIVE);
        let variables = [
            ("long", Value::string(&arena, &long)),
            ("many", Value::tuple(&arena, &[marked; 100])),
            ("unknown", Value::unknown(Type::Bool)),
            ("unknown_object", Value::unknown(Type::object_of(&arena, &object))),
        ];
        let scope =
            Scope::new().with_variables(&variables).with_functions(&standard).with_budget(budget);
        let value = attributes[0].expression().value(&scope, &mut told);
        match told.first() {
            Some(first) => {
                assert_eq!(told.len(), 1, "{told:?}");
                assert_eq!(first.source().name(), "test");
                first.code().as_str().to_owned()
            }
            None => value.as_str().map_or_else(|| format!("{value:?}"), str::to_owned),
        }
    };
    (result, arena.allocated_bytes() - before)
}

/// Short expressions with huge results: the budget ends each, and nothing stays in the arena.
#[test]
fn what_is_made_is_taken_first() {
    let mut wrong = Vec::new();
    let padded = "[for a in range(1000) : [for b in range(1000) : format(\"%1000000d\", a)]]";
    for expression in [
        padded,
        "format(\"%1000000d%1000000d%1000000d%1000000d%1000000d\", 1, 2, 3, 4, 5)",
        "format(\"%.1000000f%.1000000f%.1000000f%.1000000f%.1000000f\", 1, 2, 3, 4, 5)",
        "formatlist(\"%100000d\", range(1000))",
        "join(long, range(1000))",
        "replace(join(\"\", range(1000)), \"/[0-9]/\", long)",
        "replace(long, \"/x/\", long)",
        "replace(join(long, range(100)), \"/(x+)/\", join(\"\", [for i in range(1000) : \"$1\"]))",
        "indent(10000, join(\"\\n\", range(1000)))",
        "setproduct(range(500), range(200))",
        "flatten([for i in range(1000) : range(1000)])",
        "jsonencode([for i in range(1000) : long])",
        "concat([for i in range(1000) : range(1000)]...)",
        "split(\"\", join(\"\", [for i in range(100) : long]))",
        "regexall(\"x\", join(\"\", [for i in range(100) : long]))",
        "chunklist(flatten([for i in range(100) : range(1000)]), 1)",
        "jsondecode(\"[${join(\",\", flatten([for i in range(100) : range(1000)]))}]\")",
        "zipmap([for i in range(1000) : \"${i}${long}\"], range(1000))",
        "[for i in range(1000) : \"${long}${i}\"]",
        "[for i in range(1000) : [for j in range(1000) : i / 7]]",
        "[for i in range(1000) : 1e999999]",
        "[for i in range(1000) : \"${1e999999}\"]",
        "join(\",\", [for i in range(1000) : 1e999999])",
        "[for i in range(1000) : upper(1e999999)]",
        "[for i in range(1000) : jsonencode(many)]",
        "[for i in range(1000) : distinct([for j in range(1000) : j])]",
        "base64encode(join(\"\", [for i in range(1000) : long]))",
        "textencodebase64(join(\"\", [for i in range(1000) : long]), \"UTF-16LE\")",
        "strrev(join(\"\", [for i in range(1000) : long]))",
        "cidrsubnets(\"::/0\", [for i in flatten([for i in range(100) : range(1000)]) : 20]...)",
        "merge([for i in range(1000) : {for j in range(100) : \"${i}-${j}\" => j}]...)",
        "%{ for i in range(1000) }${long}%{ endfor }",
    ] {
        // This is a template, not an expression.
        let is_template = expression.starts_with("%{");
        let expression = if is_template { format!("\"{expression}\"") } else { expression.into() };
        let (result, bytes) = evaluate(&expression, Budget::DEFAULT.with_bytes(4 << 20));
        if result != "evaluation-too-large" || bytes >= 1 << 20 {
            wrong.push(format!("{expression}: {result:.40} and {bytes} bytes"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let (result, _) = evaluate(padded, Budget::DEFAULT.with_steps(100_000));
    assert_eq!(result, "evaluation-too-long");
}

#[test]
fn temporaries_are_freed() {
    for (expression, expected) in [
        ("length(join(\",\", [for i in range(1000) : format(\"%10000d\", i)]))", "10000999"),
        ("\"${length(jsonencode([for i in range(1000) : long]))}\"", "10003001"),
        ("[for i in [[for i in range(1000) : \"${long}${i}\"]] : length(i)][0] + 1", "1001"),
        ("substr(join(\"\", [for i in range(1000) : long]), 0, 3)", "xxx"),
        (
            "try(format(\"%1000000d\", 1) + 1, length(join(\"\", [for i in range(100) : long])))",
            "1000000",
        ),
    ] {
        let (result, bytes) = evaluate(expression, Budget::DEFAULT);
        assert_eq!(result, expected, "{expression}");
        assert!(bytes < 1 << 20, "{expression}: {bytes} bytes");
    }
    // A result that is most of the allocated memory is kept.
    let (result, bytes) = evaluate("join(\"\", [for i in range(1000) : long])", Budget::DEFAULT);
    assert!(result.len() == 10_000_000 && bytes > 10_000_000);
    // Diagnostics outlive freed values.
    let failing = "[format(\"%1000000d\", 1), tonumber(\"${length(long)} is no number\")]";
    assert_eq!(evaluate(failing, Budget::DEFAULT).0, "invalid-argument");
}

/// Shared parts count as often as they occur: with forty levels, a value or a type would have a
/// trillion parts.
#[test]
fn doubling_ends() {
    let nested = |body: fn(usize) -> String| {
        let open: String = (1..=60).map(body).collect();
        format!("{open}v60{}", "]".repeat(60)).replace("v0", "unknown_object")
    };
    let values = nested(|at| format!("[for v{at} in [[v{0}, v{0}]] : ", at - 1));
    let objects = nested(|at| format!("[for v{at} in [{{a = v{0}, b = v{0}}}] : ", at - 1));
    let types =
        nested(|at| format!("[for v{at} in [unknown ? [v{0}, v{0}] : [v{0}, v{0}]] : ", at - 1));
    let sides = nested(|at| {
        format!(
            "[for v{at} in [unknown ? {{a = v{0}, b = v{0}}} : {{a = v{0}, b = v{0}}}] : ",
            at - 1
        )
    });
    for expression in [values, objects, types, sides] {
        let (result, bytes) = evaluate(&expression, Budget::DEFAULT);
        assert_eq!(result, "evaluation-too-large", "{expression}");
        assert!(bytes < 1 << 20, "{expression}: {bytes} bytes");
    }
}

/// All templates of a JSON expression share the budget, and so do expressions with the same meter.
#[test]
fn templates_of_one_expression_share_its_budget() {
    let arena = Arena::new();
    let texts = vec!["${[for i in [1, 2, 3] : [i, i, i]]}"; 100];
    let text = serde_json::json!({ "x": texts, "y": { "${[for i in [1, 2] : i][0]}": 1 } });
    let text = text.to_string();
    let document = Document::parse_bytes(&arena, "test", text.as_bytes()).unwrap();
    let attributes = document.body().just_attributes(&mut ());
    let (small, large) = (Budget::new(600, 1 << 20), Budget::new(1 << 20, 20_000));
    for (budget, expected, known) in [
        (Budget::DEFAULT, &[][..], 100..=100),
        (small, &["evaluation-too-long"], 5..=50),
        (large, &["evaluation-too-large"], 2..=50),
    ] {
        let codes = |told: &[Diagnostic<'_>]| -> Vec<&'static str> {
            told.iter().map(|it| it.code().as_str()).collect()
        };
        let scope = Scope::new().with_budget(budget);
        let mut told = Vec::new();
        let value = attributes[0].expression().value(&scope, &mut told);
        let found =
            value.as_elements().unwrap_or_default().iter().filter(|value| value.is_known()).count();
        assert!(known.contains(&found), "{budget:?}: {found}");
        assert_eq!(codes(&told), expected);
        // The second expression gets the rest of the budget.
        let meter = Meter::new(budget);
        let mut told = Vec::new();
        for attribute in attributes {
            attribute.expression().value_within(&scope, &meter, &mut told);
        }
        assert_eq!(codes(&told), expected);
        let again = attributes[1].expression().value_within(&scope, &meter, &mut told);
        assert_eq!((again.is_known(), told.len()), (expected.is_empty(), expected.len()));
    }
}

/// An argument that is read as it is written is charged for, and so are those before it.
#[test]
fn what_is_written_is_charged_for() {
    let evaluate = |expression: &str, budget| evaluate(expression, budget).0;
    let padded = format!("convert(\"1\", {}number)", " ".repeat(100));
    for steps in 0..20 {
        for bytes in (0..200).step_by(10) {
            let result = evaluate(&padded, Budget::DEFAULT.with_steps(steps).with_bytes(bytes));
            let expected = ["evaluation-too-long", "evaluation-too-large"];
            assert!(expected.contains(&result.as_str()) || result == "1", "{result}");
        }
    }
    assert_eq!(evaluate("convert(1, string)", Budget::DEFAULT), "1");
    assert_eq!(evaluate("convert(-[], string)", Budget::DEFAULT), "invalid-operand");
    // An element of a list is a value, which does not name a type.
    let expanded = evaluate("convert([1, \"string\"]...)", Budget::DEFAULT);
    assert_eq!(expanded, "unknown(dynamic)");
}
