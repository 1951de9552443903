//! `inspect`: modules, their files and typed lists.

use serde_json::Value;

use crate::tool::{GOOD, feed, linked_modules, list, run, status, stderr, stdout, template, tree};

#[test]
fn inspect_lists_files_and_blocks() {
    let tree = tree(&[
        ("m/main.tf.json", "{}"),
        ("m/main.tofu.json", GOOD),
        ("m/x_override.tf.json", "{\"locals\": {}}"),
        ("m/native.tf", ""),
    ]);
    let output = run(tree.path(), &["inspect", "--format", "json", "m"]);
    assert_eq!(status(&output), 0);
    let module = &list(&output, "modules")[0];
    assert_eq!((&module["path"], &module["dialect"]), (&"m".into(), &"opentofu".into()));
    let files: Vec<String> = module["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            let text = |name: &str| file[name].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", text("name"), text("role"), text("shadowed_by"))
        })
        .collect();
    assert_eq!(
        files,
        [
            "main.tf.json primary main.tofu.json",
            "main.tofu.json primary -",
            "native.tf native -",
            "x_override.tf.json override -",
        ]
    );
    let block = &module["blocks"][0];
    assert_eq!(block["type"], "resource");
    assert_eq!(block["labels"], serde_json::json!(["aws_instance", "web"]));
    assert_eq!(block["range"]["start"]["column"], 39);
    assert_eq!(module["blocks"][1]["type"], "locals");
}

#[test]
fn inspect_reads_standard_input_as_a_module_of_one_file() {
    let output = feed(&["inspect", "--format", "json", "--stdin-name", "m/x.tf.json", "-"], GOOD);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let module = &list(&output, "modules")[0];
    assert_eq!(module["path"], "m/x.tf.json");
    assert_eq!(module["files"][0]["role"], "primary");
    assert_eq!(module["blocks"][0]["range"]["filename"], "m/x.tf.json");
}

#[test]
fn inspect_has_typed_lists() {
    let tree = linked_modules();
    let output = run(tree.path(), &["inspect", ".", "--format", "json"]);
    let modules = list(&output, "modules");
    assert_eq!(modules[0]["resources"][1]["address"], "host.h");
    assert_eq!(modules[0]["module_calls"][0]["source"], "../net");
    assert_eq!(modules[0]["module_calls"][0]["arguments"][0], "vpc");
    assert_eq!(modules[1]["variables"][0]["type"], "string");
    assert_eq!(modules[1]["variables"][0]["required"], true);
    assert_eq!(modules[1]["outputs"][0]["name"], "id");
    let reference = &modules[0]["references"][0];
    assert_eq!(reference["from"], "host.h");
    assert_eq!(reference["to"], "module.net.id");
    assert!(reference.get("module").is_none());
    assert_eq!(modules[0]["required_versions"], serde_json::json!([]));
}

