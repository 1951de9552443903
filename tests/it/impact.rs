//! Answers about changed files, compared with those that the generator of the repository knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use simd_hcl::Arena;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::impact::{Affected, ImpactOptions};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl_corpus::{ReaderOptions, Readers, readers, sized};

fn with_tree<T>(root: &Path, work: impl for<'a> FnOnce(&Tree<'a>) -> T) -> T {
    let arena = Arena::new();
    let modules = discover(&[root], &DiscoverOptions::default()).modules;
    work(&Tree::load(&arena, modules, &TreeOptions::default()))
}

fn repository(roots: u64) -> (tempfile::TempDir, Readers) {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(".git")).unwrap();
    let readers = readers(&ReaderOptions { roots, seed: 7 }, directory.path()).unwrap();
    (directory, readers)
}

/// The root modules of an answer.
fn roots(affected: &Affected<'_>, root: &Path) -> BTreeSet<String> {
    let modules = affected.modules.iter().filter(|module| module.is_root);
    let path = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    modules.map(|module| path(module.path.disk().unwrap())).collect()
}

/// How answers differ from the truth.
#[derive(Debug, Default)]
struct Differences {
    changes: usize,
    known: usize,
    missing: Vec<String>,
    extra: Vec<String>,
    incomplete: Vec<String>,
}

impl Differences {
    fn add(&mut self, file: &str, truth: &BTreeSet<String>, affected: &Affected<'_>, root: &Path) {
        let found = roots(affected, root);
        self.changes += 1;
        self.known += truth.len();
        self.missing.extend(truth.difference(&found).map(|it| format!("{file}: {it}")));
        self.extra.extend(found.difference(truth).map(|it| format!("{file}: {it}")));
        if !affected.gaps.is_empty() {
            self.incomplete.push(file.to_owned());
        }
        for module in &affected.modules {
            let steps = &module.because;
            assert!(steps[0].file.is_some() && steps[1..].iter().all(|step| step.file.is_none()));
            assert_eq!(steps.last().unwrap().module, module.path, "{file}");
            // Each step but the first says what it refers to, and where.
            assert!(steps[1..].iter().all(|step| step.object.is_some() && step.label.is_some()));
        }
    }

    /// No root module is missing; a fiftieth more than the truth, and a hundredth of gaps is allowed.
    fn check(&self) {
        println!(
            "{} changes, {} readers: {} missing, {} extra, {} incomplete",
            self.changes,
            self.known,
            self.missing.len(),
            self.extra.len(),
            self.incomplete.len()
        );
        let first = |all: &[String]| all.iter().take(20).cloned().collect::<Vec<_>>();
        assert!(self.missing.is_empty(), "{:#?}", first(&self.missing));
        assert!(self.extra.len() * 50 <= self.known, "{:#?}", first(&self.extra));
        assert!(self.incomplete.len() * 100 <= self.changes, "{:#?}", first(&self.incomplete));
    }
}

#[test]
fn answers_are_those_that_the_generator_knows() {
    let (directory, readers) = repository(sized([50, 400, 1600]));
    let root = directory.path();
    with_tree(root, |tree| {
        let impact = tree.impact(&ImpactOptions::default());
        let mut differences = Differences::default();
        for (file, truth) in &readers {
            differences.add(file, truth, &impact.affected(&[root.join(file)]), root);
        }
        differences.check();
    });
}

/// A question about some files evaluates less, and has the same answer.
#[test]
fn questions_about_some_files_have_the_same_answers() {
    let (directory, readers) = repository(sized([50, 200, 400]));
    let root = directory.path();
    with_tree(root, |tree| {
        let impact = tree.impact(&ImpactOptions::default());
        for (file, _) in readers.iter().step_by(sized([7, 5, 3])) {
            let (all, asked) =
                (impact.affected(&[root.join(file)]), tree.affected(&[root.join(file)]));
            assert_eq!(roots(&all, root), roots(&asked, root), "{file}");
            assert_eq!(all.gaps.len(), asked.gaps.len(), "{file}");
        }
    });
}

/// Files that are deleted were read, and links are what they lead to.
#[cfg(unix)]
#[test]
fn deleted_files_and_links() {
    let (directory, readers) = repository(50);
    let root = directory.path();
    let mut differences = Differences::default();
    let files = readers.iter().filter(|(file, truth)| {
        !truth.is_empty()
            && !file.ends_with(".tf")
            && !file.ends_with(".tfvars")
            && root.join(file).is_file()
    });
    for (number, (file, truth)) in files.enumerate().step_by(9) {
        let path = root.join(file);
        let content = fs::read(&path).unwrap();
        // A file that decides on other paths decides nothing once it is gone.
        fs::remove_file(&path).unwrap();
        let deleted = |tree: &Tree<'_>| {
            differences.add(file, truth, &tree.affected(&[&path]), root);
        };
        with_tree(root, deleted);
        let target = root.join(format!("targets/t{number}"));
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(&target, content).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        let linked = |tree: &Tree<'_>| {
            for changed in [&target, &path] {
                differences.add(file, truth, &tree.affected(&[changed]), root);
            }
        };
        with_tree(root, linked);
    }
    differences.check();
}

/// The files that `expand` opens are dependencies.
#[cfg(feature = "functions")]
#[test]
fn files_that_evaluation_opens_are_known() {
    use std::sync::Mutex;

    use simd_hcl::expand::Inputs;
    use simd_hcl::functions::{Environment, FileEntry, FileError, FileKind, Files, Folder};

    struct Opened(Folder, Mutex<BTreeSet<String>>);

    impl Files for Opened {
        fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
            self.1.lock().unwrap().insert(path.to_owned());
            self.0.read(path)
        }
        fn kind(&self, path: &str) -> Result<FileKind, FileError> {
            self.0.kind(path)
        }
        fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
            self.0.entries(path)
        }
        fn absolute(&self, path: &str) -> Option<String> {
            self.0.absolute(path)
        }
        fn home(&self) -> Option<String> {
            None
        }
    }

    let (directory, _) = repository(sized([50, 200, 1000]));
    let root = directory.path();
    with_tree(root, |tree| {
        let impact = tree.impact(&ImpactOptions::default());
        let mut count = 0;
        for (place, module) in tree.modules().iter().enumerate() {
            if !tree.roots()[place] {
                continue;
            }
            let own = module.files.path.disk().unwrap();
            let opened = Opened(Folder::new(own).unwrap().with_outside(), Mutex::default());
            let functions = Environment::new().with_files(&opened);
            let inputs = Inputs::new(module.sources[0].arena()).with_functions(&functions);
            tree.expand(place, &inputs).check();
            let opened = opened.1.lock().unwrap().clone();
            for file in &opened {
                count += 1;
                let found = roots(&impact.affected(&[own.join(file)]), root);
                let own = own.strip_prefix(root).unwrap().to_str().unwrap();
                assert!(found.contains(own), "{own} opens {file}: {found:?}");
            }
        }
        assert!(count > 50, "{count}");
    });
}
