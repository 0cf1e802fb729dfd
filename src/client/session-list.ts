// Sessions as Temporal lists them: newest first, from visibility. Needs no worker. Runs in the caller's process.
import { isOfSession, markedName } from '@holdfast/stored/session-names';
import { eachAtOnce } from '@holdfast/base/at-once';
import { defined } from '@holdfast/base/defined';
import { isRecord } from '@holdfast/base/json';
import { mapValues } from '@holdfast/base/map-values';
import { present } from '@holdfast/base/present';
import { type Client, type WorkflowExecutionInfo, isGrpcServiceError } from '@temporalio/client';
import { type Outcome, fromOutcomeText, noReport, toOutcomeText } from '@holdfast/vocabulary/run-result';
import type { OutcomeFilter, RunStatus } from '@holdfast/vocabulary/run-status';
import { searchAttributeTypes, waitingMemo } from '@holdfast/vocabulary/outer-names';
import type { WaitingNote } from '@holdfast/vocabulary/snapshot';
import { ClientError, undefinedIfUnknown } from './client-error.ts';
import { grpcStatus } from '../common/server-trouble.ts';
import { type FailingTask, failingTask } from './failing-task.ts';
import { agentSessionType } from '../workflows/session/workflow-api.ts';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { readStoredResult } from '@holdfast/stored/stored-session';

export type SessionListing = {
  sessionId: string;
  /** Name of an earlier session of an id that was used again; the id means the newest. */
  storedAs?: string;
  /** Temporal's status of the newest run: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT. */
  status: string;
  task: string;
  startedAt: number;
  closedAt?: number;
  taskQueue: string;
  /** The session that started this subagent. */
  parentId?: string;
  /** Status of the last run: from the search attribute, else from the stored result of a completed session. */
  outcome?: RunStatus;
  /** `no_report`: the agent of the last run owed a report and completed without. */
  cause?: Outcome['cause'];
  /** Grade of the last run's report, if its agent has handed one in. */
  grade?: Outcome['grade'];
  /** From the search attributes; absent if the server has not registered them. */
  agentStatus?: string;
  agent?: string;
  model?: string;
  waitingFor?: string;
  turns?: number;
  costUsd?: number;
  /** The session has had turns, and its model has no known price. */
  costUnknown?: true;
  /** Labels from the start. */
  labels?: Record<string, string>;
  /** No worker can go on with the session: its workflow task fails again and again. */
  failingTask?: FailingTask;
};

/** `ended` is any session that is not running. */
export type SessionStatus = 'running' | 'waiting' | 'idle' | 'ended';

export type ListOptions = {
  /** Largest number of sessions. Default 20. */
  limit?: number;
  /** Lists only running sessions. */
  running?: boolean;
  /** Lists sessions whose id begins so. */
  idPrefix?: string;
  /** Lists subagents, which are left out by default. */
  children?: boolean;
  /** Lists sessions that work, wait for a person or a worker, wait for a prompt, or have ended. */
  status?: SessionStatus;
  /** Name of the agent. */
  agent?: string;
  /** The way the last run ended, or Temporal ended the session. */
  outcome?: OutcomeFilter;
  /** Only sessions that a client of Holdfast started with all of these labels. */
  labels?: Record<string, string>;
};

/** A session that waits for people, with the note in its memo; absent: only the session itself knows. */
export type WaitingListing = SessionListing & { waiting?: Exclude<WaitingNote, 'many'> };

/** Some have never written the attribute; the memo then tells if they wait. */
const mayWaitForPeople = `(WaitingFor IN ('approval', 'question') OR WaitingFor IS NULL)`;

/**
 * Running sessions that may wait for an approval or an answer, oldest first: by search attribute, or all of them if the
 * server has not registered it.
 */
export async function listMayWait(client: Client): Promise<WaitingListing[]> {
  const running = `WorkflowType = '${agentSessionType}' AND ExecutionStatus = 'Running'`;
  const found = await collect(client, `${running} AND ${mayWaitForPeople}`).catch((error: unknown) => {
    if (isInvalidQuery(error)) return collect(client, running);
    throw error;
  });
  return found.reverse();
}

/** True for a rejected query, e.g. with an attribute that is not registered. */
function isInvalidQuery(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) && cause.code === grpcStatus.invalidArgument;
}

async function collect(client: Client, query: string): Promise<WaitingListing[]> {
  const found: WaitingListing[] = [];
  for await (const info of client.workflow.list({ query, pageSize: 200 })) {
    const waiting = info.memo?.[waitingMemo];
    const listing = defined({ ...toListing(info), waiting: isNote(waiting) ? waiting : undefined });
    // a session writes its memo whenever it begins to wait: one without it has nothing to be asked for
    const isMarked = listing.waitingFor === 'approval' || listing.waitingFor === 'question';
    if (waiting === undefined && !isMarked) continue;
    // a session also reports the waits of its subagents
    if (listing.parentId === undefined) found.push(listing);
  }
  return found;
}

