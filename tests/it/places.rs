//! Places: every part of a module that names an object, in both syntaxes.

use std::collections::BTreeSet;

use simd_hcl::convert::to_json;
use simd_hcl::dialect::List;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::facts::{Parts, Place, PlaceUse, Places, Referred, Target};
use simd_hcl::module::test::TestFile;
use simd_hcl::module::{Assignments, Module};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect, ParsedFile, Source};

/// The text of a target.
fn text(target: Target<'_>, module: &Module<'_>) -> String {
    let object = |number| module.object(number).map_or("nothing".to_owned(), |it| it.to_string());
    match target {
        Target::Object(number) => object(number),
        Target::Argument { call, name } => format!("{} argument {name}", object(call)),
        Target::Output { call, name } => format!("{} output {name}", object(call)),
        Target::Passed { call, name } => format!("{} provider {name}", object(call)),
        Target::Within { object: outer, address } => format!("{} within {address}", object(outer)),
        Target::Inherited(name) => format!("inherited {name}"),
        Target::Function(name) => format!("function {name}"),
        Target::Undeclared(address) => format!("undeclared {address}"),
        Target::BuiltIn(name) => format!("built-in {name}"),
        _ => unreachable!(),
    }
}

/// One line for a place: the target, the use, the name, the user.
fn line(places: &Places, place: &Place, module: &Module<'_>, sources: &[Source<'_>]) -> String {
    let bytes = sources[place.file()].bytes();
    let name = place.name().map_or("-".into(), |name| String::from_utf8_lossy(name.slice(bytes)));
    let user = match (places.argument(place), places.user(place)) {
        (Some(argument), _) => text(argument, module),
        (None, Some(number)) => text(Target::Object(number), module),
        (None, None) => "-".to_owned(),
    };
    let effect = if place.has_effect() { "" } else { " (no effect)" };
    let part = if place.is_part() { " (part)" } else { "" };
    let target = text(places.target(place), module);
    format!("{target}: {:?} {name} by {user}{part}{effect}", place.usage())
}

/// Passes the places of a module to a test. The first file is a primary file, others are override
/// files, unless their names say that they are tests, values or shadowed.
fn with_places(
    dialect: Dialect,
    files: &[(&str, &str)],
    test: impl FnOnce(&Places, &Module<'_>, &[Source<'_>]),
) {
    let arena = Arena::new();
    let mut configuration = Vec::new();
    let mut shadowed = Vec::new();
    let mut tests = Vec::new();
    let mut values = Assignments::default();
    let mut sources = Vec::new();
    for &(name, text) in files {
        let source = Source::copy_from(&arena, name, text.as_bytes()).unwrap();
        let file = ParsedFile::parse(&arena, source).unwrap();
        assert!(file.diagnostics().is_empty(), "{name}: {:?}", file.diagnostics());
        sources.push(source);
        match name {
            _ if name.contains("override") => configuration.push((List::Override, file)),
            _ if name.contains("shadowed") => shadowed.push((List::Primary, file)),
            _ if name.contains("tfvars") => values.read(file, &mut ()),
            _ if name.contains("test") => tests.push(TestFile::read(dialect, file, &mut ())),
            _ => configuration.push((List::Primary, file)),
        }
    }
    let module = Module::read(dialect, configuration.iter().copied(), false, &mut ());
    let places = Places::of(
        &Parts::new(&module, &configuration)
            .with_shadowed(&shadowed)
            .with_tests(&tests)
            .with_values(&[&values])
            .with_sources(&sources),
    );
    let names: Vec<&str> = sources.iter().map(|source| source.name()).collect();
    assert_eq!(places.files().iter().map(|name| &**name).collect::<Vec<_>>(), names);
    for place in places.iter() {
        let bytes = sources[place.file()].bytes();
        assert!(!place.span().slice(bytes).is_empty());
        if let Some(name) = place.name() {
            assert!(place.span().start <= name.start && name.end <= place.span().end);
        }
        // Look-ups find every place.
        let target = places.target(place);
        assert!(places.of_target(target).any(|it| it == place));
        assert!(places.at(place.file(), place.span().start).contains(&place));
        assert!(places.at(place.file(), place.span().end).contains(&place));
        let is_name = matches!(place.usage(), PlaceUse::Declaration | PlaceUse::Key);
        let is_function = matches!(target, Target::Function(_));
        if !is_name && !is_function && place.usage() != PlaceUse::Implied {
            let traversal = places.traversal(place, sources[place.file()]);
            let traversal =
                traversal.unwrap_or_else(|| panic!("{}", line(&places, place, &module, &sources)));
            assert_eq!(traversal.span(), place.span());
        }
    }
    test(&places, &module, &sources);
}

