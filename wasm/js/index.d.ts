/** A text in UTF-8, or its bytes. */
export type Content = string | Uint8Array;

/** Contents by name: a path with `/`, relative to a directory that all have in common. */
export type Files = Readonly<Record<string, Content>>;

export type Dialect = "opentofu" | "terraform" | "packer";

export interface TreeOptions {
  /** Only files of this tool are read. By default, names decide: `.tf` is OpenTofu's. */
  dialect?: Dialect;
}

export interface NameOptions {
  /** Decides the syntax (`.json` or native) and the dialect, and is in messages. */
  name?: string;
}

export interface DocumentOptions extends NameOptions {
  /** Otherwise, `"REDACTED_SENSITIVE"` replaces sensitive values, and the same text elsewhere. */
  showSensitive?: boolean;
}

export interface RedactOptions extends NameOptions {
  /** The output of `providers schema -json`: which attributes of a state file are sensitive. */
  providerSchemas?: Content;
  /** What is otherwise hidden, although nothing marks it as sensitive. */
  keep?: ("defaults" | "provider-config" | "repeated-text")[];
  /** Accepts documents that do not say which values are sensitive: format 0.1, state files of version 1 to 3. */
  force?: boolean;
}

/** Line and column count from 1, columns in grapheme clusters; `byte` counts from 0, in UTF-8. */
export interface Position {
  line: number;
  column: number;
  byte: number;
}

/** The end is exclusive. */
export interface Range {
  filename: string;
  start: Position;
  end: Position;
}

export interface Diagnostic {
  severity: "error" | "warning";
  /** A stable name, such as `"missing-comma"`. */
  code: string;
  summary: string;
  detail: string;
  /** What to do about it. */
  help?: string;
  range: Range;
  related: { message: string; range: Range }[];
  snippet: {
    context: null;
    code: string;
    start_line: number;
    highlight_start_offset: number;
    highlight_end_offset: number;
    values: [];
  } | null;
}

/** What could not be read. An empty answer without gaps means that there is nothing. */
export interface Gap {
  what: "file";
  where: string;
  why: string;
}

export interface CheckResult {
  format_version: "1.0";
  valid: boolean;
  error_count: number;
  warning_count: number;
  diagnostics: Diagnostic[];
  incomplete: Gap[];
}

/** A module, with the lists that `simd-hcl inspect --format json` prints. */
export interface Module {
  path: string;
  dialect: Dialect;
  files: { name: string; role?: string; shadowed_by?: string }[];
  undecoded?: string[];
  [declarations: string]: unknown;
}

export interface InspectResult {
  modules: Module[];
  incomplete: Gap[];
}

export interface Reference {
  module: string;
  from: string;
  to: string;
  kind: string;
  text: string;
  range: Range;
}

export interface ReferencesResult {
  references: Reference[];
  incomplete: Gap[];
}

export interface GraphNode {
  id: string;
  /** The type of its block. */
  kind: string;
  module: string;
  address: string;
  range?: Range;
}

