//! Functions that read files, the clock and randomness, and the limits of what they read.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use simd_hcl::evaluate::{Budget, Functions, Scope};
use simd_hcl::functions::{Environment, FileEntry, FileError, FileKind, Files, Folder};
use simd_hcl::native::Native;
use simd_hcl::value::{self, Value};
use simd_hcl::{Arena, Diagnostic, Expression, Source};

/// Evaluates an expression; returns its JSON, `?` and its type if it is unknown, or the detail of
/// the first error.
fn evaluate(text: &str, functions: &dyn Functions, budget: Budget) -> Result<String, String> {
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "expression", text.as_bytes()).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let parsed = Native::expression(&arena, source, &mut found);
    let secret = Value::string(&arena, "sub/a.txt").with_marks(value::Marks::SENSITIVE);
    let unknown = Value::unknown(value::Type::String);
    let variables = [("secret", secret), ("unknown", unknown)];
    let scope =
        Scope::new().with_variables(&variables).with_functions(functions).with_budget(budget);
    let value = Expression::from_native(parsed).value(&scope, &mut found);
    if let Some(error) = found.first() {
        return Err(error.detail());
    }
    let marks = if value.marks().contains(value::Marks::SENSITIVE) { "#" } else { "" };
    if !value.is_wholly_known() {
        return Ok(format!("?{}{marks}", value.ty()));
    }
    let encode = functions.get("jsonencode").unwrap();
    let text = encode.call(&arena, &[value.unmark_deep(&arena).0]).unwrap();
    Ok(format!("{}{marks}", text.as_str().unwrap()))
}