fn lines(places: &Places, module: &Module<'_>, sources: &[Source<'_>]) -> BTreeSet<String> {
    places.iter().map(|place| line(places, place, module, sources)).collect()
}

/// Everything that OpenTofu's configuration can say about names.
const NATIVE: &str = r#"
terraform {
  required_providers {
    x = {
      source                = "corp/x"
      configuration_aliases = [x.given]
    }
  }
  backend "s3" {
    bucket = var.early
  }
  encryption {
    key_provider "k" "used" {
      pass = var.early
    }
    method "aes" "main" {
      keys = key_provider.k.used
    }
    state {
      method = method.aes.main
    }
  }
}

provider "x" {
  alias    = "west"
  for_each = local.regions
  region   = each.key
}

variable "early" {}

variable "size" {
  default = 1
  validation {
    condition     = var.size > 0
    error_message = "m"
  }
}

locals {
  regions = toset(["a"])
  twice   = 2 * var.size
}

output "o" {
  value      = [module.m.id, module.m["plain"], module.many["k"].id, module.many]
  depends_on = [x_thing.t]
}

resource "x_thing" "t" {
  provider = x.west[var.early]
  count    = length(data.x_list.all.ids)
  size     = "${local.twice} ${path.module} ${provider::x::double(x_missing.one.id)}"
  dynamic "rule" {
    for_each = local.regions
    content {
      key = rule.key
    }
  }
  lifecycle {
    prevent_destroy      = var.early
    replace_triggered_by = [x_thing.u[count.index]]
  }
}

resource "x_thing" "u" {
  provider = x.given
  connection {
    host = var.early
  }
}

data "x_list" "all" {}

check "c" {
  data "x_list" "own" {}
  assert {
    condition     = data.x_list.own.ok && self.id == var.size
    error_message = "m"
  }
}

module "m" {
  source    = "./${var.early}"
  size      = local.twice
  providers = { x.inner = x.west }
}

module "many" {
  source     = "./many"
  for_each   = local.regions
  depends_on = [module.m]
}

import {
  for_each = local.regions
  to       = x_thing.t[each.key]
  id       = each.key
}

moved {
  from = x_thing.old
  to   = module.m.module.inner.x_thing.new
}

removed {
  from = module.gone
  lifecycle {
    destroy = false
  }
}
"#;

