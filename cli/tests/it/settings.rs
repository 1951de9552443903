//! `simd-hcl.toml`.

use std::fs;

use crate::tool::{commit, git, json, run, status, stderr, stdout, tree};

const NAME: &str = "simd-hcl.toml";

const WRONG: &str = "output \"o\" {\n  value = var.gone\n}\n";
const UNUSED: &str = "locals {\n  a = 1\n}\n";

/// Returns the findings of a check, as `PATH SEVERITY[CODE]`.
fn found(directory: &std::path::Path, arguments: &[&str]) -> Vec<String> {
    let output = run(directory, &[&["check", "--format", "concise"], arguments].concat());
    let text = stdout(&output);
    let of = |line: &str| {
        let (path, rest) = line.split_once(':').unwrap();
        let (_, rest) = rest.split_once(": ").unwrap();
        format!("{path} {}", rest.split(':').next().unwrap())
    };
    assert!(status(&output) < 2, "{}", stderr(&output));
    text.lines().map(of).collect()
}

#[test]
fn the_nearest_file_upward_applies() {
    let tree = tree(&[
        ("simd-hcl.toml", "deny = [\"warnings\"]\n"),
        ("a/x/main.tf", UNUSED),
        ("b/simd-hcl.toml", "allow = [\"unused-declaration\"]\n"),
        ("b/x/main.tf", UNUSED),
    ]);
    let error = |path: &str| format!("{path} error[unused-declaration]");
    assert_eq!(found(tree.path(), &["a/x"]), [error("a/x/main.tf")]);
    assert_eq!(found(tree.path(), &["b/x/main.tf"]), [""; 0]);
    assert_eq!(found(&tree.path().join("b"), &["x"]), [""; 0]);
    // The file of what the paths have in common.
    assert_eq!(found(tree.path(), &["a/x", "b/x"]), [error("a/x/main.tf"), error("b/x/main.tf")]);
    let warning = ["a/x/main.tf warning[unused-declaration]"];
    assert_eq!(found(tree.path(), &["--no-config", "a"]), warning);
    assert_eq!(found(tree.path(), &["--config", "b/simd-hcl.toml", "a"]), [""; 0]);
}

#[test]
fn flags_and_patterns_take_precedence() {
    let settings = "allow = [\"warnings\"]\n[per-path-deny]\n\"new/\" = [\"unused-declaration\"]\n\
                    [per-path-allow]\n\"old/**/x.tf\" = [\"undeclared-reference\"]\n";
    let tree = tree(&[
        ("simd-hcl.toml", settings),
        ("new/main.tf", UNUSED),
        ("other/main.tf", UNUSED),
        ("old/deep/x.tf", WRONG),
        ("old/deep/y.tf", "output \"p\" {\n  value = var.gone\n}\n"),
    ]);
    let of_old = "old/deep/y.tf error[undeclared-reference]".to_owned();
    let of_new = "new/main.tf error[unused-declaration]".to_owned();
    assert_eq!(found(tree.path(), &["."]), [of_new, of_old.clone()]);
    let flag = ["--allow", "unused-declaration", "."];
    assert_eq!(found(tree.path(), &flag), [of_old]);
}

/// Excluded files are read where others need them.
#[test]
fn files_are_excluded() {
    let tree = tree(&[
        ("simd-hcl.toml", "exclude = [\"vendor/\", \"*.gen.tf\", \"!keep.gen.tf\"]\n"),
        ("main.tf", "module \"m\" {\n  source = \"./vendor/m\"\n  extra  = local.made\n}\n"),
        ("made.gen.tf", "locals {\n  made = 1\n}\noutput \"o\" {\n  value = var.gone\n}\n"),
        ("keep.gen.tf", "output \"k\" {\n  value = var.gone\n}\n"),
        ("vendor/m/main.tf", WRONG),
    ]);
    let expected =
        ["keep.gen.tf error[undeclared-reference]", "main.tf error[undeclared-argument]"];
    assert_eq!(found(tree.path(), &["."]), expected);
    // A path that is named is not excluded, neither here nor in other commands.
    let named = ["vendor/m/main.tf error[undeclared-reference]"];
    assert_eq!(found(tree.path(), &["vendor/m"]), named);
    assert_eq!(found(tree.path(), &["vendor/m/main.tf"]), named);
    let listed = stdout(&run(tree.path(), &["inspect", "."]));
    assert!(!listed.contains("vendor"), "{listed}");
    std::fs::write(tree.path().join("simd-hcl.toml"), "exclude = [\"*\"]").unwrap();
    let output = run(tree.path(), &["check", "."]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("excludes all files"), "{}", stderr(&output));
}

