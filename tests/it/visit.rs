//! The visit of the expressions of a module: objects, uses, and the cost of overriding.

use simd_hcl::dialect::{BlockKind, List};
use simd_hcl::module::{Module, Reading, Wanted};
use simd_hcl::packer;
use simd_hcl::{Arena, Dialect, Document};

/// Reads a primary file and override files.
fn with_module(
    dialect: Dialect,
    files: &[&str],
    test: impl for<'a> FnOnce(&'a Arena, &Module<'a>),
) {
    let arena = Arena::new();
    let documents = files.iter().enumerate().map(|(place, text)| {
        let list = if place == 0 { List::Primary } else { List::Override };
        let name = format!("{place}.tf.json");
        (list, Document::parse_bytes(&arena, &name, text.as_bytes()).unwrap())
    });
    let module = Module::read(dialect, documents, false, &mut ());
    test(&arena, &module);
}

/// Returns one line per site: object, use, expected value, reading.
fn sites(module: &Module<'_>) -> Vec<String> {
    let objects: Vec<_> = module.objects().collect();
    let mut lines = Vec::new();
    module.visit_expressions(|site| {
        assert_eq!(objects[site.number as usize], site.object);
        assert_eq!(module.object_number(site.object), Some(site.number));
        assert!(module.declaration(site.object).is_some());
        let text = match site.reading {
            Reading::Traversal(traversal) => traversal.to_string(),
            Reading::Provider(reference) => reference.to_string(),
            _ => {
                let value = site.expression().unwrap();
                String::from_utf8(value.text().to_vec()).unwrap()
            }
        };
        let wanted = match site.wanted {
            Wanted::Any => String::new(),
            wanted => format!(" ({wanted:?})"),
        };
        lines.push(format!("{} {:?}{wanted}: {text}", site.object, site.usage));
    });
    lines
}