const EXPECTED: &[&str] = &[
    "built-in count.index: Trigger - by x_thing.t",
    "built-in each.key: Instance - by import[0]",
    "built-in each.key: Value - by import[0]",
    "built-in each.key: Value - by provider.x.west",
    "built-in method.aes.main: Method main by terraform.encryption",
    "built-in path.module: Value - by x_thing.t",
    "built-in self: Value - by check.c",
    "check.c within data.x_list.own: Declaration own by check.c",
    "check.c within data.x_list.own: Value own by check.c",
    "check.c: Declaration c by check.c",
    "data.x_list.all: Declaration all by data.x_list.all",
    "data.x_list.all: Value all by x_thing.t",
    "function provider::x::double: Value x by x_thing.t",
    "inherited x.given: Declaration given by -",
    "inherited x.given: Provider given by x_thing.u",
    "inherited x: Implied - by check.c",
    "inherited x: Implied - by data.x_list.all",
    "local.regions: Declaration regions by local.regions",
    "local.regions: Early regions by provider.x.west",
    "local.regions: Value regions by import[0]",
    "local.regions: Value regions by module.many",
    "local.regions: Value regions by x_thing.t",
    "local.twice: Argument twice by module.m argument size",
    "local.twice: Declaration twice by local.twice",
    "local.twice: Value twice by x_thing.t",
    "module.m argument size: Key size by module.m",
    "module.m output id: Value id by output.o",
    "module.m output plain: Value plain by output.o",
    "module.m provider x.inner: Key inner by module.m",
    "module.m within module.inner.x_thing.new: Address new by moved[0]",
    "module.m: Address m by moved[0] (part)",
    "module.m: Declaration m by module.m",
    "module.m: Order m by module.many",
    "module.m: Value m by output.o (part)",
    "module.many output id: Value id by output.o",
    "module.many: Declaration many by module.many",
    "module.many: Value many by output.o",
    "module.many: Value many by output.o (part)",
    "output.o: Declaration o by output.o",
    "provider.x.west: Declaration west by provider.x.west",
    "provider.x.west: Pass west by module.m provider x.inner",
    "provider.x.west: Provider west by x_thing.t",
    "terraform.required_providers.x: Declaration x by terraform.required_providers.x",
    "undeclared module.gone: Address gone by removed[0]",
    "undeclared x_missing.one: Value one by x_thing.t",
    "undeclared x_thing.old: Address old by moved[0]",
    "var.early: Declaration early by var.early",
    "var.early: Early early by terraform.backend",
    "var.early: Early early by terraform.encryption",
    "var.early: Guard early by x_thing.t",
    "var.early: Instance early by x_thing.t",
    "var.early: Source early by module.m",
    "var.early: Value early by x_thing.u (no effect)",
    "var.size: Declaration size by var.size",
    "var.size: Value size by check.c",
    "var.size: Value size by local.twice",
    "var.size: Value size by var.size",
    "x_thing.t: Address t by import[0]",
    "x_thing.t: Declaration t by x_thing.t",
    "x_thing.t: Order t by output.o",
    "x_thing.u: Declaration u by x_thing.u",
    "x_thing.u: Trigger u by x_thing.t",
];

#[test]
fn every_kind_of_place_in_native_syntax() {
    with_places(Dialect::OpenTofu, &[("main.tf", NATIVE)], |places, module, sources| {
        let expected: BTreeSet<String> = EXPECTED.iter().map(|&line| line.to_owned()).collect();
        let found = lines(places, module, sources);
        let missing: Vec<_> = expected.difference(&found).collect();
        let new: Vec<_> = found.difference(&expected).collect();
        assert!(missing.is_empty() && new.is_empty(), "missing {missing:#?}\nnew {new:#?}");
        assert!(places.iter().all(|place| !place.is_in_json()) && places.is_complete());
    });
}

#[test]
fn the_same_places_in_json() {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "main.tf", NATIVE.as_bytes()).unwrap();
    let file = ParsedFile::native(&arena, source);
    let kind = Some((Dialect::OpenTofu, List::Primary));
    let converted = to_json(file.as_native().unwrap(), kind, &mut ()).text;
    with_places(Dialect::OpenTofu, &[("main.tf.json", &converted)], |places, module, sources| {
        let expected: BTreeSet<String> = EXPECTED.iter().map(|&line| line.to_owned()).collect();
        let found = lines(places, module, sources);
        let missing: Vec<_> = expected.difference(&found).collect();
        let new: Vec<_> = found.difference(&expected).collect();
        assert!(missing.is_empty() && new.is_empty(), "missing {missing:#?}\nnew {new:#?}");
        assert!(places.iter().all(Place::is_in_json));
    });
}

/// Checks all places of a module.
#[track_caller]
fn check(dialect: Dialect, files: &[(&str, &str)], expected: &[&str]) {
    with_places(dialect, files, |places, module, sources| {
        let found = lines(places, module, sources);
        let expected: BTreeSet<String> = expected.iter().map(|&line| line.to_owned()).collect();
        let missing: Vec<_> = expected.difference(&found).collect();
        let new: Vec<_> = found.difference(&expected).collect();
        assert!(missing.is_empty() && new.is_empty(), "missing {missing:#?}\nnew {new:#?}");
    });
}

