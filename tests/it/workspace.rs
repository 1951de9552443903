//! Workspaces: any sequence of edits gives what a cold start gives.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simd_hcl::Span;
use simd_hcl::edit::Edit;
use simd_hcl::rules::{RULES, Selection};
use simd_hcl::workspace::{AddedErrors, Options, Snapshot, Workspace};
use simd_hcl_corpus::sized;

use crate::random::Random;

#[test]
fn snapshots_are_shared_between_threads() {
    fn assert<T: Send + Sync + 'static>() {}
    assert::<Snapshot>();
    assert::<Workspace>();
}

/// A tree in a temporary directory.
struct Files {
    root: tempfile::TempDir,
}

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let this = Self { root: tempfile::tempdir().unwrap() };
        files.iter().for_each(|(path, text)| this.write(path, text));
        this
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn open(&self) -> Workspace {
        Workspace::open(vec![self.root.path().to_owned()], Options::default())
    }
}

/// Everything that a snapshot says, as text.
fn shown(snapshot: &Snapshot) -> String {
    let mut modules = BTreeMap::new();
    for (place, module) in snapshot.modules().iter().enumerate() {
        let mut text = String::new();
        for finding in &module.findings {
            writeln!(text, "  {:?} {:?} {:?}", finding.diagnostic, finding.span, finding.fix)
                .unwrap();
            for related in &finding.diagnostic.related {
                writeln!(text, "    {related:?}").unwrap();
            }
        }
        writeln!(text, "  {:?}", module.interface).unwrap();
        for call in &module.calls {
            writeln!(text, "  {call:?}").unwrap();
        }
        writeln!(text, "  {:?} {} {}", module.sources, module.is_root, module.is_complete).unwrap();
        writeln!(text, "  {:?} {:?}", module.objects, module.places.iter().collect::<Vec<_>>())
            .unwrap();
        let callers = snapshot.callers(place);
        let callers: Vec<_> = callers
            .iter()
            .map(|(caller, call)| (&snapshot.modules()[*caller].files.path, call))
            .collect();
        writeln!(text, "  {callers:?}").unwrap();
        modules.insert(format!("{} {:?}", module.files.path, module.dialect()), text);
    }
    let mut text: String = modules.iter().map(|(path, text)| format!("{path}\n{text}")).collect();
    for file in snapshot.unit_files() {
        for finding in snapshot.findings(file) {
            let fix = (finding.span, &finding.fix);
            writeln!(text, "{}\n  {:?} {fix:?}", file.display(), finding.diagnostic).unwrap();
        }
    }
    text
}

#[test]
fn findings_of_callers_follow_edits_of_a_module() {
    let files = Files::new(&[
        ("app/main.tf", "module \"net\" {\n  source = \"../net\"\n  size   = 1\n}\n"),
        ("net/main.tf", "variable \"size\" {\n  type = number\n}\n"),
    ]);
    let mut workspace = files.open();
    let app = files.path("app/main.tf");
    let net = files.path("net/main.tf");
    assert!(workspace.snapshot().findings(&app).is_empty());

    // A body that changes, and no interface: only the module itself is read again.
    let text = "variable \"size\" {\n  type = number\n}\nlocals {\n  a = var.size\n}\n";
    let changed = workspace.edit(&net, text.as_bytes().into());
    let module = workspace.snapshot().file(&net).unwrap().module;
    assert_eq!(changed.modules, [module]);
    assert!(!changed.everything);

    // The caller is not touched, and has a finding.
    workspace.edit(&net, (*b"variable \"length\" {\n  type = number\n}\n").into());
    let codes: Vec<String> =
        workspace.snapshot().findings(&app).iter().map(|it| it.code.as_str().to_owned()).collect();
    assert_eq!(codes, ["missing-module-argument", "undeclared-argument"]);
    let old = workspace.snapshot();
    workspace.close(&net);
    assert!(workspace.snapshot().findings(&app).is_empty());
    // The copies that readers have do not change.
    assert_eq!(old.findings(&app).len(), 2);
}