#[test]
fn every_expression_has_its_place() {
    let json = r#"{
        "variable": {"v": {"type": "string", "default": "d",
            "validation": {"condition": "${var.v != 1}", "error_message": "m"}}},
        "locals": {"l": "${var.v}"},
        "output": {"o": {"value": "${local.l}", "depends_on": ["x_thing.t"]}},
        "provider": {"x": {"alias": "a", "for_each": "${var.v}", "region": "r"}},
        "resource": {"x_thing": {"t": {"count": 1, "size": "${count.index}", "provider": "x.a[0]",
            "lifecycle": {"prevent_destroy": "${var.v}", "replace_triggered_by": ["x_thing.u"]}}}},
        "module": {"m": {"source": "./m", "given": 1, "providers": {"y": "x.a"}}},
        "check": {"c": {"assert": {"condition": "${local.l}", "error_message": "${local.l}"}}},
        "import": {"to": "x_thing.t[0]", "id": "i"},
        "moved": {"from": "x_thing.s", "to": "x_thing.t"},
        "removed": {"from": "x_thing.gone", "lifecycle": {"destroy": true},
            "provisioner": {"local-exec": {"when": "destroy", "command": "${self.id}"}}},
        "terraform": {
            "required_providers": {"x": {"source": "corp/x"}},
            "provider_meta": {"x": {"name": "${var.v}"}},
            "backend": {"s3": {"bucket": "${var.v}"}},
            "encryption": {
                "key_provider": {"k": {"used": {"a": 1}, "unused": {"b": 2}}},
                "method": {"m": {"main": {"keys": "${key_provider.k.used}"}}},
                "state": {"method": "method.m.main"}
            }
        }
    }"#;
    with_module(Dialect::OpenTofu, &[json], |_, module| {
        let expected = [
            r#"var.v Literal: "string""#,
            r#"var.v Literal: "d""#,
            r#"var.v Value: "${var.v != 1}""#,
            r#"var.v Value (ValidationMessage): "m""#,
            r#"local.l Value: "${var.v}""#,
            r#"output.o Value: "${local.l}""#,
            "output.o Order: x_thing.t",
            r#"provider.x.a Early: "${var.v}""#,
            r#"provider.x.a Value: "r""#,
            "x_thing.t Value (Count): 1",
            r#"x_thing.t Value: "${count.index}""#,
            r#"x_thing.t Guard (Guard): "${var.v}""#,
            r#"x_thing.t Trigger: "x_thing.u""#,
            "x_thing.t Provider: x.a[0]",
            r#"module.m Source: "./m""#,
            r#"module.m Argument("given"): 1"#,
            r#"module.m Pass(ProviderConfigName { local_name: "y", alias: None }): x.a"#,
            r#"check.c Value: "${local.l}""#,
            r#"check.c Value (Message): "${local.l}""#,
            r#"import[0] Value (Identifier): "i""#,
            r#"import[0] Address: "x_thing.t[0]""#,
            "moved[0] Address: x_thing.s",
            "moved[0] Address: x_thing.t",
            "removed[0] Address: x_thing.gone",
            r#"removed[0] Value: "${self.id}""#,
            r#"terraform.backend Early: "${var.v}""#,
            "terraform.encryption Early: 1",
            "terraform.encryption Unevaluated: 2",
            r#"terraform.encryption Early: "${key_provider.k.used}""#,
            "terraform.encryption Method: method.m.main",
            r#"terraform.provider_meta.x Value: "${var.v}""#,
            r#"terraform.required_providers.x Literal: {"source": "corp/x"}"#,
        ];
        let found = sites(module);
        assert_eq!(found, expected, "{found:#?}");
        let mut references = Vec::new();
        module.visit_references(|object, usage, traversal| {
            assert!(usage.is_reference());
            references.push(format!("{object} -> {traversal}"));
        });
        assert!(references.contains(&"terraform.backend -> var.v".to_owned()));
        assert!(!references.iter().any(|it| it.contains("key_provider") || it.contains("-> x.a")));
        let kinds: Vec<_> = module.objects().map(|object| object.block_kind()).collect();
        assert!(kinds.contains(&BlockKind::Terraform) && kinds.contains(&BlockKind::Locals));
    });
}

#[test]
fn settings_of_terraform_are_visited() {
    let json = r#"{"terraform": {"cloud": {"organization": "${var.o}", "workspaces": {"name": "w"}},
        "state_store": {"x_store": {"provider": {"x": {"a": "${var.p}"}}}}}}"#;
    with_module(Dialect::Terraform, &[json], |_, module| {
        let expected = [
            r#"terraform.cloud Early: "${var.o}""#,
            r#"terraform.cloud Early: {"name": "w"}"#,
            r#"terraform.state_store Early: {"x": {"a": "${var.p}"}}"#,
        ];
        assert_eq!(sites(module), expected);
    });
}

#[test]
fn uses_have_provider_configurations() {
    let json = r#"{
        "provider": {"x": [{}, {"alias": "a"}]},
        "resource": {"x_thing": {"t": {}, "u": {"provider": "x.a"}}, "y_thing": {"t": {}}},
        "module": {"m": {"source": "./m", "providers": {"x": "x.a", "z": "z.b"}}}
    }"#;
    with_module(Dialect::OpenTofu, &[json], |arena, module| {
        let objects: Vec<_> = module.objects().map(|object| object.to_string()).collect();
        let uses = module.analyse(arena, false, &mut ());
        let name = |number: u32| &*objects[number as usize];
        let edges: Vec<_> = uses.edges().iter().map(|&(from, to)| (name(from), name(to))).collect();
        assert_eq!(
            edges,
            [
                ("x_thing.t", "provider.x"),
                ("x_thing.u", "provider.x.a"),
                ("module.m", "provider.x.a")
            ]
        );
        let inherited: Vec<_> =
            uses.inherited().map(|(from, to)| (name(from), to.to_string())).collect();
        assert_eq!(inherited, [("y_thing.t", "y".to_owned()), ("module.m", "z.b".to_owned())]);
        assert!(uses.calls().is_empty() && uses.arguments().is_empty());
    });
}

