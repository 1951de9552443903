//! Documents and trees that own their arena.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code, OwnedDocument, OwnedFile, OwnedTree, ParsedFile};

#[test]
fn handles_are_shared_between_threads() {
    fn assert<T: Send + Sync + 'static>() {}
    assert::<OwnedDocument>();
    assert::<OwnedFile>();
    assert::<OwnedTree>();

    let cache: RwLock<HashMap<usize, Arc<OwnedDocument>>> = RwLock::default();
    std::thread::scope(|scope| {
        for key in 0..4 {
            let cache = &cache;
            scope.spawn(move || {
                let json = format!(r#"{{"a": [{{"deep": {{"n": [{key}]}}}}]}}"#);
                let document = OwnedDocument::parse("a.json", json.as_bytes()).unwrap();
                // The handle has its own copy of the text.
                drop(json);
                cache.write().unwrap().insert(key, Arc::new(document));
            });
        }
    });
    let read = |key: usize| {
        let document = Arc::clone(&cache.read().unwrap()[&key]);
        document
            .with(|it| it.root().pointer("/a/0/deep/n/0").unwrap().as_number().unwrap().as_u64())
    };
    let threads: Vec<_> = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..8).map(|n| scope.spawn(move || read(n % 4))).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    assert_eq!(threads, [0, 1, 2, 3, 0, 1, 2, 3].map(Some));
}

#[test]
fn errors_leave_nothing_behind() {
    let error = OwnedDocument::parse("a.json", b"{\"a\" 1}").unwrap_err();
    assert_eq!(error.to_string().split(": ").next(), Some("a.json:1:6"));
    let error = OwnedDocument::open("no/such/file.json").unwrap_err();
    assert_eq!(
        (error.known_code(), &*error.range.filename),
        (Some(Code::UnreadableFile), "no/such/file.json")
    );
}

#[test]
fn files_are_in_either_syntax() {
    for (name, text) in [("a.tf", "a = 1\n"), ("a.tf.json", r#"{"a": 1}"#)] {
        let file = OwnedFile::parse(name, text.as_bytes()).unwrap();
        let names = |file: ParsedFile<'_>| -> Vec<String> {
            file.body().properties().map(|property| property.name().to_owned()).collect()
        };
        assert_eq!(file.with(names), ["a"]);
        assert_eq!(format!("{file:?}"), format!("OwnedFile({name:?})"));
    }
    // The errors of a native file leave its other parts.
    let file = OwnedFile::parse("a.tf", b"a = [\nb = 1\n").unwrap();
    assert!(!file.with(|file| file.diagnostics().is_empty()));
    assert!(OwnedFile::parse("a.json", b"{\"a\" 1}").is_err());
    let error = OwnedFile::open("no/such/file.tf").unwrap_err();
    assert_eq!(
        (error.known_code(), &*error.range.filename),
        (Some(Code::UnreadableFile), "no/such/file.tf")
    );
}

#[test]
fn a_tree_is_the_one_that_is_borrowed() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/monorepo");
    let modules = || discover(&[root], &DiscoverOptions::default()).modules;
    let objects = |tree: &Tree<'_>| -> Vec<usize> {
        tree.modules().iter().map(|it| it.module.objects().count()).collect()
    };
    let arena = Arena::new();
    let borrowed = objects(&Tree::load(&arena, modules(), &TreeOptions::default()));
    let owned = OwnedTree::load(modules(), &TreeOptions::default());
    assert!(borrowed.len() > 1);
    assert_eq!(owned.with(objects), borrowed);
    assert_eq!(format!("{owned:?}"), format!("OwnedTree({} modules)", borrowed.len()));
}
