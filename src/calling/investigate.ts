// Starts sessions as children of a user's own workflow: in one call, or with a handle to the running child. Runs in
// workflows of others.
import { defined } from '@holdfast/base/defined';
import {
  type ChildWorkflowHandle,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowCancellationType,
  defineSignal,
  ParentClosePolicy,
  proxyActivities,
  setHandler,
  startChild,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/common';
import type { ChildUpdate } from '@holdfast/vocabulary/child-update';
import type { UserMessage } from '@holdfast/vocabulary/messages';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { AllowanceScope } from '@holdfast/vocabulary/events';
import type { Snapshot, SnapshotActivities } from '@holdfast/vocabulary/snapshot';
import { agentSessionType, signals } from '../workflows/session/workflow-api.ts';
import { toInvestigation, toSessionInput } from './investigation.ts';
import type { Investigation, InvestigateOptions } from './investigation.ts';

/** The workflow type of a session. */
export type AgentSession = (input: SessionInput) => Promise<SessionResult>;

/** The person who answers, for the log of the session. */
export type Answerer = { actor: string };

/** A session that runs as a child. Signals reach it in the order of the calls, if each call is awaited. */
export type InvestigationHandle<Output = undefined> = {
  readonly sessionId: string;
  /** Temporal's own handle, for anything else. */
  readonly child: ChildWorkflowHandle<AgentSession>;
  /** The session's latest approvals, questions and waits; updated by signals. */
  readonly waiting: Pick<ChildUpdate, 'waitingFor' | 'waitingReason' | 'approvals' | 'questions'>;
  /** The agent reads it before its next turn; `interrupt` stops what it is doing. */
  steer(message: string | UserMessage, options?: { mode?: 'next_turn' | 'interrupt' }): Promise<void>;
  /** Read when the run would end: further work for the same session. */
  followUp(message: string | UserMessage): Promise<void>;
  /** Approves a call in `waiting.approvals`. `argsDigest` binds the answer to the arguments that the person saw. */
  approve(
    id: string,
    answer: Answerer & { argsDigest: string; reason?: string; remember?: AllowanceScope },
  ): Promise<void>;
  deny(id: string, answer: Answerer & { reason?: string }): Promise<void>;
  /** Answers a question in `waiting.questions`. */
  answer(id: string, text: string, by: Answerer): Promise<void>;
  /** Ends the run; its result has the findings so far. */
  abort(): Promise<void>;
  /** Any other message that needs no answer, by its definition. */
  signal<Args extends unknown[]>(definition: SignalDefinition<Args>, ...args: Args): Promise<void>;
  /**
   * Read by a worker of the session, because a workflow cannot query. An activity, so it adds three events to the
   * caller's history.
   */
  snapshot(): Promise<Snapshot>;
  /** Cancels the child: its calls are stopped, and `result` still has the findings so far. */
  cancel(): void;
  /** Waits for the end. Rejects with a ChildWorkflowFailure whose cause is RunFailed if the run failed. */
  result(): Promise<Investigation<Output>>;
};

/**
 * Runs an investigation as a child workflow, and returns its result. A failed run throws a ChildWorkflowFailure, whose
 * cause has the type RunFailed and the result in its details; a cancelled caller gets a CancelledFailure with the
 * result in its details, after the child has stopped.
 */
export async function investigate<Output = undefined>(
  options: InvestigateOptions<Output>,
): Promise<Investigation<Output>> {
  const child = await start(options, toSessionInput(options));
  const result = await child.result();
  if (result.status === 'aborted' && CancellationScope.current().consideredCancelled)
    throw new CancelledFailure('The investigation was cancelled.', [result]);
  return toInvestigation(result, options);
}

/** Starts an investigation as a child workflow, and returns when it has begun. */
export async function startInvestigation<Output = undefined>(
  options: InvestigateOptions<Output>,
): Promise<InvestigationHandle<Output>> {
  let waiting: InvestigationHandle['waiting'] = { approvals: [], questions: [] };
  const { workflowId } = workflowInfo();
  // one signal name for each child, so that no table of all of them is needed
  const news = defineSignal<[ChildUpdate]>(`holdfast-${uuid4()}`);
  setHandler(news, ({ name: _, sessionId: __, more: ___, ...told }) => void (waiting = told), {
    description: 'What waits for people in an investigation.',
  });
  const input = { ...toSessionInput(options), notify: { workflowId, signal: news.name } };
  const scope = new CancellationScope();
  const child = await scope.run(() => start(options, input));
  return {
    sessionId: child.workflowId,
    child,
    get waiting() {
      return waiting;
    },
    steer: (message, { mode } = {}) => child.signal(signals.steer, defined({ id: uuid4(), message, mode })),
    followUp: (message) => child.signal(signals.followUp, { id: uuid4(), message }),
    approve: (id, answer) => child.signal(signals.resolveApproval, { ...answer, id, approve: true }),
    deny: (id, answer) => child.signal(signals.resolveApproval, { ...answer, id, approve: false }),
    answer: (id, text, { actor }) => child.signal(signals.answerQuestion, { id, text, actor }),
    abort: () => child.signal(signals.abort),
    signal: (definition, ...args) => child.signal(definition, ...args),
    snapshot: () => readSnapshot(child.workflowId, options.taskQueue),
    cancel: () => scope.cancel(),
    result: async () => toInvestigation(await child.result(), options),
  };
}

function start<Output>(
  { taskQueue, sessionId, task }: InvestigateOptions<Output>,
  input: SessionInput,
): Promise<ChildWorkflowHandle<AgentSession>> {
  return startChild<AgentSession>(agentSessionType, {
    workflowId: sessionId ?? `${workflowInfo().workflowId}/investigation-${uuid4().slice(0, 8)}`,
    args: [input],
    ...defined({ taskQueue }),
    staticSummary: task.split('\n')[0]?.slice(0, 100) ?? '',
    // a caller that ends in any way leaves nothing running; the child stores its findings
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    // the child stops its model call and tools first, and answers with its findings
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}

function readSnapshot(sessionId: string, taskQueue: string | undefined): Promise<Snapshot> {
  const activities = proxyActivities<SnapshotActivities>({
    ...defined({ taskQueue }),
    startToCloseTimeout: '20s',
    retry: { initialInterval: '500ms', maximumAttempts: 3 },
    summary: 'read snapshot',
  });
  return activities.readSnapshot({ sessionId });
}
