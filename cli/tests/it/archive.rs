//! Hostile archives: what a plan file names is never a file of the file system, and what it
//! decompresses and expands to is bounded.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use crate::tool::{feed_in, json, list, run, status, stderr, stdout, tree};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const ROOT: &str = "tfconfig/m-/main.tf";
const MANIFEST: &str = "tfconfig/modules.json";

/// Returns a plan file of a tool with another configuration.
fn plan_file(manifest: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../corpus/conformance/plan-file/cases/data-change/plan.bin");
    let mut base = ZipArchive::new(Cursor::new(fs::read(base).unwrap())).unwrap();
    let mut out = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &[u8]| {
        out.start_file(name, SimpleFileOptions::default()).unwrap();
        out.write_all(content).unwrap();
    };
    for place in 0..base.len() {
        let mut entry = base.by_index(place).unwrap();
        let name = entry.name().unwrap().into_owned();
        if !name.starts_with("tfconfig/") {
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            add(&name, &content);
        }
    }
    add(MANIFEST, manifest.as_bytes());
    files.iter().for_each(|(name, content)| add(name, content.as_bytes()));
    out.finish().unwrap().into_inner()
}

/// Returns the content of every file below a directory.
fn content(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut left = vec![directory.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().to_str().unwrap().to_owned();
                all.insert(name, fs::read(path).unwrap());
            }
        }
    }
    all
}

const VICTIM: &str = "resource \"null_resource\" \"mine\" {\n  count = var.missing\n}\n";
const UGLY: &str = "resource \"terraform_data\" \"pwned\" {\ninput=\"x\"\n}\n";

/// The commands that write files, and what they are given.
const WRITERS: [&[&str]; 6] = [
    &["fmt"],
    &["fmt", "--diff"],
    &["check", "--fix"],
    &["check", "--fix", "--level", "values"],
    &["convert", "--to", "json", "--out-dir", "out"],
    &["convert", "--to", "native", "--out-dir", "out"],
];

/// Directories of modules that lead out of the plan file, with the sources of their calls.
const OUTSIDE: [(&str, &str); 10] = [
    ("./x", "../../victim"),
    ("./x", "../victim"),
    ("a/b/c", "../../victim"),
    ("../../victim", "../../../victim"),
    ("./x", "/etc"),
    ("./x", "//host/share"),
    ("./x", "\\\\host\\share"),
    ("./x", "C:\\victim"),
    ("./x", "c:victim"),
    ("./x", "..\\..\\victim"),
];

fn manifest(source: &str, directory: &str) -> String {
    let entry = serde_json::json!({"Key": "x", "Source": source, "Dir": directory});
    format!("[{{\"Key\": \"\", \"Dir\": \".\"}},\n{entry}]")
}