#[test]
fn other_settings_stand_for_flags() {
    let tree = tree(&[
        (
            "simd-hcl.toml",
            "dialect = \"terraform\"\nlevel = \"syntax\"\nbaseline = \"known.json\"\n",
        ),
        ("main.tf", "a b c\n"),
        ("sub/main.tf", WRONG),
        ("x.tofu", "a b c\n"),
    ]);
    // A relative path starts at the file.
    let output = run(&tree.path().join("sub"), &["check", "--write-baseline", ".."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(tree.path().join("known.json").exists());
    assert_eq!(found(tree.path(), &["."]), [""; 0]);
    // Only OpenTofu reads `x.tofu`, and only a deeper level finds the reference.
    let expected = ["sub/main.tf error[undeclared-reference]"];
    assert_eq!(found(tree.path(), &["--level", "module", "."]), expected);
    let more = found(tree.path(), &["--dialect", "opentofu", "."]);
    assert!(more.iter().all(|it| it.starts_with("x.tofu ")) && !more.is_empty(), "{more:?}");
}

#[test]
fn errors_have_a_place() {
    let tree = tree(&[("main.tf", "")]);
    for (text, message) in [
        ("exclude = [\n", "unclosed array"),
        ("\n  exlude = []\n", ":2:3: unknown key \"exlude\"; did you mean \"exclude\"?"),
        ("x = 1\n", ":1:1: unknown key \"x\"; expected one of dialect, "),
        ("level = \"modul\"\n", ":1:9: unknown value \"modul\"; did you mean \"module\"?"),
        ("allow = [\"warnings\", 1]\n", ":1:22: expected a string, found integer"),
        ("allow = \"warnings\"\n", ":1:9: expected an array of strings, found string"),
        ("deny = [\"warning\"]\n", ":1:9: no diagnostic has this code; did you mean \"warnings\"?"),
        ("exclude = [\"a{b\"]\n", ":1:12: "),
        ("[per-path-allow]\n\"a\" = [\"b\"]\n", ":2:8: no diagnostic has this code"),
        ("per-path-deny = 1\n", ":1:17: expected a table of patterns, found integer"),
    ] {
        std::fs::write(tree.path().join("simd-hcl.toml"), text).unwrap();
        let output = run(tree.path(), &["check", "."]);
        assert_eq!(status(&output), 2, "{text}");
        let errors = stderr(&output);
        assert!(errors.contains("simd-hcl.toml") && errors.contains(message), "{text}: {errors}");
    }
    let output = run(tree.path(), &["check", "--config", "gone.toml", "."]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("gone.toml: "), "{}", stderr(&output));
}

/// A root module that changed settings run with other values is affected, and its values differ.
#[test]
fn changed_inputs_of_root_modules_affect_them() {
    let module = r#"
variable "v" { default = "none" }
resource "terraform_data" "it" { input = "${var.v}-${terraform.workspace}" }
"#;
    let tree = tree(&[
        ("one/main.tf", module),
        ("two/main.tf", module),
        (
            NAME,
            "[[root]]\npath = \"one\"\nvariables = { v = \"a\" }\n[[root]]\npath = \"two\"\nworkspace = \"w\"\n",
        ),
    ]);
    let directory = tree.path();
    let commit = || commit(directory);
    git(directory, &["init", "-q"]);
    commit();
    let names = |arguments: &[&str], member: &str| -> Vec<String> {
        let answer = json(&run(directory, &[arguments, &["--format", "json"]].concat()));
        let all = answer[member].as_array().unwrap().iter();
        let roots = all.filter(|module| module["root"] != false);
        roots.map(|module| module["path"].as_str().unwrap().to_owned()).collect()
    };
    let affected = |revision: &str| names(&["affected", "--since", revision], "modules");
    let review = |revision: &str| names(&["review", "--since", revision], "roots");
    let settings = directory.join(NAME);
    let text = fs::read_to_string(&settings).unwrap();
    assert_eq!(names(&["affected", NAME], "modules"), ["one", "two"]);
    // Sections that say the same affect nothing.
    fs::write(&settings, format!("# more\nlevel = \"module\"\n{text}")).unwrap();
    assert!(affected("HEAD").is_empty() && review("HEAD").is_empty());
    fs::write(&settings, text.replace("\"a\"", "\"b\"")).unwrap();
    assert_eq!((affected("HEAD"), review("HEAD")), (vec!["one".into()], vec!["one".into()]));
    commit();
    assert_eq!(review("HEAD~1..HEAD"), ["one"]);
    fs::remove_file(&settings).unwrap();
    assert_eq!(affected("HEAD"), ["one", "two"]);
    let answer = json(&run(directory, &["review", "--format", "json"]));
    assert_eq!(answer["roots"][0]["path"], "one");
    assert!(answer["roots"][0].to_string().contains("b-default"), "{answer}");
    assert!(answer["roots"][0].to_string().contains("none-default"), "{answer}");
}
