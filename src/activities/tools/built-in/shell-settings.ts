// How commands of the tool bash run, as the configuration has it. Types only.
import type { ShellAccess } from '../../../core/model/frozen-context.ts';
import type { SandboxLimits } from '../../sandbox/limits.ts';

/** Absolute paths. */
export type ShellSettings = ShellAccess & {
  /** Further paths that are not there inside: the agent's own. */
  ownPaths: readonly string[];
  /** Folders of the file tools: commands see them, too, where they lie in what each command has of its own, such as /tmp. */
  roots: readonly string[];
  /** Reached without a question; entries as in http.allow. */
  hosts: readonly string[];
  environment: Readonly<Record<string, string>>;
  limits: Partial<SandboxLimits>;
  /** The longest that a command may take. */
  timeoutMs: number;
};
