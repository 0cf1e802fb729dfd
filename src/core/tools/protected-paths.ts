// Protected files, which define the agent: no rule and no mode opens them to its tools (MODE-07). Pure.
import type { Json } from '@holdfast/base/json';
import type { CallAction } from '@holdfast/vocabulary/tool-spec';
import { plainPath } from './matching.ts';

/**
 * The permission that a change needs. `never`: nothing allows it. 1: more than the mode, so a policy rule that names
 * the path, or a person. 2: a person, whatever the rules say.
 */
export type ProtectionTier = 'never' | 1 | 2;

/** Matched by name in every folder and without regard to case, which a file system may ignore. */
const files: Record<string, ProtectionTier> = {
  'soul.md': 'never',
  'identity.md': 'never',
  'memory.md': 1,
  'user.md': 1,
  'agents.md': 2,
  'heartbeat.md': 2,
};
/** Code that the next start in its folder would run. */
const config = /^holdfast\.config\../s;
/** The folder and everything in it. */
const folder = 'skills';

export type ProtectedPath = { path: string; tier: ProtectionTier };

/** The most protected place that an action would change; undefined if it reads, or changes none. */
export function protectedPathOf(action: CallAction, args: Json | undefined): ProtectedPath | undefined {
  if (action.effect === 'read') return undefined;
  const { command, paths = command === undefined ? textsOf(args) : [] } = action;
  const found = [...paths.flatMap(protectionOf), ...wordsOf(command).flatMap(protectionOf)];
  return found.find(({ tier }) => tier === 'never') ?? found.find(({ tier }) => tier === 2) ?? found[0];
}

function protectionOf(path: string): ProtectedPath[] {
  const segments = plainPath(path).toLowerCase().split('/');
  if (segments.includes(folder)) return [{ path, tier: 'never' }];
  const name = segments.at(-1) ?? '';
  const tier = config.test(name) ? 'never' : files[name];
  return tier === undefined ? [] : [{ path, tier }];
}

/** The protection in words, beside the rules: path patterns, and the permission that a change needs. */
export function describeProtection(): ProtectedPath[] {
  const named = Object.entries(files).map(([name, tier]) => ({ path: `*/${name}`, tier }));
  const never = [`*/${folder}`, `*/${folder}/*`, '*/holdfast.config.*'];
  return [...never.map((path): ProtectedPath => ({ path, tier: 'never' })), ...named];
}

/** True if nothing allows a change of a file or folder, by its path or its name alone. */
export function isNeverChanged(path: string): boolean {
  return protectionOf(path).some(({ tier }) => tier === 'never');
}

/**
 * For a tool that does not name its paths, every text in its arguments at any depth may be a path, even with blanks.
 * The names of inner fields count, too, since a list of files may be an object keyed by path.
 */
function textsOf(args: Json | undefined, isInner = false): string[] {
  if (typeof args === 'string') return [args.trim()];
  if (typeof args !== 'object' || args === null) return [];
  const names =
    isInner && !Array.isArray(args) ? Object.keys(args).filter((name) => !isServiceName(name)) : [];
  return [
    ...names.map((name) => name.trim()),
    ...Object.values(args).flatMap((value) => textsOf(value, true)),
  ];
}

/** A command may name a file that its tool did not find among its paths: `dd of=SOUL.md`. */
function wordsOf(command: string | undefined): string[] {
  const words = command?.split(/[\s'"=<>|;&()]+/) ?? [];
  return words.filter((word) => !isServiceName(word));
}

/** A bare word "skills" may as well be the name of a service or a field. */
function isServiceName(word: string): boolean {
  return word.toLowerCase() === folder;
}