#[test]
fn modules_of_plan_files_stay_inside() {
    let work =
        tree(&[("work/victim/main.tf", VICTIM), ("victim/main.tf", VICTIM), ("work/out/x", "")]);
    let directory = work.path().join("work");
    for (source, outside) in OUTSIDE {
        let files = [(ROOT, ""), ("tfconfig/m-x/main.tf", UGLY), ("tfconfig/m-x/new.tf", UGLY)];
        let bytes = plan_file(&manifest(source, outside), &files);
        fs::write(directory.join("evil.tfplan"), bytes).unwrap();
        let before = content(work.path());
        let why = "tfconfig/modules.json:2:";
        for arguments in WRITERS {
            let arguments = [arguments, &["evil.tfplan"]].concat();
            let output = run(&directory, &arguments);
            assert_eq!(status(&output), 2, "{arguments:?} {outside} {}", stdout(&output));
            let told = stderr(&output);
            let is_told = told.contains(why) && told.contains("leads out of the plan file");
            assert!(is_told || told.contains("it is a plan file"), "{outside} {told}");
            assert!(content(work.path()) == before, "{arguments:?} {outside}");
        }
        // The directory beside it is read.
        let output = run(&directory, &["check", "evil.tfplan", "victim"]);
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        assert!(stdout(&output).contains("victim/main.tf:2:11"), "{}", stdout(&output));
        let output = run(&directory, &["plan", "evil.tfplan"]);
        assert_eq!(status(&output), 1);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn names_in_archives_stay_inside() {
    let work = tree(&[("main.tf", VICTIM)]);
    for name in ["tfconfig/m-/../../main.tf", "tfconfig/m-/..\\main.tf", "/main.tf", "C:/main.tf"] {
        let bytes = plan_file("[{\"Key\": \"\", \"Dir\": \".\"}]", &[(ROOT, ""), (name, UGLY)]);
        fs::write(work.path().join("evil.tfplan"), bytes).unwrap();
        let before = content(work.path());
        for arguments in WRITERS {
            let output = run(work.path(), &[arguments, &["evil.tfplan"]].concat());
            assert_eq!(status(&output), 2, "{arguments:?} {name} {}", stdout(&output));
            assert!(content(work.path()) == before, "{arguments:?} {name}");
        }
        for command in ["plan", "state", "redact"] {
            let output = run(work.path(), &[command, "evil.tfplan"]);
            assert_eq!(status(&output), 1, "{command} {name}");
            assert!(stderr(&output).contains("leads out of the plan file"), "{}", stderr(&output));
        }
    }
}

/// A root module may call modules beside it and above.
#[test]
fn plan_files_are_read_and_not_written() {
    let root = "module \"x\" {\n  source = \"../../victim\"\n  y = 1\n}\nmodule \"z\" {\n  source = \"./z\"\n}\n";
    let files = [(ROOT, root), ("tfconfig/m-x/main.tf", UGLY), ("tfconfig/m-z/main.tf", "")];
    let entries = manifest("../../victim", "../../victim");
    let entries =
        entries.replace("}]", "}, {\"Key\": \"z\", \"Source\": \"./z\", \"Dir\": \"z\"}]");
    // The file would be found, if these were paths of the file system.
    let work =
        tree(&[("w/w/victim/main.tf", ""), ("victim/main.tf", ""), ("w/victim/main.tf", "")]);
    let directory = work.path().join("w/w");
    fs::write(directory.join("p.tfplan"), plan_file(&entries, &files)).unwrap();
    let before = content(work.path());

    let output = run(&directory, &["inspect", "p.tfplan", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let modules = list(&output, "modules");
    let paths = modules.as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap());
    let expected = ["p.tfplan/_/configuration", "p.tfplan/victim", "p.tfplan/_/configuration/z"];
    assert_eq!(paths.collect::<Vec<_>>(), expected);
    let output = run(&directory, &["config", "p.tfplan", "--format", "json"]);
    let called = &json(&output)["root_module"]["module_calls"]["x"]["module"]["resources"];
    assert_eq!(called[0]["name"], "pwned", "{}", stderr(&output));
    let output = run(&directory, &["check", "p.tfplan"]);
    assert_eq!(status(&output), 1);
    assert!(
        stdout(&output).contains("module in p.tfplan/victim has no variable"),
        "{}",
        stdout(&output)
    );
    let address = "p.tfplan/victim:terraform_data.pwned";
    let output = run(&directory, &["dependents", address, "p.tfplan"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));

    for (arguments, expected) in
        [(&["fmt", "--check"][..], 1), (&["fmt"], 2), (&["fmt", "--diff"], 2)]
    {
        let output = run(&directory, &[arguments, &["p.tfplan"]].concat());
        assert_eq!(status(&output), expected, "{arguments:?} {}", stderr(&output));
    }
    assert!(content(work.path()) == before);
}

#[test]
fn fixes_of_plan_files_are_refused() {
    let work = tree(&[("a.tf", "locals {\n  a = 1\n}\n")]);
    let files = [("tfconfig/m-/main.tf", "locals {\n  a = 1 b = 2\n}\n")];
    let manifest = "[{\"Key\": \"\", \"Dir\": \".\"}]";
    fs::write(work.path().join("p.tfplan"), plan_file(manifest, &files)).unwrap();
    let before = content(work.path());
    let output = run(work.path(), &["check", "--fix", "p.tfplan"]);
    assert!(status(&output) > 0, "{}", stdout(&output));
    assert!(content(work.path()) == before);
}

/// A name for standard input is a place to read from, and nothing is written there.
#[test]
fn names_of_standard_input_are_not_written() {
    let work = tree(&[("a/b/x", ""), ("main.tf", VICTIM), ("a/b/out/x", "")]);
    let directory = work.path().join("a/b");
    let outside = || {
        let mut all = content(work.path());
        all.retain(|name, _| !name.starts_with("a/b/out/"));
        all
    };
    let before = outside();
    for name in ["../../main.tf", "../../new.tf", "/new.tf", "..", "C:\\new.tf", ""] {
        for arguments in [
            &["fmt", "-"][..],
            &["fmt", "-", "--diff"],
            &["check", "-", "--fix"],
            &["convert", "-", "--to", "json", "--out-dir", "out"],
        ] {
            feed_in(&directory, &[arguments, &["--stdin-name", name]].concat(), UGLY);
            assert!(outside() == before, "{arguments:?} {name}");
        }
    }
}

/// The list of installed modules may name any directory.
#[test]
fn installed_modules_outside_of_the_repository_are_not_read() {
    let call = "module \"m\" {\n  source = \"a/b/c\"\n}\n";
    let work =
        tree(&[("outside/main.tf", "secret_text_of_another_user"), ("repo/live/main.tf", call)]);
    let root = work.path().join("repo/live");
    let list = root.join(".terraform/modules");
    fs::create_dir_all(&list).unwrap();
    let absolute = work.path().join("outside");
    let check = |directory: &str| {
        let entry = serde_json::json!({"Key": "m", "Source": "registry.terraform.io/a/b/c", "Dir": directory});
        fs::write(list.join("modules.json"), format!("{{\"Modules\": [{entry}]}}")).unwrap();
        run(&root, &["check", ".", "--format", "json"])
    };
    for outside in ["../../outside", absolute.to_str().unwrap(), "./.terraform/../../../outside"] {
        let output = check(outside);
        let answer = json(&output);
        assert_eq!((status(&output), answer["error_count"].as_u64()), (0, Some(0)), "{answer}");
        let gap = &answer["incomplete"][0];
        assert_eq!((&gap["what"], &gap["where"][0]), (&"module-call".into(), &".:module.m".into()));
        assert!(
            gap["why"].as_str().unwrap().contains("outside of the directories that are read"),
            "{answer}"
        );
        let all = stdout(&output) + &stderr(&output);
        assert!(!all.contains("secret_text"), "{all}");
    }
    // Below the root of the repository, and where the directory is named, it is.
    fs::create_dir(work.path().join(".git")).unwrap();
    assert!(stderr(&check("../../outside")).contains("not decoded"));
    fs::remove_dir(work.path().join(".git")).unwrap();
    let output = run(&root, &["check", ".", "../../outside", "--format", "json"]);
    assert!(stdout(&output).contains("secret_text"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&absolute, list.join("m")).unwrap();
        let answer = json(&check(".terraform/modules/m"));
        assert!(answer["incomplete"][0]["why"].as_str().unwrap().contains("link to"), "{answer}");
    }
}

/// Eighteen modules that each call the next one twice, in a plan file of a few kilobytes.
#[test]
fn modules_that_double_have_a_budget() {
    let mut entries = vec![serde_json::json!({"Key": "", "Dir": "."})];
    let call = |level: usize| {
        let call = |name: &str| format!("module \"{name}\" {{\n  source = \"./m{level}\"\n}}\n");
        call("x") + &call("y")
    };
    let mut files = vec![(ROOT.to_owned(), call(1))];
    let (mut key, mut directory) = (String::new(), String::new());
    for level in 1..=18 {
        let separator = if level == 1 { "" } else { "." };
        key = format!("{key}{separator}x");
        directory = format!("{directory}/m{level}").trim_start_matches('/').to_owned();
        entries.push(
            serde_json::json!({"Key": key, "Source": format!("./m{level}"), "Dir": directory}),
        );
        let leaf = format!("locals {{\n  a = \"{}\"\n}}\n", "x".repeat(1000));
        let text = if level == 18 { leaf } else { call(level + 1) };
        files.push((format!("tfconfig/m-{key}/main.tf"), text));
    }
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let bytes = plan_file(&serde_json::Value::from(entries).to_string(), &files);
    assert!(bytes.len() < 20_000);
    let work = tree(&[]);
    fs::write(work.path().join("p.tfplan"), bytes).unwrap();
    for (command, expected) in
        [("plan", 1), ("redact", 1), ("config", 2), ("check", 0), ("graph", 0)]
    {
        let output = run(work.path(), &[command, "p.tfplan"]);
        let told = stderr(&output);
        assert_eq!(status(&output), expected, "{command} {told}");
        assert_eq!(told.contains("bytes of them are repeated"), expected > 0, "{command} {told}");
    }
}
