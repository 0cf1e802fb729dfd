// Tools on hosts: the queue of a host, the tools of all hosts as one list, and the place of a call. Pure.
import { defined } from '@holdfast/base/defined';
import { type Json, type JsonObject, type JsonSchema, isRecord, fieldsOf } from '@holdfast/base/json';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import {
  type FrozenHost,
  type HostAnswer,
  type HostAnswers,
  hostParameter,
} from '@holdfast/vocabulary/hosts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { notServed } from './host-answers.ts';
import { matchesPattern } from './matching.ts';

const hostName = /^[a-z0-9][a-z0-9.-]{0,62}$/;
export const expectedHostName =
  'lower-case letters, digits, "." and "-", at most 63, the first a letter or digit';

export function isHostName(name: string): boolean {
  return hostName.test(name);
}

/** The queue that a host's worker polls, derived from the task queue of the sessions. */
export function hostQueue(taskQueue: string, host: string): string {
  return `${taskQueue}.host.${host}`;
}

/** The hosts that an agent's patterns name, in the order of the configuration. */
export function hostsOf<Host extends { name: string }>(
  hosts: readonly Host[],
  patterns: readonly string[] = [],
): Host[] {
  return hosts.filter(({ name }) => patterns.some((pattern) => matchesPattern(pattern, name)));
}

/** A tool of the session's own workers, with the digest that the same tool has on a host. */
export type OwnTool = { spec: ToolSpec; digest: string };

export type MergedTools = { tools: ToolSpec[]; hosts: FrozenHost[]; warnings: string[] };

/**
 * One list of the tools of all hosts. A tool's argument `on_host` names the hosts that offer it; it is optional if the
 * session's own workers have the tool, too. Of several tools with one name, the own one wins, else the one that most
 * hosts have; a warning names the hosts with another tool. `keeps` filters out tools that the agent may not have.
 */
export function mergeHosts(
  own: readonly OwnTool[],
  { hosts, specs }: HostAnswers,
  keeps: (spec: ToolSpec) => boolean = () => true,
): MergedTools {
  const warnings: string[] = [];
  const merged = new Map(own.map(({ spec }) => [spec.name, spec]));
  const offered = new Map<string, string[]>();
  const names = new Set(hosts.flatMap((host) => ('tools' in host ? host.tools.map(({ name }) => name) : [])));
  for (const name of [...names].sort()) {
    const here = own.find(({ spec }) => spec.name === name);
    const digest = here?.digest ?? mostCommon(hosts.flatMap((host) => digestOn(host, name) ?? []));
    const spec = here?.spec ?? specs[digest];
    if (spec === undefined || !keeps(spec)) continue;
    const same = hosts.filter((host) => digestOn(host, name) === digest).map((host) => host.name);
    const others = hosts
      .filter((host) => ![undefined, digest].includes(digestOn(host, name)))
      .map((host) => host.name);
    if (others.length > 0) warnings.push(describeOthers(name, others, here ? [] : same));
    if (same.length === 0) continue;
    const parameters = withHost(spec.parameters, same, here !== undefined);
    if (parameters === undefined) {
      warnings.push(
        `The tool ${name} cannot be called on hosts: it has an argument ${hostParameter} of its own.`,
      );
      continue;
    }
    merged.set(name, { ...spec, parameters });
    offered.set(name, same);
  }
  return {
    tools: [...merged.values()],
    hosts: hosts.map((host) => toFrozen(host, offered)),
    warnings: [...hosts.flatMap(describeMissing), ...warnings],
  };
}

function digestOn(host: HostAnswer, name: string): string | undefined {
  return 'tools' in host ? host.tools.find((tool) => tool.name === name)?.digest : undefined;
}

/** The first one wins a tie. */
function mostCommon(digests: readonly string[]): string {
  const count = (digest: string): number => digests.filter((other) => other === digest).length;
  const [first = '', ...others] = digests;
  return others.reduce((found, digest) => (count(digest) > count(found) ? digest : found), first);
}

function toFrozen(answer: HostAnswer, offered: ReadonlyMap<string, string[]>): FrozenHost {
  const { name, description, taskQueue } = answer;
  const known = defined({ name, description, taskQueue });
  if ('missing' in answer) return { ...known, tools: [], missing: answer.missing };
  const here = answer.tools.filter((tool) => offered.get(tool.name)?.includes(name));
  const judged = here.filter((tool) => tool.judged).map((tool) => tool.name);
  return { ...known, tools: here.map((tool) => tool.name), ...defined({ judged: unlessEmpty(judged) }) };
}

function describeOthers(name: string, others: readonly string[], same: readonly string[]): string {
  const counted = same.length === 0 ? "the session's own workers" : same.join(', ');
  return `The tool ${name} cannot be called on ${others.join(', ')}: it has other arguments or another effect there than on ${counted}.`;
}

function describeMissing(host: HostAnswer): string[] {
  return 'missing' in host
    ? [
        `Host ${host.name} is not there: ${host.missing}. Nothing can be looked at or changed on it in this run.`,
      ]
    : [];
}

/** Adds the choice of a host before the other arguments; undefined if that name is taken. */
function withHost(schema: JsonSchema, hosts: readonly string[], isOptional: boolean): JsonSchema | undefined {
  const properties = fieldsOf(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (Object.hasOwn(properties, hostParameter)) return undefined;
  const description = isOptional
    ? "Name of the host to run it on; absent: the session's own machine."
    : 'Name of the host to run it on.';
  return {
    ...schema,
    properties: { [hostParameter]: { type: 'string', enum: [...hosts], description }, ...properties },
    ...defined({ required: isOptional ? undefined : [hostParameter, ...required] }),
  };
}

/** The place of a call. `here`: a worker of the session's own queue. */
export type CallPlace =
  | { type: 'here' }
  | { type: 'host'; host: FrozenHost; args: JsonObject }
  | { type: 'refused'; reason: string };

type WithHosts = Pick<FrozenContext, 'tools' | 'hosts'>;

/** Reads the place from the arguments; the tool's schema reports a wrong form. */
export function readCallPlace({ hosts = [] }: WithHosts, tool: string, args: Json): CallPlace {
  if (hosts.length === 0 || !isRecord(args) || args[hostParameter] === undefined) return { type: 'here' };
  const named = args[hostParameter];
  const host = hosts.find(({ name }) => name === named);
  const offering = hosts.filter(({ tools }) => tools.includes(tool)).map(({ name }) => name);
  if (!host) return { type: 'here' };
  if (host.missing !== undefined) return { type: 'refused', reason: notServed(host.name, host.missing) };
  if (!host.tools.includes(tool)) {
    const where = offering.length === 0 ? 'No host has it' : `It is there on ${offering.join(', ')}`;
    const reason = `Not run: host ${host.name} has no tool ${tool}. ${where}. Nothing was changed.`;
    return { type: 'refused', reason };
  }
  return { type: 'host', host, args: withoutHost(args) };
}

/** The arguments that the tool itself gets. */
export function withoutHost(args: JsonObject): JsonObject {
  const { [hostParameter]: _, ...rest } = args;
  return rest;
}

/** True if the tool exists only on hosts, so that a worker of the session needs no such tool. */
export function isOnHostsOnly({ hosts = [] }: Pick<FrozenContext, 'hosts'>, spec: ToolSpec): boolean {
  const required = Array.isArray(spec.parameters['required']) ? spec.parameters['required'] : [];
  return required.includes(hostParameter) && hosts.some(({ tools }) => tools.includes(spec.name));
}
