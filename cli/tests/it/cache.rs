//! `--cache`: kept answers are those that a run without it gives.

use std::fs::{self, File};
use std::path::Path;
use std::process::Output;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::tool::{git, simd_hcl, stderr, stdout, tree};

/// Answers of files that have changed just before are not kept.
const WAIT: Duration = Duration::from_millis(80);

/// A cache of its own.
struct Cache(TempDir);

impl Cache {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> std::path::PathBuf {
        self.0.path().join("simd-hcl")
    }

    fn files(&self) -> Vec<std::path::PathBuf> {
        let Ok(entries) = fs::read_dir(self.folder()) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    fn run(&self, directory: &Path, arguments: &[&str]) -> Output {
        sleep(WAIT);
        let mut command = simd_hcl(arguments);
        command.current_dir(directory).env("XDG_CACHE_HOME", self.0.path());
        command.arg("--cache").output().unwrap()
    }

    /// Runs a command that cannot be run again: without a kept answer it fails.
    fn kept(&self, directory: &Path, arguments: &[&str]) -> Option<Output> {
        let mut command = simd_hcl(arguments);
        command.current_dir(directory).env("XDG_CACHE_HOME", self.0.path());
        command.env("TMPDIR", self.0.path().join("missing"));
        let output = command.arg("--cache").output().unwrap();
        (!stderr(&output).contains("cannot write the results")).then_some(output)
    }

    /// The output, which must be that of a run without the cache.
    fn same(&self, directory: &Path, arguments: &[&str]) -> String {
        let (kept, plain) =
            (self.run(directory, arguments), crate::tool::run(directory, arguments));
        assert_same(&kept, &plain, arguments);
        stdout(&kept)
    }
}

fn assert_same(one: &Output, other: &Output, what: &[&str]) {
    assert_eq!(stdout(one), stdout(other), "{what:?}");
    assert_eq!(one.status.code(), other.status.code(), "{what:?}");
    // The time is left out of an answer that is kept.
    let without_time = |text: String| {
        let lines = text.lines().map(|line| match line.split_once(" in 0.") {
            Some((start, rest)) => {
                format!("{start}{}", rest.split_once(';').map_or("", |it| &rest[it.0.len()..]))
            }
            None => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(without_time(stderr(one)), without_time(stderr(other)), "{what:?}");
}

const MODULE: &str =
    "variable \"size\" {\n  type = number\n}\noutput \"id\" {\n  value = var.size\n}\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "app/main.tf",
            "module \"m\" {\n  source = \"../mod\"\n  size   = 1\n}\noutput \"x\" {\n  value = module.m.id\n}\n",
        ),
        ("app/text.txt", "text"),
        (
            "app/extra.tf",
            "locals {\n  a = file(\"${path.module}/text.txt\")\n}\noutput \"a\" {\n  value = local.a\n}\n",
        ),
        ("mod/main.tf", MODULE),
        ("lone/main.tf.json", r#"{"output": {"y": {"value": "${var.none}"}}}"#),
        (
            "unit/terragrunt.hcl",
            "terraform {\n  source = \"../mod\"\n}\ninputs = {\n  size = 1\n}\n",
        ),
        ("simd-hcl.toml", "select = [\"unused\"]\n"),
    ]
}

/// A change of the tree, and its name.
type Step<'s> = (&'static str, Box<dyn Fn() + 's>);

/// Any change of a file, in a sequence of them, gives the answer of a run without the cache; without a
/// change, the kept answer is printed.
#[test]
fn kept_answers_are_right() {
    let directory = tree(&files());
    let (path, cache) = (directory.path(), Cache::new());
    let write = |name: &str, text: &str| fs::write(path.join(name), text).unwrap();
    let steps: Vec<Step<'_>> = vec![
        ("nothing", Box::new(|| ())),
        (
            "an argument",
            Box::new(|| write("mod/main.tf", &MODULE.replace("\"size\"", "\"length\""))),
        ),
        ("back again", Box::new(|| write("mod/main.tf", MODULE))),
        (
            "the same length and time",
            Box::new(|| {
                let file = path.join("lone/main.tf.json");
                let time = file.metadata().unwrap().modified().unwrap();
                let text = fs::read_to_string(&file).unwrap().replace("var.none", "var.nope");
                fs::write(&file, text).unwrap();
                File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
            }),
        ),
        (
            "a file that a function reads",
            Box::new(|| fs::remove_file(path.join("app/text.txt")).unwrap()),
        ),
        ("a new file", Box::new(|| write("app/other.tf", "output \"x\" {\n  value = 1\n}\n"))),
        ("a removed file", Box::new(|| fs::remove_file(path.join("app/other.tf")).unwrap())),
        (
            "a new module",
            Box::new(|| {
                fs::create_dir(path.join("more")).unwrap();
                write("more/main.tf", "a = {");
            }),
        ),
        (
            "a renamed directory",
            Box::new(|| fs::rename(path.join("mod"), path.join("moved")).unwrap()),
        ),
        ("settings", Box::new(|| write("simd-hcl.toml", "deny = [\"warnings\"]\n"))),
        ("no settings", Box::new(|| fs::remove_file(path.join("simd-hcl.toml")).unwrap())),
        (
            "a unit",
            Box::new(|| write("unit/terragrunt.hcl", "inputs = {\n  size = local.none\n}\n")),
        ),
        (
            "an ignored directory",
            Box::new(|| {
                fs::create_dir_all(path.join("app/.terraform/modules")).unwrap();
                write("app/.terraform/modules/modules.json", "{");
            }),
        ),
        #[cfg(unix)]
        (
            "a link",
            Box::new(|| std::os::unix::fs::symlink("../moved", path.join("app/link")).unwrap()),
        ),
        #[cfg(unix)]
        (
            "a file that cannot be read",
            Box::new(|| {
                fs::remove_file(path.join("app/main.tf")).unwrap();
                std::os::unix::fs::symlink("nowhere.tf", path.join("app/main.tf")).unwrap();
            }),
        ),
    ];
    for (what, step) in steps {
        step();
        for arguments in [
            &["check", "."][..],
            &["check", "--format", "json", "--level", "values", "."],
            &["affected", "--format", "json", "mod/main.tf", "."],
        ] {
            // The directory was renamed: the file is gone.
            if arguments[0] == "affected" && !path.join("mod/main.tf").exists() {
                continue;
            }
            let output = cache.same(path, arguments);
            let again = cache.same(path, arguments);
            assert_eq!(output, again, "{what}");
            if crate::tool::run(path, arguments).status.code() != Some(2) {
                let kept = cache.kept(path, arguments);
                let kept = kept.unwrap_or_else(|| panic!("{what}, {arguments:?}: nothing is kept"));
                assert_eq!(stdout(&kept), output, "{what}");
            }
        }
    }
}

/// Arguments, variables of the environment, and files that are named are a part of the question.
#[test]
fn other_questions_have_other_answers() {
    let directory = tree(&[
        (
            "a/main.tf",
            "variable \"x\" {\n  type = number\n}\noutput \"y\" {\n  value = [1, 2][var.x]\n}\n",
        ),
        ("values.tfvars", "x = 1\n"),
    ]);
    let (path, cache) = (directory.path(), Cache::new());
    let values = [
        "check",
        "--level",
        "values",
        "--format",
        "json",
        "--var-file",
        "values.tfvars",
        "--root",
        "a",
        "a",
    ];
    assert!(!cache.same(path, &values).contains("invalid-index"));
    // The file is in no directory that is checked.
    fs::write(path.join("values.tfvars"), "x = 2\n").unwrap();
    let wrong = cache.same(path, &values);
    assert!(wrong.contains("invalid-index"), "{wrong}");
    for value in ["1", "2"] {
        let with = |arguments: &[&str]| {
            sleep(WAIT);
            let mut command =
                simd_hcl(&["check", "--level", "values", "--format", "json", "--root", "a", "a"]);
            command.current_dir(path).env("XDG_CACHE_HOME", cache.0.path()).env("TF_VAR_x", value);
            command.args(arguments).output().unwrap()
        };
        assert_eq!(stdout(&with(&["--cache"])), stdout(&with(&[])), "{value}");
    }
    for format in ["human", "json", "sarif", "github", "concise"] {
        cache.same(path, &["check", "--format", format, "a"]);
        cache.same(&path.join("a"), &["check", "--format", format, "."]);
    }
}

/// Files outside of the directories and of their work tree may change unseen: such answers are not
/// kept.
#[test]
fn answers_with_something_outside_are_not_kept() {
    let call = "module \"m\" {\n  source = \"../outside\"\n  size   = 1\n}\n";
    let run = "run \"a\" {\n  module {\n    source = \"../outside\"\n  }\n}\n";
    for (name, text) in [("inside/main.tf", call), ("inside/tests/a.tftest.hcl", run)] {
        let directory = tree(&[(name, text), ("inside/x.tf", ""), ("outside/main.tf", MODULE)]);
        let (inside, cache) = (directory.path().join("inside"), Cache::new());
        for _ in 0..2 {
            cache.same(&inside, &["check", "--format", "json", "."]);
        }
        fs::write(directory.path().join("outside/main.tf"), "a = {").unwrap();
        cache.same(&inside, &["check", "--format", "json", "."]);
        fs::remove_dir_all(directory.path().join("outside")).unwrap();
        cache.same(&inside, &["check", "--format", "json", "."]);
        assert!(cache.files().is_empty(), "{name}: {:?}", cache.files());
    }
    #[cfg(unix)]
    {
        let directory = tree(&[("inside/main.tf", "locals {}\n"), ("outside/a.tf", "")]);
        std::os::unix::fs::symlink("../outside", directory.path().join("inside/link")).unwrap();
        let (inside, cache) = (directory.path().join("inside"), Cache::new());
        cache.same(&inside, &["check", "."]);
        assert!(cache.files().is_empty());
    }
    // In a repository, its directories count.
    let directory = tree(&[("inside/main.tf", call), ("outside/main.tf", MODULE)]);
    git(directory.path(), &["init", "-q"]);
    let (inside, cache) = (directory.path().join("inside"), Cache::new());
    cache.same(&inside, &["check", "--format", "json", "."]);
    assert_eq!(cache.files().len(), 1);
    fs::write(directory.path().join("outside/main.tf"), "a = {").unwrap();
    cache.same(&inside, &["check", "--format", "json", "."]);
}

/// Files of a cache that are damaged, or that others may have written, are not used.
#[test]
fn damaged_and_foreign_caches_are_ignored() {
    let directory = tree(&files());
    let (path, cache) = (directory.path(), Cache::new());
    let arguments = ["check", "--format", "json", "."];
    let output = cache.same(path, &arguments);
    let [file] = &cache.files()[..] else { panic!("{:?}", cache.files()) };
    let whole = fs::read(file).unwrap();
    assert!(cache.kept(path, &arguments).is_some());
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        fs::write(file, &damaged).unwrap();
        assert!(cache.kept(path, &arguments).is_none(), "byte {place}");
        fs::write(file, &whole[..place]).unwrap();
        assert!(cache.kept(path, &arguments).is_none(), "{place} bytes");
    }
    assert_eq!(cache.same(path, &arguments), output);
    assert!(cache.kept(path, &arguments).is_some());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(cache.folder(), fs::Permissions::from_mode(0o777)).unwrap();
        fs::write(path.join("lone/main.tf.json"), "{").unwrap();
        cache.same(path, &arguments);
        let modes = || fs::metadata(file).unwrap().modified().unwrap();
        let before = modes();
        cache.same(path, &arguments);
        assert_eq!(modes(), before, "nothing is written");
    }
}