#[test]
fn what_is_written_without_effect() {
    let primary = r#"
variable "a" {
  default = 1
}
variable "b" {}
locals {
  l = var.a
}
output "o" {
  value = var.a
}
output "o" {
  value = var.b
}
resource "x_thing" "t" {
  size = var.a
  name = var.b
}
resource "x_thing" "t" {
  count = var.b
}
module "m" {
  source = "./m"
  given  = var.a
}
"#;
    let overriding = r#"
locals {
  l = var.b
}
resource "x_thing" "t" {
  size = local.l
}
module "m" {
  given = var.b
}
moved {
  from = x_thing.t
  to   = x_thing.gone
}
"#;
    let shadowed = "variable \"b\" {}\nresource \"x_other\" \"s\" {\n  size = var.b\n}\n";
    let files = [("main.tf", primary), ("main_override.tf", overriding), ("shadowed.tf", shadowed)];
    check(
        Dialect::OpenTofu,
        &files,
        &[
            "inherited x: Implied - by x_thing.t",
            "inherited x: Implied - by x_thing.t (no effect)",
            "inherited x: Implied - by - (no effect)",
            "local.l: Declaration l by local.l",
            "local.l: Declaration l by local.l (no effect)",
            "local.l: Value l by x_thing.t",
            "module.m argument given: Key given by module.m",
            "module.m argument given: Key given by module.m (no effect)",
            "module.m: Declaration m by module.m",
            "module.m: Declaration m by module.m (no effect)",
            "output.o: Declaration o by output.o",
            "output.o: Declaration o by output.o (no effect)",
            "undeclared x_other.s: Declaration s by - (no effect)",
            "undeclared x_thing.gone: Address gone by - (no effect)",
            "var.a: Argument a by module.m argument given (no effect)",
            "var.a: Declaration a by var.a",
            "var.a: Value a by local.l (no effect)",
            "var.a: Value a by output.o (no effect)",
            "var.a: Value a by x_thing.t (no effect)",
            "var.b: Argument b by module.m argument given",
            "var.b: Declaration b by var.b",
            "var.b: Declaration b by var.b (no effect)",
            "var.b: Value b by - (no effect)",
            "var.b: Value b by local.l",
            "var.b: Value b by output.o",
            "var.b: Value b by x_thing.t",
            "var.b: Value b by x_thing.t (no effect)",
            "x_thing.t: Address t by - (no effect)",
            "x_thing.t: Declaration t by x_thing.t",
            "x_thing.t: Declaration t by x_thing.t (no effect)",
        ],
    );
}

#[test]
fn tests_and_files_of_variables() {
    let primary = r#"
terraform {
  required_providers {
    x = { source = "corp/x" }
  }
}
provider "x" {}
variable "a" {}
output "o" {
  value = var.a
}
resource "x_thing" "t" {}
check "c" {
  assert {
    condition     = var.a > 0
    error_message = "m"
  }
}
module "m" {
  source = "./m"
}
"#;
    let test = r#"
variables {
  a = 1
}
provider "x" {
  region = var.a
}
override_resource {
  target = x_thing.t
}
run "first" {
  variables {
    a = var.other
  }
  assert {
    condition     = output.o == x_thing.t.id && module.m.id == 1
    error_message = "m"
  }
}
run "second" {
  variables {
    a = run.first.o
  }
  providers       = { x = x }
  expect_failures = [check.c, var.a, output.o]
}
run "elsewhere" {
  module {
    source = "./other"
  }
  variables {
    a = 1
  }
}
"#;
    let files =
        [("main.tf", primary), ("main.tftest.hcl", test), ("x.tfvars", "a = 1\nunknown = 2\n")];
    check(
        Dialect::OpenTofu,
        &files,
        &[
            "built-in run.first: Value first by -",
            "check.c: Declaration c by check.c",
            "check.c: Expectation c by -",
            "module.m output id: Value id by -",
            "module.m: Declaration m by module.m",
            "module.m: Value m by - (part)",
            "output.o: Declaration o by output.o",
            "output.o: Expectation o by -",
            "output.o: Value o by -",
            "provider.x: Declaration x by provider.x",
            "provider.x: Implied - by x_thing.t",
            "provider.x: Key x by -",
            "provider.x: Pass x by -",
            "terraform.required_providers.x: Declaration x by terraform.required_providers.x",
            "undeclared var.other: Value other by -",
            "undeclared var.unknown: Key unknown by -",
            "var.a: Declaration a by var.a",
            "var.a: Expectation a by -",
            "var.a: Key a by -",
            "var.a: Value a by -",
            "var.a: Value a by check.c",
            "var.a: Value a by output.o",
            "x_thing.t: Address t by -",
            "x_thing.t: Declaration t by x_thing.t",
            "x_thing.t: Value t by -",
        ],
    );
}

