//! User types from native files and from their JSON twins.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use simd_hcl::convert::to_json;
use simd_hcl::evaluate::Scope;
use simd_hcl::serde::{
    Error, MAX_DEPTH, NativeText, NumberText, Spanned, Unevaluated, from_body, from_body_literally,
    from_expression,
};
use simd_hcl::structure::File;
use simd_hcl::value::{Number, Value};
use simd_hcl::{Arena, Body, Code, Document, Source};
use simd_hcl_corpus::sized;

fn file<'a>(arena: &'a Arena, text: &'a str) -> File<'a> {
    let source = Source::from_bytes(arena, "main.tf", text.as_bytes()).unwrap();
    File::parse(arena, source, &mut ())
}

fn native<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let arena = Arena::new();
    from_body(file(&arena, text), &Scope::new())
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let arena = Arena::new();
    from_body(
        Document::parse_bytes(&arena, "main.tf.json", text.as_bytes()).unwrap(),
        &Scope::new(),
    )
}

/// Returns line, column and message of the error.
fn error<T>(result: Result<T, Error>) -> (u64, u64, String) {
    let Err(error) = result else { panic!("no error") };
    let position = error.position().expect("a place");
    (position.line, position.column, error.message().to_owned())
}

// Twins

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
struct Module {
    variable: Vec<Variable>,
    output: BTreeMap<String, Vec<Output>>,
    locals: Vec<BTreeMap<String, serde_json::Value>>,
    resource: Vec<Resource>,
    data: BTreeMap<String, BTreeMap<String, Vec<Data>>>,
    module: Vec<Call>,
    provider: Vec<Provider>,
    terraform: Vec<Settings>,
    moved: Vec<Moved>,
    check: BTreeMap<String, Check>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Variable {
    #[serde(rename = "$name")]
    name: String,
    r#type: Option<NativeText>,
    default: Option<serde_json::Value>,
    description: Option<String>,
    sensitive: Option<bool>,
    #[serde(default)]
    validation: Vec<Condition>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Condition {
    condition: Option<Unevaluated>,
    error_message: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Output {
    value: Option<serde_json::Value>,
    sensitive: Option<bool>,
    depends_on: Option<Vec<NativeText>>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Resource {
    #[serde(rename = "$type")]
    kind: String,
    #[serde(rename = "$name")]
    name: String,
    count: Option<Unevaluated>,
    for_each: Option<serde_json::Value>,
    provider: Option<NativeText>,
    depends_on: Option<Vec<NativeText>>,
    #[serde(default)]
    provisioner: Vec<Provisioner>,
    connection: Option<BTreeMap<String, Unevaluated>>,
    lifecycle: Option<Lifecycle>,
    tags: Option<BTreeMap<String, serde_json::Value>>,
    triggers_replace: Option<serde_json::Value>,
    input: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Data {
    backend: Option<String>,
    config: Option<BTreeMap<String, Unevaluated>>,
    depends_on: Option<Vec<NativeText>>,
    lifecycle: Option<Lifecycle>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Lifecycle {
    create_before_destroy: Option<Unevaluated>,
    #[serde(default)]
    precondition: Vec<Condition>,
    #[serde(default)]
    postcondition: Vec<Condition>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Provisioner {
    LocalExec { command: Option<Unevaluated>, when: Option<NativeText> },
    RemoteExec { inline: Option<Vec<String>>, when: Option<NativeText> },
    File { content: Option<String>, connection: Option<BTreeMap<String, String>> },
}

#[derive(Debug, Deserialize, PartialEq)]
struct Call {
    #[serde(rename = "$name")]
    name: String,
    source: Option<String>,
    providers: Option<BTreeMap<String, NativeText>>,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Provider {
    #[serde(rename = "$name")]
    name: String,
    alias: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Settings {
    required_version: Option<String>,
    backend: Option<Backend>,
    required_providers: Option<BTreeMap<String, Requirement>>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Backend {
    #[serde(rename = "$type")]
    kind: String,
    path: Option<Unevaluated>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Requirement {
    Version(String),
    Full { source: Option<String>, version: Option<String> },
}

#[derive(Debug, Deserialize, PartialEq)]
struct Moved {
    from: NativeText,
    to: NativeText,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Check {
    #[serde(default)]
    assert: Vec<Condition>,
    #[serde(default)]
    data: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
}

/// Returns the native files of the corpus.
fn native_files() -> impl Iterator<Item = PathBuf> {
    let is_native = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "tf");
    simd_hcl_corpus::files("").into_iter().filter(is_native)
}

/// Returns the conformance cases that have a native twin, with their JSON files.
fn twins() -> Vec<(PathBuf, PathBuf)> {
    let cases = simd_hcl_corpus::conformance("terraform");
    let twin = |file: PathBuf| {
        let inside = file.strip_prefix(cases.join("native")).ok()?;
        let json = cases.join(inside).with_extension("tf.json");
        json.exists().then_some((file, json))
    };
    native_files().filter_map(twin).collect()
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let arena = Arena::new();
    let source = Source::read(&arena, path).unwrap();
    let read = if path.extension().is_some_and(|extension| extension == "json") {
        from_body_literally(Document::parse(&arena, source).map_err(|error| error.to_string())?)
    } else {
        from_body_literally(File::parse(&arena, source, &mut ()))
    };
    read.map_err(|error| error.to_string())
}

const LITERAL: &str = "a text with `${`, which Terraform reads literally in JSON";
const WRAPPED: &str = "`${…}` around what native syntax has as a literal";
const TWICE: &str = "a name twice, which only JSON refuses";

/// Twins that mean the same to Terraform but differ in wording, or of which only one is an error.
const DIFFERENT: &[(&str, &str)] = &[
    ("blocks-ok/008-null-and-empty-array-bodies", "an empty list of blocks"),
    ("by-block/004-variable-defaults", LITERAL),
    ("by-block/012-provider-forms", LITERAL),
    ("by-block/030-required-provider-template", LITERAL),
    ("by-block/032-required-provider-attrs-twice", TWICE),
    ("by-block/125-overrides-resource-depends", WRAPPED),
    ("by-block/139-keys-of-for-each-twice", TWICE),
    ("configuration/005-template-kinds", WRAPPED),
    ("configuration/013-references-order-and-repeats", WRAPPED),
    ("configuration/015-references-partial-escape", WRAPPED),
    ("configuration/027-variables-defaults", LITERAL),
    ("configuration/036-keys-with-special-characters", LITERAL),
    ("forms/002-args-variable-default", LITERAL),
    ("forms/084-names-alias", LITERAL),
    ("forms/102-over-variable-default", LITERAL),
    ("forms/191-rep-variables", LITERAL),
    ("forms/220-ok-templates-literal", LITERAL),
    ("forms/226-op-operators-ok-syntax", WRAPPED),
    ("forms/227-ct-count", WRAPPED),
    ("forms/228-fe-for-each", WRAPPED),
    ("forms/230-co-check-b", WRAPPED),
    ("forms/232-co-pre-b", WRAPPED),
    ("providers/006-numbers-as-texts", WRAPPED),
    ("secrets/004-ephemeral-resources", WRAPPED),
];

/// Returns the group and name of the native twin that has a file; `""` if none has it.
fn case_of(file: &Path) -> String {
    let native = simd_hcl_corpus::conformance("terraform").join("native");
    let inside = file.strip_prefix(native).unwrap_or(Path::new(""));
    inside.iter().take(2).map(|part| part.to_str().unwrap()).collect::<Vec<_>>().join("/")
}

#[test]
fn one_type_reads_both_syntaxes_equally() {
    let twins = twins();
    assert!(twins.len() > 500, "{}", twins.len());
    let (mut equal, mut different) = (0, BTreeSet::new());
    for (native, json) in twins {
        let case = case_of(&native);
        let is_equal = match (read::<Module>(&native), read::<Module>(&json)) {
            (Ok(native), Ok(json)) => native == json,
            (native, json) => native.is_err() && json.is_err(),
        };
        equal += usize::from(is_equal);
        if !is_equal {
            different.insert(case);
        }
    }
    assert!(equal > 490, "{equal}");
    assert_eq!(different, DIFFERENT.iter().map(|(case, _)| (*case).to_owned()).collect());
}

/// Without types, the values are those in the JSON that `convert` writes.
#[test]
fn values_are_those_of_the_file_in_json() {
    type Root = BTreeMap<String, serde_json::Value>;
    let (mut equal, mut refused, mut wrong) = (0, 0, Vec::new());
    for path in native_files() {
        let arena = Arena::new();
        let file = File::parse(&arena, Source::read(&arena, &path).unwrap(), &mut ());
        let mut errors = Vec::new();
        file.check(&mut errors);
        let ours = from_body_literally::<Root>(file);
        if !file.is_sound() || !errors.is_empty() {
            assert!(ours.is_err(), "{}", path.display());
            continue;
        }
        let text = to_json(file, None, &mut ()).text;
        let document = Document::parse_bytes(&arena, "a.json", text.as_bytes()).unwrap();
        let theirs = from_body_literally::<Root>(document);
        let (ours, theirs) = match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            // Two names that are equal after normalization.
            (ours, Err(error)) => {
                assert!(ours.is_err() && error.code() == Some(Code::DuplicateObjectAttribute));
                refused += 1;
                continue;
            }
            (Err(error), _) => panic!("{error}"),
        };
        // The last of equal keys counts; `convert` leaves an object unchanged whose keys are or may be
        // equal.
        let case = case_of(&path);
        let mut objects = text.split("\"${{").skip(1);
        if objects.any(|rest| !rest.trim_start().starts_with("for "))
            || case == "resources/060-override-others"
            || DIFFERENT.contains(&(&case, TWICE))
        {
            continue;
        }
        // Strings of values are normalized.
        let written = |value| {
            let leaves = leaves(&value).into_iter();
            // Comments become `"//"`.
            let counts = |leaf: &String| leaf.is_ascii() && !leaf.contains("/// = ");
            leaves.filter(counts).collect::<Vec<_>>()
        };
        let own = serde_json::to_value(Body::from(file)).unwrap();
        assert_eq!(written(own), written(serde_json::to_value(document).unwrap()));
        if leaves(&plain(&ours)) == leaves(&plain(&theirs)) {
            equal += 1;
        } else {
            wrong.push(path);
        }
    }
    assert!(equal > 700 && refused < 10, "{equal} {refused}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn plain(root: &BTreeMap<String, serde_json::Value>) -> serde_json::Value {
    serde_json::to_value(root).unwrap()
}

/// The leaves of a value with their paths. Lists of objects have no level of their own: `convert`
/// writes one block as a list of one where the tools take either.
fn leaves(value: &serde_json::Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = vec![(String::new(), value)];
    while let Some((path, value)) = rest.pop() {
        match value {
            serde_json::Value::Object(object) if !object.is_empty() => {
                rest.extend(object.iter().map(|(name, value)| (format!("{path}/{name}"), value)));
            }
            serde_json::Value::Array(list) if list.iter().any(serde_json::Value::is_object) => {
                rest.extend(list.iter().map(|value| (path.clone(), value)));
            }
            serde_json::Value::Array(list) if !list.is_empty() => {
                let at = |(place, value)| (format!("{path}/{place}"), value);
                rest.extend(list.iter().enumerate().map(at));
            }
            // As values, `1e3` is 1000 and -0 is 0.
            serde_json::Value::Number(number) => {
                found.push(format!("{path} = {:?}", number.as_f64().map(|number| number + 0.0)));
            }
            _ => found.push(format!("{path} = {value}")),
        }
    }
    found.sort();
    found
}

// Blocks

#[derive(Debug, Deserialize, PartialEq)]
struct Root {
    #[serde(default)]
    service: Vec<Spanned<Service>>,
    #[serde(default)]
    region: BTreeMap<String, BTreeMap<String, Zone>>,
    settings: Option<Zone>,
    #[serde(default)]
    task: Vec<Task>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Service {
    #[serde(rename = "$name")]
    name: Spanned<String>,
    port: Spanned<u16>,
    #[serde(default)]
    hosts: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Zone {
    size: u8,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Task {
    Copy { from: String },
    Stop,
}

#[test]
fn places_are_those_of_the_file() {
    let text = r#"service "web" {
  port  = 8000 + 80
  hosts = ["a", "${"b"}"]
}
region "eu" "one" { size = "3" }
region "eu" "two" { size = 4 }
task "copy" { from = "x" }
settings { size = 1 }
task "stop" {}
"#;
    let root: Root = native(text).unwrap();
    let web = &root.service[0];
    let bytes = |span: simd_hcl::Span| String::from_utf8_lossy(span.slice(text.as_bytes()));
    assert!(bytes(web.span).starts_with("{\n  port") && bytes(web.span).ends_with("\n}"));
    assert_eq!((&*web.value.name.value, &*bytes(web.value.name.span)), ("web", "\"web\""));
    assert_eq!((web.value.port.value, &*bytes(web.value.port.span)), (8080, "8000 + 80"));
    let hosts: Vec<_> = web.value.hosts.iter().map(|it| (&*it.value, bytes(it.span))).collect();
    assert_eq!(hosts, [("a", "\"a\"".into()), ("b", "\"${\"b\"}\"".into())]);
    assert_eq!(root.region["eu"]["one"], Zone { size: 3 });
    assert_eq!(root.region["eu"]["two"], Zone { size: 4 });
    assert_eq!(root.settings, Some(Zone { size: 1 }));
    assert_eq!(root.task, [Task::Copy { from: "x".into() }, Task::Stop]);
}

/// Fields are also found in objects, since many arguments have both forms in native syntax.
#[test]
fn objects_stand_for_blocks() {
    let blocks: Root = native("region \"a\" \"b\" { size = 1 }\nsettings { size = 2 }").unwrap();
    for text in [
        "region = { a = { b = { size = 1 } } }\nsettings = { size = 2, size = 2 }",
        "region = { \"a\" = { b = [{ size = 1 }] } }\nsettings = [{ size = 1 + 1 }]",
        "region \"a\" \"b\" { size = 1 }\nsettings = { (\"size\") = 2 }",
        "region = { for k in [\"a\"] : k => { b = { size = 1 } } }\nsettings { size = 2 }",
    ] {
        assert_eq!(native::<Root>(text).expect(text), blocks, "{text}");
    }
    let task: Root = native("task = [{ copy = { from = \"x\" } }, \"stop\"]").unwrap();
    assert_eq!(task.task, [Task::Copy { from: "x".into() }, Task::Stop]);
}

/// As in JSON, labels that no field takes are names.
#[test]
fn labels_that_no_field_takes_are_a_level() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Root {
        resource: Types,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Types {
        disk: BTreeMap<String, Zone>,
        net: Option<BTreeMap<String, Zone>>,
    }
    let text = "resource \"disk\" \"a\" { size = 1 }\nresource \"x\" \"y\" {}\n\
                resource \"disk\" \"b\" { size = 2 }";
    let twin = r#"{"resource": {"disk": {"a": {"size": 1}, "b": {"size": 2}}, "x": {"y": {}}}}"#;
    assert_eq!(native::<Root>(text).unwrap(), json(twin).unwrap());

    #[derive(Debug, Deserialize, PartialEq)]
    struct ByType {
        resource: Vec<OfType>,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct OfType {
        #[serde(rename = "$type")]
        kind: String,
        a: Option<Zone>,
        b: Option<Zone>,
    }
    let found: ByType = native(text).unwrap();
    assert_eq!(found, json(twin).unwrap());
    assert_eq!(found.resource.len(), 2);
}

#[test]
fn types_that_say_nothing_read_blocks_as_json_has_them() {
    let text = "a \"x\" { n = 1 }\na \"y\" \"z\" {}\nb { n = [1 + 1] }\nb {}\nc {\nd {}\n}\ne = { f = null }";
    let twin = r#"{"a": {"x": {"n": 1}, "y": {"z": {}}}, "b": [{"n": [2]}, {}], "c": {"d": {}}, "e": {"f": null}}"#;
    let found: BTreeMap<String, serde_json::Value> = native(text).unwrap();
    assert_eq!(plain(&found), serde_json::from_str::<serde_json::Value>(twin).unwrap());
    let lists: BTreeMap<String, Vec<serde_json::Value>> = native("b { n = 1 }\nb {}").unwrap();
    assert_eq!(lists["b"], [serde_json::json!({"n": 1}), serde_json::json!({})]);
}

#[test]
fn texts_are_those_of_json() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Texts {
        a: Unevaluated,
        b: Vec<Unevaluated>,
        c: NumberText,
        d: NativeText,
        e: Unevaluated,
    }
    let text = "a = var.ami\nb = [\"x\\n${y}\", 1.50, true]\nc = -1.50e3\nd = list(string)\ne = (\"$${z}\")";
    let twin = r#"{"a": "${var.ami}", "b": ["x\n${y}", 1.50, true], "c": -1.50e3, "d": "list(string)", "e": "$${z}"}"#;
    let found: Texts = native(text).unwrap();
    assert_eq!(found, json(twin).unwrap());
    assert_eq!(found.c, NumberText("-1.50e3".into()));
    let blocks: BTreeMap<String, Unevaluated> = native("a {\n b = 1\n}").unwrap();
    assert_eq!(blocks["a"].0, "{\n b = 1\n}");
    let read: BTreeMap<String, serde_json::Value> = {
        let arena = Arena::new();
        let text = "a = var.x\nb = { (k) = \"%%{if}\", c = <<-E\n  x\n  E\n}";
        from_body_literally(file(&arena, text)).unwrap()
    };
    assert_eq!(read["a"], "${var.x}");
    assert_eq!(read["b"], serde_json::json!({"${k}": "%%{if}", "c": "x\n"}));
}

#[test]
fn scopes_give_variables() {
    let arena = Arena::new();
    let object = Value::object(&arena, &[("n", Value::number(Number::from_i64(&arena, 4)))]);
    let variables = [("var", object)];
    let scope = Scope::new().with_variables(&variables);
    let body = Body::from(file(&arena, "a = var.n * 2"));
    let read: BTreeMap<String, u8> = from_body(body, &scope).unwrap();
    assert_eq!(read["a"], 8);
    let attribute = body.just_attributes(&mut ())[0].expression();
    let read: Spanned<f32> = from_expression(attribute, &scope).unwrap();
    assert_eq!((read.value, read.span), (8.0, attribute.span()));
}

// Errors

#[test]
fn errors_point_at_what_is_wrong() {
    let at = |text| error(native::<Root>(text));
    let message = r#"invalid type: string "x", expected u16"#;
    assert_eq!(at("service \"a\" {\n  port = \"x\"\n}"), (2, 10, message.into()));
    assert_eq!(at("service \"a\" {\n}"), (2, 1, "missing field `port`".into()));
    assert_eq!(at("settings {}\n"), (1, 11, "missing field `size`".into()));
    let (line, column, message) = at("settings { size = 1 }\nsettings { size = 2 }");
    assert_eq!((line, column, &*message), (2, 10, "expected one block, found 2"));
    let (line, column, message) = at("settings {\n  size = var.n\n}");
    assert_eq!((line, column), (2, 10), "{message}");
    let (line, column, message) = at("settings {\n  size {}\n}");
    assert_eq!((line, column, &*message), (2, 8, "invalid type: map, expected u8"));
    let (line, column, message) = at("task \"move\" {}");
    assert_eq!((line, column), (1, 6), "{message}");
    assert!(message.contains("unknown variant `move`"), "{message}");
    let (line, column, message) = at("task \"stop\" {\n  a = 1\n}");
    assert_eq!((line, column, &*message), (2, 3, "expected an empty block"));
    let (line, column, message) = at("task \"copy\" {}");
    assert_eq!((line, column, &*message), (1, 14, "missing field `from`"));

    let code = |text| native::<Root>(text).unwrap_err().code();
    assert_eq!(code("service { port = 1 }"), Some(Code::MissingBlockLabel));
    assert_eq!(code("task {}"), Some(Code::MissingBlockLabel));
    assert_eq!(code("settings = { size = 1 }\nsettings { size = 2 }"), None);
    assert_eq!(code("settings {\n  size = 1\n  size = 2\n}"), Some(Code::DuplicateArgument));
    assert_eq!(code("service = { a = 1 }"), Some(Code::IncorrectType));
    // A part of the file could not be read, so its content is unknown.
    assert!(at("settings { size = 1 }\nother [\n").2.contains("Invalid"));
    let broken = native::<Root>("settings {\n  size = 1 +\n}").unwrap_err();
    assert_eq!(broken.position().unwrap().line, 2);
    assert!(broken.code().is_some());
    let scope = native::<BTreeMap<String, u8>>("a = 1\na {}\n").unwrap_err();
    assert_eq!(scope.code(), Some(Code::DuplicateAttribute));

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read by nobody")]
    struct Strict {
        a: Option<u8>,
    }
    let (line, column, message) = error(native::<Strict>("a = 1\nb {}"));
    assert_eq!((line, column, &*message), (2, 1, "unknown field `b`, expected `a`"));
}

#[test]
fn depth_is_limited() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read by nobody")]
    struct Recursive {
        a: Option<Box<Recursive>>,
    }
    #[derive(Deserialize)]
    struct Nothing {}
    let blocks = format!("{}{}", "a {\n".repeat(5_000), "}\n".repeat(5_000));
    let lists = format!("a = {}{}", "[".repeat(5_000), "]".repeat(5_000));
    let objects = format!("a = {}{}", "{ a = ".repeat(5_000), "{}".to_owned() + &"}".repeat(5_000));
    for text in [&blocks, &lists, &objects] {
        assert!(native::<Nothing>(text).is_ok());
        let found = native::<BTreeMap<String, serde_json::Value>>(text).unwrap_err();
        assert!(found.message().contains("128 levels"), "{found}");
        let arena = Arena::new();
        assert!(serde_json::to_value(Body::from(file(&arena, text))).is_err());
        let arena = Arena::new();
        let read = from_body_literally::<BTreeMap<String, serde_json::Value>>(file(&arena, text));
        assert!(read.unwrap_err().message().contains("128 levels"));
    }
    for text in [&blocks, &objects] {
        assert!(error(native::<Recursive>(text)).2.contains("128 levels"));
    }
    let levels = MAX_DEPTH - 1;
    let fits = format!("{}{}", "a {\n".repeat(levels), "}\n".repeat(levels));
    assert!(native::<Recursive>(&fits).is_ok());
}

#[test]
fn many_blocks_take_linear_time() {
    let count = sized([4_000, 20_000, 200_000]);
    let blocks: String = (0..count).map(|n| format!("service \"s{n}\" {{ port = 1 }}\n")).collect();
    assert_eq!(native::<Root>(&blocks).unwrap().service.len(), count);
    let blocks: String =
        (0..count).map(|n| format!("region \"r\" \"z{n}\" {{ size = 1 }}\n")).collect();
    assert_eq!(native::<Root>(&blocks).unwrap().region["r"].len(), count);
    let object: String = (0..count).map(|n| format!("z{n} = {{ size = 1 }}\n")).collect();
    let object = format!("region = {{ r = {{\n{object}}} }}");
    assert_eq!(native::<Root>(&object).unwrap().region["r"].len(), count);
}
