//! A repository in which root modules depend on files in every way, and the truth about it: which root
//! modules read which file is known when it is written, not found out from it.
//!
//! Root modules are `live/r00042`, the modules that they call `lib/m0007`. Each has several of the ways
//! in [`OF_ROOTS`] or [`OF_MODULES`], so that another way is a row there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use crate::rng::Rng;

/// The options of [`readers`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReaderOptions {
    /// Root modules; a quarter as many modules are called.
    pub roots: u64,
    /// The same seed gives the same repository, on every platform.
    pub seed: u64,
}

/// Which root modules read which file: by path, from the directory of the repository. Files that do not
/// exist yet are among them, and files that nobody reads.
pub type Readers = BTreeMap<String, BTreeSet<String>>;

/// A way to depend on files. `@` is a number, so that names differ.
struct Way {
    /// The text that is added to the configuration.
    text: &'static str,
    /// The files that exist, and their content. Paths start at the directory of the module.
    files: &'static [(&'static str, &'static str)],
    /// Paths whose changes affect the root module.
    reads: &'static [&'static str],
    /// Paths whose changes affect nothing.
    others: &'static [&'static str],
}

const fn way(
    text: &'static str,
    files: &'static [(&'static str, &'static str)],
    reads: &'static [&'static str],
    others: &'static [&'static str],
) -> Way {
    Way { text, files, reads, others }
}

