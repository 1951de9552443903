//! Modules of directory trees, and parallel decoding of their files.

use std::fs;
use std::path::Path;

use simd_hcl::directory::{
    DecodeOptions, DiscoverOptions, Discovery, MemoryFiles, ModuleFiles, ProblemKind, decode,
    discover, in_memory,
};
use simd_hcl::tree::{Link, Tree, TreeOptions};
use simd_hcl::{Arena, Code, Dialect};

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

/// Returns one line per module: path, dialect, and `name:role` of each file, with `<name` if it is
/// shadowed.
fn lines(root: &Path, modules: &[ModuleFiles]) -> Vec<String> {
    modules
        .iter()
        .map(|module| {
            let path = module
                .path
                .disk()
                .unwrap()
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
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
        "terraform.tfvars",
        "x.auto.tfvars.json",
        "a.auto.tfvars",
        ".auto.tfvars.json",
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
             tests/a.tofutest.json:test z.tftest.json:test terraform.tfvars:native \
             terraform.tfvars.json:variables .auto.tfvars.json:variables a.auto.tfvars:native \
             x.auto.tfvars.json:variables",
            "tests/helper opentofu main.tf.json:primary",
        ]
    );
    let terraform = DiscoverOptions::default().with_dialect(Some(Dialect::Terraform));
    assert_eq!(
        lines(root, &found(root, &terraform).modules)[0],
        " terraform B.tf.json:primary a.tf.json:primary b.tf.json:primary main.tf:native \
         c_override.tf.json:override override.tf.json:override tests/a.tftest.json:test \
         z.tftest.json:test terraform.tfvars:native terraform.tfvars.json:variables \
         .auto.tfvars.json:variables a.auto.tfvars:native x.auto.tfvars.json:variables"
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
    let discovery = discover(&paths, &DiscoverOptions::default().with_alone(true));
    assert_eq!(
        lines(root, &discovery.modules),
        [
            ".hidden.tf.json opentofu .hidden.tf.json:primary",
            "data.json opentofu data.json:primary",
            "image.pkr.json packer image.pkr.json:primary",
            "main.tf opentofu main.tf:native",
        ]
    );
    assert_eq!(discovery.nothing.len(), 0);
    assert_eq!(discovery.problems.len(), 1);
    assert_eq!(discovery.problems[0].kind, ProblemKind::Missing);
}

#[test]
fn ignore_files_count_only_when_asked_and_nothing_says_why() {
    let tree = tree(&["out/cdk.tf.json", "native/main.tf", "other/x.txt"]);
    let root = tree.path();
    fs::write(root.join(".gitignore"), "out/\nnative/\n").unwrap();
    fs::create_dir(root.join("empty")).unwrap();
    assert_eq!(found(root, &DiscoverOptions::default()).modules.len(), 2);

    let respecting = DiscoverOptions::default().with_ignore_files(true);
    let discovery = found(root, &respecting);
    assert!(discovery.modules.is_empty());
    assert_eq!(discovery.nothing[0].1.to_string(), "ignore files hide the 2 files there");

    let why =
        |name: &str| found(&root.join(name), &DiscoverOptions::default()).nothing[0].1.to_string();
    assert_eq!(why("empty"), "it is empty");
    assert_eq!(why("other"), "no file there has the name of one that is read");
}

#[test]
fn ignore_files_do_not_hide_what_is_named() {
    let tree = tree(&["out/stack/cdk.tf.json", "main.tf.json", "out/.ignored.tf.json"]);
    let root = tree.path();
    fs::write(root.join(".gitignore"), "out/\n").unwrap();
    fs::write(root.join(".ignore"), "main.tf.json\n").unwrap();
    let respecting = DiscoverOptions::default().with_ignore_files(true);
    assert_eq!(found(root, &respecting).nothing[0].1.ignored_files, 2);
    for name in ["out", "main.tf.json", "out/stack/cdk.tf.json"] {
        let discovery = found(&root.join(name), &respecting);
        assert_eq!(discovery.modules.len(), 1, "{name}");
        assert!(discovery.nothing.is_empty(), "{name}");
    }
}

#[test]
fn nothing_says_which_dialect_and_which_directories() {
    let tree = tree(&["a/main.tf.json", "a/main.tofu.json", "b/.terraform/m/main.tf.json"]);
    let why = |name: &str, dialect| {
        let options = DiscoverOptions::default().with_dialect(dialect);
        found(&tree.path().join(name), &options).nothing[0].1.to_string()
    };
    assert_eq!(why("a", Some(Dialect::Packer)), "2 files of another dialect");
    assert_eq!(why("b", None), "1 directory of tools there, entered only when named");
    fs::remove_file(tree.path().join("a/main.tf.json")).unwrap();
    assert_eq!(why("a", Some(Dialect::Terraform)), "1 file of another dialect");
}

#[test]
fn tests_belong_to_the_configuration_above() {
    let tree = tree(&[
        "both/main.tf.json",
        "both/tests/a.tftest.json",
        "both/tests/helper.tf.json",
        "both/tests/terraform.tfvars.json",
        "image/image.pkr.json",
        "image/tests/v.auto.pkrvars.json",
        "native/main.tf",
        "native/tests/a.tftest.json",
        "alone/tests/a.tftest.json",
        "variables/a.auto.tfvars.json",
        "variables/tests/a.tftest.json",
        "mytests/main.tf.json",
        "mytests/xtests/a.tftest.json",
    ]);
    let root = tree.path();
    assert_eq!(
        lines(root, &found(root, &DiscoverOptions::default()).modules),
        [
            "alone/tests opentofu a.tftest.json:test",
            "both opentofu main.tf.json:primary tests/a.tftest.json:test",
            "both/tests opentofu helper.tf.json:primary terraform.tfvars.json:variables",
            // Packer has no tests, and does not read other directories.
            "image packer image.pkr.json:primary",
            "image/tests packer v.auto.pkrvars.json:variables",
            "mytests opentofu main.tf.json:primary",
            "mytests/xtests opentofu a.tftest.json:test",
            "native opentofu main.tf:native tests/a.tftest.json:test",
            "variables opentofu a.auto.tfvars.json:variables",
            "variables/tests opentofu a.tftest.json:test",
        ]
    );
    let tests = root.join("both/tests");
    let alone = found(&tests, &DiscoverOptions::default()).modules;
    assert_eq!(alone.len(), 1);
    assert_eq!(alone[0].files.len(), 3);
    let file = found(&root.join("image/tests/v.auto.pkrvars.json"), &DiscoverOptions::default());
    assert_eq!(lines(root, &file.modules), ["image/tests packer v.auto.pkrvars.json:variables"]);
}

#[test]
fn overlapping_paths_give_each_module_once() {
    let tree = tree(&[
        "a/b/main.tf.json",
        "a/main.tf.json",
        "a/hidden.tf.json",
        "a/hidden.tofu.json",
        "a/tests/a.tftest.json",
        "a/tests/helper.tf.json",
        "c/.terraform/m/main.tf.json",
        "c/main.tf.json",
    ]);
    let root = tree.path();
    let modules = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(|name| root.join(name)).collect();
        lines(root, &discover(&paths, &DiscoverOptions::default()).modules)
    };
    let b = "a/b opentofu main.tf.json:primary";
    assert_eq!(modules(&["a/b", "a/b", "a/./b", "a/b/../b", "a/b/main.tf.json"]), [b]);
    let whole = modules(&["a"]);
    assert_eq!(whole.len(), 3);
    for names in [["a", "a/b"], ["a/b", "a"], ["a/tests", "a"], ["a", "a/tests"], ["a", "a/."]] {
        assert_eq!(modules(&names), whole, "{names:?}");
    }
    assert_eq!(modules(&["a/hidden.tf.json", "a", "a/main.tf.json"]), whole);
    // A file that does not belong to the module of its directory can be requested as a separate
    // module.
    let shadowed = "a/hidden.tf.json opentofu hidden.tf.json:primary";
    let paths = ["a/hidden.tf.json", "a", "a/main.tf.json"].map(|name| root.join(name));
    let both = lines(root, &discover(&paths, &DiscoverOptions::default().with_alone(true)).modules);
    assert_eq!(both.len(), 4);
    assert!(both.contains(&shadowed.to_owned()));
    // Directories that a search does not enter may be named explicitly.
    assert_eq!(modules(&["c", "c/.terraform"]).len(), 2);
}