/** Form of the memo that core/session/snapshot-of.ts writes. */
function isNote(memo: unknown): memo is Exclude<WaitingNote, 'many'> {
  return isRecord(memo) && 'approvals' in memo && 'questions' in memo;
}

/** Escapes text for the quotes of a query. */
export function quotable(text: string): string {
  return text.replaceAll(/['\\]/g, String.raw`\$&`);
}

/** Largest number of subagents in a tree. */
const mostBelow = 1_000;

/** The subagents of a session, at every level, newest first. */
export async function listBelow(client: Client, sessionId: string): Promise<SessionListing[]> {
  const query = `${everySession} AND WorkflowId STARTS_WITH '${quotable(sessionId)}/'`;
  return listFirst(client, query, mostBelow);
}

/** The newest sessions of a schedule, newest first. */
export function listScheduled(client: Client, scheduleId: string, limit: number): Promise<SessionListing[]> {
  const query = `${everySession} AND TemporalScheduledById = '${quotable(scheduleId)}'`;
  return listFirst(client, query, limit);
}

async function listFirst(
  client: Client,
  query: string,
  limit: number,
  { isMeant = () => true, isNarrow = false }: Narrowed = {},
): Promise<SessionListing[]> {
  const found: { info: WorkflowExecutionInfo; listing: SessionListing }[] = [];
  let newest = new Map<string, string>();
  for await (const info of client.workflow.list({ query, pageSize: 200 })) {
    const listing = toListing(info);
    if (!newest.has(info.workflowId)) newest.set(info.workflowId, info.runId);
    if (isMeant(listing)) found.push({ info, listing });
    if (found.length >= limit) break;
  }
  // one that runs is the newest
  const ended = found.filter(({ listing }) => listing.status !== 'RUNNING');
  if (isNarrow && ended.length > 0)
    newest = await newestOf(
      client,
      ended.map(({ info }) => info.workflowId),
    );
  return eachAtOnce(found, describedAtOnce, async ({ info, listing }) => {
    const { workflowId, runId } = info;
    const isNewest = listing.status === 'RUNNING' || (newest.get(workflowId) ?? runId) === runId;
    return isNewest ? listing : { ...listing, storedAs: await nameOf(client, info) };
  });
}

/** `isNarrow`: the query leaves out sessions of an id that it finds. */
type Narrowed = { isMeant?: (listing: SessionListing) => boolean; isNarrow?: boolean };

/** The run of the newest session of each id. */
async function newestOf(client: Client, ids: readonly string[]): Promise<Map<string, string>> {
  const left = new Set(ids);
  const newest = new Map<string, string>();
  const query = `${everySession} AND WorkflowId IN (${[...left].map((id) => `'${quotable(id)}'`).join(', ')})`;
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: 200 })) {
    if (left.delete(workflowId)) newest.set(workflowId, runId);
    if (left.size === 0) break;
  }
  return newest;
}

async function nameOf(client: Client, { workflowId, runId }: WorkflowExecutionInfo): Promise<string> {
  // the list lags behind a removal
  const described = await client.workflow.getHandle(workflowId, runId).describe().catch(undefinedIfUnknown);
  return markedName(workflowId, described?.raw.workflowExecutionInfo?.firstRunId || runId);
}

const everySession = `WorkflowType = '${agentSessionType}' AND ExecutionStatus != 'ContinuedAsNew'`;

/** Rejects with `Refused` for a filter by an attribute that the server has not registered. */
export async function listSessions(client: Client, options: ListOptions): Promise<SessionListing[]> {
  const { limit = 20, labels = {}, children = false, status, agent, outcome } = options;
  const isNarrow = [status, agent, outcome].some((filter) => filter !== undefined);
  // one session may have started a thousand others
  const isMeant = ({ labels: own, parentId }: SessionListing): boolean =>
    Object.entries(labels).every(([name, value]) => own?.[name] === value) &&
    (parentId === undefined || children);
  return listFirst(client, toQuery(options), limit, { isMeant, isNarrow }).catch((error: unknown) => {
    throw isInvalidQuery(error) ? noAttributes(error) : error;
  });
}

/** Sessions described at once. */
const describedAtOnce = 16;

/** Adds to running sessions that their workflow task fails again and again: visibility does not know it. */
export async function withFailingTasks(client: Client, listed: SessionListing[]): Promise<SessionListing[]> {
  return eachAtOnce(listed, describedAtOnce, async (listing) => {
    if (listing.status !== 'RUNNING') return listing;
    const described = await client.workflow.getHandle(listing.sessionId).describe();
    return { ...listing, ...defined({ failingTask: failingTask(described) }) };
  });
}

