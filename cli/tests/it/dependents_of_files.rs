//! `dependents FILE` for files that declare no objects.

use crate::tool::{list, run, stderr, tree};

#[test]
fn files_lead_to_what_they_decide() {
    let directory = tree(&[
        ("m/main.tf", "variable \"a\" {}\nvariable \"b\" {}\noutput \"o\" {\n  value = var.a\n}\n"),
        ("m/terraform.tfvars", "a = 1\n"),
        ("m/prod.tfvars.json", "{\"b\": 1}"),
        ("m/.terraform.lock.hcl", ""),
        ("m/data.txt", "1"),
        (
            "m/b.tftest.hcl",
            "run \"first\" {\n  command = plan\n}\nrun \"second\" {\n  variables {\n    a = file(\"data.txt\")\n  }\n}\n",
        ),
        (
            "m/tests/a.tftest.hcl",
            "variables {\n  a = file(\"data.txt\")\n}\nrun \"third\" {\n  command = plan\n}\n",
        ),
        ("app/main.tf", "module \"m\" {\n  source = \"../m\"\n  a      = 1\n  b      = 2\n}\n"),
    ]);
    for (file, expected) in [
        ("m/terraform.tfvars", &[("m", "output.o"), ("m", "var.a")][..]),
        ("m/prod.tfvars.json", &[("m", "var.b")]),
        ("m/.terraform.lock.hcl", &[("m", "module")]),
        ("m/b.tftest.hcl", &[("m", "run.first"), ("m", "run.second")]),
        ("m/tests/a.tftest.hcl", &[("m", "run.third")]),
        ("m/data.txt", &[("m", "run.second"), ("m", "run.third")]),
    ] {
        let output = run(directory.path(), &["dependents", file, ".", "--format", "json"]);
        let rows = list(&output, "dependents");
        let mut rows: Vec<(&str, &str)> = rows
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["module"].as_str().unwrap(), row["address"].as_str().unwrap()))
            // The call of the module depends on most of it.
            .filter(|(module, _)| *module == "m")
            .collect();
        rows.sort_unstable();
        assert_eq!(rows, expected, "{file}");
    }
}

/// A name that no file has is close to one in the same directory.
#[test]
fn names_of_files_are_suggested() {
    let directory = tree(&[("m/main.tf", "variable \"a\" {}\n"), ("m/data.txt", "")]);
    for (file, near) in [("m/dato.txt", "m/data.txt"), ("./m/dato.txt", "./m/data.txt")] {
        let error = stderr(&run(directory.path(), &["dependents", file]));
        assert!(error.contains(&format!("did you mean {near}?")), "{error}");
    }
}