#[test]
fn errors_that_edits_add() {
    let files = Files::new(&[
        ("m/main.tf", "output \"id\" {\n  value = 1\n}\n"),
        (
            "app/main.tf",
            "module \"m\" {\n  source = \"../m\"\n}\noutput \"o\" {\n  value = module.m.id\n}\n",
        ),
        ("a/terragrunt.hcl", "terraform {\n  source = \"../m\"\n}\n"),
        (
            "b/terragrunt.hcl",
            "dependency \"a\" {\n  config_path = \"../a\"\n}\ninputs = {\n  q = dependency.a.outputs.id\n}\n",
        ),
    ]);
    let snapshot = files.open().snapshot();
    let name: Box<str> = files.path("m/main.tf").to_str().unwrap().into();
    let renamed = Edit::new(Span::new(8, 10), "ident");
    let added = snapshot.errors_added_by(&[(name.clone(), vec![renamed])]);
    let ends = |errors: &[(String, String)], file: &str| {
        errors.len() == 1 && Path::new(&errors[0].0).ends_with(file)
    };
    assert!(ends(&added.modules, "app/main.tf"), "{added:?}");
    assert!(ends(&added.units, "b/terragrunt.hcl"), "{added:?}");
    let comment = Edit::new(Span::new(0, 0), "# The module.\n");
    assert_eq!(snapshot.errors_added_by(&[(name, vec![comment])]), AddedErrors::default());
    assert!(snapshot.errors_added_by(&[]) == AddedErrors::default());
}

#[test]
fn open_files_count_before_they_are_saved() {
    let files = Files::new(&[("main.tf", "output \"a\" {\n  value = var.a\n}\n")]);
    let mut workspace = files.open();
    let (main, other) = (files.path("main.tf"), files.path("variables.tf"));
    assert_eq!(workspace.snapshot().findings(&main).len(), 1);
    workspace.edit(&other, (*b"variable \"a\" {}\n").into());
    assert!(workspace.snapshot().findings(&main).is_empty());
    assert_eq!(*workspace.snapshot().text(&other).unwrap(), *b"variable \"a\" {}\n");
    // A change on disk of an open file changes nothing.
    files.write("variables.tf", "");
    workspace.changed_on_disk(&[&other]);
    assert!(workspace.snapshot().findings(&main).is_empty());
    workspace.close(&other);
    assert_eq!(workspace.snapshot().findings(&main).len(), 1);
}

#[test]
fn trees_of_modules_have_open_texts() {
    let files = Files::new(&[
        ("app/main.tf", "module \"net\" {\n  source = \"../net\"\n}\n"),
        ("net/main.tf", ""),
    ]);
    let mut workspace = files.open();
    workspace.edit(&files.path("net/main.tf"), (*b"output \"id\" {\n  value = 1\n}\n").into());
    let snapshot = workspace.snapshot();
    let app = snapshot.file(&files.path("app/main.tf")).unwrap().module;
    let outputs = snapshot.tree(app).unwrap().with(|tree| {
        assert_eq!(tree.given().count(), 1);
        tree.modules().iter().map(|module| module.module.outputs.len()).sum::<usize>()
    });
    assert_eq!(outputs, 1);
    assert!(Arc::ptr_eq(&snapshot.tree(app).unwrap(), &snapshot.tree(app).unwrap()));
}

#[test]
fn rules_that_read_callers_follow_edits() {
    let files = Files::new(&[
        (
            "app/main.tf",
            "terraform {\n  backend \"local\" {}\n}\nmodule \"net\" {\n  source = \"../net\"\n}\n",
        ),
        ("net/main.tf", "variable \"size\" {\n  type    = number\n  default = 1\n}\n"),
    ]);
    let mut selection = Selection::new();
    RULES
        .iter()
        .filter(|rule| rule.name() == "unset-variable")
        .for_each(|rule| selection.add(rule));
    let options = Options::default().with_selection(selection);
    let mut workspace = Workspace::open(vec![files.root.path().to_owned()], options);
    let net = files.path("net/main.tf");
    let count = |workspace: &Workspace| {
        let snapshot = workspace.snapshot();
        snapshot.findings(&net).iter().filter(|it| it.code.as_str() == "unset-variable").count()
    };
    assert_eq!(count(&workspace), 1);
    let text = "terraform {\n  backend \"local\" {}\n}\nmodule \"net\" {\n  source = \"../net\"\n  size = 2\n}\n";
    workspace.edit(&files.path("app/main.tf"), text.as_bytes().into());
    assert_eq!(count(&workspace), 0);
}

