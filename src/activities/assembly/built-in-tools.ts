// The built-in tools, as far as the configuration opens files, hosts or commands to them. Runs in Node.
import { defined } from '@holdfast/base/defined';
import type { LookupFunction } from 'node:net';
import { z } from 'zod';
import { createEditTool } from '../built-in/files/edit.ts';
import { maxSteps, noteCharacters, stepCharacters } from '../../core/agent/plan/read-plan.ts';
import { createScheduleName } from '@holdfast/vocabulary/outer-names';
import { stepStatuses } from '@holdfast/vocabulary/plan';
import { narrowShell } from '../../core/tools/access.ts';
import type { Access } from '@holdfast/vocabulary/frozen-context';
import { createBashTool } from '../built-in/bash/bash.ts';
import type { Memory } from '../notes/memory.ts';
import type { OpenNotes } from '../storage/note-store.ts';
import { createNoteTools, noteToolNames, createSearchMemoryTool } from '../notes/note-tools.ts';
import { overlap } from '@holdfast/processes/is-within';
import type { FileAccess } from '../built-in/files/file-roots.ts';
import type { RunbookFolders } from '../notes/read-runbooks.ts';
import { createFindRunbookTool } from '../notes/find-runbook.ts';
import { createFindTool } from '../built-in/files/find.ts';
import { createGrepTool } from '../built-in/files/grep.ts';
import { createHttpGetTool, createHttpPostTool, type HttpOptions } from '../built-in/http/http-tools.ts';
import { postPaths, withinPosts } from '../built-in/http/http-hosts.ts';
import { createLsTool } from '../built-in/files/ls.ts';
import { createNoteUserTool } from '../built-in/files/note-user.ts';
import { createReadArtifactTool } from '../built-in/files/read-artifact.ts';
import { createReadTool } from '../built-in/files/read.ts';
import { createScheduleTool } from '../built-in/schedule/create-schedule.ts';
import { createReportTool } from '../built-in/report/report.ts';
import { createWriteTool } from '../built-in/files/write.ts';
import type { ShellSettings } from '../built-in/bash/shell-settings.ts';
import { hypothesesTool } from './hypotheses-tool.ts';
import { declareWorkflowTool, type RegisteredTool } from '../tools/define-tool.ts';

export const pinFindingTool = declareWorkflowTool({
  name: 'pin_finding',
  label: 'Pin finding',
  description:
    'Keeps one fact (host, time, number) as you wrote it when messages are folded; replaces: id of a wrong one.',
  input: z.strictObject({ text: z.string().min(1).max(8_192), replaces: z.string().max(40).optional() }),
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
  summaryArguments: ['question'],
});

/** That text and criterion are there is checked by read-plan.ts, which names the step. */
const stepFields = {
  text: z.string().max(stepCharacters),
  criterion: z.string().max(stepCharacters).describe('How it is seen to be done.'),
  dependsOn: z.array(z.string().max(20)).max(10).optional().describe('Earlier steps, e.g. "1", "2.1".'),
  verify: z.boolean().optional().describe('A plan needs one such step.'),
  status: z.enum(stepStatuses).optional(),
  note: z.string().max(noteCharacters).optional(),
};

/** Checked by the same rules as steps (read-plan.ts), so not described twice. */
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
  summaryArguments: ['id', 'status'],
});

export type BuiltInOptions = {
  /** Folders that the file tools may read; empty turns the file tools off. */
  roots: readonly string[];
  /** Folders in them whose files may be changed; empty turns write and edit off. */
  writable?: readonly string[];
  /** Folders in them that stay closed: the worker's own. */
  closed?: readonly string[];
  /** Hosts that http_get may reach; empty turns http_get off. */
  httpAllow: readonly string[];
  /** Headers and paths of hosts; a host with paths turns http_post on. */
  httpHosts?: HttpOptions['hosts'] | undefined;
  /** Replaces references to secrets in them. */
  resolve?: HttpOptions['resolve'] | undefined;
  /** The memory that search_memory searches; absent turns search_memory off. */
  memory?: Memory | undefined;
  /** The notes of agents; absent turns their tools off. */
  notes?: OpenNotes | undefined;
  /** USER.md of the memory, if it is in a writable folder; absent turns note_user off. Absolute. */
  userFile?: string | undefined;
  /** Settings of bash; absent turns bash off. Its hosts are those of `httpAllow`. */
  shell?: Omit<ShellSettings, 'hosts' | 'roots'> | undefined;
  /** Turns create_schedule on. Default: false. */
  schedules?: boolean | undefined;
  /** Folders of runbooks; absent turns find_runbook off. */
  runbooks?: RunbookFolders | undefined;
  /** The access of another configuration: the tools reach only places that both allow. */
  within?: Omit<Access, 'policy'>;
  lookup?: LookupFunction;
};