/// Ways of root modules.
const OF_ROOTS: &[Way] = &[
    way(
        "output \"o@\" {\n  value = file(\"${path.module}/f@.txt\")\n}\n",
        &[("f@.txt", "x")],
        &["f@.txt"],
        &["f@.txt.bak"],
    ),
    way(
        "locals {\n  a@ = templatefile(\"${path.module}/t@.tpl\", { n = \"x\" })\n}\n",
        &[("t@.tpl", "${n}")],
        &["t@.tpl"],
        &["t@.txt"],
    ),
    way(
        "locals {\n  b@ = templatefile(\"t@.tpl\", { dir = \"in@\" })\n}\n",
        &[("t@.tpl", "${file(\"${dir}/one.txt\")}"), ("in@/one.txt", "x"), ("in@/two.txt", "x")],
        &["t@.tpl", "in@/one.txt"],
        &["in@/two.txt"],
    ),
    way(
        "resource \"x_y\" \"a@\" {\n  hash = filebase64sha256(\"z@.zip\")\n}\n",
        &[("z@.zip", "x")],
        &["z@.zip"],
        &["z@/zip"],
    ),
    way(
        "resource \"x_y\" \"b@\" {\n  hash = filemd5(\"${path.root}/z@.bin\")\n}\n",
        &[("z@.bin", "x")],
        &["z@.bin"],
        &[],
    ),
    way(
        "locals {\n  c@ = fileset(path.module, \"set@/*.json\")\n}\n",
        &[("set@/a.json", "{}"), ("set@/a.txt", "")],
        &["set@/a.json", "set@/new.json"],
        &["set@/a.txt", "set@/in/b.json"],
    ),
    way(
        "resource \"x_y\" \"c@\" {\n  for_each = fileset(\"${path.module}/deep@\", \"**/*.yaml\")\n  content  = file(\"${path.module}/deep@/${each.value}\")\n}\n",
        &[("deep@/a/b.yaml", "x")],
        &["deep@/a/b.yaml", "deep@/new.yaml", "deep@/x/y/z.yaml"],
        &["deep@/a/b.yml"],
    ),
    way(
        "data \"archive_file\" \"d@\" {\n  source_dir = \"${path.module}/src@\"\n  output_path = \"out@.zip\"\n}\n",
        &[("src@/a.py", "x")],
        &["src@/a.py", "src@/in/new.py"],
        &["src@.py"],
    ),
    way(
        "data \"archive_file\" \"e@\" {\n  source_file = \"one@.py\"\n}\n",
        &[("one@.py", "x")],
        &["one@.py"],
        &["one@.pyc"],
    ),
    way(
        "resource \"helm_release\" \"f@\" {\n  chart  = \"./chart@\"\n  values = [\"${path.module}/vals@.yaml\"]\n}\n",
        &[("chart@/Chart.yaml", ""), ("vals@.yaml", "")],
        &["chart@/Chart.yaml", "chart@/templates/new.yaml", "vals@.yaml"],
        &[],
    ),
    way(
        "resource \"x_y\" \"g@\" {\n  outer {\n    inner {\n      path = \"nest@/a.conf\"\n    }\n  }\n}\n",
        &[("nest@/a.conf", "")],
        &["nest@/a.conf"],
        &["nest@/b.conf"],
    ),
    way(
        "resource \"x_y\" \"h@\" {\n  dynamic \"part\" {\n    for_each = [\"one\", \"two\"]\n    content {\n      file = \"dyn@/${part.value}.txt\"\n    }\n  }\n}\n",
        &[("dyn@/one.txt", ""), ("dyn@/two.txt", ""), ("dyn@/three.txt", "")],
        &["dyn@/one.txt", "dyn@/two.txt"],
        &["dyn@/three.txt"],
    ),
    way(
        "resource \"x_y\" \"i@\" {\n  provisioner \"file\" {\n    source      = \"prov@/a.conf\"\n    destination = \"/etc/a.conf\"\n  }\n}\n",
        &[("prov@/a.conf", "")],
        &["prov@/a.conf"],
        &["prov@/b.conf"],
    ),
    way(
        "resource \"x_y\" \"j@\" {\n  provisioner \"local-exec\" {\n    command = \"bash ${path.module}/run@.sh --now\"\n  }\n}\n",
        &[("run@.sh", "")],
        &["run@.sh"],
        &["now@"],
    ),
    way(
        "resource \"x_y\" \"k@\" {\n  provisioner \"remote-exec\" {\n    scripts = [\"s@/a.sh\", \"s@/b.sh\"]\n  }\n}\n",
        &[("s@/a.sh", ""), ("s@/b.sh", "")],
        &["s@/a.sh", "s@/b.sh"],
        &["s@/c.sh"],
    ),
    way(
        "provider \"x\" {\n  alias       = \"p@\"\n  config_path = \"kube@/config\"\n}\n",
        &[("kube@/config", "")],
        &["kube@/config"],
        &["kube@/other"],
    ),
    way(
        "module \"r@\" {\n  source      = \"terraform-aws-modules/lambda/aws\"\n  source_path = \"${path.module}/fn@\"\n}\n",
        &[("fn@/a.js", "")],
        &["fn@/a.js", "fn@/b/new.js"],
        &[],
    ),
    way(
        "locals {\n  d@ = \"${path.module}/../../shared/s-@.txt\"\n  e@ = local.d@\n}\nresource \"x_y\" \"l@\" {\n  text = file(local.e@)\n}\n",
        &[("../../shared/s-@.txt", "x")],
        &["../../shared/s-@.txt"],
        &["../../shared/other-@.txt"],
    ),
    way(
        "locals {\n  f@ = join(\"/\", [path.module, \"join@\", \"a.ini\"])\n}\nresource \"x_y\" \"m@\" {\n  text = file(local.f@)\n}\n",
        &[("join@/a.ini", "x")],
        &["join@/a.ini"],
        &["join@/b.ini"],
    ),
    way(
        "resource \"x_y\" \"n@\" {\n  text = file(format(\"%s/fmt@/%02d.txt\", path.module, 7))\n}\n",
        &[("fmt@/07.txt", "x")],
        &["fmt@/07.txt"],
        &["fmt@/08.txt"],
    ),
    way(
        "variable \"g@\" {\n  default = \"dev\"\n}\nresource \"x_y\" \"o@\" {\n  text = file(var.g@ == \"prod\" ? \"if@/p.txt\" : \"if@/d.txt\")\n}\n",
        &[("if@/p.txt", "x"), ("if@/d.txt", "x")],
        &["if@/d.txt"],
        &["if@/p.txt"],
    ),
    way(
        "variable \"h@\" {\n  default = \"b\"\n}\nlocals {\n  i@ = {\n    a = \"map@/a.tpl\"\n    b = \"map@/b.tpl\"\n  }\n}\nresource \"x_y\" \"p@\" {\n  text = templatefile(local.i@[var.h@], {})\n}\n",
        &[("map@/a.tpl", "x"), ("map@/b.tpl", "x")],
        &["map@/b.tpl"],
        &["map@/a.tpl"],
    ),
    way(
        "locals {\n  j@ = [for n in [\"a\", \"b\"] : file(\"for@/${n}.txt\")]\n}\n",
        &[("for@/a.txt", "x"), ("for@/b.txt", "x"), ("for@/c.txt", "x")],
        &["for@/a.txt", "for@/b.txt"],
        &["for@/c.txt"],
    ),
    way(
        "resource \"x_y\" \"q@\" {\n  for_each = { one = \"each@/1.txt\", two = \"each@/2.txt\" }\n  source   = each.value\n  key      = \"keys@/${each.key}\"\n}\n",
        &[("each@/1.txt", ""), ("each@/2.txt", ""), ("keys@/one", "")],
        &["each@/1.txt", "each@/2.txt", "keys@/one", "keys@/two"],
        &["each@/3.txt", "keys@/three"],
    ),
    way(
        "resource \"x_y\" \"r@\" {\n  count  = 2\n  source = \"count@/${count.index}.txt\"\n}\n",
        &[("count@/0.txt", ""), ("count@/1.txt", "")],
        &["count@/0.txt", "count@/1.txt"],
        &["count@/2.txt"],
    ),
    way(
        "locals {\n  k@ = jsondecode(file(\"list@.json\"))\n}\nresource \"x_y\" \"s@\" {\n  source = local.k@.files[0]\n}\n",
        &[("list@.json", "{\"files\": [\"jd@/a.txt\"]}"), ("jd@/a.txt", "")],
        &["list@.json", "jd@/a.txt"],
        &["jd@/b.txt"],
    ),
    way(
        "locals {\n  l@ = yamldecode(file(\"list@.yml\"))\n}\nresource \"x_y\" \"t@\" {\n  text = file(local.l@.one.two)\n}\n",
        &[("list@.yml", "one:\n  two: yd@/a.txt\n"), ("yd@/a.txt", "x")],
        &["list@.yml", "yd@/a.txt"],
        &["yd@/b.txt"],
    ),
    way(
        "locals {\n  m@ = csvdecode(file(\"rows@.csv\"))\n}\nresource \"x_y\" \"u@\" {\n  for_each = { for row in local.m@ : row.name => row.path }\n  source   = each.value\n}\n",
        &[("rows@.csv", "name,path\na,csv@/a.txt\n"), ("csv@/a.txt", "")],
        &["rows@.csv", "csv@/a.txt"],
        &["csv@/b.txt"],
    ),
    way(
        "variable \"given@\" {\n  type = string\n}\nresource \"x_y\" \"v@\" {\n  source = var.given@\n}\n",
        &[("given@.auto.tfvars", "given@ = \"tv@/a.txt\"\n"), ("tv@/a.txt", "")],
        &["tv@/a.txt", "given@.auto.tfvars"],
        &["tv@/b.txt"],
    ),
    way(
        "variable \"n@\" {\n  default = [\"def@/a.txt\"]\n}\nresource \"x_y\" \"w@\" {\n  sources = var.n@\n}\n",
        &[("def@/a.txt", "")],
        &["def@/a.txt"],
        &["def@/b.txt"],
    ),
    way(
        "resource \"x_y\" \"x@\" {\n  source = \"${path.cwd}/cwd@.txt\"\n}\n",
        &[("cwd@.txt", "")],
        &["cwd@.txt"],
        &["cwd@.md"],
    ),
    way(
        "resource \"x_y\" \"y@\" {\n  source = abspath(\"abs@.txt\")\n}\n",
        &[("abs@.txt", "")],
        &["abs@.txt"],
        &["abs@.md"],
    ),
    way(
        "output \"p@\" {\n  value = \"out@/a.txt\"\n}\n",
        &[("out@/a.txt", "")],
        &["out@/a.txt"],
        &["out@/b.txt"],
    ),
    way(
        "resource \"x_y\" \"z@\" {\n  text = try(file(\"try@/none.txt\"), file(\"try@/some.txt\"))\n}\n",
        &[("try@/some.txt", "x")],
        &["try@/none.txt", "try@/some.txt"],
        &["try@/other.txt"],
    ),
    way(
        "resource \"x_y\" \"aa@\" {\n  source = coalesce(\"\", \"coal@/a.txt\")\n}\n",
        &[("coal@/a.txt", "")],
        &["coal@/a.txt"],
        &[],
    ),
    way(
        "locals {\n  q@ = merge({ a = \"mrg@/a.txt\" }, { b = \"mrg@/b.txt\" })\n}\nresource \"x_y\" \"ab@\" {\n  files = values(local.q@)\n}\n",
        &[("mrg@/a.txt", ""), ("mrg@/b.txt", "")],
        &["mrg@/a.txt", "mrg@/b.txt"],
        &["mrg@/c.txt"],
    ),
    way(
        "resource \"x_y\" \"ac@\" {\n  source = \"ac@\"\n\n  lifecycle {\n    precondition {\n      condition     = fileexists(\"pre@.txt\")\n      error_message = \"missing\"\n    }\n  }\n}\n",
        &[("pre@.txt", "")],
        &["pre@.txt"],
        &["pre@.md"],
    ),
    way(
        "check \"ad@\" {\n  assert {\n    condition     = length(file(\"chk@.txt\")) > 0\n    error_message = \"empty\"\n  }\n}\n",
        &[("chk@.txt", "x")],
        &["chk@.txt"],
        &["chk@.md"],
    ),
    way(
        "resource \"x_y\" \"ae@\" {\n  count = 0\n  file  = \"zero@.txt\"\n}\n",
        &[("zero@.txt", "")],
        &["zero@.txt"],
        &["zero@.md"],
    ),
    way(
        "resource \"x_y\" \"af@\" {\n  source = replace(\"rep@_a.txt\", \"_\", \"/\")\n}\n",
        &[("rep@/a.txt", "")],
        &["rep@/a.txt"],
        &["rep@_b.txt"],
    ),
    way(
        "resource \"x_y\" \"ag@\" {\n  sources = [for f in split(\",\", \"spl@/a.txt,spl@/b.txt\") : trimspace(f)]\n}\n",
        &[("spl@/a.txt", ""), ("spl@/b.txt", "")],
        &["spl@/a.txt", "spl@/b.txt"],
        &["spl@/c.txt"],
    ),
    way(
        "resource \"x_y\" \"ah@\" {\n  text = templatestring(local.r@, {})\n}\nlocals {\n  r@ = file(\"ts@.tpl\")\n}\n",
        &[("ts@.tpl", "$${file(\"tsi@.txt\")}")],
        &["ts@.tpl"],
        &["ts@.txt"],
    ),
    way(
        "ephemeral \"x_y\" \"ai@\" {\n  file = \"eph@.txt\"\n}\n",
        &[("eph@.txt", "")],
        &["eph@.txt"],
        &["eph@.md"],
    ),
    way(
        "resource \"x_y\" \"aj@\" {\n  source = \"up@/../up@/./a.txt\"\n}\n",
        &[("up@/a.txt", "")],
        &["up@/a.txt"],
        &["up@/b.txt"],
    ),
    way(
        "resource \"x_y\" \"ak@\" {\n  text = file(\"${dirname(\"dn@/x/y.txt\")}/z.txt\")\n}\n",
        &[("dn@/x/z.txt", "x")],
        &["dn@/x/z.txt"],
        &["dn@/x/w.txt"],
    ),
    way(
        "variable \"unset@\" {\n  type = string\n}\nresource \"x_y\" \"al@\" {\n  name = var.unset@\n  tags = { a = \"${var.unset@}-b\" }\n}\n",
        &[],
        &[],
        &["al@.txt"],
    ),
    way(
        "resource \"x_y\" \"am@\" {\n  connection {\n    private_key = file(\"key@.pem\")\n  }\n\n  provisioner \"remote-exec\" {\n    inline = [\"true\"]\n  }\n}\n",
        &[("key@.pem", "x")],
        &["key@.pem"],
        &["key@.pub"],
    ),
];

