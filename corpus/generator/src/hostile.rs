//! Hostile configuration, which costs as much as possible for its length: collisions, repetitions,
//! depth.
//!
//! Every kind takes a size, and its text is about linear in it. So a test can double the size and
//! check that the cost doubles as well.

/// The kinds of hostile configuration.
pub const HOSTILE: &[&str] = &[
    "many-resources",
    "repeated-names",
    "colliding-names",
    "unknown-arguments",
    "nearly-known-names",
    "deep-arrays",
    "deep-objects",
    "parentheses",
    "interpolations",
    "splats",
    "operators",
    "conditionals",
    "nested-types",
    "shared-types",
    "chain-of-locals",
    "circle-of-locals",
    "doubling-locals",
    "undeclared-references",
    "loops-in-loops",
    "long-escapes",
    "long-number",
    "line-feeds",
    "moved-chain",
    "missing-modules",
    "unused-declarations",
    "repeated-blocks",
    "broken-templates",
    "traversal",
    "index-keys",
];

/// A configuration file of the kind `HOSTILE[kind]`, of a size.
///
/// # Panics
/// If the kind does not exist.
#[must_use]
pub fn hostile(kind: usize, size: usize) -> String {
    let all = |item: &dyn Fn(usize) -> String| (0..size).map(item).collect::<Vec<_>>().join(",");
    let repeated = |before: &str, after: &str| before.repeat(size) + "1" + &after.repeat(size);
    let local = |value: String| format!(r#"{{"locals":{{"x":{value}}}}}"#);
    let template = |text: String| local(format!(r#""${{{text}}}""#));
    match HOSTILE[kind] {
        "many-resources" => {
            let resource = |n| format!(r#""r{n}":{{"a":"${{aws_x.r{}.id}}"}}"#, n / 2);
            format!(r#"{{"resource":{{"aws_x":{{{}}}}}}}"#, all(&resource))
        }
        "repeated-names" => format!(r#"{{"locals":{{{}}}}}"#, all(&|_| r#""a":1"#.to_owned())),
        "colliding-names" => {
            format!(r#"{{"locals":{{{}}}}}"#, all(&|n| format!(r#""{}":1"#, colliding(n))))
        }
        "unknown-arguments" => {
            format!(r#"{{"output":{{"o":{{"value":1,{}}}}}}}"#, all(&|n| format!(r#""v{n}":1"#)))
        }
        "nearly-known-names" => format!(
            r#"{{"variable":{{{}}},"output":{{{}}}}}"#,
            all(&|n| format!(r#""name_{n}_of_it":{{}}"#)),
            all(&|n| format!(r#""o{n}":{{"value":"${{var.nane_{n}_of_it}}"}}"#))
        ),
        "deep-arrays" => local(repeated("[", "]")),
        "deep-objects" => local(repeated(r#"{"a":"#, "}")),
        "parentheses" => template(repeated("(", ")")),
        "interpolations" => local(format!(r#""{}""#, "${x}-".repeat(size))),
        "splats" => template("x".to_owned() + &"[*] ".repeat(size)),
        "operators" => template(repeated("1 + ", " * 2")),
        "conditionals" => template(repeated("true ? 1 : ", "")),
        "nested-types" => format!(
            r#"{{"variable":{{"v":{{"type":"{}string{}"}}}}}}"#,
            "list(".repeat(size),
            ")".repeat(size)
        ),
        "shared-types" => template((0..size).fold("1".to_owned(), |inner, n| match n % 8 {
            7 => format!("[{inner}]"),
            _ => format!("[{inner}][0]"),
        })),
        "chain-of-locals" => {
            let locals = all(&|n| format!(r#""l{n}":"${{local.l{}}}""#, n + 1));
            format!(r#"{{"locals":{{{locals},"l{size}":1}}}}"#)
        }
        "circle-of-locals" => {
            let locals = all(&|n| format!(r#""l{n}":"${{local.l{}}}""#, (n + 1) % size));
            format!(r#"{{"locals":{{{locals}}}}}"#)
        }
        "doubling-locals" => {
            let double = |n| format!(r#""l{}":["${{local.l{n}}}","${{local.l{n}}}"]"#, n + 1);
            format!(r#"{{"locals":{{"l0":["${{var.v}}"],{}}}}}"#, all(&double))
        }
        "undeclared-references" => {
            format!(r#"{{"locals":{{{}}}}}"#, all(&|n| format!(r#""l{n}":"${{var.v{n}}}""#)))
        }
        "loops-in-loops" => {
            // The budget limits how often this is evaluated.
            let (before, after) = ("[for i in [1] : ".repeat(size), "]".repeat(size));
            template(format!("{before}i{after}"))
        }
        "long-escapes" => local(format!(r#""{}""#, r"\u00e9\n".repeat(size))),
        "long-number" => local("1".repeat(size)),
        "line-feeds" => format!("{{\"locals\":{{{}\"x\":1,\"x\":2}}}}", "\n".repeat(8 * size)),
        "moved-chain" => {
            let moved = |n| format!(r#"{{"from":"aws_x.r{n}","to":"aws_x.r{}"}}"#, n + 1);
            format!(r#"{{"moved":[{}]}}"#, all(&moved))
        }
        "missing-modules" => {
            let call = |n| format!(r#""m{n}":{{"source":"./missing"}}"#);
            format!(r#"{{"module":{{{}}}}}"#, all(&call))
        }
        "unused-declarations" => {
            format!(r#"{{"variable":{{{}}}}}"#, all(&|n| format!(r#""v{n}":{{"default":{n}}}"#)))
        }
        "repeated-blocks" => {
            format!(r#"{{"resource":{{"aws_x":{{"r":[{}]}}}}}}"#, all(&|_| "{}".to_owned()))
        }
        "broken-templates" => {
            format!(r#"{{"locals":{{{}}}}}"#, all(&|n| format!(r#""l{n}":"${{1 +}} ${{""#)))
        }
        "traversal" => template("x".to_owned() + &".a[0]".repeat(size)),
        "index-keys" => template("x".to_owned() + &r#"[\"k\"]"#.repeat(size)),
        kind => panic!("no text for {kind}"),
    }
}

/// A name that has the same hash as all others of its length, by `31 * hash + byte`.
fn colliding(number: usize) -> String {
    (0..usize::BITS - 4).map(|bit| if number >> bit & 1 == 0 { "Aa" } else { "BB" }).collect()
}
