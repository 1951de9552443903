//! Writes the bindings of a compiled library: `simd-hcl-wasm-build INPUT.wasm DIRECTORY`.

use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, directory] = arguments.as_slice() else {
        anyhow::bail!("usage: simd-hcl-wasm-build INPUT.wasm DIRECTORY");
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).web(true)?.typescript(false).out_name("bindings");
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(directory)
}