#[test]
fn an_override_changes_the_type_of_an_output() {
    let base = r#"{"output": {"o": {"value": 1, "type": "string"}}}"#;
    let new = r#"{"output": {"o": {"type": "number"}}}"#;
    with_module(Dialect::Terraform, &[base, new], |_, module| {
        let output = module.outputs.get("o").unwrap();
        assert_eq!(output.constraint.unwrap().ty.to_string(), "number");
        assert!(output.value.is_some());
    });
}

#[test]
fn overriding_is_linear() {
    // The cost is measured in bytes of the arena.
    let cost = |blocks: usize| {
        let base = r#"{"resource": {"x": {"r": {"a": 0}}}, "provider": {"x": {"a": 0}},
            "module": {"m": {"source": "./m", "a": 0}}, "action": {"x": {"a": {"config": {"a": 0}}}}}"#;
        let of = |block: &dyn Fn(usize) -> String| {
            let all: Vec<_> = (0..blocks).map(block).collect();
            all.join(", ")
        };
        let plain = of(&|at| format!(r#"{{"a{at}": {at}}}"#));
        let config = of(&|at| format!(r#"{{"config": {{"a{at}": {at}}}}}"#));
        let new = format!(
            r#"{{"resource": {{"x": {{"r": [{plain}]}}}}, "provider": {{"x": [{plain}]}},
            "module": {{"m": [{plain}]}}, "action": {{"x": {{"a": [{config}]}}}}}}"#
        );
        let mut arena = Arena::new();
        {
            let files = [
                (
                    List::Primary,
                    Document::parse_bytes(&arena, "a.tf.json", base.as_bytes()).unwrap(),
                ),
                (
                    List::Override,
                    Document::parse_bytes(&arena, "b.tf.json", new.as_bytes()).unwrap(),
                ),
            ];
            let module = Module::read(Dialect::Terraform, files, false, &mut ());
            let call = module.calls.get("m").unwrap();
            assert_eq!(call.arguments.len(), blocks + 1);
            let resource = module.resources.iter().next().unwrap();
            assert_eq!(resource.config().properties().count(), blocks + 1);
            let action = module.actions.iter().next().unwrap();
            assert_eq!(action.config.unwrap().bodies().len(), blocks + 1);
            let mut references = 0;
            module.visit_expressions(|_| references += 1);
            assert!(references >= 4 * blocks);
        }
        arena.allocated_bytes()
    };
    let (once, twice) = (cost(2_000), cost(4_000));
    assert!(twice < 3 * once, "{once} {twice}");
}

/// The analysis evaluates some templates, and keeps no program of them.
#[test]
fn the_analysis_keeps_nothing_of_templates() {
    let count = if cfg!(miri) { 10 } else { 20_000 };
    let resource = |number| format!(r#""r{number}": {{"count": "${{var.list[0]}}"}}"#);
    let resources: Vec<String> = (0..count).map(resource).collect();
    let text = format!(
        r#"{{"variable": {{"list": {{}}}}, "resource": {{"t": {{{}}}}}}}"#,
        resources.join(", ")
    );
    let cost = |is_analysed: bool| {
        let mut arena = Arena::new();
        {
            let document = Document::parse_bytes(&arena, "a.tf.json", text.as_bytes()).unwrap();
            let files = [(List::Primary, document)];
            let module = Module::read(Dialect::OpenTofu, files, false, &mut ());
            if is_analysed {
                assert_eq!(module.analyse(&arena, false, &mut ()).edges().len(), count);
            }
        }
        arena.allocated_bytes()
    };
    let (read, analysed) = (cost(false), cost(true));
    // A chunk may have just been allocated.
    assert!(analysed < read + 64 * count + (1 << 20), "{read} {analysed}");
}

#[test]
fn templates_of_packer_have_the_same_visit() {
    let json = r#"{
        "variable": {"v": {"default": "d", "validation": {"condition": "${var.v != 1}", "error_message": "m"}}},
        "locals": {"l": "${var.v}"},
        "data": {"x": {"d": {"a": "${local.l}"}}},
        "source": {"x": {"s": {"a": "${data.x.d.id}"}}},
        "build": {"name": "${local.l}", "sources": ["source.x.s"],
            "provisioner": {"shell": {"inline": ["${build.ID}"]}}}
    }"#;
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "a.pkr.json", json.as_bytes()).unwrap();
    let files = [(List::Primary, document)];
    let template = packer::Template::read(files, &packer::Options::default(), &mut ());
    let objects: Vec<_> = template.objects().collect();
    let mut lines = Vec::new();
    template.visit_expressions(|site| {
        assert_eq!(objects[site.number as usize], site.object);
        assert_eq!(template.object_number(site.object), Some(site.number));
        assert!(template.declaration(site.object).is_some());
        site.visit_references(|reference| lines.push(format!("{} -> {reference}", site.object)));
    });
    let expected = [
        "var.v -> var.v",
        "local.l -> var.v",
        "data.x.d -> local.l",
        "source.x.s -> data.x.d.id",
        "build[0] -> local.l",
        "build[0] -> source.x.s",
        "build[0] -> build.ID",
    ];
    assert_eq!(lines, expected);
    let uses = template.analyse(&arena, false, &mut ());
    let name = |number: u32| objects[number as usize].to_string();
    let edges: Vec<_> =
        uses.edges().iter().map(|&(from, to)| name(from) + " " + &name(to)).collect();
    assert_eq!(
        edges,
        [
            "var.v var.v",
            "local.l var.v",
            "data.x.d local.l",
            "source.x.s data.x.d",
            "build[0] local.l",
            "build[0] source.x.s"
        ]
    );
}

