// Puts the issues of a zod schema into plain words, one line for each field. Pure; not for the workflow bundle.
import type { z } from 'zod';
import { cutText } from './cut-text.ts';
import { nearestWord } from './nearest-word.ts';
import { keysAt, optionsAt } from './schema-keys.ts';

type Issue = z.core.$ZodIssue;

/** Whoever sends hundreds of wrong keys has not misspelt them, and each hint costs a look at all known keys. */
const mostHints = 5;
const mostShownKeys = 20;
const mostLines = 50;
const keyCharacters = 60;

/** Lines such as `agents.night.loop.maxTurns: expected number, received string`, in the schema's order. */
export function describeIssues(
  error: { issues: Issue[] },
  root = 'input',
  schema?: z.core.$ZodType,
): string[] {
  let hints = mostHints;
  const lines = error.issues
    .slice(0, mostLines)
    .flatMap(flatten)
    .map((issue) => {
      const field = issue.path.map((part) => cutText(String(part), keyCharacters)).join('.');
      const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
      const hint = schema === undefined ? '' : hintOf(keys.slice(0, hints), schema, issue.path);
      hints -= Math.min(hints, keys.length);
      return `${field === '' ? root : field}: ${keys.length > 0 ? describeKeys(keys) : lowerFirst(issue.message.replace(/^Invalid input: /, ''))}${hint}`;
    });
  const more = error.issues.length - mostLines;
  return more > 0 ? [...lines, `${root}: ${more} more`] : lines;
}

function describeKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, mostShownKeys).map((key) => `"${cutText(key, keyCharacters)}"`);
  const more = keys.length - shown.length;
  return `unrecognized key${keys.length === 1 ? '' : 's'}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Suggests the keys that were probably meant. */
function hintOf(keys: readonly string[], schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  const meant = keys.flatMap((key) => meantBy(key, schema, path));
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
  // the MCP servers of VS Code, opencode, Zed and Codex
  const isForeign = known.includes('mcpServers') && /^(?:servers|mcp|(?:context|mcp)_servers)$/.test(key);
  const near = isForeign ? 'mcpServers' : nearestWord(key, known);
  if (near !== undefined) return [near];
  const names = inner.map(({ name }) => name);
  return inGroups(nearestWord(key, names));
}

/** The message of a union without words of its own. */
const bareUnion = 'Invalid input';

/** Takes from a union without words of its own the branch that came furthest: the one the writer meant. */
export function flatten(issue: Issue): Issue[] {
  // a key of a record: its own issues say what was expected
  if (issue.code === 'invalid_key' && issue.issues.length > 0) {
    return issue.issues.map((inner) => ({ ...inner, path: issue.path }));
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || issue.message !== bareUnion)
    return [issue];
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
