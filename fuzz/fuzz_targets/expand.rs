//! Static evaluation of a root module: no panic, no endless evaluation, and output that is JSON.
//!
//! The first byte selects the tool, and JSON or native syntax. Files follow, each ended by the byte
//! 0xFF, which no document contains: a primary file, a file of variables, and a primary file of the
//! module in the directory `child`.
#![no_main]

use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use libfuzzer_sys::fuzz_target;
use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{DecodeOptions, ModuleFile, ModuleFiles};
use simd_hcl::evaluate::Budget;
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::source::{Access, SourceError};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Code, Dialect, ParseOptions, Source};

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
    let dialect = if tool % 2 == 0 { Dialect::OpenTofu } else { Dialect::Terraform };
    let is_native = tool / 2 % 2 == 1;
    let child = format!("{ROOT}/child");
    let modules = if is_native {
        vec![
            module(ROOT, dialect, &["main.tf", "terraform.tfvars"]),
            module(&child, dialect, &["main.tf"]),
        ]
    } else {
        vec![
            module(ROOT, dialect, &["main.tf.json", "terraform.tfvars.json"]),
            module(&child, dialect, &["main.tf.json"]),
        ]
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
        let tree = Tree::load(&arena, modules, &TreeOptions::default().with_decode(decode));
        if tree.modules().is_empty() {
            return;
        }
        let inputs = Inputs::new(&arena).with_budget(Budget::new(100_000, 16 << 20));
        let expansion = tree.expand(0, &inputs);
        expansion.check();
        let all = Selection::default();
        let text = to_string(Layout::Compact, |slot| expansion.write(&all, slot));
        serde_json::from_str::<serde::de::IgnoredAny>(&text).expect("it is JSON");
        let mut addresses = Vec::new();
        let (mut texts, mut of_values) = (Vec::new(), Vec::new());
        expansion.visit(&all, |instance| {
            texts.push(to_string(Layout::Compact, |slot| instance.write(slot)));
        });
        expansion.visit(&all, |instance| {
            instance.values();
            of_values.push(to_string(Layout::Compact, |slot| instance.write(slot)));
        });
        // Values that are unknown for want of budget differ from one evaluation to the next.
        let is_over = |code| matches!(code, Code::EvaluationTooLong | Code::EvaluationTooLarge);
        if !expansion.diagnostics().iter().any(|diagnostic| is_over(diagnostic.code())) {
            assert_eq!(texts, of_values);
        }
        expansion.visit(&all, |instance| {
            if addresses.len() < 8 {
                addresses.push(instance.address().to_owned());
            }
        });
        for address in addresses {
            let mut count = 0;
            expansion.visit(&Selection::default().with_address(&address), |_| count += 1);
            assert!(count > 0, "{address}");
            let _ = expansion.why(&format!("{address}.id"));
        }
        for diagnostic in expansion.diagnostics() {
            assert!(diagnostic.span().end as usize <= diagnostic.source().bytes().len());
            assert!(!diagnostic.detail().is_empty());
        }
    });
});
