//! Modules of directory trees, and their files decoded in parallel.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use simd_hcl::Dialect;
use simd_hcl::directory::{
    DecodeOptions, DiscoverOptions, Discovery, ModuleFiles, ProblemKind, decode, discover,
};

fn tree(files: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for file in files {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
    directory
}

fn found(directory: &Path, options: &DiscoverOptions) -> Discovery {
    discover(&[directory], options)
}

/// One line a module: path, dialect, and `name:role` of each file, with `<name` where shadowed.
fn lines(root: &Path, modules: &[ModuleFiles]) -> Vec<String> {
    modules
        .iter()
        .map(|module| {
            let path = module.path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let mut line = format!("{path} {}", module.dialect);
            for file in &module.files {
                line += &format!(" {}:{}", file.name.to_str().unwrap(), file.kind.role());
                if let Some(shadow) = &file.shadowed_by {
                    line += &format!("<{}", shadow.to_str().unwrap());
                }
            }
            line
        })
        .collect()
}

#[test]
fn files_of_a_module_in_the_order_of_the_tools() {
    let tree = tree(&[
        "b.tf.json",
        "a.tofu.json",
        "a.tf.json",
        "B.tf.json",
        "override.tf.json",
        "c_override.tofu.json",
        "c_override.tf.json",
        "main.tf",
        "main.tofu",
        "z.tftest.json",
        "tests/a.tftest.json",
        "tests/a.tofutest.json",
        "terraform.tfvars.json",
        "x.auto.tfvars.json",
        "prod.tfvars.json",
        ".hidden.tf.json",
        "b.tf.json~",
        "#b.tf.json#",
        "readme.md",
        "tests/helper/main.tf.json",
    ]);
    let root = tree.path();
    assert_eq!(
        lines(root, &found(root, &DiscoverOptions::default()).modules),
        [
            " opentofu B.tf.json:primary a.tf.json:primary<a.tofu.json a.tofu.json:primary \
             b.tf.json:primary main.tf:native<main.tofu main.tofu:native \
             c_override.tf.json:override<c_override.tofu.json c_override.tofu.json:override \
             override.tf.json:override tests/a.tftest.json:test<tests/a.tofutest.json \
             tests/a.tofutest.json:test z.tftest.json:test terraform.tfvars.json:variables \
             x.auto.tfvars.json:variables",
            "tests/helper opentofu main.tf.json:primary",
        ]
    );
    let terraform = DiscoverOptions::default().with_dialect(Some(Dialect::Terraform));
    assert_eq!(
        lines(root, &found(root, &terraform).modules)[0],
        " terraform B.tf.json:primary a.tf.json:primary b.tf.json:primary main.tf:native \
         c_override.tf.json:override override.tf.json:override tests/a.tftest.json:test \
         z.tftest.json:test terraform.tfvars.json:variables x.auto.tfvars.json:variables"
    );
}

#[test]
fn two_families_are_two_modules() {
    let tree =
        tree(&["a/main.tf.json", "a/image.pkr.json", "a/more.pkr.hcl", "a/x.auto.pkrvars.json"]);
    let root = tree.path();
    let both = [
        "a opentofu main.tf.json:primary",
        "a packer more.pkr.hcl:native image.pkr.json:primary x.auto.pkrvars.json:variables",
    ];
    assert_eq!(lines(root, &found(root, &DiscoverOptions::default()).modules), both);
    let packer = DiscoverOptions::default().with_dialect(Some(Dialect::Packer));
    assert_eq!(lines(root, &found(root, &packer).modules), both[1..]);
}

#[test]
fn copies_and_history_are_not_entered_unless_named() {
    let tree = tree(&[
        "a/main.tf.json",
        "a/.terraform/modules/m/main.tf.json",
        ".git/x.tf.json",
        "node_modules/p/x.tf.json",
        ".github/x.tf.json",
        "a/.terragrunt-cache/x/main.tf.json",
    ]);
    let root = tree.path();
    assert_eq!(
        lines(root, &found(root, &DiscoverOptions::default()).modules),
        [".github opentofu x.tf.json:primary", "a opentofu main.tf.json:primary"]
    );
    let named = root.join("a/.terraform");
    assert_eq!(
        lines(root, &found(&named, &DiscoverOptions::default()).modules),
        ["a/.terraform/modules/m opentofu main.tf.json:primary"]
    );
}

#[test]
fn explicit_files_are_modules_whatever_they_are_called() {
    let tree = tree(&["data.json", "image.pkr.json", "main.tf", ".hidden.tf.json", "a.tf.json"]);
    let root = tree.path();
    let paths = ["data.json", "image.pkr.json", "main.tf", ".hidden.tf.json", "none.tf.json"]
        .map(|name| root.join(name));
    let discovery = discover(&paths, &DiscoverOptions::default());
    assert_eq!(
        lines(root, &discovery.modules),
        [
            ".hidden.tf.json opentofu .hidden.tf.json:primary",
            "data.json opentofu data.json:primary",
            "image.pkr.json packer image.pkr.json:primary",
        ]
    );
    assert_eq!(discovery.nothing[0].0, root.join("main.tf"));
    assert_eq!(discovery.nothing[0].1.native_files, 1);
    assert_eq!(discovery.problems.len(), 1);
    assert_eq!(discovery.problems[0].kind, ProblemKind::Missing);
}

#[test]
fn ignore_files_count_only_when_asked_and_nothing_says_why() {
    let tree = tree(&["out/cdk.tf.json", "native/main.tf", "other/x.txt"]);
    let root = tree.path();
    fs::write(root.join(".gitignore"), "out/\n").unwrap();
    fs::create_dir(root.join("empty")).unwrap();
    assert_eq!(found(root, &DiscoverOptions::default()).modules.len(), 1);

    let respecting = DiscoverOptions::default().with_ignore_files(true);
    let discovery = found(root, &respecting);
    assert!(discovery.modules.is_empty());
    assert_eq!(discovery.nothing[0].1.to_string(), "ignore files hide the 1 file there");

    let why =
        |name: &str| found(&root.join(name), &DiscoverOptions::default()).nothing[0].1.to_string();
    assert_eq!(why("native"), "1 file of native syntax, which is not read");
    assert_eq!(why("empty"), "it is empty");
    assert_eq!(why("other"), "no file there has the name of one that is read");
}

#[test]
fn overlapping_paths_give_each_module_once() {
    let tree = tree(&["a/b/main.tf.json", "a/main.tf.json"]);
    let root = tree.path();
    let paths = [root.to_owned(), root.join("a/b"), root.join("./a"), root.join("a/b/../b/.")];
    let modules = discover(&paths, &DiscoverOptions::default()).modules;
    // `..` may lead elsewhere through a link, so only `.` is seen through.
    assert_eq!(modules.len(), 3);
    assert_eq!(modules[0].path, root.join("a"));
    assert_eq!(modules[1].path, root.join("a/b"));
}

#[cfg(unix)]
#[test]
fn links_are_files_but_not_directories() {
    use std::os::unix::fs::symlink;
    let tree = tree(&["a/main.tf.json", "real.json"]);
    let root = tree.path();
    symlink(root, root.join("a/loop")).unwrap();
    symlink(root.join("real.json"), root.join("a/link.tf.json")).unwrap();
    symlink(root.join("a"), root.join("a/directory.tf.json")).unwrap();
    symlink(root.join("nowhere"), root.join("a/gone.tf.json")).unwrap();
    symlink(root.join("a"), root.join("linked")).unwrap();
    let line = "opentofu directory.tf.json:primary gone.tf.json:primary link.tf.json:primary \
                main.tf.json:primary";
    let discovery = found(root, &DiscoverOptions::default());
    assert_eq!(lines(root, &discovery.modules), [format!("a {line}")]);
    // A link that is named is followed.
    let linked = root.join("linked");
    assert_eq!(
        lines(root, &found(&linked, &DiscoverOptions::default()).modules),
        [format!("linked {line}")]
    );
    let results = decode(&discovery.modules, &DecodeOptions::default(), |of, _, document| {
        (of.file.name.clone(), document.is_ok())
    });
    let read: Vec<_> = results.iter().map(|(_, read)| *read).collect();
    assert_eq!(read, [false, false, true, true]);
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"caf\xE9.tf.json");
    if fs::write(directory.path().join(name), "{}").is_err() {
        println!("skipped: names_need_not_be_utf8 (the file system refuses such names)");
        return;
    }
    let discovery = found(directory.path(), &DiscoverOptions::default());
    assert_eq!(discovery.modules[0].files[0].name, name);
    let read = decode(&discovery.modules, &DecodeOptions::default(), |_, source, document| {
        (source.name().ends_with("caf\u{FFFD}.tf.json"), document.is_ok())
    });
    assert_eq!(read, [(true, true)]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_directory_is_a_problem_and_no_more() {
    use std::os::unix::fs::PermissionsExt;
    let tree = tree(&["a/main.tf.json", "locked/main.tf.json"]);
    let locked = tree.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&locked).is_ok() {
        println!(
            "skipped: an_unreadable_directory_is_a_problem_and_no_more (root reads everything)"
        );
        return;
    }
    let discovery = found(tree.path(), &DiscoverOptions::default());
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(discovery.modules.len(), 1);
    assert_eq!(discovery.problems[0].kind, ProblemKind::UnreadableDirectory);
    assert_eq!(discovery.problems[0].path, locked);
}

#[test]
fn any_number_of_threads_gives_the_same_results() {
    let directory = tempfile::tempdir().unwrap();
    for number in 0..60 {
        let module = directory.path().join(format!("m{}", number % 7));
        fs::create_dir_all(&module).unwrap();
        let text =
            if number % 5 == 0 { "{\"a\":}".to_owned() } else { format!("{{\"n\":{number}}}") };
        fs::write(module.join(format!("f{number}.tf.json")), text).unwrap();
    }
    let run = |threads: usize| {
        let options = DiscoverOptions::default().with_threads(threads);
        let discovery = found(directory.path(), &options);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            decode(&discovery.modules, &DecodeOptions::default(), |of, _, document| {
                let value = document.map(|document| document.root().text().to_vec());
                (of.file.path.clone(), value.map_err(|error| error.to_string()))
            })
        })
    };
    let one = run(1);
    assert_eq!(one.len(), 60);
    assert_eq!(one.iter().filter(|(_, value)| value.is_err()).count(), 12);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one);
    }
}