/// Texts that random files are made of.
const PARTS: &[&str] = &[
    "variable \"a\" {}\n",
    "variable \"a\" {\n  type    = number\n  default = 1\n}\n",
    "variable \"b\" {\n  type = string\n  validation {\n    condition     = var.b != \"x\"\n    error_message = \"No x.\"\n  }\n}\n",
    "variable \"c\" {\n  type      = list(string)\n  sensitive = true\n  default   = []\n}\n",
    "output \"o\" {\n  value = 1\n}\n",
    "output \"o\" {\n  value = var.a\n}\n",
    "output \"p\" {\n  value     = module.one.o\n  sensitive = true\n}\n",
    "output \"q\" {\n  value = module.two.p\n}\n",
    "module \"one\" {\n  source = \"../net\"\n  a      = 1\n}\n",
    "module \"one\" {\n  source = \"../net\"\n  a      = module.two.o\n  b      = \"x\"\n}\n",
    "module \"two\" {\n  source = \"../db\"\n  a      = module.one.o\n}\n",
    "module \"two\" {\n  source = \"./inner\"\n  a      = \"text\"\n  count  = 2\n}\n",
    "module \"three\" {\n  source     = \"../net\"\n  depends_on = [module.one]\n}\n",
    "module \"four\" {\n  source = \"../gone\"\n}\n",
    "module \"five\" {\n  source = \"../app\"\n}\n",
    "module \"six\" {\n  source = \"${path.module}/x\"\n}\n",
    "provider \"aws\" {\n  region = \"x\"\n}\n",
    "provider \"aws\" {}\n",
    "provider \"aws\" {\n  alias  = \"west\"\n  region = var.a\n}\n",
    "terraform {\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      version = \">= 5.0\"\n    }\n  }\n}\n",
    "terraform {\n  required_providers {\n    aws = {\n      source                = \"hashicorp/aws\"\n      version               = \"< 5.0\"\n      configuration_aliases = [aws.west]\n    }\n  }\n}\n",
    "terraform {\n  backend \"local\" {}\n}\n",
    "terraform {\n  backend \"other\" {}\n}\n",
    "resource \"terraform_data\" \"r\" {\n  input = var.a\n}\n",
    "resource \"terraform_data\" \"r\" {\n  input    = file(\"${path.module}/note.txt\")\n  provider = aws.west\n}\n",
    "import {\n  to = module.one.terraform_data.r\n  id = \"x\"\n}\n",
    "locals {\n  l = [for k in var.c : upper(k)]\n}\n",
    "locals {\n  l = local.m\n  m = local.l\n}\n",
    "variable {\n",
    "# a comment\n\n",
    "a = = 1\n",
    "\u{e9}\n",
];

/// The parts of test files.
const TESTS: &[&str] = &[
    "run \"one\" {\n  module {\n    source = \"../net\"\n  }\n}\n",
    "run \"two\" {\n  variables {\n    a = 1\n    z = 2\n  }\n}\n",
    "variables {\n  a = \"x\"\n}\n",
];

/// The parts of files of Terragrunt.
const UNITS: &[&str] = &[
    "terraform {\n  source = \"../../net\"\n}\n",
    "terraform {\n  source = \"../net\"\n}\n",
    "inputs = {\n  a = 1\n  z = 2\n}\n",
    "inputs = {\n  b = dependency.db.outputs.o\n}\n",
    "dependency \"db\" {\n  config_path = \"../live/db\"\n}\n",
    "dependency \"db\" {\n  config_path  = \"../db\"\n  mock_outputs = {}\n}\n",
    "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\n",
    "generate \"x\" {\n  path      = \"x.tf\"\n  if_exists = \"skip\"\n  contents  = \"variable \\\"a\\\" {}\"\n}\n",
    "generate \"y\" {\n  path      = \"y.tf\"\n  if_exists = \"skip\"\n  contents  = file(\"note.txt\")\n}\n",
    "locals {\n  a = local.b\n}\n",
    "dependency {\n",
];

