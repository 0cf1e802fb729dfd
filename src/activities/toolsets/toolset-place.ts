// The parts that the tools of one toolset share: its settings, its environment and the way to a secret's value. Runs in
// Node.
import type { TlsOptions } from '../built-in/http/http-request.ts';
import type { ReaderModule } from '@holdfast/sources/source-answer';
import type { Values } from '@holdfast/sources/template';
import type { ToolsetTarget } from '@holdfast/sources/toolset.schema';

export type ToolsetPlace = {
  toolset: string;
  /** The right that its reads need. */
  permissions?: string | undefined;
  signs: { noAccess?: RegExp; notReachable?: RegExp; failed?: RegExp; hidden?: RegExp };
  /** The exports of the module beside its file. */
  readers: ReaderModule;
  /** By `settings.<name>`; those without a value are absent. Values may hold references to secrets. */
  settings: Values;
  /** Takes out what the instance's `redact` names, before anything is cut; absent without any. */
  clean?: ((text: string) => string) | undefined;
  /** Its changes are bound to it; absent: their words say all. */
  target?: ToolsetTarget | undefined;
  /** Working folder of commands. */
  folder: string;
  /** The environment of each command, with secrets in it: made in the activity, never kept. */
  environment(): Promise<Record<string, string>>;
  /** The headers of an HTTP request, with secrets in them; `more` are the tool's own. */
  headers(more?: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  /** For HTTP requests, read in the activity as the headers are. */
  tls(): Promise<TlsOptions>;
  /** True if the configuration opens the host to tools that read. */
  isOpenHost(host: string): boolean;
  /** The base of times such as `-30m`. */
  now(): number;
  /** Replaces references to secrets. */
  resolve(text: string): Promise<string>;
};

/** The values that a template may name. */
export function toValues(input: Values, settings: Values): Values {
  return { ...input, ...settings };
}
