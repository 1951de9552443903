//! Links to devices and pipes, which anyone can commit to a repository: they are reported, and
//! nothing is read from them.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::tool::{git, run, simd_hcl, status, stderr, stdout};

const MAIN: &str = "locals {\n  a = 1\n}\n\noutput \"a\" {\n  value = local.a\n}\n";

/// Returns a module, and a file with this name that is a link to `target`.
fn linked(name: &str, target: &str) -> TempDir {
    let directory = crate::tool::tree(&[("main.tf", MAIN)]);
    let link = directory.path().join(name);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(target, link).unwrap();
    directory
}

/// Runs a command that must end, in little memory, with one of these statuses.
fn runs(directory: &Path, arguments: &[&str], statuses: &[i32]) -> String {
    let binary = env!("CARGO_BIN_EXE_simd-hcl");
    let output = Command::new("sh")
        .current_dir(directory)
        .args(["-c", "ulimit -v 4000000; exec timeout 60 \"$0\" --threads 2 \"$@\"", binary])
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let all = stdout(&output) + &stderr(&output);
    assert!(statuses.contains(&status(&output)), "{arguments:?}: {}: {all}", status(&output));
    all
}

/// Paths that lead to files without an end, to files that wait for a writer, and to regular files
/// of the kernel with another length than they say.
fn targets(directory: &Path) -> Vec<String> {
    let pipe = directory.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success());
    let all = [
        "/dev/zero",
        "/dev/full",
        "/dev/tty",
        "/proc/kmsg",
        "/proc/self/pagemap",
        "/proc/self/mem",
    ];
    let all = all.iter().filter(|path| Path::new(path).exists()).map(|path| (*path).to_owned());
    all.chain(made.then(|| pipe.to_str().unwrap().to_owned())).collect()
}

#[test]
fn files_of_modules() {
    let place = tempfile::tempdir().unwrap();
    for target in targets(place.path()) {
        for name in [
            "x.tf",
            "x.tf.json",
            "terraform.tfvars",
            "terraform.tfvars.json",
            "x.tftest.hcl",
            "a.pkr.hcl",
            ".terraform/modules/modules.json",
        ] {
            let module = linked(name, &target);
            for command in ["check", "inspect"] {
                runs(module.path(), &[command, "--follow-links", "."], &[0, 1, 2]);
            }
            let said = runs(module.path(), &["check", "."], &[0, 1, 2]);
            assert!(said.contains(name), "{name} -> {target}: {said}");
        }
    }
}

#[test]
fn ignore_files() {
    let place = tempfile::tempdir().unwrap();
    for target in targets(place.path()) {
        for name in [".gitignore", ".ignore", "m/.gitignore"] {
            let module = linked(name, &target);
            fs::create_dir_all(module.path().join("m")).unwrap();
            let said = runs(module.path(), &["check", "--ignore-files", "."], &[1, 2]);
            assert!(said.contains(name), "{name} -> {target}: {said}");
        }
    }
}

#[test]
fn settings() {
    let place = tempfile::tempdir().unwrap();
    for target in targets(place.path()) {
        let module = linked("simd-hcl.toml", &target);
        for command in [&["check", "."][..], &["roots", "."], &["expand", "."], &["init", "."]] {
            let said = runs(module.path(), command, &[2]);
            assert!(said.contains("simd-hcl.toml"), "{command:?} -> {target}: {said}");
        }
        for key in ["provider-schemas", "baseline"] {
            let module = linked("link", &target);
            for file in ["link", &target] {
                let settings = module.path().join("simd-hcl.toml");
                fs::write(settings, format!("{key} = \"{file}\"")).unwrap();
                let said = runs(module.path(), &["check", "."], &[2]);
                assert!(said.contains("simd-hcl.toml:1:"), "{said}");
            }
        }
    }
}

/// Settings come with a repository: files that they name are below their directory.
#[test]
fn settings_name_files_below_them() {
    let outer = crate::tool::tree(&[
        ("secret.json", "{\"password\": \"x\"}"),
        ("repo/main.tf", MAIN),
        ("repo/known.json", "{\"format_version\": \"1.0\", \"findings\": []}"),
    ]);
    let repo = outer.path().join("repo");
    symlink("../secret.json", repo.join("link.json")).unwrap();
    symlink("..", repo.join("up")).unwrap();
    symlink("../new.json", repo.join("dangling.json")).unwrap();
    let absolute = outer.path().join("secret.json");
    let absolute = absolute.to_str().unwrap();
    let with = |key: &str, file: &str, more: &[&str]| {
        fs::write(repo.join("simd-hcl.toml"), format!("{key} = \"{file}\"")).unwrap();
        let mut arguments = vec!["check", "repo"];
        arguments.extend(more);
        run(outer.path(), &arguments)
    };
    for key in ["provider-schemas", "baseline"] {
        let outside = [
            "../secret.json",
            absolute,
            "link.json",
            "up/secret.json",
            "dangling.json",
            "a/../../secret.json",
        ];
        for file in outside {
            let output = with(key, file, &[]);
            assert_eq!(status(&output), 2, "{key} = {file}");
            let said = stderr(&output);
            assert!(said.contains("is not below the directory of the settings"), "{said}");
        }
    }
    assert_eq!(status(&with("baseline", "known.json", &[])), 0);
    for file in ["../new.json", "up/new.json", "dangling.json"] {
        assert_eq!(status(&with("baseline", file, &["--write-baseline"])), 2);
        assert!(!outer.path().join("new.json").exists());
    }
    assert_eq!(status(&with("baseline", "new.json", &["--write-baseline"])), 0);
    assert!(repo.join("new.json").exists());
}

