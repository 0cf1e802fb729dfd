// The built-in tools, as far as the configuration opens something to them. Runs in Node.
import type { LookupFunction } from 'node:net';
import { z } from 'zod';
import { createEditTool } from './edit.ts';
import { maxSteps, noteCharacters, stepCharacters } from '../../../core/agent/plan/read-plan.ts';
import { stepStatuses } from '../../../core/model/plan.ts';
import { narrowShell } from '../../../core/tools/access.ts';
import type { Access } from '../../../core/model/frozen-context.ts';
import { createBashTool } from './bash.ts';
import type { Memory } from '../../memory/memory.ts';
import { overlap } from './file-access.ts';
import type { FileAccess } from './file-roots.ts';
import type { RunbookFolders } from '../../runbooks/read-runbooks.ts';
import { createFindRunbookTool } from './find-runbook.ts';
import { createFindTool } from './find.ts';
import { createGrepTool } from './grep.ts';
import { createHttpGetTool, createHttpPostTool, type HttpOptions } from './http-tools.ts';
import { postPaths, withinPosts } from './http-hosts.ts';
import { createLsTool } from './ls.ts';
import { createReadArtifactTool } from './read-artifact.ts';
import { createReadTool } from './read.ts';
import { createReportTool } from './report.ts';
import { createSearchMemoryTool } from './search-memory.ts';
import { createWriteTool } from './write.ts';
import type { ShellSettings } from './shell-settings.ts';
import { declareWorkflowTool, type RegisteredTool } from '../define-tool.ts';

export const pinFindingTool = declareWorkflowTool({
  name: 'pin_finding',
  label: 'Pin finding',
  description:
    'Keeps one established fact (host, time, number) as you wrote it when older messages are folded. 8 KiB in all, none can ' +
    'be taken back.',
  input: z.strictObject({
    text: z.string().min(1).max(8_192),
  }),
  effect: 'read',
  timeoutMs: 1_000,
  runsIn: 'workflow',
  summaryArguments: ['text'],
});

export const askHumanTool = declareWorkflowTool({
  name: 'ask_human',
  label: 'Ask a person',
  description:
    'Asks the people on call what no tool shows, and waits, perhaps for hours. Their answer is no evidence to quote. Not for ' +
    'permission: a call that needs it asks by itself.',
  input: z.strictObject({
    question: z.string().min(1).max(2_000),
    options: z.array(z.string().min(1).max(200)).min(2).max(8).optional(),
  }),
  effect: 'read',
  timeoutMs: 1_000,
  runsIn: 'workflow',
  summaryArguments: ['question'],
});

const stepFields = {
  text: z.string().min(1).max(stepCharacters),
  criterion: z.string().min(1).max(stepCharacters).describe('How it is seen to be done.'),
  dependsOn: z.array(z.string().max(20)).max(10).optional().describe('Earlier steps, e.g. "1", "2.1".'),
  verify: z.boolean().optional().describe('A plan needs one such step.'),
  status: z.enum(stepStatuses).optional(),
  note: z.string().max(noteCharacters).optional(),
};

/** Read by the same rules as the steps (read-plan.ts), and not described twice. */
const subSteps = z.array(z.looseObject({})).max(10).optional().describe('Sub-steps, of the same form.');

export const updatePlanTool = declareWorkflowTool({
  name: 'update_plan',
  label: 'Update plan',
  description:
    'Keeps the plan of this session. With steps: sets it anew. With id and status: marks one step, as it begins and ends. Without ' +
    'arguments: reads it.',
  input: z.strictObject({
    steps: z
      .array(z.strictObject({ ...stepFields, steps: subSteps }))
      .min(1)
      .max(maxSteps)
      .optional()
      .describe('The whole plan; with id that step’s sub-steps.'),
    id: z.string().max(20).optional(),
    status: z.enum(stepStatuses).optional(),
    note: z.string().max(noteCharacters).optional(),
  }),
  effect: 'read',
  timeoutMs: 1_000,
  runsIn: 'workflow',
  summaryArguments: ['id', 'status'],
});

/** Names of the built-in tools that are about the session and not about a machine. */
export const sessionTools: ReadonlySet<string> = new Set([
  'read_artifact',
  'search_memory',
  'find_runbook',
  'report',
  'pin_finding',
]);

