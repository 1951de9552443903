//! The configuration representation, compared with the output of Terraform for the cases of
//! `corpus/conformance/terraform`, and its differences without `compat`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use simd_hcl::directory::{DiscoverOptions, MemoryFiles, discover, in_memory};
use simd_hcl::representation::{self, Options, TooManyModules};
use simd_hcl::show::{BodySchemas, Schemas};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect, Document, Source};

/// Cases that differ, and the reason.
const EXCEPTIONS: [(&str, &str); 4] = [
    ("blocks-error/008-invalid-utf8", "text that is not UTF-8 is refused"),
    ("blocks-ok/046-module-const-source", "sources are not evaluated with defaults of variables"),
    ("native/configuration/002-numbers", "the texts of numbers differ, which serde_json rounds"),
    ("native/by-block/139-keys-of-for-each-twice", "a name that stands twice is an error"),
];

/// Returns the representation of a directory; `None` if it has no module.
pub(crate) fn represent<'a>(
    arena: &'a Arena,
    directory: &Path,
    dialect: Dialect,
    schemas: Option<BodySchemas<'a>>,
    compat: bool,
) -> Option<Value> {
    let options = DiscoverOptions::default().with_dialect(Some(dialect));
    let discovery = discover(&[directory], &options);
    let tree = Tree::load(arena, discovery.modules, &TreeOptions::default());
    let root = tree.modules().iter().position(|module| module.files.path == *directory)?;
    let options =
        Options::default().with_compat(compat).with_schemas(schemas.as_ref()).with_sensitive(true);
    let text = to_string(Layout::Compact, |slot| {
        representation::write(&tree, root, &options, slot).unwrap();
    });
    Some(serde_json::from_str(&text).unwrap())
}

/// Returns whether values are equal. Numbers are compared as 64-bit floats, since Terraform prints
/// some with an exponent.
fn is_equal(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_equal(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, a)| other.get(name).is_some_and(|b| is_equal(a, b)))
        }
        _ => ours == theirs,
    }
}

#[test]
fn representation_is_that_of_terraform() {
    let mut compared = 0;
    let mut differences = Vec::new();
    for case in crate::terraform_cases() {
        let text = fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let Some(theirs) = expected.get("configuration") else { continue };
        if EXCEPTIONS.iter().any(|(name, _)| case.ends_with(name)) {
            continue;
        }
        let (arena, directory) = (Arena::new(), case.join("dir"));
        let schemas = Some(crate::terraform_schemas(&case, &arena));
        let Some(ours) = represent(&arena, &directory, Dialect::Terraform, schemas, true) else {
            differences.push(format!("{}: no module", case.display()));
            continue;
        };
        compared += 1;
        if !is_equal(&ours, theirs) {
            differences.push(format!("{}:\n ours   {ours}\n theirs {theirs}", case.display()));
        }
    }
    println!("{compared} compared");
    assert!(compared > 60 || !simd_hcl_corpus::are_all(), "only {compared} cases were compared");
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

/// Returns the representation of files in a new directory, optionally with a schema file.
fn represent_files(files: &[(&str, &str)], compat: bool) -> Value {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let arena = Arena::new();
    let schemas = Source::read(&arena, directory.path().join("schemas.json")).ok().map(|source| {
        let document = Document::parse(&arena, source).unwrap();
        BodySchemas::new(Schemas::of(document, &mut Vec::new()).unwrap())
    });
    represent(&arena, directory.path(), Dialect::OpenTofu, schemas, compat).unwrap()
}

#[test]
fn constant_values_stand_alone() {
    let module = represent_files(
        &[(
            "main.tf.json",
            r#"{"output": {
                "text": {"value": "a"},
                "sum": {"value": "${1 + 2}"},
                "escaped": {"value": ["$${a}", {"${\"k\"}": 1.50}]},
                "reference": {"value": ["b", "${var.v.a[0]}"]},
                "call": {"value": "${upper(\"a\")}"},
                "broken": {"value": "${"}
            }, "variable": {"v": {"type": "object({a=list(string),b=optional(number,1)})"},
                            "w": {"type": "any", "default": null, "sensitive": true}}}"#,
        )],
        false,
    );
    let root = &module["root_module"];
    let expression = |name: &str| root["outputs"][name]["expression"].clone();
    assert_eq!(expression("text"), json!({"constant_value": "a"}));
    assert_eq!(expression("sum"), json!({"constant_value": 3}));
    assert_eq!(expression("escaped"), json!({"constant_value": ["${a}", {"k": 1.5}]}));
    let references = json!(["var.v.a[0]", "var.v.a", "var.v"]);
    assert_eq!(expression("reference"), json!({"references": references}));
    assert_eq!(expression("call"), json!({}));
    assert_eq!(expression("broken"), json!({}));
    let ty = json!(["object", {"a": ["list", "string"], "b": "number"}, ["b"]]);
    assert_eq!(root["variables"]["v"], json!({"type": ty, "required": true}));
    assert_eq!(root["variables"]["w"], json!({"default": null, "sensitive": true}));
}

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {
    "registry.opentofu.org/hashicorp/x": {
        "provider": {"version": 0, "block": {"attributes": {"region": {"type": "string", "optional": true}}}},
        "resource_schemas": {"x_a": {"version": 3, "block": {
            "attributes": {"name": {"type": "string", "required": true}, "list": {"type": ["list", ["object", {"a": "string"}]], "optional": true}},
            "block_types": {
                "one": {"nesting_mode": "single", "block": {"attributes": {"p": {"type": "string", "optional": true}},
                    "block_types": {"deep": {"nesting_mode": "set", "block": {"attributes": {"q": {"type": "string", "optional": true}}}}}}},
                "many": {"nesting_mode": "list", "block": {"attributes": {"p": {"type": "string", "optional": true}}}},
                "named": {"nesting_mode": "map", "block": {"attributes": {"p": {"type": "string", "optional": true}}}}
            }}}}}}}"#;

