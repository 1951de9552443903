// Browsers and bundlers: the compiled parser is fetched before the functions can be called.

const address = new URL("./parser.wasm", import.meta.url);
const module = await WebAssembly.compileStreaming(fetch(address)).catch(async () => {
  // A server may send it with another type.
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`cannot fetch ${address}: ${response.status}`);
  }
  return WebAssembly.compile(await response.arrayBuffer());
});

let library = (await WebAssembly.instantiate(module)).exports;

export function instance() {
  library ??= new WebAssembly.Instance(module).exports;
  return library;
}

export function reset() {
  library = undefined;
}

export function filesOf() {
  throw new Error("convertFiles needs a file system, which browsers do not have");
}
