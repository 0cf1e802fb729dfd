// Policy rules against the tools of a worker: a rule for a tool that is misspelt would open or close nothing.
import { createBuiltInTools } from '../activities/tools/built-in/table.ts';
import { ConfigError } from '../config/config-file.ts';
import { matchesToolName } from '../core/tools/policy.ts';
import { type PolicyRule } from '../core/model/tool-spec.ts';
import { loadToolsTool } from '../core/tools/built-in/load-tools.ts';

/** Throws a ConfigError for a name that no tool has; gives a warning for a pattern that covers none. */
export function checkPolicy(rules: readonly PolicyRule[], tools: Iterable<string>): string[] {
  const present = [...tools];
  // a rule may name a built-in tool that the config has not opened yet
  const names = new Set([...present, ...builtInNames()]);
  return rules.flatMap(({ tool }, index) => {
    if ([...names].some((name) => matchesToolName(tool, name))) return [];
    if (tool.includes('*')) return [`Policy rule ${index + 1} for "${tool}" covers no tool of this worker.`];
    throw new ConfigError(
      `Policy rule ${index + 1} names the tool "${tool}", which is not there: expected one of ${present.sort().join(', ')}, or a pattern with "*".`,
    );
  });
}

function builtInNames(): string[] {
  const all = createBuiltInTools({ roots: ['.'], httpAllow: ['localhost'] });
  return [loadToolsTool.spec.name, ...all.map(({ spec }) => spec.name)];
}