#[test]
fn keys_of_import_addresses_use_values() {
    let json = r#"{
        "locals": {"key": "k", "moved": 1, "target": 2},
        "resource": {"x_thing": {"t": {"for_each": {"k": 1}}}},
        "import": {"to": "x_thing.t[local.key]", "id": "i"},
        "moved": {"from": "local.moved", "to": "local.target"}
    }"#;
    with_module(Dialect::OpenTofu, &[json], |arena, module| {
        let objects: Vec<_> = module.objects().map(|object| object.to_string()).collect();
        let uses = module.analyse(arena, false, &mut ());
        let edges: Vec<_> = uses
            .edges()
            .iter()
            .map(|&(from, to)| (&*objects[from as usize], &*objects[to as usize]))
            .collect();
        assert_eq!(edges, [("import[0]", "local.key")]);
    });
}

/// References to provider configurations are listed without opening bodies.
#[test]
fn provider_references_are_those_of_the_visit() {
    let json = r#"{
        "provider": {"x": [{"alias": "a"}, {"alias": "b"}]},
        "resource": {"x_thing": {"t": {"provider": "x.a", "size": 1}, "u": {"size": "${x_thing.t.id}"}}},
        "data": {"x_all": {"d": {"provider": "x.b"}}},
        "module": {"m": {"source": "./m", "providers": {"y": "x.a", "x": "x.b"}}},
        "action": {"x_run": {"r": {"provider": "x.a"}}},
        "check": {"c": {"data": {"x_all": {"e": {"provider": "x.b"}}},
            "assert": {"condition": "${data.x_all.e.ok}", "error_message": "m"}}},
        "import": {"to": "x_thing.t", "id": "i", "provider": "x.b"}
    }"#;
    for dialect in [Dialect::Terraform, Dialect::OpenTofu] {
        with_module(dialect, &[json], |_, module| {
            let mut visited = Vec::new();
            module.visit_expressions(|site| {
                if let Reading::Provider(reference) = site.reading {
                    visited.push(reference.name());
                }
            });
            let mut listed: Vec<_> =
                module.provider_references().map(|reference| reference.name()).collect();
            visited.sort();
            listed.sort();
            assert!(listed.len() >= 6, "{listed:?}");
            assert_eq!(listed, visited);
        });
    }
}