/// Ways of modules that root modules call. Paths that start with `%` are those of the root module.
const OF_MODULES: &[Way] = &[
    way(
        "locals {\n  a@ = file(\"${path.module}/own@.txt\")\n}\n",
        &[("own@.txt", "x")],
        &["own@.txt"],
        &["own@.md"],
    ),
    way(
        "locals {\n  b@ = file(\"${path.root}/conf@.json\")\n}\n",
        &[("%conf@.json", "{}")],
        &["%conf@.json"],
        &["conf@.json"],
    ),
    way(
        "resource \"x_y\" \"a@\" {\n  source = \"rel@/a.txt\"\n}\n",
        &[("%rel@/a.txt", "")],
        &["%rel@/a.txt"],
        &["rel@/a.txt"],
    ),
    way(
        "resource \"x_y\" \"b@\" {\n  source_dir = \"${path.module}/src@\"\n}\n",
        &[("src@/a.py", "")],
        &["src@/a.py", "src@/new.py"],
        &["src@.md"],
    ),
    way(
        "output \"file@\" {\n  value = \"${path.module}/res@.txt\"\n}\nresource \"x_y\" \"c@\" {\n  text = templatefile(\"${path.module}/t@.tpl\", { dir = path.module })\n}\n",
        &[("t@.tpl", "${file(\"${dir}/i@.txt\")}"), ("i@.txt", "x")],
        &["t@.tpl", "i@.txt"],
        &["i@.md"],
    ),
    way(
        "data \"x_y\" \"d@\" {\n  files = [for f in fileset(\"${path.module}/all@\", \"*.sql\") : \"${path.module}/all@/${f}\"]\n}\n",
        &[("all@/a.sql", "")],
        &["all@/a.sql", "all@/b.sql"],
        &["all@/a.txt"],
    ),
];

