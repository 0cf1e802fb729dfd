// What Temporal itself knows of sessions: their listing, newest first, from visibility, and the size of their histories.
// Needs no worker.
import { isGrpcServiceError } from '@temporalio/client';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { fromOutcomeText, noReport, toOutcomeText } from '../core/model/run-result.ts';
import type { Outcome, RunStatus } from '../core/model/run-result.ts';
import { searchAttributeTypes, waitingMemo } from '../core/model/outer-names.ts';
import type { WaitingNote } from '../core/model/snapshot.ts';
import { ClientError } from './client-error.ts';
import { agentSessionType } from '../workflows/workflow-api.ts';
import type { ArtifactReader } from '../stored/artifact-names.ts';
import { readStoredResult } from '../stored/stored-session.ts';

export type SessionListing = {
  sessionId: string;
  /** Temporal's status of the newest run: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT. */
  status: string;
  task: string;
  startedAt: number;
  closedAt?: number;
  taskQueue: string;
  /** Of a subagent: the session that started it. */
  parentId?: string;
  /** How the last run ended: from the search attribute, else from the stored result of a completed session. */
  outcome?: RunStatus;
  /** Of its report, where the agent has handed one in; `no_report` where it owed one and completed without. */
  grade?: Outcome['grade'];
  /** From the search attributes; absent where the server has none registered. */
  agentStatus?: string;
  agent?: string;
  model?: string;
  waitingFor?: string;
  turns?: number;
  costUsd?: number;
  /** It has had turns, and no price of its model is known. */
  costUnknown?: true;
  /** Those that it was started with. */
  labels?: Record<string, string>;
};

/** `ended` is any that does not run. */
export type SessionStatus = 'running' | 'waiting' | 'idle' | 'ended';

export type ListOptions = {
  /** Default 20. */
  limit?: number;
  /** Only those that have not ended. */
  running?: boolean;
  /** Also those that other sessions have started with `delegate`. */
  children?: boolean;
  /** At work, waiting for somebody or something, waiting for a prompt, or ended. */
  status?: SessionStatus;
  /** The name of its agent. */
  agent?: string;
  /** How its last run ended; `no_report`: completed, without the report that its agent owed. */
  outcome?: RunStatus | 'no_report';
  /** Only sessions that were started with all of these, by a client of Holdfast. */
  labels?: Record<string, string>;
};

/** One that may wait for people, with what its memo says of that; absent: only the session itself knows. */
export type WaitingListing = SessionListing & { waiting?: Exclude<WaitingNote, 'many'> };

/** Ends a filter of the sessions that a person may have something to do for; some have never written the attribute. */
const mayWaitForPeople = `(WaitingFor IN ('approval', 'question') OR WaitingFor IS NULL)`;

/**
 * Running sessions of which one may wait for an approval or an answer, oldest first: by search attribute, and all of them
 * where the server has none registered.
 */
export async function listMayWait(client: Client): Promise<WaitingListing[]> {
  const running = `WorkflowType = '${agentSessionType}' AND ExecutionStatus = 'Running'`;
  const found = await collect(client, `${running} AND ${mayWaitForPeople}`).catch((error: unknown) => {
    if (isInvalidQuery(error)) return collect(client, running);
    throw error;
  });
  return found.reverse();
}

/** gRPC status INVALID_ARGUMENT. */
const invalidArgument = 3;

/** Such as one with an attribute that is not registered. */
function isInvalidQuery(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) && cause.code === invalidArgument;
}

async function collect(client: Client, query: string): Promise<WaitingListing[]> {
  const found: WaitingListing[] = [];
  for await (const info of client.workflow.list({ query, pageSize: 200 })) {
    const waiting = info.memo?.[waitingMemo];
    const listing = { ...toListing(info), ...(isNote(waiting) ? { waiting } : {}) };
    // a session says also what waits in its subagents
    if (listing.parentId === undefined) found.push(listing);
  }
  return found;
}

/** As core/session/waiting-note writes it. */
function isNote(memo: unknown): memo is Exclude<WaitingNote, 'many'> {
  return typeof memo === 'object' && memo !== null && 'approvals' in memo && 'questions' in memo;
}

