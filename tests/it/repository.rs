//! Checks that the files of the repository do not contain certain texts, and that the lists of what
//! CI runs are complete.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Root directories for users, builds or temporary files.
const DIRECTORIES: &[&str] =
    &["home", "root", "tmp", "work", "Users", "private", "var/folders", "builds", "workspace"];

/// Paths that are data: they are on machines that a configuration describes.
const DATA: &[&str] = &["/tmp/motd", "/tmp/x"];

/// Returns the absolute paths in `text` that are specific to one machine.
fn machine_paths(text: &[u8]) -> Vec<String> {
    // In a longer path, a URL, a glob or a pattern the slash is not the root.
    let continues = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/*$}~>)]%\\".contains(byte);
    let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"._-/".contains(byte);
    let mut found = Vec::new();
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        let mut before = &text[..at];
        if let Some(scheme) = before.strip_suffix(b"file://") {
            before = scheme;
        }
        let rest = &text[at + 1..];
        let named = DIRECTORIES.iter().any(|name| {
            let inside =
                rest.strip_prefix(name.as_bytes()).and_then(|rest| rest.strip_prefix(b"/"));
            inside
                .and_then(|inside| inside.first())
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.')
        });
        // An escaped quote or line feed of a string ends with a character that could be a name.
        let escape =
            before.len() >= 2 && matches!(before[before.len() - 2..], [b'\\', b'n' | b't' | b'r']);
        if !named || before.last().is_some_and(continues) && !escape {
            continue;
        }
        let end = rest.iter().position(ends).unwrap_or(rest.len());
        let path = format!("/{}", String::from_utf8_lossy(&rest[..end]));
        let path = path.trim_end_matches(['.', '/']);
        if !DATA.contains(&path) {
            found.push(path.to_owned());
        }
    }
    found
}

#[test]
fn paths_of_a_machine_are_recognised() {
    let of = |text: &str| machine_paths(text.replace('|', "/").as_bytes());
    for (text, path) in [
        (r#"at \"|root|.terraformrc\" does"#, "|root|.terraformrc"),
        ("|home|me|x.tf: 1", "|home|me|x.tf"),
        ("\"|tmp|tmpab12|dir\"", "|tmp|tmpab12|dir"),
        ("file:|||Users|me", "|Users|me"),
        ("in\\n|work|a.", "|work|a"),
        ("(|root|a)", "|root|a"),
        ("|var|folders|x", "|var|folders|x"),
    ] {
        assert_eq!(of(text), [path.replace('|', "/")], "{text}");
    }
    for text in [
        "https:||example.com|home|index.html",
        "modules|work|a",
        "..|tmp|a",
        "${path.module}|tmp|a",
        "|work|",
        "|homes|a",
        "|etc|motd",
        "\"destination\": \"|tmp|motd\"",
    ] {
        assert!(of(text).is_empty(), "{text}");
    }
}

/// Paths of the machine on which a file was written are meaningless elsewhere, and reveal details
/// about that machine.
#[test]
fn no_file_names_a_place_on_one_machine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output();
    let Some(listed) = listed.ok().filter(|output| output.status.success()) else {
        println!("skipped: no_file_names_a_place_on_one_machine (no git repository)");
        return;
    };
    let mut found = Vec::new();
    let mut seen = 0;
    for name in String::from_utf8(listed.stdout).unwrap().split_terminator('\0') {
        // A tracked file may be deleted, and a tracked link may lead to a directory.
        let Ok(text) = std::fs::read(root.join(name)) else { continue };
        seen += 1;
        if name != "tests/it/repository.rs" {
            found.extend(machine_paths(&text).into_iter().map(|path| format!("{name}: {path}")));
        }
    }
    assert!(seen > 100, "{seen} files");
    assert!(found.is_empty(), "paths of one machine:\n{}", found.join("\n"));
}

/// Phrases that readers stumble over, and their replacements. Each is long enough to be wrong
/// everywhere.
const PHRASES: &[(&str, &str)] = &[
    ("belongs into", "belongs in"),
    ("is told", "is reported, is given"),
    ("so many threads", "the number of threads"),
    ("whoever", "callers, users"),
    ("who goes on", "a reader that continues"),
    ("out come", "returns"),
    ("out comes", "returns"),
    ("that are none", "that are not, invalid"),
    ("if it is none", "if it is not, invalid"),
    ("or is none", "or is not"),
    ("are there twice", "are duplicates"),
    ("is there twice", "is a duplicate"),
    ("this is no ", "invalid, is not a"),
    ("is no valid", "is not a valid, invalid"),
    ("is no json", "is not JSON"),
    ("is no identifier", "is not an identifier"),
];

/// No comment starts with this word: a noun says more.
const WHAT: &str = "What ";

/// Returns the phrases in a text with their 1-based lines. Case is ignored.
fn phrases(text: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let line = text.to_lowercase();
        for &(phrase, _) in PHRASES {
            let starts_word = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric());
            if line.match_indices(phrase).any(|(at, _)| starts_word(at)) {
                found.push((number, phrase));
            }
        }
        let comment = text.trim_start().strip_prefix("//");
        let comment = comment.map(|text| text.trim_start_matches(['/', '!']).trim_start());
        if comment.is_some_and(|text| text.starts_with(WHAT)) {
            found.push((number, WHAT));
        }
    }
    found
}

#[test]
fn phrases_are_recognised() {
    let text = "/// Whoever reads it.\n// It is told.\n// It belongs into it.";
    assert_eq!(phrases(text), [(1, "whoever"), (2, "is told"), (3, "belongs into")]);
    assert_eq!(phrases("  /// What it returns.\n// So it is\n// what it was.\n"), [(1, WHAT)]);
    assert_eq!(phrases("/// The block; null if there is none. It comes out of a file.\n"), []);
}

/// CONTRIBUTING describes the style. This test rejects the worst phrases.
#[test]
fn prose_has_usual_words() {
    // These files quote the phrases.
    const SHOWN: &[&str] = &["tests/it/repository.rs", "CONTRIBUTING.md"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["ls-files", "-z", "*.rs", "*.md", ":!corpus/conformance"])
        .output();
    let Some(listed) = listed.ok().filter(|output| output.status.success()) else {
        println!("skipped: prose_has_usual_words (no git repository)");
        return;
    };
    let (mut found, mut seen) = (Vec::new(), 0);
    for name in String::from_utf8(listed.stdout).unwrap().split_terminator('\0') {
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        seen += 1;
        if !SHOWN.contains(&name) {
            let here = phrases(&text).into_iter();
            found.extend(here.map(|(line, phrase)| {
                let better =
                    PHRASES.iter().find(|(it, _)| *it == phrase).map_or("a noun", |it| it.1);
                format!("{name}:{line}: \"{phrase}\"; write: {better}")
            }));
        }
    }
    assert!(seen > 100, "{seen} files");
    assert!(found.is_empty(), "see Style in CONTRIBUTING.md:\n{}", found.join("\n"));
}

/// Returns the names of the files in a directory of the repository, sorted.
fn names_in(directory: &str) -> Vec<String> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Checks that each of the paths, separated by blanks, starts the path of a file or a module.
fn check_paths(of: &str, paths: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(!paths.trim().is_empty(), "{of} covers nothing");
    for path in paths.split_whitespace().filter(|&path| path != "everything") {
        let exists = root.join(path).exists() || root.join(format!("{path}.rs")).exists();
        assert!(exists, "{of} covers {path}, which does not exist");
    }
}

/// Every file in `.ci/steps` is a step of `.ci/full`, the steps of the gate among them, and says
/// what it does, needs and covers.
#[test]
fn steps_of_ci_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(root.join(".ci").join(name)).unwrap();
    let steps = |name: &str| -> Vec<String> {
        let text = read(name);
        let start = text.find("steps=(").unwrap() + "steps=(".len();
        let list = &text[start..start + text[start..].find(')').unwrap()];
        list.split_whitespace().map(|step| step.trim_matches(['\'', '&']).to_owned()).collect()
    };
    let (gate, mut full) = (steps("run"), steps("full"));
    assert!(gate.iter().all(|step| full.contains(step)), "{gate:?} not in {full:?}");
    full.sort();
    assert_eq!(full, names_in(".ci/steps"));
    for step in full {
        let text = read(&format!("steps/{step}"));
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        assert!(text.lines().nth(1).is_some_and(|about| about.starts_with("# ")), "{step}");
        assert!(field("# needs: ").is_some(), "{step}");
        check_paths(&step, field("# covers: ").unwrap());
    }
}

/// Every fuzz target says which paths it covers, so that a change of these runs it.
#[test]
fn fuzz_targets_say_what_they_cover() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("fuzz/covers.txt")).unwrap();
    let mut listed: Vec<String> = Vec::new();
    for line in text.lines() {
        let (target, paths) = line.split_once(':').unwrap();
        check_paths(target, paths);
        listed.push(format!("{target}.rs"));
    }
    assert_eq!(listed, names_in("fuzz/fuzz_targets"), "fuzz/covers.txt, sorted by target");
}

/// Calls `visit` with the path below the repository and the text of each file with this extension.
fn files_below(directories: &[&str], extension: &str, visit: &mut dyn FnMut(&str, &str)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<_> = directories.iter().map(|directory| root.join(directory)).collect();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                visit(&name, &std::fs::read_to_string(&path).unwrap());
            }
        }
    }
}

/// Programs are started in three files of the command line, and nothing opens a connection, as
/// SECURITY.md says.
#[test]
fn programs_and_connections() {
    const STARTS: [&str; 4] =
        ["cli/src/cache/mod.rs", "cli/src/git.rs", "cli/src/mcp.rs", "cli/src/tables.rs"];
    let starting = ["Command::new", "process::Command", "posix_spawn", "libc::fork", "libc::exec"];
    let connecting = ["TcpStream", "TcpListener", "UdpSocket", "UnixStream", "ToSocketAddrs"];
    let (mut seen, mut starts) = (0, Vec::new());
    files_below(&["src", "cli/src", "python/src", "wasm/src"], "rs", &mut |name, text| {
        seen += 1;
        assert!(!connecting.iter().any(|word| text.contains(word)), "{name} opens a connection");
        if starting.iter().any(|word| text.contains(word)) {
            starts.push(name.to_owned());
        }
    });
    assert!(seen > 300, "{seen} files");
    starts.sort();
    assert_eq!(starts, STARTS);
    let lock = include_str!("../../Cargo.lock");
    for name in
        ["curl", "hyper", "mio", "native-tls", "reqwest", "rustls", "socket2", "tokio", "ureq"]
    {
        assert!(!lock.contains(&format!("name = \"{name}\"\n")), "{name} opens connections");
    }
}

/// Every promise of SECURITY.md names a test or a fuzz target, and so does every row of the guarantees;
/// all of them exist.
#[test]
fn promises_name_tests_that_exist() {
    let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let directories =
        ["src", "tests", "cli/src", "cli/tests", "server/tests", "tables/tests", "tables/src"];
    files_below(&directories, "rs", &mut |file, text| {
        let tests = text.split("#[test]").skip(1);
        for part in tests.filter_map(|test| Some(test.split_once("fn ")?.1)) {
            let end =
                part.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(part.len());
            functions.entry(part[..end].to_owned()).or_default().push(file.to_owned());
        }
    });
    // A function is in a file, or in a directory, of each module of its path.
    let exists = |path: &str| {
        let (modules, name) = path.rsplit_once("::").unwrap_or(("", path));
        let modules: Vec<&str> =
            modules.split("::").filter(|it| !it.is_empty() && *it != "tests").collect();
        functions.get(name).is_some_and(|files| {
            files.iter().any(|file| {
                let parts: Vec<&str> = file.trim_end_matches(".rs").split(['/', '\\']).collect();
                modules.iter().all(|module| parts.contains(module))
            })
        })
    };
    let targets = names_in("fuzz/fuzz_targets");
    // The names in backticks of a text that are tests, after it is known that they exist.
    let named = |of: &str, text: &str| -> usize {
        let mut count = 0;
        let (mut before, mut inside) = ("", false);
        for part in text.split('`') {
            let is_path = part.contains("::")
                && part
                    .chars()
                    .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || "_:".contains(it));
            let is_single = part.len() > 20
                && part.contains('_')
                && part.chars().all(|it| it.is_ascii_lowercase() || it == '_');
            if inside && before.trim_end().ends_with("fuzz target") {
                assert!(targets.contains(&format!("{part}.rs")), "{of}: no fuzz target {part}");
                count += 1;
            } else if inside && (is_path || is_single) {
                // The path of a module is no test.
                let is_module = part.starts_with("show::") || part.starts_with("functions::");
                assert!(is_module || exists(part), "{of}: no test {part}");
                count += usize::from(!is_module);
            }
            (before, inside) = (part, !inside);
        }
        count + text.matches("all tests)").count() + text.matches("all fuzz targets").count()
    };
    let security = include_str!("../../SECURITY.md");
    let promised = security.split_once("## What is promised").unwrap().1;
    let promised = promised.split_once("\n## ").unwrap().0;
    let promises: Vec<&str> = promised.split("\n- ").skip(1).collect();
    assert!(promises.len() > 15, "{}", promises.len());
    for promise in promises {
        assert!(named("SECURITY.md", promise) > 0, "no test proves: {promise}");
    }
    let guarantees = include_str!("../../docs/guarantees.md");
    let tables = guarantees.split_once("\n## How it is checked").unwrap().0;
    let rows = tables.lines().filter(|line| line.starts_with('|') && line.ends_with('|'));
    let mut count = 0;
    for row in rows.filter(|row| !row.starts_with("|---") && !row.contains("| proof |")) {
        let proof = row.trim_end_matches('|').rsplit(" | ").next().unwrap_or_default();
        assert!(
            named("guarantees.md", proof) > 0
                || proof.contains("each row below")
                || proof.contains("fuzz target"),
            "no test proves: {row}"
        );
        count += 1;
    }
    assert!(count > 60, "{count} rows");
}
