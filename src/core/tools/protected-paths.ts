// The files that say what the agent is: no rule and no mode opens them to its tools (MODE-07). Pure.
import type { Json } from '../base/json.ts';
import type { CallAction } from '../model/tool-spec.ts';
import { plainPath } from './matching.ts';

/**
 * What a change needs. `never`: nothing allows it. 1: more than the mode, so a policy rule that names the path, or a person.
 * 2: a person, whatever the rules say.
 */
export type ProtectionTier = 'never' | 1 | 2;

/** By name, in every folder, in any case: a file system may not tell cases apart. */
const files: Record<string, ProtectionTier> = {
  'soul.md': 'never',
  'identity.md': 'never',
  'memory.md': 1,
  'user.md': 1,
  'agents.md': 2,
  'heartbeat.md': 2,
};
/** The folder and everything in it. */
const folder = 'skills';

export type ProtectedPath = { path: string; tier: ProtectionTier };

/** The most protected place that an action would change; undefined where it reads, or changes none. */
export function protectedPathOf(action: CallAction, args: Json | undefined): ProtectedPath | undefined {
  if (action.effect === 'read') return undefined;
  const { command, paths = command === undefined ? textsOf(args) : [] } = action;
  const found = [...paths.flatMap(protectionOf), ...wordsOf(command).flatMap(protectionOf)];
  return found.find(({ tier }) => tier === 'never') ?? found.find(({ tier }) => tier === 2) ?? found[0];
}

function protectionOf(path: string): ProtectedPath[] {
  const segments = plainPath(path).toLowerCase().split('/');
  if (segments.includes(folder)) return [{ path, tier: 'never' }];
  const tier = files[segments.at(-1) ?? ''];
  return tier === undefined ? [] : [{ path, tier }];
}

/** Of a tool that does not name its paths, every text argument that may be one. */
function textsOf(args: Json | undefined): string[] {
  const values = typeof args === 'object' && args !== null ? Object.values(args) : [];
  return values.filter(
    (value): value is string => typeof value === 'string' && (/^[/.~]/.test(value) || !/\s/.test(value)),
  );
}

/** A command may name a file that its tool has not found among its paths: `dd of=SOUL.md`. */
function wordsOf(command: string | undefined): string[] {
  const words = command?.split(/[\s'"=<>|;&()]+/) ?? [];
  // a bare word "skills" is as likely the name of a service
  return words.filter((word) => word.toLowerCase() !== folder);
}
