// The contract of code that a toolset's tool may name. Pure.
import type { Json } from '@holdfast/base/json';

export type CodeContext = {
  /** By name, without those that have no value; secrets are resolved. */
  settings: Readonly<Record<string, string>>;
  /** Aborted on a stop, and at the tool's time limit. */
  signal: AbortSignal;
};

/** Only reads. The answer is JSON, for the rows of the tool. A throw is a failed call: `signs` tell which kind. */
export type CodeHandler = (request: Json, context: CodeContext) => Promise<string>;
