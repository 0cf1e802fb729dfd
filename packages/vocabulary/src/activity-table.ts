// The activities of all workflows: contract and policy of each. Both hosts, the workflows' options and the tests read this
// table; only tools are beside it, because each has a policy of its own.
import type * as Contracts from './activity-contracts.ts';
import type { BoardAnswer, BoardCallInput } from './board.ts';
import type { CallModelResult } from './call-results.ts';
import { type FrozenContext, type Segment, modelFor } from './frozen-context.ts';
import type * as Hosts from './hosts.ts';
import { toModelName } from './model-name.ts';
import type { FindReflectionsInput, WriteReflectionInput } from './reflections.ts';
import type { ReportRef, RunOutput } from './run-result.ts';
import type { DeliverInput } from './deliver.ts';
import type { StoredRead } from './stored-reads.ts';
import type * as Storage from './storage-contracts.ts';

type Limits = {
  /** Number of attempts, or Infinity. */
  attempts: number;
  /** Wait before the second attempt; doubles with each. */
  firstMs: number;
  /** Longest wait between two attempts. */
  everyMs: number;
  /** Limit for one attempt. */
  limitMs: number;
  /** Heartbeat timeout: a worker that dies is detected after this time. `agent`: the agent's option. `none`: its body sends no heartbeat. */
  heartbeatMs: number | 'agent' | 'none';
};

type Rest<Input> = {
  /** Type of the activity, if it is not the name of the row. */
  activity?: string;
  /**
   * The parts that a worker must have: one that lacks a part hands the task back, and the task waits for another worker
   * (but not for that of a host). A stop of the run ends it. Absent: it needs nothing, and a stop does not end it.
   */
  needs?: 'context' | 'host' | ((input: Input) => Contracts.WorkerNeed);
  /** A stop waits for the result of the body. */
  waits?: true;
  /** Limit for all attempts together. Absent: none. */
  totalMs?: number;
  /** Id of the activity, for lists of pending ones, which show no input. */
  activityId?(input: Input): string;
  /** Code of a failure without a type of its own, such as a timeout. Default `Activity.Failed`. */
  code?: string;
  /** Name of the call in the UI, unless its caller knows a better one. */
  summary(input: Input, context: FrozenContext | undefined): string;
};

export type Policy<Input> = Limits & Rest<Input>;

type Row<Input, Output> = Policy<Input> & { output?: Output };

/** Limits that a row does not name are these. */
function row<Input, Output>(policy: Partial<Limits> & Rest<Input>): Row<Input, Output> {
  return { attempts: 5, firstMs: 1_000, everyMs: 10_000, limitMs: 60_000, heartbeatMs: 5_000, ...policy };
}

const range = ({ fromSeq, toSeq }: { fromSeq: number; toSeq: number }): string => `${fromSeq}-${toSeq}`;
const toolsOf = (calls: readonly { tool: string }[]): string => calls.map(({ tool }) => tool).join(', ');

/** Adds the name of the model, like the summary of a turn. */
function named(
  question: string,
  purpose: 'condense' | Contracts.AskModelInput['purpose'],
  context?: FrozenContext,
) {
  return `${question} · ${context ? toModelName(modelFor(context, purpose)) : ''}`;
}

const questions = { planner: 'make a plan', extract: 'extract what to remember' } as const;