/// A folder beside a file that must not be read.
fn folder() -> (tempfile::TempDir, Folder) {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("root");
    for directory in ["sub/deep/er", "empty", "other"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for (name, content) in [
        ("a.txt", "hello"),
        ("b.tftpl", "%{ for x in list }${x};%{ endfor }"),
        ("one.tftpl", "${list}"),
        ("again.tftpl", "${templatefile(\"again.tftpl\", {n = n + 1})}"),
        ("twice.tftpl", "${templatefile(\"twice.tftpl\", {})}${templatefile(\"twice.tftpl\", {})}"),
        ("outer.tftpl", "(${templatefile(\"one.tftpl\", {list = [upper(n)]})[0]})"),
        ("wrong.tftpl", "a\n${1 + \"x\"}"),
        ("syntax.tftpl", "a\n${"),
        ("sub/a.txt", "a"),
        ("sub/b.json", "{}"),
        ("sub/deep/c.txt", "c"),
        ("sub/deep/er/d.txt", "d"),
        ("sub/[x].txt", "x"),
        ("other/.hidden", ""),
    ] {
        fs::write(root.join(name), content).unwrap();
    }
    fs::write(root.join("bytes"), b"\xff\x00").unwrap();
    fs::write(outer.path().join("secret"), "secret").unwrap();
    let folder = Folder::new(&root).unwrap();
    (outer, folder)
}

#[test]
fn files_are_read() {
    let (_outer, folder) = folder();
    let functions = Environment::new().with_files(&folder);
    for (expression, expected) in [
        ("file(\"a.txt\")", "\"hello\""),
        ("core::file(\"./sub/../a.txt\")", "\"hello\""),
        ("filebase64(\"bytes\")", "\"/wA=\""),
        ("filemd5(\"a.txt\")", "\"5d41402abc4b2a76b9719d911017c592\""),
        ("filesha1(\"a.txt\") == sha1(\"hello\")", "true"),
        ("filesha256(\"a.txt\") == sha256(\"hello\")", "true"),
        ("filesha512(\"a.txt\") == sha512(\"hello\")", "true"),
        ("filebase64sha256(\"a.txt\") == base64sha256(\"hello\")", "true"),
        ("filebase64sha512(\"a.txt\") == base64sha512(\"hello\")", "true"),
        ("fileexists(\"a.txt\")", "true"),
        ("fileexists(\"nope\")", "false"),
        ("file(secret)", "\"a\"#"),
        ("file(unknown)", "?string"),
        ("fileexists(unknown)", "?bool"),
        ("fileset(\".\", unknown)", "?set of string"),
        ("templatefile(unknown, {})", "?dynamic"),
        ("pathexpand(\"a/~\")", "\"a/~\""),
        ("templatefile(\"b.tftpl\", {list = [1, 2]})", "\"1;2;\""),
        ("templatefile(\"one.tftpl\", {list = [1, 2]})", "[1,2]"),
        ("templatefile(\"b.tftpl\", {list = [unknown]})", "?string"),
        ("templatefile(\"b.tftpl\", {list = [], other = unknown})", "\"\""),
        ("templatefile(\"outer.tftpl\", {n = secret})", "\"(SUB/A.TXT)\"#"),
        ("templatestring(\"$${a}-$${upper(b)}\", {a = 1, b = \"x\"})", "\"1-X\""),
    ] {
        assert_eq!(
            evaluate(expression, &functions, Budget::DEFAULT).as_deref(),
            Ok(expected),
            "{expression}"
        );
    }
    for (expression, part) in [
        ("file(\"nope\")", "\"nope\" does not exist"),
        ("file(\"sub\")", "\"sub\" is a directory"),
        ("fileexists(\"sub\")", "\"sub\" is a directory"),
        ("file(\"bytes\")", "\"bytes\" is not UTF-8 text"),
        ("file(\"../secret\")", "\"../secret\" is outside of the directory"),
        ("fileexists(\"sub/../../secret\")", "is outside of the directory"),
        ("file(\"/etc/passwd\")", "is outside of the directory"),
        ("filebase64(\"/no/such\")", "is outside of the directory"),
        ("fileset(\"..\", \"*\")", "is outside of the directory"),
        ("file(\"~root/x\")", "home directories of other users"),
        ("templatefile(\"wrong.tftpl\", {})", "wrong.tftpl:2:7"),
        ("templatefile(\"syntax.tftpl\", {})", "syntax.tftpl:2:"),
        (
            "templatefile(\"b.tftpl\", {})",
            "it lacks \"list\", which the template uses at b.tftpl:1:",
        ),
        ("templatefile(\"b.tftpl\", [])", "a map or an object"),
        ("templatefile(\"b.tftpl\", {\"a b\" = 1})", "is not a name"),
        ("templatefile(\"again.tftpl\", {n = 1})", "templates nest more than 32 deep"),
    ] {
        let error = evaluate(expression, &functions, Budget::DEFAULT).unwrap_err();
        assert!(error.contains(part), "{expression}: {error}");
    }
}

#[test]
fn absolute_paths_may_stay_inside() {
    let (outer, folder) = folder();
    let functions = Environment::new().with_files(&folder);
    let root = outer.path().join("root").to_str().unwrap().to_owned();
    for (expression, expected) in [
        (format!("file(\"{root}/a.txt\")"), "\"hello\"".to_owned()),
        ("file(\"${abspath(\".\")}/a.txt\")".to_owned(), "\"hello\"".to_owned()),
        ("abspath(\"sub/../x\")".to_owned(), format!("\"{root}/x\"")),
        (format!("fileset(\"{root}/sub\", \"*.json\")"), "[\"b.json\"]".to_owned()),
    ] {
        let found = evaluate(&expression, &functions, Budget::DEFAULT);
        assert_eq!(found, Ok(expected), "{expression}");
    }
    let everywhere = folder.clone().with_outside();
    let functions = Environment::new().with_files(&everywhere);
    let found = evaluate("file(\"../secret\")", &functions, Budget::DEFAULT);
    assert_eq!(found.as_deref(), Ok("\"secret\""));
}

#[test]
fn file_sets() {
    let (_outer, folder) = folder();
    let functions = Environment::new().with_files(&folder);
    for (arguments, expected) in [
        ("\".\", \"*.txt\"", r#"["a.txt"]"#),
        ("\"sub\", \"*\"", r#"["[x].txt","a.txt","b.json"]"#),
        ("\"sub\", \"**\"", r#"["[x].txt","a.txt","b.json","deep/c.txt","deep/er/d.txt"]"#),
        (
            "\".\", \"**/*.txt\"",
            r#"["a.txt","sub/[x].txt","sub/a.txt","sub/deep/c.txt","sub/deep/er/d.txt"]"#,
        ),
        ("\"sub\", \"**/er/**\"", r#"["deep/er/d.txt"]"#),
        ("\"sub\", \"*/*\"", r#"["deep/c.txt"]"#),
        ("\"sub\", \"{a,b}.{txt,json}\"", r#"["a.txt","b.json"]"#),
        ("\"sub\", \"deep/../a.txt\"", r#"["a.txt"]"#),
        ("\"sub/deep\", \"../a.txt\"", r#"["../a.txt"]"#),
        ("\"sub\", \"[ab].*\"", r#"["a.txt","b.json"]"#),
        ("\"sub\", \"\\\\[x].txt\"", r#"["[x].txt"]"#),
        ("\"other\", \"*\"", r#"[".hidden"]"#),
        ("\"empty\", \"**\"", "[]"),
        ("\"nope\", \"**\"", "[]"),
    ] {
        let expression = format!("fileset({arguments})");
        let found = evaluate(&expression, &functions, Budget::DEFAULT);
        assert_eq!(found.as_deref(), Ok(expected), "{expression}");
    }
    for arguments in ["\".\", \"[\"", "\".\", \"{a\""] {
        let error = evaluate(&format!("fileset({arguments})"), &functions, Budget::DEFAULT);
        assert!(error.unwrap_err().contains("the pattern is invalid"));
    }
}

#[test]
fn limits_hold() {
    let (_outer, folder) = folder();
    let functions = Environment::new().with_files(&folder);
    // Templates that call themselves twice would run for ages.
    let budget = Budget::new(100_000, 1 << 20);
    for expression in
        ["templatefile(\"twice.tftpl\", {})", "try(templatefile(\"twice.tftpl\", {}), 1)"]
    {
        let error = evaluate(expression, &functions, budget).unwrap_err();
        assert!(error.contains("budget") || error.contains("too"), "{error}");
    }
    // The nesting fits in the stack of a thread of a pool.
    let nested = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let functions = Environment::new().with_files(&folder);
        evaluate("templatefile(\"again.tftpl\", {n = 1})", &functions, Budget::DEFAULT)
    });
    let error = nested.unwrap().join().unwrap().unwrap_err();
    assert!(error.contains("32 deep"), "{error}");
    let (_outer, folder) = self::folder();
    let small = folder.with_limit(4);
    assert!(matches!(small.read("a.txt"), Err(FileError::TooLarge(4))));
    assert_eq!(small.read("sub/a.txt").unwrap(), b"a");
}

/// Files that count how often they are read.
struct Counted(Folder, AtomicU64);

impl Files for Counted {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read(path)
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.kind(path)
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        self.0.entries(path)
    }

    fn absolute(&self, path: &str) -> Option<String> {
        self.0.absolute(path)
    }

    fn home(&self) -> Option<String> {
        self.0.home()
    }
}

/// The system is asked for files at most once in a hundred steps.
#[test]
fn templates_that_call_templates_end() {
    let (_outer, folder) = folder();
    let files = Counted(folder, AtomicU64::new(0));
    let functions = Environment::new().with_files(&files);
    let steps = 200_000;
    for expression in [
        "templatefile(\"twice.tftpl\", {})",
        "[for i in range(1000) : file(\"sub/a.txt\")]",
        "[for i in range(1000) : fileexists(\"sub/a.txt\")]",
        "[for i in range(1000) : templatefile(\"sub/a.txt\", {})]",
    ] {
        files.1.store(0, Ordering::Relaxed);
        let budget = Budget::new(steps, 16 << 20);
        let error = evaluate(expression, &functions, budget).unwrap_err();
        assert!(error.contains("too many steps"), "{error}");
        let read = files.1.load(Ordering::Relaxed);
        assert!((10..steps / 100).contains(&read), "{expression}: {read}");
    }
}

/// A search may read all of the text for each match.
#[test]
fn matches_are_charged_for() {
    let functions = Environment::new();
    let text = "join(\"\", [for i in range(1000) : join(\"\", [for j in range(100) : \"A\"])])";
    for expression in [
        format!("regexall(\".*[^A-Z]|[A-Z]\", {text})"),
        format!("replace({text}, \"/.*[^A-Z]|[A-Z]/\", \"\")"),
        "[for i in range(1000) : [for j in range(6) : regexall(\"${i}-${j}\", \"\")]]".to_owned(),
    ] {
        let budget = Budget::DEFAULT.with_steps(2_000_000);
        let error = evaluate(&expression, &functions, budget).unwrap_err();
        assert!(error.contains("too many steps"), "{expression}: {error}");
    }
    // A small pattern reads a long text again and again, also if it never matches.
    for call in [
        "can(regex(\"B\", t))",
        "regexall(\"B\", t)",
        "regexall(\"^A\", t)",
        "regexall(\"(A|B)*C\", t)",
        "regexall(\"(.*)(.*)x\", t)",
        "replace(t, \"/B/\", \"\")",
        "replace(t, \"/A*$/\", \"\")",
        "replace(t, \"B\", \"\")",
    ] {
        let again = format!("[for i in range(1000) : [for j in range(1000) : {call}]]");
        let expression = format!("[for t in [{text}] : {again}]");
        let budget = Budget::DEFAULT.with_steps(2_000_000);
        let error = evaluate(&expression, &functions, budget).unwrap_err();
        assert!(error.contains("too many steps"), "{expression}: {error}");
    }
    let few = format!("length(replace({text}, \"/A/\", \"$0$0\"))");
    let budget = Budget::DEFAULT.with_steps(50_000_000);
    assert_eq!(evaluate(&few, &functions, budget).as_deref(), Ok("200000"));
}

#[test]
#[cfg(unix)]
fn links_and_pipes() {
    use std::os::unix::fs::symlink;
    let (outer, folder) = folder();
    let root = outer.path().join("root");
    symlink("../secret", root.join("out")).unwrap();
    symlink("a.txt", root.join("in")).unwrap();
    symlink("nowhere", root.join("broken")).unwrap();
    symlink("..", root.join("sub/loop")).unwrap();
    symlink(outer.path(), root.join("up")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(root.join("pipe")).status();
    let functions = Environment::new().with_files(&folder);
    assert_eq!(folder.read("in").unwrap(), b"hello");
    for path in ["out", "up/secret", "up/nope", "/dev/null"] {
        assert!(
            matches!(folder.read(path), Err(FileError::Outside | FileError::Missing)),
            "{path}"
        );
    }
    assert!(matches!(folder.read("broken"), Err(FileError::Missing)));
    assert_eq!(folder.kind("sub/loop").unwrap(), FileKind::Directory);
    if made.is_ok_and(|status| status.success()) {
        assert!(matches!(folder.read("pipe"), Err(FileError::Kind(FileKind::Special))));
        let found = evaluate("fileexists(\"pipe\")", &functions, Budget::DEFAULT);
        assert!(found.unwrap_err().contains("is a device, a pipe or a socket"));
    }
    let outside = folder.clone().with_outside();
    assert!(matches!(outside.read("/dev/null"), Err(FileError::Kind(FileKind::Special))));
    // A link to a directory above is followed until a limit is reached, never forever.
    let found =
        evaluate("fileset(\"sub\", \"**/*.json\")", &functions, Budget::new(100_000, 1 << 24));
    assert!(found.is_err(), "{found:?}");
}

#[test]
fn the_clock_and_randomness() {
    let functions = Environment::new();
    for (expression, expected) in [
        ("timestamp()", "?string"),
        ("plantimestamp()", "?string"),
        ("uuid()", "?string"),
        ("bcrypt(\"a\", 4)", "?string"),
        ("base64gzip(\"a\")", "?string"),
        ("file(\"a\")", "?string"),
        ("fileexists(\"a\")", "?bool"),
        ("provider::a::b(1, secret)", "?dynamic#"),
        ("[timestamp(), 1][1]", "1"),
    ] {
        assert_eq!(
            evaluate(expression, &functions, Budget::DEFAULT).as_deref(),
            Ok(expected),
            "{expression}"
        );
    }
    let functions = Environment::new().with_now("2030-01-02T03:04:05Z");
    for call in ["timestamp()", "plantimestamp()", "core::timestamp()"] {
        let found = evaluate(call, &functions, Budget::DEFAULT);
        assert_eq!(found.as_deref(), Ok("\"2030-01-02T03:04:05Z\""), "{call}");
    }
    assert!(evaluate("nope()", &functions, Budget::DEFAULT).is_err());
}

/// Whether something exists outside is not told, neither by the path nor through a link.
#[cfg(unix)]
#[test]
fn what_exists_outside_is_not_told() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().unwrap();
    let repository = outer.path().join("repository");
    let root = repository.join("root");
    fs::create_dir_all(&root).unwrap();
    fs::write(outer.path().join("secret"), "secret").unwrap();
    fs::write(repository.join("shared"), "shared").unwrap();
    fs::write(root.join("own"), "own").unwrap();
    for (link, target) in [
        ("there", "../../secret"),
        ("gone", "../../missing"),
        ("below", "../../secret/x"),
        ("up", "../.."),
        ("twice", "there"),
        ("inside", "../shared"),
        ("dangling", "../nothing"),
        ("loop", "loop"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    symlink(&root, outer.path().join("given")).unwrap();
    let whole = |path: &str| outer.path().join(path).to_str().unwrap().to_owned();
    let given = Folder::new(outer.path().join("given")).unwrap();
    let bounded = given.clone().with_boundary(repository.canonicalize().unwrap());
    for folder in [&given, &bounded] {
        let outside: &[&str] = &[
            "../../secret",
            "../../missing",
            "there",
            "gone",
            "below",
            "twice",
            "up/secret",
            "up/missing",
            "up",
            "../..",
            "/etc/passwd",
            "/etc/missing",
            "/",
            &whole("secret"),
            &whole("missing"),
            &whole("secret/x"),
        ];
        for path in outside {
            for told in [
                folder.read(path).map(drop),
                folder.kind(path).map(drop),
                folder.entries(path).map(drop),
            ] {
                assert!(matches!(told, Err(FileError::Outside)), "{path}: {told:?}");
            }
        }
        for path in ["own", &whole("given/own"), &whole("repository/root/own")] {
            assert_eq!(folder.read(path).unwrap(), b"own", "{path}");
        }
        assert!(matches!(folder.kind("loop"), Err(FileError::Links)));
        assert!(matches!(folder.kind("own/x"), Err(FileError::Missing)));
    }
    assert_eq!(bounded.read("inside").unwrap(), b"shared");
    assert_eq!(bounded.read("../shared").unwrap(), b"shared");
    assert!(matches!(bounded.read("dangling"), Err(FileError::Missing)));
    assert!(matches!(given.read("inside"), Err(FileError::Outside)));
    assert!(matches!(given.read("../shared"), Err(FileError::Outside)));
}
