//! Files that functions read.

use std::fs;

use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code};

/// Returns the text of arguments that name unreadable files, in a module of both syntaxes.
fn missing(outputs: &[&str]) -> Vec<String> {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("a/there")).unwrap();
    fs::write(root.path().join("a/there/file.txt"), "text").unwrap();
    fs::write(root.path().join("beside.txt"), "text").unwrap();
    let native: Vec<_> = outputs
        .iter()
        .enumerate()
        .map(|(n, value)| format!("output \"o{n}\" {{\n  value = {value}\n}}\n"))
        .collect();
    let json: Vec<_> = outputs
        .iter()
        .enumerate()
        .map(|(n, value)| {
            format!("\"o{n}\": {{\"value\": \"${{{}}}\"}}", value.replace('"', "\\\""))
        })
        .collect();
    let found: Vec<Vec<String>> = [
        ("a/main.tf", native.concat()),
        ("a/main.tf.json", format!("{{\"output\": {{{}}}}}", json.join(","))),
    ]
    .map(|(name, text)| {
        let path = root.path().join(name);
        fs::write(&path, text).unwrap();
        let discovery = discover(&[root.path()], &DiscoverOptions::default());
        let arena = Arena::new();
        let mut tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
        tree.check_files();
        fs::remove_file(&path).unwrap();
        let all = tree.diagnostics().filter(|each| each.code() == Code::MissingFile);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\\\"", "\"");
        all.map(|each| text(each.span().slice(each.source().bytes()))).collect()
    })
    .into();
    assert_eq!(found[0], found[1]);
    found[0].clone()
}

#[test]
fn files_that_functions_read() {
    assert_eq!(
        missing(&[
            r#"file("${path.module}/there/file.txt")"#,
            r#"file("${path.module}/./nowhere.txt")"#,
            r#"jsonencode({ a = upper(filesha256("${path.module}/nowhere.txt")) })"#,
            r#"core::filebase64("${path.module}/there")"#,
            r#"templatefile("${path.module}/nowhere.tpl", { a = local.a })"#,
        ]),
        [
            r#""${path.module}/./nowhere.txt""#,
            r#""${path.module}/nowhere.txt""#,
            r#""${path.module}/there""#,
            r#""${path.module}/nowhere.tpl""#,
        ]
    );
}

#[test]
fn files_that_nobody_may_read_are_not_asked_for() {
    let outputs = [
        r#"try(file("${path.module}/nowhere"), "")"#,
        r#"can(file("${path.module}/nowhere"))"#,
        r#"fileexists("${path.module}/nowhere") ? file("${path.module}/nowhere") : """#,
        r#"[for x in [] : file("${path.module}/nowhere")]"#,
        r#"false && file("${path.module}/nowhere") == """#,
        r#"templatefile("${path.module}/nowhere", terraform_data.vars.output)"#,
        r#"fileset("${path.module}/nowhere", "*")"#,
    ];
    assert_eq!(missing(&outputs), [""; 0]);
}

#[test]
fn paths_that_lead_elsewhere_are_not_asked_for() {
    let outputs = [
        r#"file("${path.module}/../nowhere")"#,
        r#"file("${path.module}nowhere")"#,
        r#"file("${path.root}/nowhere")"#,
        r#"file("nowhere")"#,
        r#"file("/nowhere")"#,
        r#"file("${path.module}//..//nowhere")"#,
        r#"file("${path.module}/${terraform.workspace}.txt")"#,
    ];
    assert_eq!(missing(&outputs), [""; 0]);
}