/// The user may name anything: `<(…)` of a shell is a pipe.
#[test]
fn pipes_that_are_named_are_read() {
    let output = Command::new("bash")
        .args(["-c", "exec \"$0\" check --format concise <(echo 'locals { a = b }')"])
        .arg(env!("CARGO_BIN_EXE_simd-hcl"))
        .output();
    let Ok(output) = output else {
        println!("skipped: pipes_that_are_named_are_read (no bash)");
        return;
    };
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let mut command = simd_hcl(&["fmt", "--check", "/dev/stdin"]);
    command.stdin(fs::File::open("/dev/null").unwrap());
    let said = stderr(&command.output().unwrap());
    assert!(!said.contains("regular file"), "{said}");
}

/// A device that has no end is not read by any command, and a file of the kernel is not waited for.
#[test]
fn devices_that_are_named_are_refused() {
    let module = crate::tool::tree(&[("main.tf", MAIN)]);
    let commands: [&[&str]; 32] = [
        &["overview", "@"],
        &["inspect", "@"],
        &["references", "@"],
        &["graph", "@"],
        &["query", "**", "@"],
        &["templates", "@"],
        &["docs", "--config", "@", "."],
        &["diff", "@", "."],
        &["diff", ".", "@"],
        &["config", "@"],
        &["config", ".", "--provider-schemas", "@"],
        &["expand", "@"],
        &["expand", ".", "--var-file", "@"],
        &["expand", ".", "--state", "@"],
        &["expand", ".", "--provider-schemas", "@"],
        &["why", "local.a", ".", "--var-file", "@"],
        &["eval", "--vars", "@", "1"],
        &["decode", "--schema", "@", "main.tf"],
        &["decode", "--spec", "@", "main.tf"],
        &["check", "@"],
        &["check", ".", "--baseline", "@"],
        &["check", ".", "--config", "@"],
        &["check", ".", "--level", "values", "--var-file", "@"],
        &["rules", "test", "@.hcl"],
        &["schema", "@", "a_b"],
        &["convert", "--to", "native", "@"],
        &["set", "locals.a", "2", "@"],
        &["migrate", "@"],
        &["plan", "@"],
        &["state", "@"],
        &["redact", "@"],
        &["affected", "--files-from", "@", "."],
    ];
    // A terminal ends when its user says so.
    let devices = ["/dev/zero", "/dev/full", "/dev/urandom", "/proc/kmsg", "/proc/self/pagemap"];
    for device in devices.iter().filter(|path| Path::new(path).exists()) {
        let link = module.path().join("link.hcl");
        symlink(device, &link).unwrap();
        for command in commands {
            let named = command.iter().map(|it| match *it {
                "@" => device,
                "@.hcl" => "link.hcl",
                other => other,
            });
            // An overview says what it could not read.
            let statuses: &[i32] = if command[0] == "overview" { &[0, 2] } else { &[1, 2] };
            let said = runs(module.path(), &named.collect::<Vec<_>>(), statuses);
            assert!(command[0] != "overview" || said.contains("Incomplete"), "{said}");
        }
        fs::remove_file(link).unwrap();
    }
}

/// A unit whose file is no regular file is not gone.
#[test]
fn files_of_units() {
    let place = tempfile::tempdir().unwrap();
    for target in targets(place.path()) {
        for name in ["terragrunt.hcl", "terragrunt.stack.hcl", "terragrunt.hcl.json"] {
            let module = linked(&format!("u/{name}"), &target);
            git(module.path(), &["init", "-q"]);
            for arguments in [&["units", "."][..], &["units", ".", "--render", "--stacks"]] {
                let said = runs(module.path(), arguments, &[0, 1, 2]);
                assert!(
                    said.contains(&format!("{name} is not read")),
                    "{name} -> {target}: {said}"
                );
            }
            runs(module.path(), &["query", "**", "."], &[0, 1, 2]);
        }
    }
}

/// A review says which units it could not read in a version.
#[test]
fn units_of_reviews() {
    let place = tempfile::tempdir().unwrap();
    for target in targets(place.path()) {
        let module = crate::tool::tree(&[("u/main.tf", MAIN), ("u/terragrunt.hcl", "")]);
        git(module.path(), &["init", "-q"]);
        git(module.path(), &["add", "."]);
        git(module.path(), &["commit", "-q", "-m", "one"]);
        fs::remove_file(module.path().join("u/terragrunt.hcl")).unwrap();
        symlink(&target, module.path().join("u/terragrunt.hcl")).unwrap();
        let said = runs(module.path(), &["review", "--since", "HEAD", "--format", "json"], &[0, 1]);
        assert!(said.contains("terragrunt.hcl is not read"), "{target}: {said}");
    }
}