const BODIES: &str = r#"{
    "provider": {"x": [{"region": "here", "other": 1}, {"alias": "b", "region": "${var.r}"}]},
    "resource": {"x_a": {"r": {
        "name": "${x_a.s.name}", "list": {"a": "b"}, "unknown": 1, "count": 2, "//": "comment",
        "one": {"p": "1", "deep": [{"q": "2"}, {"q": "${each.value}"}]},
        "many": [{"p": 1}, {"p": 2}],
        "named": {"b": {"p": 1}, "a": {"p": 2}},
        "dynamic": {"many": {"for_each": "${var.l}", "content": {"p": "${many.value}"}}},
        "_": {"count": 7},
        "depends_on": ["x_a.s"], "provider": "x.b"
    }, "s": {"name": "s", "many": {"p": 1}}}}
}"#;

#[test]
fn bodies_are_split_by_schemas() {
    let files = [("main.tf.json", BODIES), ("schemas.json", SCHEMAS)];
    let module = represent_files(&files, false);
    let resources = &module["root_module"]["resources"];
    let r = &resources[0];
    assert_eq!(r["address"], "x_a.r");
    assert_eq!(r["provider_config_key"], "x.b");
    assert_eq!(r["schema_version"], 3);
    assert_eq!(r["count_expression"], json!({"constant_value": 2}));
    assert_eq!(r["depends_on"], json!(["x_a.s"]));
    let one = |value: Value| json!({"p": {"constant_value": value}});
    assert_eq!(
        r["expressions"],
        json!({
            "name": {"references": ["x_a.s.name", "x_a.s"]},
            "list": {"constant_value": {"a": "b"}},
            "one": {"p": {"constant_value": "1"},
                "deep": [{"q": {"constant_value": "2"}}, {"q": {"references": ["each.value"]}}]},
            "many": [one(json!(1)), one(json!(2))],
            "named": {"a": one(json!(2)), "b": one(json!(1))},
        })
    );
    assert_eq!(resources[1]["expressions"]["many"], json!([one(json!(1))]));
    let providers = &module["provider_config"];
    assert_eq!(providers["x"]["expressions"], json!({"region": {"constant_value": "here"}}));
    assert_eq!(providers["x.b"]["alias"], "b");
    assert_eq!(providers["x.b"]["full_name"], "registry.opentofu.org/hashicorp/x");
}

#[test]
fn without_schemas_each_property_is_an_expression() {
    let module = represent_files(&[("main.tf.json", BODIES)], false);
    let r = &module["root_module"]["resources"][0];
    assert!(r.get("schema_version").is_none());
    let expressions = r["expressions"].as_object().unwrap();
    let names: Vec<&str> = expressions.keys().map(String::as_str).collect();
    assert_eq!(names, ["count", "dynamic", "list", "many", "name", "named", "one", "unknown"]);
    assert_eq!(expressions["count"], json!({"constant_value": 7}));
    assert_eq!(expressions["many"], json!({"constant_value": [{"p": 1}, {"p": 2}]}));
    // The iterator of a dynamic block is not a reference.
    assert_eq!(expressions["dynamic"], json!({"references": ["var.l"]}));
    let module = represent_files(&[("main.tf.json", BODIES)], true);
    let expressions = &module["root_module"]["resources"][0]["expressions"];
    assert!(expressions.get("dynamic").is_none());
    assert_eq!(expressions["name"]["constant_value"], "${x_a.s.name}");
}