/// Writes the repository below `root`, which is made where it is missing. Returns the truth.
///
/// # Errors
///
/// The first directory or file that cannot be written.
pub fn readers(options: &ReaderOptions, root: &Path) -> io::Result<Readers> {
    let mut made = Made { root, readers: Readers::new() };
    let modules = (options.roots / 4).max(1);
    // The files that each module reads, below itself and below its root module.
    let mut of_modules: Vec<(String, Vec<&Way>, u64)> = Vec::new();
    for index in 0..modules {
        let mut rng = Rng::of(options.seed, 401, index);
        let directory = format!("lib/m{index:04}");
        let mut text = "variable \"file\" {\n  default = null\n}\nresource \"x_y\" \"passed\" {\n  source = var.file\n}\noutput \"passed\" {\n  value = \"back/${basename(coalesce(var.file, \"none\"))}\"\n}\n".to_owned();
        let mut ways = Vec::new();
        for at in 0..2 {
            let way = &OF_MODULES[(index as usize + 3 * at) % OF_MODULES.len()];
            text.push_str(&way.text.replace('@', &format!("{at}")));
            ways.push(way);
        }
        // A module below calls another one, which is never one that calls it.
        let inner = index * 2 + 1;
        if rng.one_in(3) && inner < modules {
            text.push_str(&format!("module \"inner\" {{\n  source = \"../m{inner:04}\"\n}}\n"));
        }
        made.write(&format!("{directory}/main.tf"), &text)?;
        let calls = if text.contains("\"inner\"") { inner } else { u64::MAX };
        of_modules.push((directory, ways, calls));
    }
    for index in 0..options.roots {
        made.root_module(index, options.seed, &of_modules)?;
    }
    Ok(made.readers)
}

