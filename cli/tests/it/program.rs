//! Features of all commands: threads, kernels, statistics, help.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::tool::{
    GOOD, commands, linked_modules, list, run, simd_hcl, status, stderr, stdout, tree,
};

#[test]
fn output_is_the_same_for_any_number_of_threads() {
    let files: Vec<(String, String)> = (0..40)
        .map(|number| {
            let text = if number % 3 == 0 { "{\"a\":" } else { "{\"b\": {\"x\": \"${c}\"}}" };
            (format!("m{}/f{number}.tf.json", number % 5), text.to_owned())
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let tree = tree(&files);
    for command in ["check", "inspect", "templates"] {
        for format in ["human", "json", "ndjson"] {
            let with = |threads| {
                let arguments = [command, "--format", format, "--threads", threads, "."];
                run(tree.path(), &arguments).stdout
            };
            let one = with("1");
            assert!(!one.is_empty());
            assert_eq!(with("2"), one);
            assert_eq!(with("7"), one);
        }
    }
}

#[test]
fn diagnostics_are_explained() {
    let directory = tempfile::tempdir().unwrap();
    let explain = |arguments: &[&str]| run(directory.path(), &[&["explain"], arguments].concat());
    let page = stdout(&explain(&["invalid-utf-8"]));
    assert!(page.starts_with("error[invalid-utf-8]: Invalid UTF-8\n\nPoints at "), "{page}");
    assert!(page.contains("\n\nMessage: The byte … is not valid UTF-8 here.\n"), "{page}");
    assert!(page.ends_with("/docs/diagnostics.md#invalid-utf-8\n"), "{page}");

    let pages = stdout(&explain(&["unknown-variable", "invalid-utf-8"]));
    assert!(pages.contains("#unknown-variable\n\nerror[invalid-utf-8]"), "{pages}");
    let all = stdout(&explain(&[]));
    let own = simd_hcl::rules::RULES
        .iter()
        .filter(|rule| simd_hcl::Code::from_name(rule.name()).is_none());
    assert_eq!(all.lines().count(), simd_hcl::Code::ALL.len() + own.count());
    let rule = stdout(&explain(&["unpinned-module"]));
    assert!(rule.contains("In tflint: terraform_module_pinned_source.\n"), "{rule}");
    assert!(rule.ends_with("/docs/rules.md#unpinned-module\n"), "{rule}");

    let unknown = explain(&["invalid-utf8"]);
    assert_eq!(status(&unknown), 2);
    assert!(stderr(&unknown).contains("did you mean \"invalid-utf-8\"?"), "{}", stderr(&unknown));
}

#[test]
fn kernels_can_be_listed_and_forced() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["kernels", "--kernel", "portable", "--format", "json"]);
    let kernels = list(&output, "kernels");
    let used: Vec<&Value> =
        kernels.as_array().unwrap().iter().filter(|kernel| kernel["used"] == true).collect();
    assert_eq!(used.len(), 1);
    assert_eq!(used[0]["name"], "portable");
    assert_eq!(status(&run(directory.path(), &["kernels", "--kernel", "none"])), 2);
    let output = simd_hcl(&["kernels"]).env("SIMD_HCL_KERNEL", "portable").output().unwrap();
    assert!(stdout(&output).contains("* portable"));
}

#[test]
fn completions_and_manual_are_made() {
    let directory = tempfile::tempdir().unwrap();
    assert!(stdout(&run(directory.path(), &["completions", "bash"])).contains("simd-hcl"));
    assert!(stdout(&run(directory.path(), &["man"])).starts_with(".ie"));
    let page = stdout(&run(directory.path(), &["man", "check"]));
    assert!(page.contains(".TH simd-hcl-check 1") && page.contains("exit\\-zero"), "{page}");
    assert_eq!(status(&run(directory.path(), &["man", "none"])), 2);
}

#[test]
fn shells_complete_addresses_codes_and_rules() {
    let directory = linked_modules();
    let complete = |words: &[&str]| {
        let mut command = simd_hcl(&[&["--", "simd-hcl"], words].concat());
        stdout(&command.env("COMPLETE", "fish").current_dir(directory.path()).output().unwrap())
    };
    let first = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
    };
    assert_eq!(first(&complete(&["dependents", "v"])), ["var.vpc", "vpc.main"]);
    assert_eq!(first(&complete(&["explain", "unpinned-mod"])), ["unpinned-module"]);
    assert!(complete(&["check", "--select", "naming,unu"]).contains("unused-output"));
    assert!(first(&complete(&["overv"])).contains(&"overview".to_owned()));
    assert!(first(&complete(&["check", "ap"])).iter().any(|it| it.starts_with("app")));
}

#[test]
fn tables_are_another_program() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("path");
    std::fs::create_dir(&path).unwrap();
    // Alone: `simd-hcl-sql` may have been built into the same folder.
    let built = Path::new(env!("CARGO_BIN_EXE_simd-hcl"));
    let alone = directory.path().join(built.file_name().unwrap());
    if std::fs::hard_link(built, &alone).is_err() {
        std::fs::copy(built, &alone).unwrap();
    }
    let call = |arguments: &[&str]| {
        Command::new(&alone).args(arguments).env("PATH", &path).output().unwrap()
    };
    for command in ["sql", "export"] {
        let output = call(&[command, "--format", "csv"]);
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains("cargo install --path tables/sql"), "{output:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let program = path.join("simd-hcl-sql");
        std::fs::write(&program, "#!/bin/sh\necho \"$@\"\nexit 1\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let output = call(&["sql", "--threads", "2", "SELECT 1", "--explain"]);
        assert_eq!(
            (status(&output), &*stdout(&output)),
            (1, "sql --threads 2 SELECT 1 --explain\n")
        );
    }
}

#[test]
fn commands_are_described_alike_in_the_list_and_in_their_help() {
    let directory = tempfile::tempdir().unwrap();
    let help = stdout(&run(directory.path(), &["--help"]));
    let described = commands(&help).filter(|(command, _)| *command != "help");
    let described: Vec<_> = described.collect();
    assert!(described.len() >= 20, "{help}");
    for (command, description) in described {
        let help = stdout(&run(directory.path(), &[command, "--help"]));
        assert_eq!(help.lines().next(), Some(description.trim()), "{command}");
        let page = stdout(&run(directory.path(), &["man", command])).replace('\\', "");
        let name = format!("simd-hcl-{command} - {}\n", description.trim());
        assert!(page.contains(&name), "{name} in {page}");
    }
}

#[test]
fn stats_tell_files_bytes_and_memory() {
    let tree = tree(&[("a.tf.json", GOOD), ("b.tf.json", "{")]);
    let arguments = ["check", "--stats", "--quiet", "--threads", "2", "."];
    let stats = stderr(&run(tree.path(), &arguments));
    for line in
        ["files:       2\n", &format!("bytes:       {}\n", GOOD.len() + 1), "threads:     2\n"]
    {
        assert!(stats.contains(line), "{line} in {stats}");
    }
    assert_eq!(cfg!(target_os = "linux"), stats.contains("peak memory:"));
    let stats = stderr(&run(tree.path(), &["events", "--stats", "--threads", "1", "b.tf.json"]));
    assert!(stats.contains("threads:     1"), "{stats}");
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        &["check", "--threads", "100000", "."][..],
        &["check", "--format", "yaml", "."],
        &["check"],
        &["decode", "x.json"],
        &["check", "--level", "semantic", "."],
    ] {
        let output = run(directory.path(), arguments);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{arguments:?}");
    }
}