/// A large module is read and analysed in runs, on several threads: findings and dependencies are
/// those of one run, in the same order.
#[test]
fn large_modules_are_analysed_in_runs() {
    const COUNT: usize = 20_000;
    let resource = |number: usize| {
        let refers = match number % 5 {
            0 => format!("${{x_thing.r{}.id}}", (number + COUNT / 2) % COUNT),
            1 => format!("${{local.missing_{number}}}"),
            2 => "${module.m.out}".to_owned(),
            3 => "${data.x_all.d.ids}".to_owned(),
            _ => "${var.v}".to_owned(),
        };
        let provider = if number.is_multiple_of(3) { r#""provider": "y.a", "# } else { "" };
        // Every hundredth has a name that another one has.
        let name = if number % 100 == 99 { number - 1 } else { number };
        format!(
            r#"{{"r{name}": {{{provider}"size": "{refers}", "count": "${{true ? \"x\" : \"y\"}}"}}}}"#
        )
    };
    let resources: Vec<String> = (0..COUNT).map(resource).collect();
    let json = format!(
        r#"{{"variable": {{"v": {{}}, "unused": {{}}}}, "module": {{"m": {{"source": "./m"}}}},
            "data": {{"x_all": {{"d": {{}}}}}}, "resource": {{"x_thing": [{}]}},
            "output": {{"o": {{"value": "${{x_thing.r0.id}}"}}}}}}"#,
        resources.join(",\n")
    );
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "a.tf.json", json.as_bytes()).unwrap();
    let mut found = Vec::new();
    let files = [(List::Primary, document)];
    let module = Module::read(Dialect::Terraform, files, false, &mut found);
    assert_eq!(found.len(), COUNT / 100);
    assert_eq!(module.resources.len(), 1 + COUNT - COUNT / 100);
    assert!(found.is_sorted_by_key(|it| it.span().start));
    let mut found = Vec::new();
    let uses = module.analyse(&arena, false, &mut found);
    let of = |code: &str| {
        let spans = found.iter().filter(|it| it.code().as_str() == code);
        spans.map(|it| it.span().start).collect::<Vec<_>>()
    };
    let kept = |wanted: usize| (0..COUNT).filter(|it| it % 5 == wanted && it % 100 != 99).count();
    for (code, count) in [
        ("undeclared-reference", kept(1)),
        ("unused-declaration", 1),
        ("count-value", COUNT - COUNT / 100),
    ] {
        let spans = of(code);
        assert_eq!(spans.len(), count, "{code}");
        assert!(spans.is_sorted(), "{code}");
    }
    let number = |place: usize| {
        let name = format!("r{place}");
        let is_it =
            |object: &simd_hcl::module::Object<'_>| object.to_string() == format!("x_thing.{name}");
        module.objects().position(|object| is_it(&object)).unwrap() as u32
    };
    let (first, middle) = (number(0), number(COUNT / 2));
    assert!(uses.edges().contains(&(first, middle)) && uses.edges().contains(&(middle, first)));
    assert!(uses.edges().is_sorted_by_key(|edge| edge.0));
    assert_eq!(uses.calls().len(), kept(2));
    assert!(uses.calls().is_sorted_by_key(|call| call.from));
    let inherited: Vec<_> = uses.inherited().collect();
    assert_eq!(inherited.len(), module.resources.len());
    let of_alias = inherited.iter().filter(|(_, name)| name.to_string() == "y.a").count();
    assert_eq!(of_alias, (0..COUNT).filter(|it| it.is_multiple_of(3) && it % 100 != 99).count());
}