struct Made<'r> {
    root: &'r Path,
    readers: Readers,
}

impl Made<'_> {
    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        let path = self.root.join(path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, text)
    }

    /// Notes that a root module reads a file.
    fn reads(&mut self, path: &str, root: &str) {
        self.readers.entry(clean(path)).or_default().insert(root.to_owned());
    }

    /// Notes a file that nobody need read.
    fn exists(&mut self, path: &str) {
        self.readers.entry(clean(path)).or_default();
    }

    fn root_module(
        &mut self,
        index: u64,
        seed: u64,
        modules: &[(String, Vec<&Way>, u64)],
    ) -> io::Result<()> {
        let mut rng = Rng::of(seed, 402, index);
        let root = format!("live/r{index:05}");
        let mut text = "terraform {\n  backend \"s3\" {}\n}\nprovider \"x\" {}\n".to_owned();
        for at in 0..4 {
            let way = &OF_ROOTS[(index as usize * 4 + at) % OF_ROOTS.len()];
            let number = format!("{at}x{index}");
            text.push_str(&way.text.replace('@', &number));
            self.add(way, &number, &root, &root, &root)?;
        }
        let called = rng.below(modules.len() as u64);
        text.push_str(&format!(
            "module \"m\" {{\n  source = \"../../{}\"\n  file   = \"${{path.module}}/pass/{index}.txt\"\n}}\noutput \"back\" {{\n  value = module.m.passed\n}}\n",
            modules[called as usize].0
        ));
        self.reads(&format!("{root}/pass/{index}.txt"), &root);
        self.reads(&format!("{root}/back/{index}.txt"), &root);
        let mut next = called;
        while let Some((directory, ways, inner)) = modules.get(next as usize) {
            for (at, way) in ways.iter().enumerate() {
                self.add(way, &format!("{at}"), directory, &root, &root)?;
            }
            self.reads(&format!("{directory}/main.tf"), &root);
            next = *inner;
        }
        self.write(&format!("{root}/main.tf"), &text)?;
        self.reads(&format!("{root}/main.tf"), &root);
        self.write(&format!("{root}/README.md"), "")?;
        self.exists(&format!("{root}/README.md"));
        Ok(())
    }

    /// Writes the files of a way of a module, and notes who reads them.
    fn add(
        &mut self,
        way: &Way,
        number: &str,
        module: &str,
        root: &str,
        reader: &str,
    ) -> io::Result<()> {
        let path = |path: &str| {
            let path = path.replace('@', number);
            match path.strip_prefix('%') {
                Some(path) => format!("{root}/{path}"),
                None => format!("{module}/{path}"),
            }
        };
        for (file, text) in way.files {
            self.write(&clean(&path(file)), &text.replace('@', number))?;
        }
        for file in way.reads {
            self.reads(&path(file), reader);
        }
        way.others.iter().for_each(|file| self.exists(&path(file)));
        Ok(())
    }
}

/// Removes `..` and the name before it.
fn clean(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/")
}