#[cfg(unix)]
#[test]
fn a_directory_that_is_reached_through_a_link_is_one_module() {
    let tree = tree(&["a/main.tf.json"]);
    let root = tree.path();
    std::os::unix::fs::symlink(root.join("a"), root.join("link")).unwrap();
    let paths = [root.join("link"), root.join("a")];
    let modules = discover(&paths, &DiscoverOptions::default()).modules;
    assert_eq!(lines(root, &modules), ["link opentofu main.tf.json:primary"]);
}

/// The files that Terraform reads, as in the cases of `terraform/files`, and OpenTofu, as it
/// documents.
#[test]
fn files_that_the_tools_read() {
    let cases: [(&[&str], &[&str], &[&str]); 7] = [
        (&[".tf.json", "main.tf.json"], &["main.tf.json"], &["main.tf.json"]),
        (
            &["é.tf.json", "a_.tf.json", "a.tf.json", "a.b.tf.json", "a-b.tf.json", "_.tf.json"],
            &["_.tf.json", "a-b.tf.json", "a.b.tf.json", "a.tf.json", "a_.tf.json", "é.tf.json"],
            &["_.tf.json", "a-b.tf.json", "a.b.tf.json", "a.tf.json", "a_.tf.json", "é.tf.json"],
        ),
        (
            &["B.tf.json", "9.tf.json", "10.tf.json"],
            &["10.tf.json", "9.tf.json", "B.tf.json"],
            &["10.tf.json", "9.tf.json", "B.tf.json"],
        ),
        (&["main.tf", "main.tf.json"], &["main.tf", "main.tf.json"], &["main.tf", "main.tf.json"]),
        (
            &["a.tfquery.json", "b.tfquery.hcl", "main.tf.json"],
            &["main.tf.json", "a.tfquery.json", "b.tfquery.hcl"],
            &["main.tf.json", "a.tfquery.json", "b.tfquery.hcl"],
        ),
        (
            &["extra.tofu", "main.tf.json", "main.tofu.json", "override.tofu.json"],
            &["main.tf.json"],
            &["extra.tofu", "main.tofu.json", "override.tofu.json"],
        ),
        (&["a.tf", "a.tofu", "a.tofu.json"], &["a.tf"], &["a.tofu", "a.tofu.json"]),
    ];
    for (files, terraform, opentofu) in cases {
        let tree = tree(files);
        for (dialect, expected) in [(Dialect::Terraform, terraform), (Dialect::OpenTofu, opentofu)]
        {
            let options = DiscoverOptions::default().with_dialect(Some(dialect));
            let modules = found(tree.path(), &options).modules;
            let read = modules[0].files.iter().filter(|file| file.is_read());
            let names: Vec<_> = read.map(|file| file.name.to_str().unwrap()).collect();
            assert_eq!(names, expected, "{dialect}");
        }
    }
}

