// Puts the issues of a zod schema into plain words, one line for each field. Pure; not for the workflow bundle.
import type { z } from 'zod';
import { nearestWord } from './nearest-word.ts';
import { keysAt, optionsAt } from './schema-keys.ts';

type Issue = z.core.$ZodIssue;

/** Lines such as `agents.night.loop.maxTurns: expected number, received string`, in the schema's order. */
export function describeIssues(
  error: { issues: Issue[] },
  root = 'input',
  schema?: z.core.$ZodType,
): string[] {
  return error.issues.flatMap(flatten).map((issue) => {
    const field = issue.path.map(String).join('.');
    return `${field === '' ? root : field}: ${lowerFirst(issue.message.replace(/^Invalid input: /, ''))}${schema ? hintOf(issue, schema) : ''}`;
  });
}

/** Suggests the keys that were probably meant. */
function hintOf(issue: Issue, schema: z.core.$ZodType): string {
  if (issue.code !== 'unrecognized_keys') return '';
  const meant = issue.keys.flatMap((key) => meantBy(key, schema, issue.path));
  return meant.length === 0 ? '' : ` (did you mean ${meant.map((key) => `"${key}"`).join(', ')}?)`;
}

/** The known keys like this one; also those in the groups of options beside it, with the group. */
function meantBy(key: string, schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const known = keysAt(schema, path);
  const inner = known.flatMap((group) =>
    optionsAt(schema, [...path, group]).map((name) => ({ group, name })),
  );
  const inGroups = (word: string | undefined) =>
    inner.flatMap(({ group, name }) => (name === word ? [`${group}.${name}`] : []));
  const same = inGroups(key);
  if (same.length > 0) return same;
  const near = nearestWord(key, known);
  if (near !== undefined) return [near];
  const names = inner.map(({ name }) => name);
  return inGroups(nearestWord(key, names));
}

/** Takes from a union the branch that came furthest: the one the writer meant. */
function flatten(issue: Issue): Issue[] {
  // a key of a record: its own issues say what was expected
  if (issue.code === 'invalid_key' && issue.issues.length > 0) {
    return issue.issues.map((inner) => ({ ...inner, path: issue.path }));
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const branches = issue.errors.map((branch) => branch.flatMap(flatten));
  const best = branches.reduce((left, right) => (depthOf(right) > depthOf(left) ? right : left));
  if (depthOf(best) === 0) {
    const expected = branches.flatMap((branch) => branch.map(expectedOf));
    return [{ ...issue, message: `expected ${[...new Set(expected)].join(' or ')}` }];
  }
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function depthOf(branch: Issue[]): number {
  return Math.max(...branch.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)));
}

function expectedOf(issue: Issue): string {
  return issue.code === 'invalid_type' ? issue.expected : lowerFirst(issue.message);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