/// The oldest answers make room for others.
#[test]
fn the_cache_has_a_limit() {
    let directory = tree(&files());
    let cache = Cache::new();
    cache.same(directory.path(), &["check", "."]);
    for number in 0..3 {
        let file = File::create(cache.folder().join(format!("old{number}"))).unwrap();
        file.set_len(100 << 20).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(number)).unwrap();
    }
    cache.same(directory.path(), &["check", "--format", "json", "."]);
    let names: Vec<_> = cache
        .files()
        .iter()
        .map(|it| it.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(!names.contains(&"old0".to_owned()) && names.contains(&"old2".to_owned()), "{names:?}");
    assert_eq!(names.len(), 4, "{names:?}");
}

/// A list on standard input, and revisions of git, are a part of the question.
#[test]
fn affected_modules_are_kept() {
    let directory = tree(&files());
    let (path, cache) = (directory.path(), Cache::new());
    git(path, &["init", "-q"]);
    git(path, &["add", "-f", "."]);
    git(path, &["commit", "-q", "-m", "one"]);
    let listed = |arguments: &[&str], text: &str| {
        sleep(WAIT);
        let mut command = simd_hcl(arguments);
        command.current_dir(path).env("XDG_CACHE_HOME", cache.0.path());
        crate::tool::feed_bytes(command, text.as_bytes())
    };
    for text in ["mod/main.tf\n", "app/main.tf\n", "mod/main.tf\n", ""] {
        let arguments = ["affected", "--files-from", "-", "--format", "json"];
        let kept = listed(&[&arguments[..], &["--cache"]].concat(), text);
        assert_same(&kept, &listed(&arguments, text), &[text]);
    }
    let since = ["affected", "--since", "HEAD", "--format", "json"];
    assert!(!cache.same(path, &since).contains("\"app\""));
    fs::write(path.join("mod/main.tf"), MODULE.replace("value = var.size", "value = 2")).unwrap();
    for _ in 0..2 {
        assert!(cache.same(path, &since).contains("\"app\""));
    }
    assert!(cache.kept(path, &since).is_some());
    git(path, &["commit", "-q", "-a", "-m", "two"]);
    assert!(!cache.same(path, &since).contains("\"app\""));
}
