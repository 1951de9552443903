export interface HclDiagnostic {
  severity: "error";
  /** A stable name, such as `"missing-comma"`. */
  code?: string;
  summary: string;
  detail?: string;
  help?: string;
  /** Line and column count from 1, `byte` from 0. The end is exclusive. */
  range?: { filename: string; start: HclPosition; end: HclPosition };
}

export interface HclPosition {
  line: number;
  column: number;
  byte: number;
}

/** Thrown for a text with errors. */
export class HclError extends Error {
  constructor(diagnostics: HclDiagnostic[]);
  diagnostics: HclDiagnostic[];
}