// oxfmt-ignore
const rows = {
  assembleContext: row<Contracts.AssembleContextInput, FrozenContext | Hosts.HostsToAsk>({ needs: (start) => ({ start }), attempts: 10, summary: () => 'assemble context' }),
  resolveToolGroups: row<Contracts.ResolveToolGroupsInput, Contracts.ResolveToolGroupsResult>({ needs: 'context', summary: () => 'load tools' }),
  /** The body counts provider failures in its heartbeat ledger and ends the retries itself, so that lost workers and deploys cost nothing. */
  callModel: row<Contracts.CallModelInput, CallModelResult>({
    needs: 'context', waits: true, attempts: Infinity, everyMs: 60_000, limitMs: 30 * 60_000, heartbeatMs: 'agent', code: 'Model.CallFailed', summary: () => 'call the model',
  }),
  /** Resolves on the first worker that has the needed parts; every other worker hands it back. Temporal repeats it, at first at the pace that the body asks for. */
  awaitWorker: row<Contracts.WorkerNeed, void>({
    waits: true, attempts: Infinity, firstMs: 3_000, everyMs: 3_000, limitMs: 10_000, heartbeatMs: 'none', summary: () => 'wait for a worker that has what is needed',
  }),
  readSkills: row<Contracts.ReadSkillsInput, Contracts.ReadSkillsResult>({ needs: 'context', summary: ({ names }) => `load skill ${names.join(', ')}` }),
  /** Without it a hand-over would lose messages, and a store may be down for a weekend. */
  archiveSegment: row<Storage.ArchiveSegmentInput, Segment>({ attempts: 5_000, everyMs: 60_000, summary: (input) => `archive messages ${range(input)}` }),
  /** Before a condense; the run can continue without one. */
  archiveFolded: row<Storage.ArchiveSegmentInput, Segment>({ activity: 'archiveSegment', needs: 'context', summary: (input) => `archive messages ${range(input)}` }),
  summarize: row<Contracts.SummarizeInput, Contracts.SummarizeResult>({
    needs: 'context', waits: true, attempts: 6, everyMs: 30_000, limitMs: 600_000, heartbeatMs: 'agent', code: 'Model.CallFailed',
    summary: ({ view }, context) => named(`condense messages ${range(view)}`, 'condense', context),
  }),
  /** As patient as a condense: the run continues without the answer. */
  askModel: row<Contracts.AskModelInput, Contracts.AskModelResult>({
    needs: 'context', waits: true, attempts: 6, everyMs: 30_000, limitMs: 600_000, heartbeatMs: 'agent', code: 'Model.CallFailed',
    summary: ({ purpose }, context) => named(questions[purpose], purpose, context),
  }),
  /** A run begins without the memory if the search takes too long. */
  searchMemory: row<Storage.SearchMemoryInput, Storage.SearchMemoryResult>({ needs: 'context', waits: true, attempts: 3, everyMs: 5_000, summary: () => 'search memory' }),
  flushMemory: row<Storage.FlushMemoryInput, number>({ needs: 'context', summary: () => 'flush memory' }),
  saveIncident: row<Storage.SaveIncidentInput, void>({ summary: () => 'remember the incident' }),
  /** Without a verdict the calls are denied: a tier that is down gets a few tries, not minutes. */
  evaluatePolicy: row<Contracts.EvaluatePolicyInput, Contracts.EvaluatePolicyResult>({
    needs: 'context', waits: true, attempts: 3, limitMs: 300_000, summary: ({ calls }) => `judge ${toolsOf(calls)}`,
  }),
  /**
   * A throw of the hook is final. The heartbeat outlasts a usual outage of the server: a repeated hook would act twice.
   */
  runHook: row<Contracts.RunHookInput, Contracts.RunHookResult>({ needs: 'context', waits: true, heartbeatMs: 10_000, summary: ({ hook, point }) => `hook ${hook} ${point}` }),
  /** Without an answer, the result has only the held messages. */
  readOutput: row<Storage.ReadOutputInput, RunOutput>({ summary: () => 'read output' }),
  /** Adds code's facts about a run to its report, or writes one. Returns the reference to the stored report. */
  completeReport: row<Storage.CompleteReportInput, ReportRef>({ limitMs: 180_000, summary: () => 'complete report' }),
  saveResult: row<Storage.SaveResultInput, Storage.SavedResult>({ summary: () => 'save result' }),
  /** The run waits for it: a store that is down must not delay it much. */
  saveCheckpoint: row<Storage.SaveCheckpointInput, Storage.SavedCheckpoint>({ attempts: 2, summary: () => 'save checkpoint' }),
  /** Copies the artifacts that the messages name. */
  loadCheckpoint: row<Storage.LoadCheckpointInput, Storage.LoadedCheckpoint>({ attempts: 10, limitMs: 600_000, code: 'Checkpoint.NotLoaded', summary: () => 'load checkpoint' }),
  /** Returns a stored report in the form for its critic. */
  describeReport: row<Contracts.DescribeReportInput, string>({ attempts: 3, limitMs: 20_000, summary: () => 'read report' }),
  /** Returns the name of the note. Notes are optional: an unreachable folder must not delay a run much. */
  writeReflection: row<WriteReflectionInput, string>({ attempts: 3, limitMs: 20_000, summary: () => 'write note' }),
  /** Returns the texts of the notes, newest first. */
  findReflections: row<FindReflectionsInput, string[]>({ attempts: 3, limitMs: 20_000, summary: () => 'find notes' }),
  /** An abort releases claims, so it is not stopped: a board that is down must not delay the abort for long. */
  boardCall: row<BoardCallInput, BoardAnswer>({
    attempts: 3, firstMs: 500, limitMs: 10_000, summary: ({ name, board, args: { id = '' } }) => `board ${board}: ${name} ${id}`,
  }),
  describeHost: row<Hosts.DescribeHostInput, Hosts.HostDescription>({ needs: 'host', waits: true, attempts: 2, limitMs: 20_000, summary: ({ host }) => `tools of ${host}` }),
  inspectCalls: row<Hosts.InspectCallsInput, Hosts.InspectCallsResult>({
    needs: 'host', waits: true, attempts: 2, limitMs: 20_000, summary: ({ calls, host }) => `judge ${toolsOf(calls)} on ${host}`,
  }),
  /** One attempt, and short: a delivery by the session itself holds up its end for at most this time. */
  deliverOnce: row<DeliverInput, void>({ activity: 'deliver', attempts: 1, totalMs: 10_000, summary: ({ point }) => `deliver ${point}` }),
  /** Three days outlast a weekend without a receiver. A worker without the destination hands it back, to be taken by another in that time. */
  deliver: row<DeliverInput, void>({
    attempts: Infinity, everyMs: 300_000, totalMs: 3 * 24 * 3_600_000, activityId: ({ destination }) => destination, summary: ({ destination }) => `to ${destination}`,
  }),
  /** Fails, to be asked again, while the session runs. */
  awaitSessionEnd: row<{ session: string }, Contracts.SessionEnd>({
    attempts: Infinity, firstMs: 2_000, everyMs: 300_000, limitMs: 30_000, heartbeatMs: 'none', summary: () => 'end of the session',
  }),
  /** Stores a page of old fates. */
  archiveFates: row<Contracts.ArchiveFatesInput, void>({ limitMs: 30_000, heartbeatMs: 'none', summary: () => 'store old fates' }),
  /** Returns null if there is no such text. Short, because a caller waits for it. */
  readStored: row<StoredRead, unknown>({ attempts: 3, firstMs: 500, limitMs: 20_000, summary: ({ what }) => `read ${what}` }),
};

export type ActivityName = keyof typeof rows;
export type InputOf<Name extends ActivityName> =
  (typeof rows)[Name] extends Row<infer Input, infer _> ? Input : never;
export type OutputOf<Name extends ActivityName> =
  (typeof rows)[Name] extends Row<infer _, infer Output> ? Output : never;

export const activityTable: { [Name in ActivityName]: Policy<InputOf<Name>> } = rows;

/** A function for each row. */
export type Bodies<Name extends ActivityName = ActivityName> = {
  [Each in Name]: (input: InputOf<Each>) => Promise<OutputOf<Each>>;
};

/** Activities on the task queue of a host; its tools are registered in addition, as `tool.<name>`. */
export type HostActivities = Bodies<'describeHost' | 'inspectCalls'>;

/** Activities of a worker that serves sessions; tools are registered in addition, as `tool.<name>`. */
export type Activities = Bodies<
  Exclude<ActivityName, 'archiveFolded' | 'deliverOnce' | keyof HostActivities>
>;