const PATHS: &[&str] = &[
    "live/root.hcl",
    "live/app/terragrunt.hcl",
    "live/db/terragrunt.hcl",
    "net/terragrunt.hcl",
    "app/main.tf",
    "app/more.tf",
    "app/inner/main.tf",
    "app/tests/t.tftest.hcl",
    "net/main.tf",
    "net/main.tofu",
    "net/terraform.tfvars",
    "net/inner/main.tf",
    "db/main.tf",
    "db/main_override.tf",
    "db/note.txt",
    "top/main.tf",
    "packer/a.pkr.hcl",
];

fn text(random: &mut Random, path: &str) -> String {
    let is_of_unit = ["root.hcl", "terragrunt.hcl"].iter().any(|name| path.ends_with(name));
    let parts = match path {
        _ if is_of_unit => UNITS,
        _ if path.contains("tftest") => TESTS,
        _ => PARTS,
    };
    if path.ends_with(".tfvars") {
        return format!("a = {}\n", random.below(3));
    }
    let count = random.below(6);
    (0..count).map(|_| parts[random.below(parts.len())]).collect()
}

/// The files that are open, in the order of their paths.
type Open = BTreeMap<PathBuf, String>;

/// Returns the answers of a workspace that is opened with these texts.
fn cold(files: &Files, open: &Open) -> String {
    let saved: Vec<(&PathBuf, Option<Vec<u8>>)> =
        open.keys().map(|path| (path, std::fs::read(path).ok())).collect();
    for (path, text) in open {
        std::fs::write(path, text).unwrap();
    }
    let shown = shown(&files.open().snapshot());
    for (path, text) in saved {
        match text {
            Some(text) => std::fs::write(path, text).unwrap(),
            None => std::fs::remove_file(path).unwrap(),
        }
    }
    shown
}

#[test]
fn any_edits_give_what_a_cold_start_gives() {
    let rounds = sized([12, 200, 1500]);
    let mut partial = 0;
    for seed in 0..rounds {
        let mut random = Random(seed);
        let files = Files::new(&[]);
        for path in PATHS {
            if random.below(4) > 0 {
                let text = text(&mut random, path);
                files.write(path, &text);
            } else {
                std::fs::create_dir_all(files.path(path).parent().unwrap()).unwrap();
            }
        }
        let mut workspace = files.open();
        let mut open = Open::new();
        for step in 0..sized([12, 30, 60]) {
            let name = PATHS[random.below(PATHS.len())];
            let path = files.path(name);
            let changed = match random.below(8) {
                0 if open.contains_key(&path) => {
                    open.remove(&path);
                    workspace.close(&path)
                }
                1 => {
                    let _ = std::fs::remove_file(&path);
                    workspace.changed_on_disk(&[&path])
                }
                2 | 3 => {
                    let text = text(&mut random, name);
                    files.write(name, &text);
                    workspace.changed_on_disk(&[&path])
                }
                _ => {
                    let text = text(&mut random, name);
                    open.insert(path.clone(), text.clone());
                    workspace.edit(&path, text.into_bytes().into())
                }
            };
            partial += usize::from(!changed.everything && !changed.modules.is_empty());
            let (ours, cold) = (shown(&workspace.snapshot()), cold(&files, &open));
            if ours != cold {
                let differs = ours.lines().zip(cold.lines()).find(|(one, two)| one != two);
                panic!(
                    "seed {seed}, step {step}, {name}: {differs:#?}\n{}",
                    contents(&files, &open)
                );
            }
        }
    }
    assert!(partial as u64 > 3 * rounds, "most edits load a part: {partial} of {rounds}");
}

/// The texts of all files, for the message of a failure.
fn contents(files: &Files, open: &Open) -> String {
    let of_path = |name: &&str| {
        let path: &Path = &files.path(name);
        let on_disk = || std::fs::read_to_string(path).ok();
        let text = open.get(path).cloned().or_else(on_disk)?;
        Some(format!("--- {name}\n{text}"))
    };
    PATHS.iter().filter_map(of_path).collect()
}
