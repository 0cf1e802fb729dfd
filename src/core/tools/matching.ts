// Matches calls with policy rules: patterns over names, commands, paths, hosts and arguments. Pure.
import { type Json, isRecord } from '@holdfast/base/json';
import type { CallAction, PolicyRule } from '@holdfast/vocabulary/tool-spec';

/** One action of one call, with every field that a rule may test. */
export type MatchedAction = {
  tool: string;
  /** Name of the agent; '' if it has none. */
  agent: string;
  /** The agents that have delegated to it. */
  above: readonly string[];
  /** The host that the call runs on; absent: the session's own worker. */
  on: string | undefined;
  /** Sensitivity tags of the data that the run has read. */
  tags: readonly string[];
  args: Json | undefined;
  action: CallAction;
};

/** True if every field that the rule has matches. */
export function matchesRule(
  rule: PolicyRule,
  { tool, agent, above, on, tags, args, action }: MatchedAction,
): boolean {
  const { command, host, path, tag } = rule;
  // what one agent may not do, none does for it; what it may do is its own
  const bound = rule.decision === 'allow' ? [agent] : [agent, ...above];
  return (
    matchesPattern(rule.tool, tool) &&
    (rule.agent === undefined || bound.some((name) => matchesPattern(rule.agent ?? '', name))) &&
    (rule.on === undefined || (on !== undefined && matchesPattern(rule.on, on))) &&
    (tag === undefined || tags.some((each) => matchesPattern(tag, each))) &&
    (rule.effect === undefined || (rule.effect === 'read') === (action.effect === 'read')) &&
    (command === undefined || (action.command !== undefined && matchesPattern(command, action.command))) &&
    (host === undefined || matchesPlaces(rule, plainHost(host), action.hosts, plainHost)) &&
    (path === undefined || matchesPlaces(rule, path, pathsFor(rule, action), plainPath)) &&
    Object.entries(rule.args ?? {}).every(([name, pattern]) => matchesArgument(pattern, args, name))
  );
}

/** An allowing rule must also cover the paths that are unknown before the action runs. */
function pathsFor({ decision }: PolicyRule, { paths = [], unknownPaths = [] }: CallAction): string[] {
  return decision === 'allow' ? [...paths, ...unknownPaths] : paths;
}

/** True if an asking or denying rule with a path may match a path that is unknown before the action runs. */
export function mayMatchRule(rule: PolicyRule, matched: MatchedAction): boolean {
  const { path, ...others } = rule;
  const { unknownPaths = [] } = matched.action;
  if (path === undefined || rule.decision === 'allow') return false;
  const [fixed = ''] = path.split('*', 1);
  const mayMatch = (begins: string): boolean =>
    fixed.startsWith(begins) || (fixed !== path && begins.startsWith(fixed));
  return unknownPaths.some(mayMatch) && matchesRule(others, matched);
}

/** `deny` and `ask` match if one place does, `allow` only if all do. */
function matchesPlaces(
  { decision }: PolicyRule,
  pattern: string,
  places: readonly string[] = [],
  toPlain: (place: string) => string,
): boolean {
  const isMatch = (place: string): boolean => matchesPattern(pattern, toPlain(place));
  return decision === 'allow' ? places.length > 0 && places.every(isMatch) : places.some(isMatch);
}

function matchesArgument(pattern: string, args: Json | undefined, name: string): boolean {
  const value = isRecord(args) ? args[name] : undefined;
  if (value === undefined) return false;
  return matchesPattern(pattern, typeof value === 'string' ? value : JSON.stringify(value));
}

/** True if a pattern covers a text; `*` matches any run of characters, also none and line ends. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}

/** Resolves `.`, `..` and doubled slashes: `/tmp/../etc/passwd` lies in no `/tmp/*`. */
export function plainPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const plain = segments.join('/');
  // a relative path could be anywhere: no pattern with an absolute path covers it
  return path.startsWith('/') ? `/${plain}` : plain;
}

/** Host names have no case, and may end in a dot. */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
