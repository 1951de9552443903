//! `affected`: the modules that changed files affect.

use serde_json::json as value;

use crate::tool::{commit, feed_in, git, json, run, status, stderr, stdout, tree};

fn repository() -> tempfile::TempDir {
    tree(&[
        (
            "stacks/app/main.tf.json",
            r#"{"module": {"net": {"source": "../../modules/net"}}, "provider": {"aws": {}}}"#,
        ),
        ("stacks/other/main.tf.json", r#"{"provider": {"aws": {}}}"#),
        ("modules/net/main.tf.json", r#"{"variable": {"cidr": {"default": "10.0.0.0/8"}}}"#),
        ("modules/net/notes.md", "notes"),
    ])
}

#[test]
fn files_without_a_known_reader_are_gaps() {
    let tree = repository();
    let files = ["stacks/app/prod.tfvars", "env/prod.tfvars", "stacks/app/terragrunt.hcl"];
    std::fs::create_dir(tree.path().join("env")).unwrap();
    files.iter().for_each(|file| std::fs::write(tree.path().join(file), "").unwrap());
    let output = run(tree.path(), &[&["affected", "--format", "json"][..], &files].concat());
    let answer = json(&output);
    assert_eq!(answer["modules"][0]["path"], "stacks/app");
    let gap = serde_json::json!([{"what": "file", "why": "the modules that read it are not known",
        "where": ["env/prod.tfvars"]}]);
    assert_eq!((&answer["incomplete"], status(&output)), (&gap, 0));
}

/// A range on the first line.
fn range(filename: &str, from: u32, to: u32) -> serde_json::Value {
    let place = |column: u32| serde_json::json!({"line": 1, "column": column, "byte": column - 1});
    serde_json::json!({"filename": filename, "start": place(from), "end": place(to)})
}

#[test]
fn affected_modules_have_a_reason() {
    let tree = repository();
    let output = run(tree.path(), &["affected", "modules/net/main.tf.json", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["format_version"], "1.0");
    assert_eq!(answer["incomplete"], serde_json::json!([]));
    assert_eq!(
        answer["modules"],
        serde_json::json!([
            {"path": "modules/net", "root": false,
             "because": [{"file": "modules/net/main.tf.json", "module": "modules/net", "via": [
                {"module": "modules/net", "range": range("modules/net/main.tf.json", 1, 1)}]}]},
            {"path": "stacks/app", "root": true,
             "because": [{"file": "modules/net/main.tf.json", "module": "modules/net", "via": [
                {"module": "modules/net", "range": range("modules/net/main.tf.json", 1, 1)},
                {"address": "module.net", "module": "stacks/app",
                 "range": range("stacks/app/main.tf.json", 31, 50)}]},
                         {"address": "module.net", "module": "stacks/app"}]},
        ])
    );
    let human = run(tree.path(), &["affected", ".", "./modules/net/main.tf.json", "--roots"]);
    assert_eq!(
        stdout(&human),
        "stacks/app (root)\n    ./modules/net/main.tf.json -> modules/net\n    stacks/app:module.net\n"
    );
    let matrix =
        ["affected", ".", "modules/net/main.tf.json", "--roots", "--format", "github-matrix"];
    assert_eq!(stdout(&run(tree.path(), &matrix)), "{\"include\":[{\"path\":\"stacks/app\"}]}\n");
    let lines = run(tree.path(), &["affected", "modules/net/main.tf.json", "--format", "ndjson"]);
    assert_eq!(stdout(&lines).lines().count(), 2);
    let nothing = run(tree.path(), &["affected", "modules/net/notes.md", "--format", "json"]);
    assert_eq!((status(&nothing), json(&nothing)["modules"].clone()), (0, serde_json::json!([])));
    assert_eq!(status(&run(tree.path(), &["affected", "."])), 2, "no changed files");
}

#[test]
fn affected_takes_lists_and_revisions() {
    let tree = repository();
    let list = "modules/net/main.tf.json\nREADME.md\n\n";
    let output = feed_in(tree.path(), &["affected", "--files-from", "-", "--roots"], list);
    assert!(stdout(&output).starts_with("stacks/app (root)\n"), "{}", stdout(&output));
    let empty = feed_in(tree.path(), &["affected", "--files-from", "-"], "");
    assert_eq!((status(&empty), stdout(&empty)), (0, String::new()));
    let missing = run(tree.path(), &["affected", "--files-from", "no-such-list"]);
    assert_eq!(status(&missing), 2);

    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "one"]);
    let since = |directory: &str| {
        let arguments = ["affected", directory, "--since", "HEAD", "--format", "json"];
        let output = run(tree.path(), &arguments);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let modules = json(&output)["modules"].clone();
        let paths = modules.as_array().unwrap().iter();
        paths.map(|module| module["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(since("."), [""; 0]);
    // A deleted file, and an untracked one.
    std::fs::remove_file(tree.path().join("modules/net/main.tf.json")).unwrap();
    assert_eq!(since("."), ["stacks/app"]);
    std::fs::write(tree.path().join("stacks/other/new.tf.json"), "{}").unwrap();
    assert_eq!(since("."), ["stacks/app", "stacks/other"]);
    // Differences in a module, and removed modules.
    std::fs::write(tree.path().join("stacks/other/main.tf.json"), "{\"locals\": {\"a\": 1}}")
        .unwrap();
    std::fs::remove_dir_all(tree.path().join("stacks/app")).unwrap();
    let output = run(tree.path(), &["affected", "--since", "HEAD", "--format", "json", "--roots"]);
    let answer = json(&output);
    assert_eq!(answer["removed"], serde_json::json!([{"path": "stacks/app", "root": true}]));
    // It has lost its provider block, and nothing calls it.
    assert_eq!(answer["modules"][0]["path"], "stacks/other");
    let output = run(tree.path(), &["affected", "--since", "HEAD"]);
    let text = stdout(&output);
    assert!(text.contains("stacks/other (root)\n"), "{text}");
    assert!(text.contains("    local.a: added\n    provider.aws: removed\n"), "{text}");
    assert!(text.ends_with("modules/net: removed\nstacks/app (root): removed\n"), "{text}");
    let unknown = run(tree.path(), &["affected", "--since", "no-such-revision"]);
    assert_eq!(status(&unknown), 2);
}

#[test]
fn affected_says_what_it_does_not_know() {
    let tree = tree(&[
        ("a/main.tf.json", r#"{"module": {"m": {"source": "${var.where}"}}}"#),
        ("b/main.tf", "module \"m\" {\n  source = \"../leaf\"\n}\n"),
        ("c/main.tf", "module \"m\" {\n  source = \n}\nx = [\n"),
        ("leaf/main.tf.json", "{}"),
    ]);
    let output = run(tree.path(), &["affected", "leaf/main.tf.json", "--format", "json"]);
    let incomplete = json(&output)["incomplete"].to_string();
    assert!(incomplete.contains("a:module.m"), "{incomplete}");
    assert!(incomplete.contains("\"c\""), "{incomplete}");
    let modules = json(&output)["modules"].to_string();
    assert!(modules.contains("\"b\""), "{modules}");
    let human = run(tree.path(), &["affected", "leaf/main.tf.json", "--quiet"]);
    assert!(stderr(&human).contains("incomplete: "), "{}", stderr(&human));
}

/// Formats of pipelines have no place for incomplete answers, so everything runs.
#[test]
fn formats_of_pipelines() {
    let tree = repository();
    let print = |file: &str, format: &str| {
        let output = run(tree.path(), &["affected", file, "--format", format]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let files = ["stacks/app/main.tf.json", "modules/net/notes.md"];
    let matrix = |paths: &str| format!("{{\"include\":[{paths}]}}\n");
    let yaml = |text: &str| text.to_owned();
    for (format, app, nothing) in [
        ("github-matrix", matrix("{\"path\":\"stacks/app\"}"), matrix("")),
        ("list0", yaml("stacks/app\0"), String::new()),
        (
            "atlantis",
            yaml(
                "version: 3\nprojects:\n- name: \"stacks/app\"\n  dir: \"stacks/app\"\n  autoplan:\n    \
                 when_modified: [\"main.tf.json\"]\n",
            ),
            yaml("version: 3\nprojects: []\n"),
        ),
        (
            "digger",
            yaml("projects:\n- name: \"stacks/app\"\n  dir: \"stacks/app\"\n"),
            yaml("projects: []\n"),
        ),
        (
            "gitlab",
            yaml(
                "affected:\n  extends: .affected\n  parallel:\n    matrix:\n      - ROOT: [\"stacks/app\"]\n",
            ),
            yaml("nothing-affected:\n  script: [\"true\"]\n"),
        ),
        (
            "csv",
            yaml(
                "path,root,certain,file,because\nstacks/app,true,true,stacks/app/main.tf.json,stacks/app\n",
            ),
            yaml("path,root,certain,file,because\n"),
        ),
    ] {
        assert_eq!(print(files[0], format), app, "{format}");
        assert_eq!(print(files[1], format), nothing, "{format}");
    }
    std::fs::write(tree.path().join("stacks/other/main.tf"), "provider \"aws\" {}\nx = [\n")
        .unwrap();
    let output =
        run(tree.path(), &["affected", "stacks/app/main.tf.json", "--format", "github-matrix"]);
    let expected = "{\"path\":\"stacks/app\"},{\"path\":\"stacks/other\",\"incomplete\":true}";
    assert_eq!(stdout(&output), matrix(expected));
    let output = run(tree.path(), &["affected", "modules/net/notes.md", "--format", "list0"]);
    assert_eq!(stdout(&output), "stacks/app\0stacks/other\0");
}

#[test]
fn all_paths_to_a_root() {
    let tree = tree(&[
        (
            "app/main.tf",
            "provider \"x\" {}\nmodule \"one\" { source = \"../m\" }\nmodule \"two\" { source = \"../m\" }\n",
        ),
        ("m/main.tf", "output \"o\" { value = file(\"${path.module}/x.txt\") }\n"),
        ("m/x.txt", ""),
        ("other/main.tf", ""),
    ]);
    let explain = |root: &str, file: &str, format: &str| {
        run(tree.path(), &["affected", "--explain", root, "--format", format, ".", file])
    };
    assert_eq!(
        stdout(&explain("app", "m/x.txt", "human")),
        "app\n    m/x.txt\n     -> m:output.o  (m/main.tf:1)\n     -> app:module.one  (app/main.tf:2)\n    \
         m/x.txt\n     -> m:output.o  (m/main.tf:1)\n     -> app:module.two  (app/main.tf:3)\n"
    );
    let answer = json(&explain("./app/", "m/x.txt", "json"));
    assert_eq!(answer["paths"].as_array().unwrap().len(), 2);
    assert_eq!(answer["paths"][1]["via"][1]["address"], "module.two");
    assert_eq!(stdout(&explain("other", "m/x.txt", "human")), "other: not affected\n");
    assert_eq!(status(&explain("missing", "m/x.txt", "human")), 2);
}

#[test]
fn paths_that_do_not_exist_are_errors() {
    let tree = repository();
    let fails = |arguments: &[&str], expected: &str| {
        let output = run(tree.path(), arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    };
    fails(&["affected", "stacks/app/mian.tf.json"], "did you mean stacks/app/main.tf.json?");
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "one"]);
    fails(&["affected", "HEAD~0"], "did you mean --since HEAD~0?");
    fails(&["affected", "HEAD..HEAD"], "did you mean --since HEAD..HEAD?");
    fails(&["affected", "typo.tf"], "--since a revision");
    fails(&["affected", "--since", "no-such-revision"], "no-such-revision");
    std::fs::remove_file(tree.path().join("stacks/app/main.tf.json")).unwrap();
    let output = run(tree.path(), &["affected", "stacks/app/main.tf.json"]);
    assert_eq!(status(&output), 0, "git knows the deleted file: {}", stderr(&output));
}

/// A dependency of the base revision counts as much as one of today, and only changes of this branch count.
#[test]
fn both_revisions_count() {
    let tree = tree(&[
        (
            "app/main.tf",
            "provider \"x\" {}\nresource \"x\" \"y\" { z = file(\"../shared/x.txt\") }\n",
        ),
        ("other/main.tf", "provider \"x\" {}\n"),
        ("shared/x.txt", "one"),
    ]);
    let path = tree.path();
    let commit = |name: &str| {
        git(path, &["add", "-A"]);
        git(path, &["commit", "-qm", name]);
    };
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    let paths = |revision: &str| {
        let output = run(path, &["affected", "--since", revision, "--roots", "--format", "list0"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output).split_terminator('\0').map(str::to_owned).collect::<Vec<_>>()
    };
    git(path, &["init", "-q", "-b", "main"]);
    commit("one");
    git(path, &["checkout", "-q", "-b", "work"]);
    // The only reader no longer reads the file; the file is gone.
    write("app/main.tf", "provider \"x\" {}\n");
    std::fs::remove_file(path.join("shared/x.txt")).unwrap();
    commit("two");
    assert_eq!(paths("HEAD~1"), ["app"]);
    write("shared/x.txt", "three");
    commit("three");
    assert_eq!(paths("HEAD~1"), [""; 0], "nothing reads it now");
    assert_eq!(paths("main..HEAD"), ["app"]);
    // The other branch goes on.
    git(path, &["checkout", "-q", "main"]);
    write("other/main.tf", "provider \"x\" {}\n# more\n");
    commit("four");
    git(path, &["checkout", "-q", "work"]);
    assert_eq!(paths("main"), ["app"]);
    assert_eq!(paths("main..HEAD"), ["app", "other"]);
    assert_eq!(paths("main...HEAD"), ["app"]);
    // Other histories.
    git(path, &["checkout", "-q", "--orphan", "alone"]);
    commit("five");
    let output = run(path, &["affected", "--since", "main"]);
    assert!(stderr(&output).contains("main..HEAD"), "{}", stderr(&output));
    let clone = tempfile::tempdir().unwrap();
    let source = format!("file://{}", path.display());
    git(clone.path(), &["clone", "-q", "--depth", "1", "-b", "work", &source, "copy"]);
    let copy = clone.path().join("copy");
    let output = run(&copy, &["affected", "--since", "main"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("fetch-depth: 0"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn modes_links_and_renames_are_changes() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let tree = tree(&[
        (
            "app/main.tf",
            "provider \"x\" {}\nmodule \"m\" { source = \"../current\" }\nresource \"x\" \"y\" { source_dir = \"${path.module}/src\" }\n",
        ),
        ("app/src/a.sh", "one\n"),
        ("one/main.tf", "# one\n"),
        ("two/main.tf", "# two\n"),
    ]);
    let path = tree.path();
    symlink("one", path.join("current")).unwrap();
    git(path, &["init", "-q"]);
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "one"]);
    let roots = || {
        let arguments = ["affected", "--since", "HEAD", "--roots", "--format", "list0"];
        let output = run(path, &arguments);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let reset = || {
        git(path, &["checkout", "-q", "--", "."]);
        git(path, &["clean", "-qfd"]);
        assert_eq!(roots(), "");
    };
    reset();
    let script = path.join("app/src/a.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(roots(), "app\0");
    reset();
    std::fs::remove_file(path.join("current")).unwrap();
    symlink("two", path.join("current")).unwrap();
    assert_eq!(roots(), "app\0");
    reset();
    std::fs::rename(&script, path.join("two/a.sh")).unwrap();
    assert_eq!(roots(), "app\0");
    reset();
    std::fs::write(path.join("app/src/new.sh"), "").unwrap();
    assert_eq!(roots(), "app\0");
    reset();
    std::fs::write(path.join("two/README.md"), "").unwrap();
    assert_eq!(roots(), "");
}

/// A link that changes affects what goes through it, not all that depends on what it leads to.
#[cfg(unix)]
#[test]
fn changed_links_affect_what_goes_through_them() {
    use std::os::unix::fs::symlink;
    let app = |source: &str| {
        format!(
            "provider \"x\" {{}}\nmodule \"m\" {{ source = \"{source}\" }}\nvariable \"f\" {{ default = \"none\" }}\noutput \"o\" {{ value = try(file(\"${{path.module}}/../files/${{var.f}}\"), \"\") }}\n"
        )
    };
    let reads = |file: &str| {
        format!(
            "provider \"x\" {{}}\noutput \"o\" {{ value = file(\"${{path.module}}/../files/{file}\") }}\n"
        )
    };
    let tree = tree(&[
        ("through/main.tf", &app("../current")),
        ("directly/main.tf", &app("../one")),
        ("one/main.tf", "# one\n"),
        ("two/main.tf", "# two\n"),
        ("reader/main.tf", &reads("link.txt")),
        ("other/main.tf", &reads("real.txt")),
        ("files/real.txt", "x"),
        ("named/main.tf", "provider \"x\" {}\nvariable \"a\" {}\n"),
        ("vars/real.tfvars", "a = 1\n"),
        ("simd-hcl.toml", "[[root]]\npath = \"named\"\nvar-files = [\"../vars/link.tfvars\"]\n"),
    ]);
    let path = tree.path();
    symlink("one", path.join("current")).unwrap();
    // Through another link.
    symlink("real.txt", path.join("files/inner.txt")).unwrap();
    symlink("inner.txt", path.join("files/link.txt")).unwrap();
    symlink("real.tfvars", path.join("vars/link.tfvars")).unwrap();
    git(path, &["init", "-q"]);
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "one"]);
    let affected = |arguments: &[&str]| {
        let arguments = [&["affected", "--roots", "--format", "list0"], arguments].concat();
        let output = run(path, &arguments);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output).replace('\0', " ")
    };
    let retarget = |link: &str, to: &str| {
        std::fs::remove_file(path.join(link)).unwrap();
        symlink(to, path.join(link)).unwrap();
        let found = affected(&["--since", "HEAD"]);
        git(path, &["checkout", "-q", "--", "."]);
        found
    };
    assert_eq!(retarget("current", "./one"), "through ");
    assert_eq!(retarget("files/link.txt", "./inner.txt"), "reader ");
    assert_eq!(retarget("files/inner.txt", "./real.txt"), "reader ");
    assert_eq!(retarget("vars/link.tfvars", "./real.tfvars"), "named ");
    // The target of a file of variables is one, too.
    assert_eq!(affected(&["vars/real.tfvars"]), "named ");
    // A link that is named is also what it leads to: an editor saves through it.
    assert_eq!(affected(&["files/link.txt"]), "other reader ");
}

/// A module is a root module if the settings say so, or if it has what only root modules have.
#[test]
fn modules_without_a_backend_may_be_root_modules() {
    let plain = "resource \"x\" \"y\" { z = file(\"x.txt\") }\n";
    let tree = tree(&[
        ("live/one/main.tf", plain),
        ("live/one/x.txt", ""),
        ("test/main.tf", "module \"m\" { source = \"../live/one\" }\n"),
        ("with-values/main.tf", plain),
        ("with-values/terraform.tfvars", "a = 1\n"),
        ("with-import/main.tf", &format!("{plain}import {{\n  to = x.y\n  id = \"i\"\n}}\n")),
        ("library/main.tf", plain),
    ]);
    let roots = |file: &str| {
        let output = run(tree.path(), &["affected", file, "--roots", "--format", "json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let modules = json(&output)["modules"].clone();
        let paths: Vec<_> =
            modules.as_array().unwrap().iter().map(|it| it["path"].clone()).collect();
        value!(paths)
    };
    for (directory, expected) in [
        ("live/one", value!([])),
        ("with-values", value!(["with-values"])),
        ("with-import", value!(["with-import"])),
        ("library", value!([])),
    ] {
        assert_eq!(roots(&format!("{directory}/main.tf")), expected, "{directory}");
    }
    std::fs::write(tree.path().join("simd-hcl.toml"), "[[root]]\npath = \"live/*\"\n").unwrap();
    assert_eq!(roots("live/one/main.tf"), value!(["live/one"]));
    // A path from the directory in which it is run.
    assert_eq!(roots("live/one/x.txt"), value!(["live/one"]));
}

/// A file that git-crypt has encrypted is said with the reason, where its values may matter.
#[test]
fn encrypted_files_are_said() {
    let tree = tree(&[
        ("main.tf", "provider \"x\" {}\nvariable \"v\" {\n  default = \"d\"\n}\n"),
        ("uses.tf", "resource \"x\" \"y\" {\n  z = file(\"${path.module}/${var.v}.txt\")\n}\n"),
        ("terraform.tfvars", "\0GITCRYPT\0x"),
        ("d.txt", "the value may be another"),
    ]);
    let answer = |file: &str| {
        let answer = json(&run(tree.path(), &["affected", file, "--format", "json"]));
        (answer["modules"].as_array().unwrap().len(), answer["incomplete"].clone())
    };
    // All that calls a module depends on its configuration, whatever the values are.
    assert_eq!(answer("main.tf"), (1, value!([])));
    assert_eq!(answer("terraform.tfvars"), (1, value!([])));
    let (count, gaps) = answer("d.txt");
    let whys: Vec<_> =
        gaps.as_array().unwrap().iter().map(|gap| (&gap["where"], &gap["why"])).collect();
    let expected = value!([
        [["terraform.tfvars"], "not decoded (Encrypted file)"],
        [
            ["."],
            "has a file of variables that is not decoded, and may read other files with its values"
        ],
        [[".:x.y"], "reads a file whose path is known only when it is evaluated"],
    ]);
    assert_eq!((count, value!(whys)), (0, expected));
}

/// Values of variables decide which module is called: of files that the tools read, and of callers.
#[test]
fn sources_depend_on_values() {
    let output = |value: &str| format!("output \"o\" {{\n  value = {value}\n}}\n");
    let modules = [("net/main.tf", output("\"net\"")), ("old/main.tf", output("\"old\""))];
    let call = |source: &str, rest: &str| {
        format!("module \"m\" {{\n  source = {source}\n{rest}}}\n{}", output("module.m.o"))
    };
    let variable = "variable \"from\" {\n  default = \"../old\"\n}\n";
    let own = [
        ("root/main.tf", format!("{variable}provider \"x\" {{}}\n{}", call("var.from", ""))),
        ("root/terraform.tfvars", "from = \"../net\"\n".to_owned()),
    ];
    let passed = [
        (
            "root/main.tf",
            format!("provider \"x\" {{}}\n{}", call("\"../mid\"", "  from = \"../net\"\n")),
        ),
        ("mid/main.tf", format!("{variable}{}", call("var.from", ""))),
    ];
    let through_local = [
        own[1].clone(),
        (
            "root/main.tf",
            format!(
                "{variable}provider \"x\" {{}}\nlocals {{\n  from = \"${{var.from}}\"\n}}\n{}",
                call("local.from", "")
            ),
        ),
    ];
    for (what, files) in [("own", own), ("passed", passed), ("local", through_local)] {
        let files = files.iter().chain(&modules);
        let files: Vec<(&str, &str)> = files.map(|(name, text)| (*name, text.as_str())).collect();
        let tree = tree(&files);
        let roots = |file: &str| {
            let output = run(tree.path(), &["affected", "--roots", file, "--format", "json"]);
            let answer = json(&output);
            assert_eq!(answer["incomplete"], value!([]), "{what} {file}");
            answer["modules"].as_array().unwrap().iter().map(|it| it["path"].clone()).collect()
        };
        let (net, old): (Vec<_>, Vec<_>) = (roots("net/main.tf"), roots("old/main.tf"));
        assert_eq!(value!(net), value!(["root"]), "{what}");
        // A caller may call the module of the default elsewhere.
        assert_eq!(
            value!(old),
            if what == "passed" { value!(["root"]) } else { value!([]) },
            "{what}"
        );
        let output = run(tree.path(), &["expand", "root", "--format", "json"]);
        let answer = json(&output);
        let known = &answer["planned_values"]["outputs"]["o"]["value"];
        // A module that only the caller names is not read with the root module.
        let is_read = what != "passed";
        assert_eq!(*known, if is_read { value!("net") } else { value!(null) }, "{what}");
        assert_eq!(answer["incomplete"] == value!([]), is_read, "{what}");
    }
}

/// Files of variables that are not tried are said.
#[test]
fn many_files_of_variables() {
    let root = "provider \"x\" {}\nvariable \"stage\" { type = string }\nresource \"x\" \"y\" {\n  z = file(\"${path.module}/conf/${var.stage}.json\")\n}\n";
    let mut files = vec![("app/main.tf".to_owned(), root.to_owned())];
    for at in 10..43 {
        files.push((format!("app/s{at}.tfvars"), format!("stage = \"s{at}\"\n")));
        files.push((format!("app/conf/s{at}.json"), "{}".to_owned()));
    }
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let tree = tree(&files);
    let gaps = |file: &str| {
        let output = run(tree.path(), &["affected", file, "--format", "json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        json(&output)["incomplete"].take()
    };
    let told = gaps("app/conf/s42.json");
    assert_eq!(told[0]["where"], value!(["app"]), "{told}");
    assert!(
        told[0]["why"].as_str().unwrap().starts_with("32 of its 33 files of variables"),
        "{told}"
    );
    let section = "[[root]]\npath = \"app\"\nvar-files = [\"s10.tfvars\"]\n";
    std::fs::write(tree.path().join("simd-hcl.toml"), section).unwrap();
    assert_eq!(gaps("app/conf/s42.json"), value!([]));
}

/// The settings say how root modules are run; a file of variables belongs to those that read it.
#[test]
fn inputs_of_root_modules() {
    let root = "provider \"x\" {}\nvariable \"stage\" { type = string }\nresource \"x\" \"y\" {\n  z = file(\"${path.module}/conf/${var.stage}.json\")\n  w = terraform.workspace\n}\noutput \"s\" { value = var.stage }\n";
    let tree = tree(&[
        ("deployments/eu/main.tf", root),
        ("deployments/us/main.tf", root),
        ("deployments/eu/conf/prod.json", "{}"),
        ("deployments/eu/conf/dev.json", "{}"),
        ("deployments/us/conf/dev.json", "{}"),
        ("vars/eu.tfvars", "stage = \"prod\"\n"),
        ("vars/us.tfvars", "stage = \"dev\"\n"),
        ("other/main.tf", root),
        ("other/one.tfvars", "stage = \"one\"\n"),
        ("other/two.tfvars", "stage = \"two\"\n"),
        ("other/conf/two.json", "{}"),
        ("other/conf/three.json", "{}"),
    ]);
    let path = tree.path();
    let affected = |file: &str| {
        let output = run(path, &["affected", file, "--roots", "--format", "json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let answer = json(&output);
        let modules = answer["modules"].as_array().unwrap().iter();
        let paths: Vec<String> =
            modules.map(|it| it["path"].as_str().unwrap().to_owned()).collect();
        (paths.join(" "), answer["incomplete"].as_array().unwrap().len())
    };
    // Without settings, the value is not known, and any file of variables may be named.
    assert_eq!(affected("deployments/eu/conf/prod.json"), (String::new(), 1));
    assert_eq!(affected("vars/eu.tfvars"), (String::new(), 1));
    assert_eq!(affected("other/conf/two.json"), ("other".to_owned(), 0));
    // The proposal.
    let output = run(path, &["roots", "."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    let section =
        "[[root]]\npath = \"deployments/*\"\nvar-files = [\"../../vars/{name}.tfvars\"]\n";
    assert!(text.ends_with(&format!("# for simd-hcl.toml\n{section}")), "{text}");
    assert!(stderr(&output).contains("other: several files of variables"), "{}", stderr(&output));
    std::fs::write(path.join("simd-hcl.toml"), format!("{section}workspace = \"w\"\n")).unwrap();
    assert_eq!(affected("deployments/eu/conf/prod.json"), ("deployments/eu".to_owned(), 0));
    assert_eq!(affected("deployments/eu/conf/dev.json"), (String::new(), 0));
    assert_eq!(affected("deployments/us/conf/dev.json"), ("deployments/us".to_owned(), 0));
    assert_eq!(affected("vars/eu.tfvars"), ("deployments/eu".to_owned(), 0));
    let answer = json(&run(path, &["roots", ".", "--format", "json"]));
    assert_eq!(answer["roots"][0]["from"], "settings");
    assert_eq!(answer["section"], "");
    // `expand` and `check` use them, and flags take precedence.
    let value = |arguments: &[&str], name: &str| {
        let output =
            run(path, &[&["expand", "deployments/eu", "--format", "json"], arguments].concat());
        assert!(status(&output) < 2, "{}", stderr(&output));
        let resource = &json(&output)["planned_values"]["root_module"]["resources"][0];
        match name {
            "w" => resource["values"]["w"].clone(),
            _ => json(&output)["planned_values"]["outputs"]["s"]["value"].clone(),
        }
    };
    assert_eq!(value(&[], "w"), "w");
    assert_eq!(value(&[], "s"), "prod");
    assert_eq!(value(&["--var", "stage=dev", "--workspace", "v"], "s"), "dev");
    assert_eq!(value(&["--workspace", "v"], "w"), "v");
    let check = run(path, &["check", "--level", "values", "deployments"]);
    assert!(stdout(&check).contains("conf/prod.json") || status(&check) == 0, "{}", stdout(&check));
    std::fs::remove_file(path.join("deployments/eu/conf/prod.json")).unwrap();
    let check = run(path, &["check", "--level", "values", "deployments"]);
    assert_eq!(status(&check), 1, "the value of the settings names no file");
    // A file that is missing, and one that is outside.
    std::fs::remove_file(path.join("vars/us.tfvars")).unwrap();
    assert_eq!(affected("deployments/us/main.tf"), ("deployments/us".to_owned(), 1));
    assert_eq!(status(&run(path, &["expand", "deployments/us"])), 2);
    for (settings, expected) in [
        ("[[root]]\npath = \"deployments/*\"\nvar-files = [\"../../../x.tfvars\"]\n", "not below"),
        ("[[root]]\npath = \"../x\"\n", "not below"),
        ("[[root]]\nvar-files = []\n", "no path"),
        ("[[root]]\npath = \"a\"\nvar-file = []\n", "did you mean \"var-files\"?"),
        ("root = 1\n", "[[root]]"),
    ] {
        std::fs::write(path.join("simd-hcl.toml"), settings).unwrap();
        let output = run(path, &["affected", "deployments/us/main.tf"]);
        assert_eq!(status(&output), 2, "{settings}");
        assert!(stderr(&output).contains(expected), "{settings}: {}", stderr(&output));
    }
}

/// Changes as git tells them: edits, deletions, renames, modes, links, submodules. The generator of the
/// repository knows which root modules read which file.
#[cfg(unix)]
#[test]
fn changes_by_git_affect_what_the_generator_knows() {
    use std::collections::BTreeSet;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use simd_hcl_corpus::{ReaderOptions, readers, sized};

    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    let roots = sized([50, 400, 1600]);
    let readers = readers(&ReaderOptions { roots, seed: 11 }, top).unwrap();
    git(top, &["init", "-q"]);
    git(top, &["add", "."]);
    git(top, &["commit", "-q", "-m", "base"]);
    let base = git(top, &["rev-parse", "HEAD"]);
    let is_configuration = |file: &str| file.ends_with(".tf") || file.ends_with(".tfvars");
    let all: Vec<(&String, &BTreeSet<String>)> =
        readers.iter().filter(|(file, _)| top.join(file).is_file()).collect();
    let count = sized([24, 120, 1200]);
    let (mut known, mut extra, mut incomplete) = (0, Vec::new(), Vec::new());
    for number in 0..count {
        let kinds = ["edit", "delete", "rename", "mode", "link", "submodule"];
        let kind = kinds[number % kinds.len()];
        // Steps through all files, in an order that mixes the kinds of files.
        let mut at = (number * 7919 + number / kinds.len()) % all.len();
        // Most of them have readers.
        while number % 8 != 7 && all[at].1.is_empty()
            || kind != "edit" && kind != "mode" && is_configuration(all[at].0)
            || kind == "submodule" && all[at].0.matches('/').count() < 3
        {
            at = (at + 1) % all.len();
        }
        let (file, mut truth) = (all[at].0.as_str(), all[at].1.clone());
        let path = top.join(file);
        let mut since = "HEAD";
        match kind {
            "edit" => fs::write(&path, fs::read_to_string(&path).unwrap() + "\n").unwrap(),
            "delete" => fs::remove_file(&path).unwrap(),
            "rename" => {
                fs::create_dir_all(top.join("moved")).unwrap();
                git(top, &["mv", file, &format!("moved/{number}")]);
            }
            "mode" => fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap(),
            "link" => {
                let target = top.join(format!("targets/{number}"));
                fs::create_dir_all(target.parent().unwrap()).unwrap();
                fs::rename(&path, &target).unwrap();
                symlink(&target, &path).unwrap();
            }
            _ => {
                // All files in the folder, whether they exist or not.
                let (folder, _) = file.rsplit_once('/').unwrap();
                let below = |it: &&String| it.starts_with(&format!("{folder}/"));
                let inside = readers.keys().filter(below);
                truth = inside.flat_map(|file| readers[file].iter().cloned()).collect();
                git(top, &["rm", "-r", "-q", "--cached", folder]);
                for commit in ["1", "2"] {
                    let link = format!("160000,{},{folder}", commit.repeat(40));
                    git(top, &["update-index", "--add", "--cacheinfo", &link]);
                    git(top, &["commit", "-q", "-m", commit]);
                }
                since = "HEAD~1..HEAD";
            }
        }
        let output = run(top, &["affected", "--since", since, "--roots", "--format", "json"]);
        assert_eq!(status(&output), 0, "{kind} {file}: {}", stderr(&output));
        let answer = json(&output);
        let modules = answer["modules"].as_array().unwrap().iter();
        let found: BTreeSet<String> =
            modules.map(|it| it["path"].as_str().unwrap().to_owned()).collect();
        let missing: Vec<_> = truth.difference(&found).collect();
        assert!(missing.is_empty(), "{kind} {file}: {missing:?} of {truth:?}: {answer}");
        known += truth.len();
        extra.extend(found.difference(&truth).map(|root| format!("{kind} {file}: {root}")));
        // The files of a submodule are not in the repository, which is said.
        let has_gaps = answer["incomplete"] != serde_json::json!([]);
        assert!(kind != "submodule" || has_gaps, "{file}");
        if kind != "submodule" && has_gaps {
            incomplete.push(format!("{kind} {file}: {}", answer["incomplete"]));
        }
        git(top, &["reset", "-q", "--hard", base.trim()]);
        git(top, &["clean", "-f", "-d", "-q"]);
    }
    println!(
        "{count} changes, {known} readers: {} extra, {} incomplete",
        extra.len(),
        incomplete.len()
    );
    assert!(extra.len() * 50 <= known, "{extra:#?}");
    assert!(incomplete.len() * 100 <= count, "{incomplete:#?}");
}

/// Who runs the tool chooses the workspace, unless the settings do.
#[test]
fn workspaces() {
    let main = "provider \"x\" {}\nlocals {\n  region = { prod = \"eu\", test = \"us\" }[terraform.workspace]\n}\nresource \"x\" \"y\" {\n  a = file(\"${path.module}/conf/${terraform.workspace}.json\")\n  b = file(\"${path.module}/regions/${local.region}.json\")\n}\n";
    let names = ["conf/default", "conf/prod", "conf/test", "regions/eu", "regions/xx"];
    let mut files = vec![("a/main.tf".to_owned(), main)];
    files.extend(names.map(|name| (format!("a/{name}.json"), "{}")));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let tree = tree(&files);
    let answers = |expected: [&str; 5]| {
        for (name, expected) in names.into_iter().zip(expected) {
            let file = format!("a/{name}.json");
            let answer = json(&run(tree.path(), &["affected", &file, "--format", "json"]));
            let is_affected = answer["modules"] != value!([]);
            let found = match (is_affected, answer["incomplete"] != value!([])) {
                (true, false) => "yes",
                (false, true) => "perhaps",
                (false, false) => "no",
                (true, true) => "both",
            };
            assert_eq!(found, expected, "{name} {answer}");
        }
    };
    answers(["yes", "perhaps", "perhaps", "yes", "no"]);
    std::fs::write(
        tree.path().join("simd-hcl.toml"),
        "[[root]]\npath = \"a\"\nworkspace = \"prod\"\n",
    )
    .unwrap();
    answers(["no", "yes", "no", "yes", "no"]);
}

/// A body that is repeated for nothing, or for nothing that is known, names files, too.
#[test]
fn files_in_what_is_repeated() {
    let list = "variable \"fs\" {\n  type = list(string)\n}\n";
    let none = "variable \"fs\" {\n  type    = list(string)\n  default = []\n}\n";
    let known = "variable \"fs\" {\n  default = [\"q\"]\n}\n";
    let of = |text: &str| format!("resource \"x\" \"y\" {{\n  a = {text}\n}}\n");
    let (literal, element) = ("file(\"../c/q.json\")", "file(\"../c/${f}.json\")");
    let dynamic = |text: &str| {
        format!(
            "resource \"x\" \"y\" {{\n  dynamic \"b\" {{\n    for_each = var.fs\n    iterator = f\n    content {{\n      a = {text}\n    }}\n  }}\n}}\n"
        )
    };
    let each = "resource \"x\" \"y\" {\n  for_each = toset(var.fs)\n  a = file(\"../c/${each.key}.json\")\n}\n";
    let message = "variable \"v\" {\n  default = \"a\"\n  validation {\n    condition     = var.v != \"\"\n    error_message = file(\"../c/q.json\")\n  }\n}\n";
    for (variable, body, expected) in [
        (list, of(&format!("[for f in var.fs : {literal}]")), "yes"),
        (list, of(&format!("[for f in var.fs : {element}]")), "perhaps"),
        (none, of(&format!("[for f in var.fs : {literal}]")), "yes"),
        (none, of(&format!("{{ for f in var.fs : f => {element} }}")), "perhaps"),
        (known, of(&format!("[for f in var.fs : {element}]")), "yes"),
        (list, of(&format!("[for f in concat([\"a\"], var.fs) : {element}]")), "perhaps"),
        (list, of(&format!("\"%{{ for f in var.fs }}${{{literal}}}%{{ endfor }}\"")), "yes"),
        (known, of("[for f in fileset(path.module, \"*.txt\") : file(f)]"), "no"),
        (list, dynamic(literal), "yes"),
        (none, dynamic(literal), "yes"),
        (list, dynamic("file(\"../c/${f.value}.json\")"), "perhaps"),
        (known, dynamic("file(\"../c/${f.value}.json\")"), "yes"),
        (none, each.to_owned(), "perhaps"),
        (list, each.to_owned(), "perhaps"),
        (list, message.to_owned(), "yes"),
        (list, of("provider::sops::file(\"../c/q.json\")"), "yes"),
        (list, of("provider::sops::file(\"../c/x.json\")"), "no"),
        (list, of("provider::sops::file(\"../c/${var.fs[0]}.json\")"), "perhaps"),
        (list, of("\"none\""), "no"),
    ] {
        let main = format!("provider \"x\" {{}}\n{variable}{body}");
        let tree = tree(&[("r/main.tf", &main), ("r/a.txt", ""), ("c/q.json", "{}")]);
        let answer =
            json(&run(tree.path(), &["affected", "c/q.json", "--roots", "--format", "json"]));
        let found = match (answer["modules"] != value!([]), answer["incomplete"] != value!([])) {
            (true, false) => "yes",
            (false, true) => "perhaps",
            (false, false) => "no",
            (true, true) => "both",
        };
        assert_eq!(found, expected, "{main} {answer}");
    }
}

/// A module that has lost what made it a root module was one.
#[test]
fn root_modules_of_the_older_revision() {
    let main = "variable \"p\" {\n  default = \"\"\n}\noutput \"o\" {\n  value = var.p\n}\n";
    let backend = "terraform {\n  backend \"local\" {}\n}\n";
    let tree = tree(&[
        ("a/main.tf", main),
        ("a/terraform.tfvars", "p = 1\n"),
        ("b/main.tf", main),
        ("b/backend.tf", backend),
        ("m/main.tf", main),
        ("m/terraform.tfvars", "p = 1\n"),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "-A"]);
    git(tree.path(), &["commit", "-qm", "one"]);
    git(tree.path(), &["rm", "-q", "a/terraform.tfvars", "b/backend.tf", "m/terraform.tfvars"]);
    std::fs::create_dir(tree.path().join("top")).unwrap();
    std::fs::write(
        tree.path().join("top/main.tf"),
        "provider \"x\" {}\nmodule \"m\" {\n  source = \"../m\"\n}\n",
    )
    .unwrap();
    let output = run(tree.path(), &["affected", "--since", "HEAD", "--roots", "--format", "json"]);
    let answer = json(&output);
    let modules = answer["modules"].as_array().unwrap();
    let mut roots: Vec<_> = modules.iter().map(|it| it["path"].as_str().unwrap()).collect();
    roots.sort_unstable();
    assert_eq!(roots, ["a", "b", "top"]);
}

/// Git quotes names with letters outside of ASCII.
#[test]
fn quoted_names_of_git_are_read() {
    let main =
        "terraform {\n  backend \"local\" {}\n}\noutput \"o\" { value = file(\"jürgen.json\") }\n";
    let tree = tree(&[("a/main.tf", main), ("a/jürgen.json", "1")]);
    let listed = "\"a/j\\303\\274rgen.json\"\n";
    let output = feed_in(tree.path(), &["affected", "--files-from", "-", "--roots"], listed);
    assert!(stdout(&output).starts_with("a (root)"), "{output:?}");
}

/// A changed link to a directory is a changed file, and no directory to search.
#[cfg(unix)]
#[test]
fn a_named_link_to_a_directory_is_a_changed_file() {
    let main = "terraform {\n  backend \"local\" {}\n}\nmodule \"m\" { source = \"./mod\" }\n\
                output \"o\" { value = file(\"../../conf/a.json\") }\n";
    let tree = tree(&[("live/a/main.tf", main), ("mods/v1/main.tf", ""), ("conf/a.json", "1")]);
    std::os::unix::fs::symlink("../../mods/v1", tree.path().join("live/a/mod")).unwrap();
    git(tree.path(), &["init", "-q"]);
    commit(tree.path());
    for files in [&["conf/a.json", "live/a/mod"][..], &["live/a/mod"]] {
        let output = run(tree.path(), &[&["affected", "--roots"], files].concat());
        assert!(stdout(&output).starts_with("live/a (root)"), "{output:?}");
    }
    // With a slash, it is where to search.
    let output = run(tree.path(), &["affected", "conf/a.json", "live/a/mod/"]);
    assert_eq!(stdout(&output), "");
}

/// Words of commands are paths, wherever they are.
#[test]
fn words_of_commands_are_files() {
    let main = r#"
terraform {
  backend "local" {}
}
resource "terraform_data" "x" {
  provisioner "local-exec" { command = "python3 build.py" }
  provisioner "local-exec" { command = "helm upgrade -f values.yaml --wait" }
  provisioner "local-exec" { command = "curl -d @${path.module}/body.json" }
  provisioner "local-exec" { command = "${path.module}/run.sh ${self.id} ${self.id}/x ./own.sh" }
  provisioner "local-exec" { command = "./tool.sh prod" }
}
"#;
    let tree = tree(&[
        ("a/main.tf", main),
        ("a/build.py", ""),
        ("a/values.yaml", ""),
        ("a/body.json", ""),
        ("a/run.sh", ""),
        ("a/own.sh", ""),
        ("a/tool.sh", ""),
        ("a/wait", ""),
    ]);
    for (file, expected) in [
        ("build.py", true),
        ("values.yaml", true),
        ("body.json", true),
        ("run.sh", true),
        ("own.sh", true),
        ("tool.sh", true),
        ("wait", false),
    ] {
        let output = run(tree.path(), &["affected", &format!("a/{file}")]);
        assert_eq!(stdout(&output).starts_with("a (root)"), expected, "{file}: {output:?}");
    }
}

/// A link to a directory is gone with all that was reached through it.
#[cfg(unix)]
#[test]
fn deleted_links_to_directories_affect_what_went_through_them() {
    let root = |body: &str| format!("terraform {{\n  backend \"local\" {{}}\n}}\n{body}\n");
    let tree = tree(&[
        (
            "set/main.tf",
            &root("output \"o\" { value = fileset(path.module, \"../conf/**/*.json\") }"),
        ),
        ("read/main.tf", &root("output \"o\" { value = fileexists(\"../conf/e/a.json\") }")),
        ("call/main.tf", &root("module \"m\" { source = \"../conf/e/mod\" }")),
        ("other/main.tf", &root("output \"o\" { value = fileexists(\"../conf/d/a.json\") }")),
        ("conf/d/a.json", ""),
        ("conf/d/mod/main.tf", ""),
    ]);
    let link = tree.path().join("conf/e");
    std::os::unix::fs::symlink("d", &link).unwrap();
    let commit = || commit(tree.path());
    git(tree.path(), &["init", "-q"]);
    commit();
    std::fs::remove_file(&link).unwrap();
    let roots = |revision: &str| -> Vec<String> {
        let arguments = ["affected", "--roots", "--since", revision, "--format", "json"];
        let answer = json(&run(tree.path(), &arguments));
        let modules = answer["modules"].as_array().unwrap().iter();
        modules.map(|module| module["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(roots("HEAD"), ["call", "read", "set"]);
    commit();
    assert_eq!(roots("HEAD~1..HEAD"), ["call", "read", "set"]);
}

/// OpenTofu evaluates functions in backends and encryption.
#[test]
fn backends_and_encryption_read_files() {
    let main = r#"
terraform {
  backend "s3" {
    bucket     = "b"
    access_key = file("key.txt")
  }
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = file("pass.txt")
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    state {
      method = method.aes_gcm.m
    }
  }
}
"#;
    let tree = tree(&[("a/main.tf", main), ("a/key.txt", ""), ("a/pass.txt", ""), ("a/b", "")]);
    for (file, expected) in [("key.txt", true), ("pass.txt", true), ("b", false)] {
        let output = run(tree.path(), &["affected", &format!("a/{file}")]);
        assert_eq!(stdout(&output).starts_with("a (root)"), expected, "{file}: {output:?}");
    }
}

/// Templates of Packer are not evaluated: a file that one may name is a gap.
#[test]
fn files_that_templates_name_are_gaps() {
    let template = r#"
source "null" "x" { communicator = "none" }
build {
  sources = ["source.null.x"]
  provisioner "shell-local" {
    script           = "${path.root}/y.sh"
    inline           = ["bash z.sh --all"]
    environment_vars = ["A=${file("${path.root}/e.txt")}"]
  }
}
"#;
    let tree = tree(&[
        ("p/a.pkr.hcl", template),
        ("p/y.sh", ""),
        ("p/z.sh", ""),
        ("p/e.txt", ""),
        ("p/README.md", ""),
        ("other/notes.md", ""),
    ]);
    for (file, expected) in [
        ("p/y.sh", true),
        ("p/z.sh", true),
        ("p/e.txt", true),
        ("p/README.md", false),
        ("other/notes.md", false),
    ] {
        let answer = json(&run(tree.path(), &["affected", "--format", "json", file]));
        let gaps = answer["incomplete"].as_array().unwrap();
        assert_eq!(!gaps.is_empty(), expected, "{file}: {answer}");
    }
}

/// `dependents FILE` takes the inputs of the settings, as `affected` does.
#[test]
fn dependents_of_a_file_take_the_inputs_of_the_settings() {
    let tree = tree(&[
        ("simd-hcl.toml", "[[root]]\npath = \"live/*\"\nvar-files = [\"vars/{name}.tfvars\"]\n"),
        (
            "live/a/main.tf",
            "variable \"g\" { default = \"none\" }\noutput \"o\" { value = file(\"${path.module}/${var.g}.txt\") }\n",
        ),
        ("live/a/vars/a.tfvars", "g = \"ga\"\n"),
        ("live/a/ga.txt", ""),
        ("live/a/none.txt", ""),
    ]);
    let output = run(tree.path(), &["dependents", "live/a/ga.txt"]);
    assert!(stdout(&output).contains("output.o"), "{output:?}");
    assert_eq!(status(&run(tree.path(), &["dependents", "live/a/none.txt"])), 2);
}

/// In a directory of a work tree, git prints names from its top.
#[test]
fn listed_names_may_start_at_the_top() {
    let main = "terraform {\n  backend \"local\" {}\n}\noutput \"o\" { value = fileexists(\"../x.txt\") }\n";
    let tree = tree(&[("live/a/main.tf", main), ("live/x.txt", ""), ("live/gone.txt", "")]);
    git(tree.path(), &["init", "-q"]);
    commit(tree.path());
    let arguments = ["affected", "--files-from", "-", "--roots", "--format", "list0"];
    let output = feed_in(&tree.path().join("live"), &arguments, "live/x.txt\n");
    assert_eq!(stdout(&output), "a\0", "{output:?}");
    let output = feed_in(&tree.path().join("live"), &arguments, "x.txt\n");
    assert_eq!(stdout(&output), "a\0", "{output:?}");
}