/** The part of the filter that the server can apply; labels are in the memo, which it cannot search. */
function toQuery({ running = false, idPrefix, status, agent, outcome }: ListOptions): string {
  return present([
    everySession,
    running && `ExecutionStatus = 'Running'`,
    idPrefix !== undefined && `WorkflowId STARTS_WITH '${quotable(idPrefix)}'`,
    status !== undefined && statusQueries[status],
    agent !== undefined && `AgentName = '${quotable(agent)}'`,
    // the attribute has the grade of a report after the status
    outcome !== undefined && outcomeFilter(outcome),
  ]).join(' AND ');
}

function outcomeFilter(outcome: OutcomeFilter): string {
  if (outcome === 'terminated') return `ExecutionStatus = 'Terminated'`;
  const written =
    outcome === noReport
      ? `Outcome = 'completed/${noReport}'`
      : `(Outcome = '${outcome}' OR Outcome STARTS_WITH '${outcome}/')`;
  const own = `${written} AND ExecutionStatus != 'Terminated' AND ExecutionStatus != 'TimedOut'`;
  return outcome === 'timed_out' ? `(ExecutionStatus = 'TimedOut' OR (${own}))` : own;
}

const statusQueries: Record<SessionStatus, string> = {
  // a session that has just begun has written nothing yet
  running: `ExecutionStatus = 'Running' AND (AgentStatus = 'running' OR AgentStatus IS NULL)`,
  waiting: `ExecutionStatus = 'Running' AND AgentStatus = 'waiting'`,
  idle: `ExecutionStatus = 'Running' AND AgentStatus = 'idle'`,
  ended: `ExecutionStatus != 'Running'`,
};

function noAttributes(cause: unknown): ClientError {
  const names = Object.keys(searchAttributeTypes).join(', ');
  return new ClientError(
    'Refused',
    `The server cannot filter by this: expected the search attributes ${names}. A worker of Holdfast registers them at its ` +
      'start where it may; "holdfast doctor" names those that are missing.',
    { cause },
  );
}

/** A session from what Temporal says about its newest run. */
export function toListing(info: Omit<WorkflowExecutionInfo, 'raw'>): SessionListing {
  const { task, labels } = info.memo ?? {};
  return {
    sessionId: info.workflowId,
    status: info.status.name,
    task: typeof task === 'string' ? task : '',
    startedAt: info.startTime.getTime(),
    ...defined({ closedAt: info.closeTime?.getTime(), parentId: parentOf(info) }),
    taskQueue: info.taskQueue,
    ...readAttributes(info),
    ...defined({ labels: isRecord(labels) ? mapValues(labels, String) : undefined }),
  };
}

/** Any workflow may be the parent of a session; a subagent's id begins with that of its session. */
function parentOf({ workflowId, parentExecution }: Omit<WorkflowExecutionInfo, 'raw'>): string | undefined {
  const parentId = parentExecution?.workflowId;
  return parentId && isOfSession(workflowId, parentId) ? parentId : undefined;
}

/** Adds the status in the stored result: Temporal calls a session completed even if its run was aborted. */
export async function withOutcome(
  listing: SessionListing,
  store: ArtifactReader | undefined,
): Promise<SessionListing> {
  if (listing.status !== 'COMPLETED' || listing.outcome !== undefined) return listing;
  const result = await readStoredResult(store, listing.storedAs ?? listing.sessionId).catch(() => undefined);
  if (!result) return listing;
  const { status: outcome, ...graded } = fromOutcomeText(toOutcomeText(result));
  return { ...listing, outcome, ...graded };
}

function readAttributes(info: Omit<WorkflowExecutionInfo, 'raw'>): Partial<SessionListing> {
  const values = new Map(info.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  const word = (name: string): string | undefined => {
    const value = values.get(name);
    // an attribute cannot be removed: a session that waits for nothing writes "nothing"
    return typeof value === 'string' && value !== '' && value !== 'nothing' ? value : undefined;
  };
  const figure = (name: string): number | undefined => {
    const value = values.get(name);
    return typeof value === 'number' ? value : undefined;
  };
  const ended = word('Outcome');
  const outcome = ended === undefined ? undefined : fromOutcomeText(ended);
  const [turns, costUsd] = [figure('Turns'), figure('CostUsd')];
  const all = {
    agentStatus: word('AgentStatus'),
    agent: word('AgentName'),
    model: word('Model'),
    waitingFor: word('WaitingFor'),
    turns,
    costUsd,
    // the attribute is written only if the price is known
    costUnknown: (turns !== undefined && costUsd === undefined) || undefined,
    outcome: outcome?.status,
    cause: outcome?.cause,
    grade: outcome?.grade,
  };
  return defined(all);
}