export interface GraphResult {
  nodes: GraphNode[];
  /** `from` needs `to`. */
  edges: { from: string; to: string }[];
  incomplete: Gap[];
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Difference {
  path: string;
  before?: Json;
  after?: Json;
  /** Whether `after`, or a part of it, is not known yet. */
  unknown: boolean;
  sensitive: boolean;
  forces_replacement: boolean;
}

export type Action =
  | "no_op"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "replace"
  | "forget"
  | "replace_forget"
  | "other";

/** A change of a resource instance. `null` stands for what the plan does not say. */
export interface ResourceChange {
  /** `change`, or `drift` for a change outside of the tool. */
  kind: "change" | "drift" | "deferred";
  address: string | null;
  previous_address?: string;
  module_address?: string;
  mode: string | null;
  type: string | null;
  name: string | null;
  /** The key of the instance. */
  index?: string | number;
  deposed?: string;
  provider_name: string | null;
  action: Action;
  actions: string[];
  action_reason?: string;
  is_import: boolean;
  /** The object that is imported: an ID, an identity, or that it is not known yet. */
  importing?: Json;
  /** The configuration that was generated for an import, in native syntax. */
  generated_config?: string;
  /** Whether the key of the instance is not known yet. */
  index_unknown: boolean;
  differences: Difference[];
  range: Range;
}

export interface OutputChange {
  name: string;
  action: Action;
  actions: string[];
  /** Whether a part of the value, before or after, is sensitive or hidden. */
  sensitive: boolean;
  before?: Json;
  after?: Json;
}

export interface Variable {
  name: string;
  sensitive: boolean;
  value?: Json;
}

/** The document cannot be read as asked: why. */
export interface Refused {
  diagnostics: Diagnostic[];
  changes?: undefined;
  resources?: undefined;
}

export interface PlanResult {
  format_version: string | null;
  terraform_version: string | null;
  timestamp: string | null;
  errored: boolean | null;
  /** The number of changes by `action`, and of those that import or move an object. */
  summary: Record<Action | "import" | "move", number>;
  changes: ResourceChange[];
  drift: ResourceChange[];
  outputs: OutputChange[];
  variables: Variable[];
  diagnostics: Diagnostic[];
}

/** A resource instance. `null` stands for what the state does not say. */
export interface StateResource {
  address: string | null;
  module_address?: string;
  mode: string | null;
  type: string | null;
  name: string | null;
  /** The key of the instance. */
  index?: string | number;
  deposed?: string;
  tainted: boolean;
  provider_name: string | null;
  schema_version: number | null;
  values: Json;
  range: Range;
}

export interface StateOutput {
  name: string;
  type: Json;
  /** Whether it is sensitive, or a part of its value is hidden. */
  sensitive: boolean;
  value?: Json;
}

export interface StateResult {
  terraform_version: string | null;
  resources: StateResource[];
  outputs: StateOutput[];
  diagnostics: Diagnostic[];
}

export interface WrittenResult {
  /** `null` if there are errors. */
  text: string | null;
  diagnostics: Diagnostic[];
}

export interface Event {
  kind: string;
  /** Offsets in bytes of UTF-8. */
  start: number;
  end: number;
  depth: number;
  text?: string;
}

export interface EventsResult {
  syntax: "json" | "native";
  events: Event[];
  diagnostics: Diagnostic[];
}

/**
 * Loads the compiled library, from `module` or from beside this file. Node has loaded it already.
 */
export default function init(
  module?: string | URL | Request | Response | BufferSource | WebAssembly.Module,
): Promise<void>;

/** Checks files, as `simd-hcl check` does. */
export function check(files: Files, options?: TreeOptions): CheckResult;

/** Lists modules and what they declare. */
export function inspect(files: Files, options?: TreeOptions): InspectResult;

/** Lists the references between the objects of each module. */
export function references(files: Files, options?: TreeOptions): ReferencesResult;

/** Returns the dependencies between objects, across modules. */
export function graph(files: Files, options?: TreeOptions): GraphResult;

/** Summarises a plan, as `show -json` prints it. */
export function plan(content: Content, options?: DocumentOptions): PlanResult | Refused;

/** Lists the resources of a state, as `show -json` prints it, or of a state file. */
export function state(content: Content, options?: DocumentOptions): StateResult | Refused;

/**
 * Writes a plan, a state or a state file without its sensitive values, and with every other byte, as `simd-hcl redact` does. The
 * text is `null` if the document is not understood, or if it is unknown which values are sensitive.
 */
export function redact(content: Content, options?: RedactOptions): WrittenResult;

/** Converts a file to the other syntax. */
export function convert(content: Content, options?: NameOptions): WrittenResult;

/** Writes a native file in canonical layout. */
export function format(content: Content, options?: NameOptions): WrittenResult;

/** Lists the events of a file: its tokens and structure. */
export function events(content: Content, options?: NameOptions): EventsResult;
