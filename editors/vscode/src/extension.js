// Starts `simd-hcl lsp`, and connects the editor to it.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

/** The documents that the server reads. Files of JSON keep their language. */
const DOCUMENTS = [
  { scheme: "file", language: "opentofu" },
  { scheme: "file", language: "opentofu-vars" },
  { scheme: "file", language: "hcl" },
  ...["json", "jsonc"].map((language) => ({
    scheme: "file",
    language,
    pattern: "**/*.{tf,tofu,tfvars,tftest,tofutest,pkr,pkrvars}.json",
  })),
];

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("simd-hcl");
  const run = {
    command: settings.get("path"),
    args: ["lsp", ...settings.get("arguments")],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient("simd-hcl", "simd-hcl", { run, debug: run }, { documentSelector: DOCUMENTS });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `simd-hcl cannot be started: ${error.message}. Install it, or set simd-hcl.path.`,
    );
  }
}

async function restart() {
  await client?.dispose();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("simd-hcl.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("simd-hcl")) restart();
    }),
  );
  await start();
};

exports.deactivate = () => client?.dispose();