/** Text between the quotes of a query. */
export function quotable(text: string): string {
  return text.replaceAll(/['\\]/g, String.raw`\$&`);
}

/** Of a tree that is shown. */
const mostBelow = 1_000;

/** The subagents of a session, at every level, newest first. */
export async function listBelow(client: Client, sessionId: string): Promise<SessionListing[]> {
  const query = `${everySession} AND WorkflowId STARTS_WITH '${quotable(sessionId)}/'`;
  const found: SessionListing[] = [];
  for await (const info of client.workflow.list({ query, pageSize: 200 })) {
    found.push(toListing(info));
    if (found.length >= mostBelow) break;
  }
  return found;
}

const everySession = `WorkflowType = '${agentSessionType}' AND ExecutionStatus != 'ContinuedAsNew'`;

/** Rejects with `Refused` for a filter by an attribute that the server has not registered. */
export async function listSessions(client: Client, options: ListOptions): Promise<SessionListing[]> {
  const found: SessionListing[] = [];
  const { limit = 20, labels = {}, children = false } = options;
  try {
    // one session may have started a thousand others
    for await (const info of client.workflow.list({ query: toQuery(options), pageSize: 200 })) {
      const listing = toListing(info);
      const hasLabels = Object.entries(labels).every(([name, value]) => listing.labels?.[name] === value);
      if (hasLabels && (listing.parentId === undefined || children)) found.push(listing);
      if (found.length >= limit) break;
    }
  } catch (error) {
    throw isInvalidQuery(error) ? noAttributes(error) : error;
  }
  return found;
}

/** What the server filters by itself; labels are in the memo, which it cannot search. */
function toQuery({ running = false, status, agent, outcome }: ListOptions): string {
  const parts = [
    everySession,
    ...(running ? [`ExecutionStatus = 'Running'`] : []),
    ...(status === undefined ? [] : [statusQueries[status]]),
    ...(agent === undefined ? [] : [`AgentName = '${quotable(agent)}'`]),
    // the attribute names the grade of a report behind the status
    ...(outcome === undefined ? [] : [outcomeFilter(outcome)]),
  ];
  return parts.join(' AND ');
}

function outcomeFilter(outcome: RunStatus | 'no_report'): string {
  if (outcome === noReport) return `Outcome = 'completed/${noReport}'`;
  return `(Outcome = '${outcome}' OR Outcome STARTS_WITH '${outcome}/')`;
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
    ...(info.closeTime ? { closedAt: info.closeTime.getTime() } : {}),
    taskQueue: info.taskQueue,
    ...parentOf(info),
    ...readAttributes(info),
    ...(isLabels(labels) ? { labels } : {}),
  };
}

function isLabels(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null;
}

/** A session may be the child of any workflow; one that a session has started is named after it. */
function parentOf({ workflowId, parentExecution }: Omit<WorkflowExecutionInfo, 'raw'>): {
  parentId?: string;
} {
  const parentId = parentExecution?.workflowId;
  return parentId && workflowId.startsWith(`${parentId}/`) ? { parentId } : {};
}

/** With the outcome of its stored result: Temporal calls a session completed also where its run was aborted. */
export async function withOutcome(
  listing: SessionListing,
  store: ArtifactReader | undefined,
): Promise<SessionListing> {
  if (listing.status !== 'COMPLETED' || listing.outcome !== undefined) return listing;
  const result = await readStoredResult(store, listing.sessionId).catch(() => undefined);
  if (!result) return listing;
  const { status: outcome, ...graded } = fromOutcomeText(toOutcomeText(result));
  return { ...listing, outcome, ...graded };
}

function readAttributes(info: Omit<WorkflowExecutionInfo, 'raw'>): Partial<SessionListing> {
  const values = new Map(info.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  const word = (name: string): string | undefined => {
    const value = values.get(name);
    // An attribute cannot be taken back: what waits for nothing says so.
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
    // the attribute is written where the price is known
    costUnknown: (turns !== undefined && costUsd === undefined) || undefined,
    outcome: outcome?.status,
    grade: outcome?.grade,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Over the whole chain of continue-as-new. */
export type HistorySize = { runs: number; events: number; bytes: number };

/** Follows the chain from the first run, because visibility lags behind. */
export async function readHistorySize(client: Client, sessionId: string): Promise<HistorySize> {
  const newest = await client.workflow.getHandle(sessionId).describe();
  const first = newest.raw.workflowExecutionInfo?.firstRunId;
  const size: HistorySize = { runs: 0, events: 0, bytes: 0 };
  for (let runId = first || newest.runId; ;) {
    const info =
      runId === newest.runId ? newest : await client.workflow.getHandle(sessionId, runId).describe();
    size.runs += 1;
    size.events += info.historyLength;
    size.bytes += info.historySize ?? 0;
    if (runId === newest.runId) return size;
    const next = await nextRunOf(client, sessionId, runId);
    if (next === undefined) return size;
    runId = next;
  }
}

async function nextRunOf(client: Client, sessionId: string, runId: string): Promise<string | undefined> {
  const closeEvents = 2; // HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT
  const answer = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: sessionId, runId },
    historyEventFilterType: closeEvents,
    skipArchival: true,
  });
  const event = answer.history?.events?.at(-1);
  return event?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
}
