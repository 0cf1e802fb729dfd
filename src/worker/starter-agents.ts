// The agents of the package, adapted to the tools of one worker, and the patterns in an agent's list of tools. Reads the
// package's own files.
import { packageAgents } from '../config/agent-files.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import { matchesPattern } from '../core/tools/matching.ts';

/** By name. Each keeps only the tools that the worker has, so that none keeps the worker from starting. */
export async function starterAgents(tools: ReadonlyMap<string, unknown>): Promise<Record<string, AgentSpec>> {
  const { files, problems } = await packageAgents();
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  const specs = files.map(({ name, spec }): [string, AgentSpec] => {
    const named = withPatterns(spec.tools, tools);
    return [name, { ...spec, tools: named.filter((tool) => tools.has(tool)) }];
  });
  return Object.fromEntries(specs);
}

/** `*` matches any characters; a leading `!` excludes. A pattern may match nothing: tools depend on the config. */
export function withPatterns(names: readonly string[], tools: ReadonlyMap<string, unknown>): string[] {
  const leftOut = names.flatMap((name) => (name.startsWith('!') ? [name.slice(1)] : []));
  const found = names
    .filter((name) => !name.startsWith('!'))
    .flatMap((name) =>
      name.includes('*') ? [...tools.keys()].filter((tool) => matchesPattern(name, tool)) : [name],
    );
  return [...new Set(found)].filter((tool) => !leftOut.some((pattern) => matchesPattern(pattern, tool)));
}
