// What the tools of one toolset share: its settings, its environment and the way to a secret's value. Runs in Node.
import type { Values } from './template.ts';

export type ToolsetPlace = {
  toolset: string;
  /** By `settings.<name>`; those without a value are absent. Values may hold references to secrets. */
  settings: Values;
  /** Where commands start. */
  folder: string;
  /** Of each command, with secrets in it: made in the activity, never kept. */
  environment(): Promise<Record<string, string>>;
  /** Sent with an HTTP request, secrets in it; `more` are the tool's own. */
  headers(more?: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  /** Whether the configuration opens a host to tools that read. */
  isOpenHost(host: string): boolean;
  /** What times such as `-30m` count from. */
  now(): number;
  /** Replaces references to secrets. */
  resolve(text: string): Promise<string>;
};

/** What a template may name. */
export function toValues(input: Values, settings: Values): Values {
  return { ...input, ...settings };
}