#[test]
fn a_file_named_beside_its_absence_is_still_found() {
    let tree = tree(&["a/main.tf.json"]);
    let root = tree.path();
    let paths = ["z", "a", "b"].map(|name| root.join(name));
    let discovery = discover(&paths, &DiscoverOptions::default());
    assert_eq!(discovery.modules.len(), 1);
    let missing: Vec<_> = discovery.problems.iter().map(|problem| &problem.path).collect();
    assert_eq!(missing, [&root.join("b"), &root.join("z")]);
    assert!(discovery.problems.iter().all(|problem| problem.kind == ProblemKind::Missing));
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

#[cfg(unix)]
#[test]
fn an_unreadable_directory_is_not_called_empty() {
    use std::os::unix::fs::PermissionsExt;
    let tree = tree(&["locked/main.tf.json"]);
    let locked = tree.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&locked).is_ok() {
        println!("skipped: an_unreadable_directory_is_not_called_empty (root reads everything)");
        return;
    }
    let discovery = found(&locked, &DiscoverOptions::default());
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(discovery.problems.len(), 1);
    assert_eq!(discovery.nothing[0].1.to_string(), "1 directory cannot be listed");
}

#[test]
fn modules_are_sorted_by_the_components_of_their_paths() {
    let tree =
        tree(&["a-b/m.tf.json", "a/z/m.tf.json", "a/m.tf.json", "A/m.tf.json", "a.b/m.tf.json"]);
    let root = tree.path();
    for threads in [0, 1, 2, 7, 1_000_000] {
        let options = DiscoverOptions::default().with_threads(threads);
        let modules = found(root, &options).modules;
        let paths: Vec<_> = modules
            .iter()
            .map(|m| m.path.disk().unwrap().strip_prefix(root).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(paths, ["A", "a", "a/z", "a-b", "a.b"], "{threads} threads");
    }
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
            decode(&discovery.modules, &DecodeOptions::default(), |of, _, parsed| {
                let value = parsed.map(|parsed| parsed.source().bytes().to_vec());
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

#[test]
fn files_of_a_module_are_decoded_in_their_order() {
    let root = tempfile::tempdir().unwrap();
    for place in 0..100 {
        let text = match place {
            50 => "{".to_owned(),
            _ => format!(r#"{{"locals": {{"l{place}": {place}}}}}"#),
        };
        fs::write(root.path().join(format!("{place:03}.tf.json")), text).unwrap();
    }
    let options = DiscoverOptions::default();
    let module = &discover(&[root.path().to_owned()], &options).modules[0];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let arena = Arena::new();
    let decoded = pool.install(|| module.decode(&arena, &DecodeOptions::default()));
    assert_eq!(decoded.len(), 100);
    for (place, each) in decoded.iter().enumerate() {
        let name = format!("{place:03}.tf.json");
        assert_eq!(each.file.name.to_str(), Some(&*name));
        assert!(each.source.name().ends_with(&name));
        assert_eq!(each.parsed.is_ok(), place != 50);
    }
}

/// Returns the names of the requested files, and of the other files.
fn given(module: &ModuleFiles) -> (Vec<&str>, Vec<&str>) {
    let name = |file: &simd_hcl::directory::ModuleFile| file.is_asked_for();
    let names = |asked: bool| {
        let files = module.files.iter().filter(|file| name(file) == asked);
        files.map(|file| file.name.to_str().unwrap()).collect()
    };
    (names(true), names(false))
}

#[test]
fn a_file_brings_the_module_around_it() {
    let tree = tree(&[
        "m/a.tf.json",
        "m/b.tf.json",
        "m/main.tf",
        "m/b.tofu.json",
        "m/prod.tfvars.json",
        "m/image.pkr.json",
        "m/below/x.tf.json",
        "m/tests/t.tftest.json",
        "native/main.tf",
    ]);
    let root = tree.path();
    let found = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(|name| root.join(name)).collect();
        discover(&paths, &DiscoverOptions::default())
    };
    for (name, asked) in [
        ("m/a.tf.json", "a.tf.json"),
        ("m/prod.tfvars.json", "prod.tfvars.json"),
        ("m/tests/t.tftest.json", "tests/t.tftest.json"),
    ] {
        let modules = found(&[name]).modules;
        assert_eq!(modules.len(), 1, "{name}");
        assert_eq!(modules[0].path, root.join("m"), "{name}");
        let (named, beside) = given(&modules[0]);
        assert_eq!(named, [asked]);
        assert!(beside.contains(&"main.tf") && beside.contains(&"b.tofu.json"), "{beside:?}");
        assert!(!modules[0].asked_for().contains(root.join("m/b.tofu.json").to_str().unwrap()));
    }
    let both = found(&["m/a.tf.json", "m/b.tofu.json", "m/image.pkr.json"]).modules;
    assert_eq!(both.len(), 2, "one of each tool");
    assert_eq!(given(&both[0]).0, ["a.tf.json", "b.tofu.json"]);
    let native = found(&["m/main.tf", "native/main.tf"]).modules;
    assert_eq!(given(&native[0]).0, ["main.tf"]);
    assert_eq!(given(&native[1]), (vec!["main.tf"], vec![]));
    // Files that are not read are reported.
    let discovery = found(&["m/b.tf.json"]);
    assert!(discovery.modules.is_empty());
    assert_eq!(discovery.nothing[0].1.shadowed_files, 1);
}

#[test]
fn a_file_may_exist_only_for_the_caller() {
    let tree = tree(&["m/a.tf.json"]);
    let new = tree.path().join("m/new.tf.json");
    let options = DiscoverOptions::default().with_overlays(vec![new.clone()]);
    let modules = discover(&[&new], &options).modules;
    assert_eq!(given(&modules[0]), (vec!["new.tf.json"], vec!["a.tf.json"]));
    // A search finds it, too.
    let modules = discover(&[tree.path()], &options).modules;
    assert_eq!(given(&modules[0]).0, ["a.tf.json", "new.tf.json"]);
    let nowhere = tree.path().join("none/new.tf.json");
    let options = DiscoverOptions::default().with_overlays(vec![nowhere.clone()]);
    assert!(discover(&[&nowhere], &options).modules[0].is_one_file());
}

#[test]
fn trees_in_memory_are_those_on_disk() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for name in ["monorepo", "broken/misspelt-keyword", "broken/packer-unknown-block"] {
        let on_disk = discover(&[root.join(name)], &DiscoverOptions::default()).modules;
        let files = on_disk.iter().flat_map(|module| &module.files);
        let mut contents = MemoryFiles::new("");
        for path in files.map(|file| file.path.disk().unwrap()) {
            let below = path.strip_prefix(root.join(name)).unwrap().to_str().unwrap();
            contents.insert(below, fs::read(path).unwrap().into()).unwrap();
        }
        let in_memory = in_memory(contents, None);
        let kinds = |modules: &[ModuleFiles]| {
            let of = |module: &ModuleFiles| (module.dialect, module.files.len());
            modules.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&in_memory), kinds(&on_disk));

        let arenas = [Arena::new(), Arena::new()];
        let texts = |tree: &Tree<'_>| {
            let found = tree.diagnostics().map(|it| (it.code(), it.span()));
            let objects = tree.modules().iter().map(|it| it.module.objects().count());
            (found.collect::<Vec<_>>(), objects.sum::<usize>())
        };
        let options = TreeOptions::default();
        let expected = Tree::load(&arenas[0], on_disk.clone(), &options);
        assert_eq!(texts(&Tree::load(&arenas[1], in_memory, &options)), texts(&expected));
    }
    assert!(in_memory(memory(&["README.md"]), None).is_empty());
    let modules = in_memory(memory(&["main.tf", "tests/a.tftest.hcl", "a/b.tf"]), None);
    let names = |module: &ModuleFiles| {
        let files = module.files.iter().map(|file| file.path.to_string());
        (module.path.to_string(), files.collect::<Vec<_>>().join(" "))
    };
    let expected = [(".", "main.tf tests/a.tftest.hcl"), ("a", "a/b.tf")];
    let expected = expected.map(|(path, files)| (path.to_owned(), files.to_owned()));
    assert_eq!(modules.iter().map(names).collect::<Vec<_>>(), expected);
}

/// Files without content in memory.
fn memory(paths: &[&str]) -> MemoryFiles {
    let mut files = MemoryFiles::new("");
    paths.iter().for_each(|path| files.insert(path, (*b"").into()).unwrap());
    files
}

/// Paths in memory are those of the file system if they are taken for such paths.
#[test]
fn modules_in_memory_do_not_reach_the_file_system() {
    let directory = tree(&["outside/main.tf", "memory/main.tf", "memory/data.txt"]);
    let outside = directory.path().join("outside");
    let calls = ["../outside", "./../../outside", "./none"];
    let mut text = String::new();
    for (number, source) in calls.iter().enumerate() {
        text.push_str(&format!("module \"m{number}\" {{\n  source = \"{source}\"\n}}\n"));
    }
    text.push_str("output \"x\" {\n  value = file(\"${path.module}/none.txt\")\n}\n");
    text.push_str("module \"remote\" {\n  source = \"a/b/c\"\n}\n");
    let manifest = format!(
        r#"{{"Modules": [{{"Key": "remote", "Source": "a/b/c", "Dir": {:?}}}]}}"#,
        outside.to_str().unwrap()
    );
    let mut files = MemoryFiles::new(directory.path().join("memory").to_str().unwrap());
    files.insert("main.tf", text.into_bytes().into()).unwrap();
    files.insert(".terraform/modules/modules.json", manifest.into_bytes().into()).unwrap();
    let arena = Arena::new();
    let mut tree = Tree::load(&arena, in_memory(files, None), &TreeOptions::default());
    tree.check_files();
    assert_eq!(tree.modules().len(), 1);
    let links = [Link::Missing, Link::Missing, Link::Missing, Link::Remote];
    assert_eq!(tree.modules()[0].links, links);
    // The files need not be all that there are.
    let codes: Vec<_> = tree.diagnostics().map(|it| it.code()).collect();
    assert_eq!(codes, [Code::MissingModule; 3]);
    assert!(tree.sources().all(|source| source.path().is_none()));
    assert!(tree.modules()[0].files.files[0].on_disk().is_none());
    let affected = tree.affected(&[directory.path().join("memory/main.tf")]);
    assert!(affected.modules.is_empty(), "{:?}", affected.modules);
}