export type BuiltInOptions = {
  /** Folders that the file tools may read; none: no file tools. */
  roots: readonly string[];
  /** Folders in them whose files may be changed; none: no write and edit. */
  writable?: readonly string[];
  /** Folders inside them that stay closed: the worker's own. */
  closed?: readonly string[];
  /** What http_get may reach; none: no http_get. */
  httpAllow: readonly string[];
  /** Headers and paths of hosts; http_post is there where one has paths. */
  httpHosts?: HttpOptions['hosts'] | undefined;
  /** Replaces references to secrets in them. */
  resolve?: HttpOptions['resolve'] | undefined;
  /** What search_memory searches; absent: no search_memory. */
  memory?: Memory | undefined;
  /** How bash runs commands; absent: no bash. Its hosts are those of `httpAllow`. */
  shell?: Omit<ShellSettings, 'hosts' | 'roots'> | undefined;
  /** Folders of runbooks; absent: no find_runbook. */
  runbooks?: RunbookFolders | undefined;
  /** The access of another configuration: the same tools, which reach only what both allow. */
  within?: Omit<Access, 'policy'>;
  lookup?: LookupFunction;
};

/** A built-in tool, and what turns it on. */
type BuiltIn = {
  name: string;
  /** The setting without which it is off, for people. Absent: it is always there. */
  turnedOnBy?: string;
  /** Undefined where the configuration does not turn it on. */
  create(options: BuiltInOptions): RegisteredTool | undefined;
};

type FileTool = (access: FileAccess) => RegisteredTool;

function readsFiles(name: string, create: FileTool): BuiltIn {
  return {
    ...{ name, turnedOnBy: 'files.roots' },
    create: (options) => (options.roots.length > 0 ? create(filesOf(options)) : undefined),
  };
}

function changesFiles(name: string, create: FileTool): BuiltIn {
  return {
    ...{ name, turnedOnBy: 'files.writable' },
    create: (options) => ((options.writable ?? []).length > 0 ? create(filesOf(options)) : undefined),
  };
}

function always(tool: RegisteredTool): BuiltIn {
  return { name: tool.spec.name, create: () => tool };
}

/** In the order in which a worker has them. */
const builtIns: readonly BuiltIn[] = [
  readsFiles('read', createReadTool),
  readsFiles('ls', createLsTool),
  readsFiles('find', createFindTool),
  readsFiles('grep', createGrepTool),
  changesFiles('write', createWriteTool),
  changesFiles('edit', createEditTool),
  {
    ...{ name: 'http_get', turnedOnBy: 'http.allow' },
    create: (options) => (options.httpAllow.length > 0 ? createHttpGetTool(httpOf(options)) : undefined),
  },
  {
    ...{ name: 'http_post', turnedOnBy: 'http.hosts' },
    // by the worker's own paths, also where a run may use none of them: its http_post refuses then
    create: (options) =>
      postPaths(options.httpHosts ?? {}).length > 0 ? createHttpPostTool(httpOf(options)) : undefined,
  },
  {
    ...{ name: 'bash', turnedOnBy: 'shell, and bubblewrap (see holdfast doctor)' },
    create: ({ shell, httpAllow, roots: given, within }) => {
      if (shell === undefined) return undefined;
      const hosts = within ? httpAllow.filter((host) => within.hosts.includes(host)) : httpAllow;
      const roots = overlap(given, within?.roots);
      return createBashTool({ ...shell, ...(within && narrowShell(shell, within.shell)), hosts, roots });
    },
  },
  {
    ...{ name: 'search_memory', turnedOnBy: 'memory' },
    create: ({ memory }) => memory && createSearchMemoryTool(memory),
  },
  {
    ...{ name: 'find_runbook', turnedOnBy: 'runbooks' },
    create: ({ runbooks }) => runbooks && createFindRunbookTool(runbooks),
  },
  always(createReadArtifactTool()),
  always(createReportTool()),
  always(pinFindingTool),
  always(askHumanTool),
  always(updatePlanTool),
];

export const builtInNames: readonly string[] = builtIns.map(({ name }) => name);

export function createBuiltInTools(options: BuiltInOptions): RegisteredTool[] {
  return builtIns.flatMap((tool) => tool.create(options) ?? []);
}

/** The tools that these options leave out, each with the setting that turns it on. */
export function offBuiltIns(options: BuiltInOptions): Map<string, string> {
  const off = builtIns.filter((tool) => tool.create(options) === undefined);
  return new Map(off.map(({ name, turnedOnBy = '' }) => [name, turnedOnBy]));
}

function filesOf({ roots, writable = [], closed = [], within }: BuiltInOptions): FileAccess {
  const changes = { folders: writable, ...(within && { within: within.writable ?? [] }) };
  return {
    ...{ roots, closed, ...(within && { within: within.roots }) },
    ...(writable.length > 0 && { writable: changes }),
  };
}

function httpOf({ httpAllow, httpHosts = {}, resolve, within, lookup }: BuiltInOptions): HttpOptions {
  return {
    ...{ allow: httpAllow, hosts: httpHosts, ...(resolve && { resolve }) },
    ...(within && { within: within.hosts, hosts: withinPosts(httpHosts, within.posts) }),
    ...(lookup && { lookup }),
  };
}
