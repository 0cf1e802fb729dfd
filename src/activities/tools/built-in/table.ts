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
    'Pins one finding for the rest of the session: what you have established and will need to the end, with host, ' +
    'time or number. Older messages may be folded into a summary; pinned findings stay as you wrote them. All of ' +
    'them together have 8 KiB, and none can be taken back: pin facts, not guesses.',
  input: z.strictObject({
    text: z.string().min(1).max(8_192).describe('The finding, in one or two sentences.'),
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
    'Asks the people on call one question and waits for the answer, which may take hours or not come. For what no tool ' +
    'shows and only they know: what was changed on purpose, which of two risks they take. Not for permission: a call ' +
    'that needs it asks by itself. The answer is what a person said, and no evidence for a quote.',
  input: z.strictObject({
    question: z.string().min(1).max(2_000).describe('The question, with what has to be known to answer it.'),
    options: z
      .array(z.string().min(1).max(200))
      .min(2)
      .max(8)
      .optional()
      .describe('Answers to choose from; another one may come.'),
  }),
  effect: 'read',
  timeoutMs: 1_000,
  runsIn: 'workflow',
  summaryArguments: ['question'],
});

const stepFields = {
  text: z.string().min(1).max(stepCharacters).describe('What is done, a verb first.'),
  criterion: z.string().min(1).max(stepCharacters).describe('How one sees that it is done.'),
  dependsOn: z
    .array(z.string().max(20))
    .max(10)
    .optional()
    .describe('Numbers of earlier steps that must be done first: steps count "1", "2", sub-steps "2.1".'),
  verify: z.boolean().optional().describe('It checks what the others came to. A plan needs one such step.'),
  status: z.enum(stepStatuses).optional(),
  note: z.string().max(noteCharacters).optional(),
};

export const updatePlanTool = declareWorkflowTool({
  name: 'update_plan',
  label: 'Update plan',
  description:
    'Keeps the plan of this session, where no condense can lose it. With steps: sets it, in place of the one before. With id ' +
    'and status: marks one step; say in the note what came of it. Without arguments: reads it. Steps are taken in order. ' +
    'For work of several steps: plan first, mark each step when it begins and when it is over, and verify before you answer.',
  input: z.strictObject({
    steps: z
      .array(z.strictObject({ ...stepFields, steps: z.array(z.strictObject(stepFields)).max(10).optional() }))
      .min(1)
      .max(maxSteps)
      .optional()
      .describe('The whole plan; with id the sub-steps of that step.'),
    id: z.string().max(20).optional().describe('Number of the step that is meant.'),
    status: z.enum(stepStatuses).optional(),
    note: z.string().max(noteCharacters).optional().describe('What came of the step, in a sentence.'),
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