/** A built-in tool, and the setting that turns it on. */
type BuiltIn = {
  name: string;
  /** The setting that turns it on, for people. Absent: it is always on. */
  turnedOnBy?: string;
  /** Undefined if the configuration does not turn it on. */
  create(options: BuiltInOptions): RegisteredTool | undefined;
};

type FileTool = (access: FileAccess) => RegisteredTool;

function readsFiles(name: string, create: FileTool): BuiltIn {
  return {
    name,
    turnedOnBy: 'files.roots',
    create: (options) => (options.roots.length > 0 ? create(filesOf(options)) : undefined),
  };
}

function changesFiles(name: string, create: FileTool): BuiltIn {
  return {
    name,
    turnedOnBy: 'files.writable',
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
    name: 'http_get',
    turnedOnBy: 'http.allow',
    create: (options) => (options.httpAllow.length > 0 ? createHttpGetTool(httpOf(options)) : undefined),
  },
  {
    name: 'http_post',
    turnedOnBy: 'http.hosts',
    // decided by the worker's own paths; if the run may use none of them, http_post refuses
    create: (options) =>
      postPaths(options.httpHosts ?? {}).length > 0 ? createHttpPostTool(httpOf(options)) : undefined,
  },
  {
    name: 'bash',
    turnedOnBy: 'shell, and bubblewrap (see holdfast doctor)',
    create: ({ shell, httpAllow, roots: given, within }) => {
      if (shell === undefined) return undefined;
      const hosts = within ? httpAllow.filter((host) => within.hosts.includes(host)) : httpAllow;
      const roots = overlap(given, within?.roots);
      return createBashTool({ ...shell, ...(within && narrowShell(shell, within.shell)), hosts, roots });
    },
  },
  {
    name: 'search_memory',
    turnedOnBy: 'memory',
    create: ({ memory }) => memory && createSearchMemoryTool(memory),
  },
  {
    name: 'find_runbook',
    turnedOnBy: 'runbooks',
    create: ({ runbooks }) => runbooks && createFindRunbookTool(runbooks),
  },
  ...noteToolNames.map((name): BuiltIn => ({
    name,
    turnedOnBy: 'notes',
    create: ({ notes }) => notes && createNoteTools(notes).find(({ spec }) => spec.name === name),
  })),
  {
    name: 'note_user',
    turnedOnBy: 'files.writable, for USER.md in memory.files',
    create: ({ userFile, ...rest }) => (userFile ? createNoteUserTool(filesOf(rest), userFile) : undefined),
  },
  {
    name: createScheduleName,
    turnedOnBy: 'schedules.tool',
    create: ({ schedules }) => (schedules ? createScheduleTool() : undefined),
  },
  always(createReadArtifactTool()),
  always(createReportTool()),
  always(pinFindingTool),
  always(askHumanTool),
  always(updatePlanTool),
  always(hypothesesTool),
];

export const builtInNames: readonly string[] = builtIns.map(({ name }) => name);

export function createBuiltInTools(options: BuiltInOptions): RegisteredTool[] {
  return builtIns.flatMap((tool) => tool.create(options) ?? []);
}

/** The tools that these options leave off, each with the setting that turns it on. */
export function offBuiltIns(options: BuiltInOptions): Map<string, string> {
  const off = builtIns.filter((tool) => tool.create(options) === undefined);
  return new Map(off.map(({ name, turnedOnBy = '' }) => [name, turnedOnBy]));
}

function filesOf({ roots, writable = [], closed = [], within }: BuiltInOptions): FileAccess {
  const changes = defined({ folders: writable, within: within && (within.writable ?? []) });
  return defined({
    roots,
    closed,
    within: within?.roots,
    writable: writable.length > 0 ? changes : undefined,
  });
}

function httpOf({ httpAllow, httpHosts = {}, resolve, within, lookup }: BuiltInOptions): HttpOptions {
  const hosts = within ? withinPosts(httpHosts, within.posts) : httpHosts;
  return defined({ allow: httpAllow, hosts, resolve, within: within?.hosts, lookup });
}