#[test]
fn what_only_terraform_has() {
    let text = r#"
action "x_run" "go" {
  config {
    id = caller.id + local.l
  }
}
locals {
  l = resource.x_thing.t.id
}
resource "x_thing" "t" {
  lifecycle {
    action_trigger {
      events  = [before_create]
      actions = [action.x_run.go]
    }
  }
}
import {
  to = module.m.x_thing.t
  id = "i"
}
module "m" {
  source  = "./m"
  version = local.l
}
"#;
    check(
        Dialect::Terraform,
        &[("main.tf", text)],
        &[
            "action.x_run.go: Declaration go by action.x_run.go",
            "action.x_run.go: Run go by x_thing.t",
            "inherited x: Implied - by action.x_run.go",
            "inherited x: Implied - by x_thing.t",
            "local.l: Declaration l by local.l",
            "local.l: Value l by action.x_run.go",
            "local.l: Version l by module.m",
            "module.m within x_thing.t: Address t by import[0]",
            "module.m: Address m by import[0] (part)",
            "module.m: Declaration m by module.m",
            "x_thing.t: Declaration t by x_thing.t",
            "x_thing.t: Value t by local.l",
        ],
    );
}

#[test]
fn names_with_escapes_are_found_at_their_bytes() {
    let text = r#"{
        "variable": {"a\u0062": {}, "plain": {}},
        "locals": {"l": "\u0024{var.plain} ${\"x\" == var.ab ? var.\u0061b : var . plain}"}
    }"#;
    with_places(Dialect::OpenTofu, &[("main.tf.json", text)], |places, module, _| {
        let of = |name| {
            let number = module.object_number(simd_hcl::module::Object::Variable(name)).unwrap();
            let places = places.of_target(Target::Object(number));
            let text_at =
                |span: simd_hcl::Span| String::from_utf8_lossy(span.slice(text.as_bytes()));
            places
                .map(|it| {
                    (text_at(it.span()).into_owned(), it.name().map(|it| text_at(it).into_owned()))
                })
                .collect::<Vec<_>>()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            of("ab"),
            [
                ("a\\u0062".to_owned(), None),
                ("var.ab".to_owned(), some("ab")),
                ("var.\\u0061b".to_owned(), None)
            ]
        );
        assert_eq!(
            of("plain"),
            [
                ("plain".to_owned(), some("plain")),
                ("var.plain".to_owned(), some("plain")),
                ("var . plain".to_owned(), some("plain"))
            ]
        );
    });
}

#[test]
fn places_cost_as_much_as_their_module() {
    let text = |count: usize| {
        let uses: String = (0..count).map(|n| format!("  l{n} = [var.a, var.b{n}]\n")).collect();
        format!("variable \"a\" {{}}\nlocals {{\n{uses}}}\n")
    };
    let (small, large) = (text(10), text(2_000));
    for (text, count) in [(&small, 10), (&large, 2_000)] {
        let again = "locals {\n  l0 = var.a\n}\n";
        let files = [("main.tf", &**text), ("main_override.tf", again)];
        with_places(Dialect::OpenTofu, &files, |places, _, _| {
            assert_eq!(places.iter().filter(|it| it.has_effect()).count(), 3 * count);
            assert_eq!(places.bytes(), 24 * places.len());
        });
    }
}

