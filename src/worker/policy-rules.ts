// The rules that a worker judges calls by: those of the configuration, of its agents, of protectedPaths, and those that
// guard the worker's own files.
import { realpath } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import type { SourcedRule } from '../core/model/tool-spec.ts';

/** The same on every worker of this configuration: what they are compared by. */
export function statedRules({
  policy,
  agents,
  protectedPaths,
}: Pick<Config, 'policy' | 'agents' | 'protectedPaths'>): SourcedRule[] {
  const ofAgents = Object.entries(agents).flatMap(([agent, { policy: own = [] }]) =>
    own.map((rule, index) => ({ ...rule, agent, origin: `rule ${index + 1} of agent ${agent}` })),
  );
  const reason = 'The configuration protects this path (protectedPaths).';
  return [
    ...policy,
    ...ofAgents,
    ...protectedPaths.flatMap((path) => guard(path, { reason, origin: 'protectedPaths' })),
  ];
}

/** Of this machine: its folder and its config file decide what the agent may do, so no tool changes them. */
export async function ownRules({
  dir,
  artifactsDir,
  configFile,
}: Pick<Config, 'dir' | 'artifactsDir' | 'configFile'>): Promise<SourcedRule[]> {
  const places = [dir, artifactsDir, ...(configFile === undefined ? [] : [configFile])];
  const real = await Promise.all(places.map((place) => realpath(place).catch(() => place)));
  const stated = { reason: 'It belongs to Holdfast itself.', origin: "Holdfast's own files" };
  return [...new Set([...places, ...real])].flatMap((path) => guard(path, stated));
}

/** The path, and everything in it. */
function guard(path: string, stated: Pick<SourcedRule, 'reason' | 'origin'>): SourcedRule[] {
  const bare = path.replace(/\/+$/, '');
  return [bare, `${bare}/*`].map((each) => ({
    ...{ tool: '*', effect: 'change' as const, path: each, decision: 'deny' as const },
    ...stated,
  }));
}
