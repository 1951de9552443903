//! The generated configuration has the size, the shares and the references that its documentation
//! promises.

use serde_json::Value;
use simd_hcl_corpus::{ConfigOptions, config, config_bytes};

use crate::common::{Declared, minify, parse, tally, templates};

const RESOURCES: u64 = 10_000;

fn within(what: &str, got: f64, wanted: f64, tolerance: f64) {
    let off = (got / wanted - 1.0).abs();
    assert!(off <= tolerance, "{what}: {got:.4}, not {wanted:.4}");
}

fn options(pretty: bool) -> ConfigOptions {
    ConfigOptions { resources: RESOURCES, pretty, seed: 7 }
}

#[test]
fn sizes_for_each_resource() {
    let n = RESOURCES as f64;
    let minified = config(&options(false), &mut std::io::sink()).unwrap();
    let pretty = config(&options(true), &mut std::io::sink()).unwrap();
    within("minified bytes", minified.bytes as f64 / n, 456.0, 0.04);
    within("pretty bytes", pretty.bytes as f64 / n, 788.0, 0.04);
    within("keys and values", minified.values as f64 / n, 39.6, 0.04);
    assert_eq!(minified.values, pretty.values);
}

#[test]
fn structural_tokens_and_strings() {
    let text = config_bytes(&options(false));
    let mut rest = &text[..];
    let (mut tokens, mut strings, mut embedded) = (0, 0, 0);
    while let Some(&byte) = rest.first() {
        let length = match byte {
            b'"' => {
                let mut end = 1;
                while rest[end] != b'"' {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                let inside = std::str::from_utf8(&rest[1..end]).unwrap();
                strings += inside.len();
                if inside.starts_with("{\\\"") || inside.contains("\\n") {
                    embedded += inside.len();
                }
                end + 1
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            _ => rest.iter().position(|b| b",]}".contains(b)).unwrap(),
        };
        tokens += 1;
        rest = &rest[length..];
    }
    within("tokens", f64::from(tokens) / RESOURCES as f64, 80.0, 0.04);
    within("embedded share", embedded as f64 / strings as f64, 1.0 / 3.0, 0.04);
}

/// Counts the strings of a resource outside of `"//"` and of arguments that take no template.
fn attributes(value: &Value, strings: &mut usize, with_template: &mut usize) {
    match value {
        Value::String(text) => {
            *strings += 1;
            *with_template += usize::from(!templates(text).is_empty());
        }
        Value::Array(items) => {
            items.iter().for_each(|item| attributes(item, strings, with_template));
        }
        Value::Object(object) => {
            for (name, item) in object {
                if !["//", "depends_on", "lifecycle", "provider"].contains(&name.as_str()) {
                    attributes(item, strings, with_template);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn resources_are_of_five_types_and_look_like_a_cdk_wrote_them() {
    let file = parse(&config_bytes(&options(false)));
    let types = file["resource"].as_object().unwrap();
    assert_eq!(types.len(), 5);
    let (mut strings, mut with_template) = (0, 0);
    let mut arguments = Vec::new();
    for (kind, named) in types {
        let named = named.as_object().unwrap();
        assert_eq!(named.len() as u64, RESOURCES / 5, "{kind}");
        for (name, body) in named {
            assert_eq!(&body["//"]["metadata"]["uniqueId"], name);
            assert!(body["tags"]["Name"].is_string());
            attributes(body, &mut strings, &mut with_template);
            arguments.extend(body.as_object().unwrap().keys().map(String::as_str));
        }
    }
    within("template share", with_template as f64 / strings as f64, 1.0 / 3.0, 0.06);
    let counts = tally(arguments.into_iter());
    for argument in ["lifecycle", "count", "for_each", "depends_on", "provider", "ingress"] {
        assert!(counts[argument] as u64 > RESOURCES / 100, "{argument}: {}", counts[argument]);
    }
    for block in ["//", "terraform", "provider", "variable", "locals", "output", "data", "module"] {
        assert!(!file[block].as_object().unwrap().is_empty(), "{block}");
    }
}

#[test]
fn references_resolve() {
    for resources in [0, 1, 2, 3, 4, 5, 6, 17, 100, 3000] {
        for seed in 0..3 {
            let file = parse(&config_bytes(&ConfigOptions { resources, pretty: false, seed }));
            let mut declared = Declared::default();
            declared.add(&file);
            assert!(declared.check(&file) as u64 >= resources, "{resources} resources");
        }
    }
}

#[test]
fn embedded_policies_are_json() {
    let file = parse(&config_bytes(&options(false)));
    for (name, body) in file["resource"]["aws_iam_policy"].as_object().unwrap() {
        let mut policy = body["policy"].as_str().unwrap().to_owned();
        for expression in templates(&policy.clone()) {
            policy = policy.replace(&format!("${{{expression}}}"), "x");
        }
        let policy: Value = serde_json::from_str(&policy).unwrap();
        assert!(policy["Statement"][0]["Action"][0].is_string(), "{name}");
    }
}

#[test]
fn pretty_and_minified_are_one_value() {
    let minified = config_bytes(&options(false));
    let pretty = config_bytes(&options(true));
    assert!(minify(&pretty) == minified);
    assert!(minify(&minified) == minified);
    let value: Value = serde_json::from_slice(&pretty).unwrap();
    assert!(value == serde_json::from_slice::<Value>(&minified).unwrap());
}

#[test]
fn the_seed_decides_every_byte() {
    assert!(config_bytes(&options(false)) == config_bytes(&options(false)));
    let other = ConfigOptions { seed: 8, ..options(false) };
    assert!(config_bytes(&options(false)) != config_bytes(&other));
    // A change of these bytes changes every measured figure: it has to be meant.
    let small = config_bytes(&ConfigOptions { resources: 50, pretty: false, seed: 1 });
    let sum = small.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!((small.len(), sum), (25_954, 16_381_373_339_664_914_638));
}
