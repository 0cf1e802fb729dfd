// The settings by which the tool bash runs commands. Types only.
import type { ShellAccess } from '@holdfast/vocabulary/frozen-context';
import type { SandboxLimits } from '@holdfast/processes/sandbox/limits';

/** Paths are absolute. */
export type ShellSettings = ShellAccess & {
  /** Further paths hidden from commands: the agent's own. */
  ownPaths: readonly string[];
  /** Folders of the file tools. Commands also see those inside their private folders, such as /tmp. */
  roots: readonly string[];
  /** Hosts reached without a question; entries as in http.allow. */
  hosts: readonly string[];
  environment: Readonly<Record<string, string>>;
  limits: Partial<SandboxLimits>;
  /** Limit of one command. */
  timeoutMs: number;
};
