//! Whole modules and templates of Packer: no panic, and diagnostics point into their files.
//!
//! The first byte selects the tool, and JSON or native syntax. Files follow, each ended by the byte 0xFF, which no document
//! contains: for OpenTofu and Terraform a primary file, an override file, a test file, a file of
//! variables, and a primary file of the module in the directory `child`; for Packer a template and
//! a file of variables.
#![no_main]

use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use libfuzzer_sys::fuzz_target;
use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{DecodeOptions, ModuleFile, ModuleFiles};
use simd_hcl::representation::{self, Options};
use simd_hcl::show::BodySchemas;
use simd_hcl::source::{Access, SourceError};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Diagnostic, Dialect, ParseOptions, Source};

/// The files of the input, by path.
static FILES: Mutex<Vec<(String, Vec<u8>)>> = Mutex::new(Vec::new());

/// One thread: what is found does not depend on their number.
static POOL: OnceLock<rayon::ThreadPool> = OnceLock::new();

fn open<'a>(arena: &'a Arena, path: &Path, access: Access) -> Result<Source<'a>, SourceError> {
    let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    match files.iter().find(|(name, _)| Path::new(name) == path) {
        Some((name, text)) => Source::read_from(arena, name, text.as_slice()),
        None => Source::read_as(arena, path, access),
    }
}

/// Where no directory is.
const ROOT: &str = "/no/such/directory";

fn module(directory: &str, dialect: Dialect, names: &[&str]) -> ModuleFiles {
    let files = names.iter().map(|name| {
        let kind = FileKind::of(name.as_ref(), dialect).expect("the name is one of the dialect");
        ModuleFile::new(name.into(), Path::new(directory).join(name), kind)
    });
    ModuleFiles { path: Path::new(directory).into(), dialect, files: files.collect() }
}

fuzz_target!(|data: &[u8]| {
    let Some((tool, rest)) = data.split_first() else { return };
    let dialect = Dialect::ALL[*tool as usize % Dialect::ALL.len()];
    let child = format!("{ROOT}/child");
    let is_native = *tool as usize / Dialect::ALL.len() % 2 == 1;
    let modules = match (dialect, is_native) {
        (Dialect::Packer, false) => {
            vec![module(ROOT, dialect, &["main.pkr.json", "v.auto.pkrvars.json"])]
        }
        (Dialect::Packer, true) => {
            vec![module(ROOT, dialect, &["main.pkr.hcl", "v.auto.pkrvars.hcl"])]
        }
        (_, false) => {
            let names =
                ["main.tf.json", "a_override.tf.json", "t.tftest.json", "terraform.tfvars.json"];
            vec![module(ROOT, dialect, &names), module(&child, dialect, &["main.tf.json"])]
        }
        (_, true) => {
            let names = ["main.tf", "a_override.tf", "t.tftest.hcl", "terraform.tfvars"];
            vec![module(ROOT, dialect, &names), module(&child, dialect, &["main.tf"])]
        }
    };
    let nothing = if is_native { "" } else { "{}" };
    let paths = modules.iter().flat_map(|module| &module.files).map(|file| &file.path);
    let texts = rest.split(|&byte| byte == 0xFF).map(<[u8]>::to_vec);
    let texts = texts.chain(std::iter::repeat_with(|| nothing.into()));
    let files = paths.map(|path| path.to_string_lossy().into_owned()).zip(texts).collect();
    *FILES.lock().unwrap_or_else(PoisonError::into_inner) = files;

    let pool = POOL.get_or_init(|| {
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started")
    });
    pool.install(|| {
        let arena = Arena::new();
        let decode = DecodeOptions::default()
            .with_open(open)
            .with_parse(ParseOptions::default().with_max_depth(64));
        let mut tree = Tree::load(&arena, modules, &TreeOptions::default().with_decode(decode));
        let schemas = BodySchemas::built_in(&arena);
        tree.check_bodies(&schemas);
        tree.diagnostics().for_each(points_into_its_file);
        for module in tree.modules() {
            module.module.visit_references(|object, _, traversal| {
                assert!(!object.to_string().is_empty());
                assert!(traversal.span().end as usize <= traversal.source().bytes().len());
            });
        }
        let graph = tree.graph();
        for node in 0..graph.len().min(8) as u32 {
            let dependents = graph.dependents(&[node]);
            assert!(dependents.len() < graph.len());
        }
        if !tree.modules().is_empty() {
            for compat in [false, true] {
                let options = Options::default().with_compat(compat).with_schemas(Some(&schemas));
                let text = to_string(Layout::Compact, |slot| {
                    // It ends early where modules call one another without end.
                    let _ = representation::write(&tree, 0, &options, slot);
                });
                serde_json::from_str::<serde::de::IgnoredAny>(&text).expect("it is JSON");
            }
        }
    });
});

fn points_into_its_file(diagnostic: &Diagnostic<'_>) {
    let within = |source: Source<'_>, end: u32| end as usize <= source.bytes().len();
    assert!(within(diagnostic.source(), diagnostic.span().end), "{diagnostic}");
    assert!(diagnostic.span().start <= diagnostic.span().end);
    for related in diagnostic.related() {
        assert!(within(related.label.source, related.label.span.end), "{diagnostic}");
    }
    assert!(!diagnostic.detail().is_empty());
}