#[test]
fn inspect_has_typed_lists_of_templates() {
    let tree = template();
    let output = run(tree.path(), &["inspect", "image", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let template = &list(&output, "modules")[0];
    assert_eq!(template["dialect"], "packer");
    assert_eq!(template["files"][2]["role"], "variables");
    assert_eq!(template["blocks"].as_array().unwrap().len(), 7);
    let place = |value: &serde_json::Value| {
        let start = &value["range"]["start"];
        (start["line"].as_u64().unwrap(), start["column"].as_u64().unwrap())
    };
    assert_eq!(template["required_versions"][0]["version"], ">= 1.9");
    let plugin = &template["required_plugins"]["docker"][0];
    assert_eq!(plugin["source"], "github.com/hashicorp/docker");
    assert_eq!(place(plugin), (4, 26));
    let variables = &template["variables"];
    assert_eq!((&variables[0]["name"], &variables[0]["type"]), (&"from".into(), &"string".into()));
    assert_eq!((&variables[0]["required"], place(&variables[0])), (&true.into(), (2, 24)));
    assert!(stdout(&output).contains("\"default\":1.0"), "{}", stdout(&output));
    assert_eq!((&variables[1]["required"], place(&variables[1])), (&false.into(), (3, 17)));
    assert_eq!((&template["locals"][0]["name"], place(&template["locals"][0])).1, (4, 14));
    let source = &template["sources"][0];
    assert_eq!((&source["address"], place(source)), (&"source.docker.base".into(), (6, 33)));
    let build = &template["builds"][0];
    assert_eq!((&build["name"], place(build)), (&"b".into(), (8, 5)));
    assert_eq!(build["sources"][0]["address"], "source.docker.base");
    assert_eq!(build["provisioners"][0]["only"], serde_json::json!(["docker.base"]));
    assert_eq!(build["provisioners"][1]["type"], "file");
    assert_eq!(build["post_processors"][0][1]["type"], "docker-push");
    assert_eq!(template["hcp_packer_registries"][0]["bucket_name"], "images");

    let output = run(tree.path(), &["inspect", "image"]);
    assert!(stdout(&output).contains("\n  builds: source.docker.base\n"), "{}", stdout(&output));
}

#[test]
fn inspect_has_the_shape_of_terraform_config_inspect() {
    let tree = tree(&[(
        "m/main.tf.json",
        r#"{"terraform": {"required_version": ">= 1.5", "required_providers": {"x": {"source": "corp/x", "version": "~> 2.0"}}},
            "provider": {"x": {"alias": "far", "version": "2.1"}},
            "variable": {"a": {"type": "list(string)", "default": [1.50, "${b}"]}, "b": {"sensitive": true}},
            "output": {"o": {"value": 1, "description": "an output"}},
            "resource": {"y_z": {"r": {}}}, "data": {"x_d": {"d": {"provider": "x.far"}}},
            "module": {"c": {"source": "./gone", "version": null}}}"#,
    )]);
    let output = run(tree.path(), &["inspect", "--compat", "--format", "ndjson", "m"]);
    let module: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let pos = serde_json::json!({"filename": "m/main.tf.json", "line": 3});
    let expected = serde_json::json!({
        "a": {"name": "a", "type": "list(string)", "default": [1.5, "${b}"], "required": false, "pos": pos},
        "b": {"name": "b", "default": null, "required": true, "sensitive": true, "pos": pos},
    });
    assert_eq!(module["variables"], expected);
    assert_eq!(module["path"], "m");
    assert_eq!(module["outputs"]["o"]["description"], "an output");
    assert_eq!(module["required_core"], serde_json::json!([">= 1.5"]));
    let expected = serde_json::json!({
        "x": {"source": "corp/x", "version_constraints": ["~> 2.0", "2.1"]}, "y": {},
    });
    assert_eq!(module["required_providers"], expected);
    assert_eq!(module["provider_configs"]["x.far"]["alias"], "far");
    assert_eq!(module["managed_resources"]["y_z.r"]["provider"]["name"], "y");
    assert_eq!(module["data_resources"]["data.x_d.d"]["provider"]["alias"], "far");
    assert_eq!(module["module_calls"]["c"]["source"], "./gone");
    assert_eq!(module["diagnostics"][0]["pos"]["line"], 6);
    assert_eq!(status(&output), 1);
}

/// Constraints are in the order of the files, as terraform-config-inspect lists them.
#[test]
fn inspect_compat_orders_constraints() {
    let main = "provider \"bar\" {\n  version = \"1.0.0\"\n}\n\
                terraform {\n  required_providers {\n    bar = \"1.1.0\"\n  }\n}\n\
                provider \"bar\" {\n  alias   = \"b\"\n  version = \"1.2.0\"\n}\n";
    let tree = tree(&[("m/main.tf", main)]);
    let output = run(tree.path(), &["inspect", "--compat", "--format", "json", "m"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let versions = &found[0]["required_providers"]["bar"]["version_constraints"];
    assert_eq!(versions.to_string(), r#"["1.0.0","1.1.0","1.2.0"]"#);
}

#[test]
fn inspect_compat_has_the_last_of_duplicates() {
    let tree = tree(&[(
        "m/main.tf.json",
        r#"{"resource": [{"x_y": {"r": {}}},
            {"x_y": {"r": {"provider": "z.far"}}}],
            "variable": [{"v": {"default": 1}},
            {"v": {"default": 2}}]}"#,
    )]);
    let output = run(tree.path(), &["inspect", "--compat", "--format", "ndjson", "m"]);
    let module: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let resource = &module["managed_resources"]["x_y.r"];
    assert_eq!((&resource["pos"]["line"], &resource["provider"]["name"]), (&2.into(), &"z".into()));
    let variable = &module["variables"]["v"];
    assert_eq!((&variable["pos"]["line"], &variable["default"]), (&4.into(), &2.into()));
    assert_eq!(module["required_providers"], serde_json::json!({"x": {}, "z": {}}));
}

#[test]
fn inspect_shows_lifecycles_and_provisioners_in_their_order() {
    let tree = tree(&[
        (
            "m/a.tf.json",
            r#"{"resource": {"x_y": {"z": {"lifecycle": {"prevent_destroy": true,
            "ignore_changes": ["tags"], "precondition": {"condition": "${true}", "error_message": "no"}}}}}}"#,
        ),
        (
            "p/a.pkr.json",
            r#"{"build": {"provisioner": {"shell": {}}, "dynamic": {"provisioner":
            {"for_each": [1], "labels": ["file"], "content": {}}}}}"#,
        ),
    ]);
    let module = list(&run(tree.path(), &["inspect", "m", "--format", "json"]), "modules");
    let lifecycle = &module[0]["resources"][0]["lifecycle"];
    assert_eq!(lifecycle["prevent_destroy"], true);
    assert_eq!(lifecycle["ignore_changes"], serde_json::json!(["tags"]));
    assert_eq!(lifecycle["preconditions"], 1);
    let template = list(&run(tree.path(), &["inspect", "p", "--format", "json"]), "modules");
    let steps = template[0]["builds"][0]["provisioners"].as_array().unwrap();
    let steps: Vec<_> =
        steps.iter().map(|it| (it["type"].as_str(), it["dynamic"].as_bool())).collect();
    assert_eq!(steps, [(Some("shell"), None), (Some("provisioner"), Some(true))]);
}