/// The dependencies of a module are its places, seen by number.
fn agree<'a>(places: &Places, module: &Module<'a>, arena: &'a Arena) {
    let uses = module.analyse(arena, false, &mut ());
    let calls = |number: u32| {
        matches!(module.object(number), Some(simd_hcl::module::Object::ModuleCall(_)))
    };
    let mut edges = BTreeSet::new();
    let mut of_calls = BTreeSet::new();
    let mut arguments = BTreeSet::new();
    let mut inherited = BTreeSet::new();
    for place in places.iter().filter(|place| place.has_effect()) {
        let Some(user) = places.user(place) else { continue };
        let is_key_of_instance = place.usage() == PlaceUse::Instance;
        let is_provider =
            matches!(place.usage(), PlaceUse::Provider | PlaceUse::Pass | PlaceUse::Implied);
        if !place.usage().is_reference() && !is_provider && !is_key_of_instance {
            continue;
        }
        let argument = match places.argument(place) {
            Some(Target::Argument { name, .. }) => Some(name.to_owned()),
            _ => None,
        };
        match (places.target(place), argument) {
            (Target::Object(call), argument) if calls(call) => {
                of_calls.insert((user, argument, call));
            }
            (Target::Object(to), Some(name)) => {
                arguments.insert((user, name, to));
            }
            (Target::Object(to), None) => {
                edges.insert((user, to));
            }
            (Target::Inherited(name), _) => {
                inherited.insert((user, name.to_string()));
            }
            _ => {}
        }
    }
    assert_eq!(edges, uses.edges().iter().copied().collect());
    let known = uses.arguments().iter().map(|&(call, name, to)| (call, name.to_owned(), to));
    assert_eq!(arguments, known.collect());
    let known = uses.inherited().map(|(user, name)| (user, name.to_string()));
    assert_eq!(inherited, known.collect());
    let call = |name| module.object_number(simd_hcl::module::Object::ModuleCall(name)).unwrap();
    let known = uses.calls().iter().map(|it| {
        let name = it.reference.subject().module_call().unwrap();
        (it.from, it.argument.map(str::to_owned), call(name))
    });
    assert_eq!(of_calls, known.collect());
}

/// Visiting references finds the places.
fn visited(places: &Places, module: &Module<'_>) {
    let mut found = Vec::new();
    Places::visit_references(module, |it| {
        let what = match it.to {
            Referred::Function(name) => format!("function {name}"),
            Referred::Value(traversal, _) => traversal.to_string(),
            _ => unreachable!(),
        };
        found.push((it.user, it.usage, it.label.source.name().to_owned(), it.label.span, what));
    });
    let kept = places.iter().filter(|it| it.usage().is_reference() && it.has_effect());
    let kept: Vec<_> = kept.filter(|it| !it.is_part() && places.user(it).is_some()).collect();
    assert_eq!(found.len(), kept.len());
    for (place, (user, usage, file, span, what)) in kept.into_iter().zip(found) {
        assert_eq!((places.user(place), place.usage()), (Some(user), usage), "{what}");
        assert_eq!((places.file(place), place.span()), (&*file, span), "{what}");
        let is_function = matches!(places.target(place), Target::Function(_));
        assert_eq!(is_function, what.starts_with("function "), "{what}");
    }
}

#[test]
fn dependencies_are_places() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/monorepo");
    let sets = ["terraform", "opentofu", "expand"].map(simd_hcl_corpus::cases);
    let step = simd_hcl_corpus::sized([7, 1, 1]);
    let roots = sets.into_iter().flatten().step_by(step).chain([corpus]);
    let mut seen = 0;
    for root in roots {
        let discovery = discover(&[root], &DiscoverOptions::default());
        let arena = Arena::new();
        let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
        for module in tree.modules() {
            let places = module.places();
            agree(&places, &module.module, &arena);
            visited(&places, &module.module);
            seen += places.len();
        }
    }
    assert!(seen > 1000, "{seen} places");
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "main.tf", NATIVE.as_bytes()).unwrap();
    let file = [(List::Primary, ParsedFile::native(&arena, source))];
    let module = Module::read(Dialect::OpenTofu, file, false, &mut ());
    agree(&Places::of(&Parts::new(&module, &file)), &module, &arena);
}

#[test]
fn keys_of_provider_configurations_are_used() {
    let text = "variable \"v\" {}\nprovider \"x\" {\n  alias = \"by\"\n  for_each = toset([])\n}\nresource \"x_thing\" \"t\" {\n  provider = x.by[var.v]\n}\n";
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "main.tf", text.as_bytes()).unwrap();
    let file = [(List::Primary, ParsedFile::native(&arena, source))];
    let mut found = Vec::new();
    let module = Module::read(Dialect::OpenTofu, file, false, &mut found);
    let uses = module.analyse(&arena, false, &mut found);
    assert!(found.is_empty(), "{found:?}");
    assert!(uses.edges().contains(&(2, 0)));
}