#[test]
fn modules_that_call_one_another_end() {
    let module = represent_files(
        &[
            ("main.tf.json", r#"{"module": {"a": {"source": "./a", "v": 1, "w": 2}}}"#),
            (
                "a/main.tf.json",
                r#"{"module": {"b": {"source": "../a", "v": 2}}, "variable": {"v": {}}}"#,
            ),
        ],
        false,
    );
    let a = &module["root_module"]["module_calls"]["a"];
    assert_eq!(a["expressions"], json!({"v": {"constant_value": 1}}));
    assert_eq!(a["module"]["module_calls"]["b"]["source"], "../a");
    assert!(a["module"]["module_calls"]["b"].get("module").is_none());
}

#[test]
fn provider_versions_are_canonical() {
    let module = represent_files(
        &[
            (
                "main.tf.json",
                r#"{"terraform": {"required_providers": {"x": {"source": "Corp/x", "version": "< 2, >= 1.0"}, "y": "~> 1.2"}},
                    "module": {"m": {"source": "./m", "providers": {"x.in": "x"}}}}"#,
            ),
            (
                "m/main.tf.json",
                r#"{"terraform": {"required_providers": {"x": {"source": "corp/x", "configuration_aliases": ["x.in"]}}},
                    "resource": {"x_a": {"r": {"provider": "x.in"}, "s": {}}}}"#,
            ),
        ],
        false,
    );
    let providers = module["provider_config"].as_object().unwrap();
    assert_eq!(
        providers["x"],
        json!({"name": "x", "full_name": "registry.opentofu.org/corp/x",
            "version_constraint": ">= 1.0.0, < 2.0.0"})
    );
    assert_eq!(providers["y"]["version_constraint"], "~> 1.2");
    let inner = &module["root_module"]["module_calls"]["m"]["module"]["resources"];
    assert_eq!(inner[0]["provider_config_key"], "x");
    assert_eq!(inner[1]["provider_config_key"], "x");
    assert_eq!(providers.len(), 2);
}

/// Modules that each call the next one twice, as in a small plan file.
#[test]
fn repeated_modules_have_a_limit() {
    let write = |levels: usize, leaf: usize, name: &str| {
        let mut files = MemoryFiles::new("");
        let mut directory = String::new();
        for level in 0..levels {
            let calls: String = ["a", "b"]
                .map(|call| format!("module \"{name}{call}\" {{\n  source = \"./m\"\n}}\n"))
                .concat();
            let text = if level + 1 < levels { calls } else { format!("# {}\n", "x".repeat(leaf)) };
            files.insert(&format!("{directory}main.tf"), text.into_bytes().into()).unwrap();
            directory.push_str("m/");
        }
        let arena = Arena::new();
        let tree = Tree::load(&arena, in_memory(files, None), &TreeOptions::default());
        let mut result = Ok(());
        let text = to_string(Layout::Compact, |slot| {
            result = representation::write(&tree, 0, &Options::default(), slot);
        });
        result.map(|()| text.len())
    };
    assert!(write(8, 1000, "").unwrap() < 1 << 20);
    assert_eq!(write(19, 1000, ""), Err(TooManyModules::Repeated));
    assert_eq!(write(12, 100_000, ""), Err(TooManyModules::Repeated));
    // Addresses double, too.
    assert_eq!(write(14, 10, &"n".repeat(2000)), Err(TooManyModules::Repeated));
    let text = TooManyModules::Repeated.to_string();
    assert!(text.ends_with("more than 67108864 bytes of them are repeated"), "{text}");
}

/// Functions of providers, and sources that OpenTofu evaluates, are printed as it prints them.
#[test]
fn functions_of_providers_and_sources_are_those_of_opentofu() {
    const NATIVE: &str = r#"
variable "src" { default = "./m" }
module "m" { source = var.src }
output "s" { value = provider::zoo::shout("a") }
output "t" { value = "${var.src} ${provider::zoo::shout(provider::zoo::other(1))}" }
resource "x_y" "z" {
  nested { input = [provider::zoo::shout("b")] }
}
"#;
    const JSON: &str = r#"{"variable": {"src": {"default": "./m"}}, "module": {"m": {"source": "${var.src}"}},
        "output": {"s": {"value": "${provider::zoo::shout(\"a\")}"},
            "t": {"value": "${var.src} ${provider::zoo::shout(provider::zoo::other(1))}"}},
        "resource": {"x_y": {"z": {"nested": {"input": ["${provider::zoo::shout(\"b\")}"]}}}}}"#;
    for (name, text) in [("main.tf", NATIVE), ("main.tf.json", JSON)] {
        let mut files = MemoryFiles::new("");
        files.insert(name, text.as_bytes().into()).unwrap();
        files.insert("m/main.tf", b"".as_slice().into()).unwrap();
        let arena = Arena::new();
        let tree = Tree::load(&arena, in_memory(files, None), &TreeOptions::default());
        let root = tree.modules().iter().position(|it| it.files.path.to_string_lossy() == "");
        let text = to_string(Layout::Compact, |slot| {
            representation::write(&tree, root.unwrap_or(0), &Options::default(), slot).unwrap();
        });
        let all: Value = serde_json::from_str(&text).unwrap();
        let root = &all["root_module"];
        assert_eq!(root["module_calls"]["m"]["source"], "./m", "{name}: {text}");
        let of = |output: &str| root["outputs"][output]["expression"]["references"].to_string();
        assert_eq!(of("s"), r#"["provider::zoo::shout"]"#, "{name}: {text}");
        let nested = r#"["var.src","provider::zoo::other","provider::zoo::shout"]"#;
        assert_eq!(of("t"), nested, "{name}: {text}");
        let nested = root["resources"][0]["expressions"].to_string();
        assert!(nested.contains(r#""references":["provider::zoo::shout"]"#), "{name}: {nested}");
    }
}