/// Modules, templates and trees are written by serde as `inspect` prints them.
#[test]
fn the_library_writes_the_same_lists() {
    use simd_hcl::Arena;
    use simd_hcl::directory::{DiscoverOptions, discover};
    use simd_hcl::tree::{Tree, TreeOptions};

    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let mut lists = 0;
    for path in [
        root.join("monorepo"),
        simd_hcl_corpus::conformance("terraform"),
        simd_hcl_corpus::conformance("opentofu"),
        simd_hcl_corpus::conformance("packer"),
    ] {
        let directory = path.display();
        let found = discover(&[&path], &DiscoverOptions::default());
        let arena = Arena::new();
        let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
        let written = serde_json::to_value(&tree).unwrap();
        let mut printed =
            list(&run(&root, &["inspect", "--format", "json", path.to_str().unwrap()]), "modules");
        let printed = printed.as_array_mut().unwrap();
        // A tree has its templates last, names unreadable files, and does not list blocks.
        printed.sort_by_key(|module| module["dialect"] == "packer");
        let written = written.as_array().unwrap();
        assert_eq!(written.len(), printed.len(), "{directory}");
        for (written, printed) in written.iter().zip(printed) {
            let mut written = written.clone();
            written.as_object_mut().unwrap().shift_remove("undecoded");
            printed.as_object_mut().unwrap().shift_remove("blocks");
            assert!(is_same(&written, printed), "{directory}: {written}\n{printed}");
            lists += written["variables"].as_array().unwrap().len();
        }
    }
    assert!(lists > 50, "{lists} variables");
}

/// Returns whether values are equal. Serde writes numbers with more digits than a float as strings.
fn is_same(written: &Value, printed: &Value) -> bool {
    match (written, printed) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().eq(other.keys());
            names && one.values().zip(other.values()).all(|(one, other)| is_same(one, other))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::String(digits), Value::Number(_)) => {
            digits.len() > 16 && digits.parse().ok() == printed.as_f64()
        }
        _ => written == printed,
    }
}
