// The answer of the query `snapshot`, derived from the session on demand. Pure.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import { type FrozenContext, costUnknownOf } from '@holdfast/vocabulary/frozen-context';
import type { RunState } from '@holdfast/vocabulary/agent-state';
import type {
  OpenMessage,
  RunProgress,
  Snapshot,
  PendingApproval,
  PendingQuestion,
  WaitingNote,
} from '@holdfast/vocabulary/snapshot';
import { toLive } from '@holdfast/vocabulary/hypotheses';
import { budgetOf, toSpent } from '../state/limits.ts';
import { modesNow } from '../tools/modes.ts';
import type { Session } from './session.ts';
import { jsonBytes } from '@holdfast/base/sizes';

const shownReceipts = 20;

export function snapshotOf(session: Session): Snapshot {
  const { state, inbox, openMessage, waitingFor, waitingReason } = session;
  const { run, context, lastResult } = state;
  const { completion, failedCondenses } = run ?? lastResult ?? {};
  return {
    sessionId: state.sessionId,
    workflowRunId: session.executionId,
    ...(context ? { ...ofContext(context), ...modesNow(state) } : {}),
    ...identityOf(session),
    ...defined({ completion, failedCondenses }),
    children: (state.children ?? []).map((child) => ({
      ...omit(child, 'reserved', 'result', 'taskId', 'index'),
      ...defined({ waiting: session.childWaits.ofChild(child.id) }),
    })),
    task: state.task,
    state: state.status,
    ...defined({ waitingFor, waitingReason }),
    tools: context?.tools.map((tool) => tool.name) ?? [],
    loadedGroups: state.loadedGroups ?? [],
    loadedSkills: state.loadedSkills ?? [],
    ...defined({ runId: run?.runId }),
    turn: run?.turn ?? lastResult?.turns ?? 0,
    messageCount: state.log.nextSeq - 1,
    lastSeq: state.log.nextSeq - 1,
    lastEventSeq: session.events.lastSeq,
    isStreaming: run !== undefined || inbox.hasPrompt,
    ...defined({ streaming: openMessage && streamingOf(openMessage) }),
    pendingToolCalls:
      run?.batch.filter((entry) => entry.started && !entry.answer).map((entry) => entry.call.callId) ?? [],
    ...defined({ errorMessage: state.errorMessage }),
    queues: { steering: inbox.ids('steering'), followUp: inbox.ids('followUp') },
    queueModes: { steering: inbox.modeOf('steering'), followUp: inbox.modeOf('followUp') },
    receipts: inbox.newestReceipts(shownReceipts),
    ...defined({ plan: state.plan, hypotheses: state.hypotheses?.map(toLive) }),
    usage: state.usage,
    costUsd: state.costUsd,
    ...costUnknownOf(context),
    toolCalls: state.toolCalls,
    budget: budgetOf(state),
    ...defined({ run: run && !run.end ? progressOf(session, run) : undefined }),
    approvals: session.allApprovals,
    questions: session.allQuestions,
    allowances: session.approvals.allowances.held,
    ...defined({ lastStatus: lastResult?.status, lastCause: lastResult?.cause, error: lastResult?.error }),
    continuedAsNew: session.handOvers,
    labels: session.input.labels ?? {},
  };
}

function progressOf({ state: { context }, deadline }: Session, run: RunState): RunProgress {
  const { startedAt, responses } = run;
  const { wallMs, ...spent } = toSpent(run, startedAt);
  const { maxTurns } = (context?.settings ?? defaultSettings).loop;
  return {
    startedAt,
    responses,
    maxTurns,
    ...spent,
    workFrom: startedAt - wallMs,
    ...defined({ deadline: deadline?.at }),
  };
}

function identityOf({
  input,
  state: { context },
}: Session): Pick<Snapshot, 'name' | 'configName' | 'description' | 'prefix' | 'parent' | 'depth'> {
  const configName = context?.agent ?? input.agent ?? defaultAgent;
  const { name = input.name ?? configName, parent = '', depth = 0 } = input.parent ?? {};
  const { description, settings = defaultSettings } = context ?? {};
  const { prefix } = settings.delegation;
  return defined({ name, configName, description, prefix, parent, depth });
}

function ofContext(
  context: FrozenContext,
): Pick<Snapshot, 'agent' | 'model' | 'systemPrompt' | 'thinkingLevel'> {
  const { agent, model, digest, systemPromptDigest: hash, settings } = context;
  const systemPrompt = defined({ ref: digest, hash });
  const { thinkingLevel } = settings.model;
  return { agent, model, systemPrompt, thinkingLevel };
}

/** messageSeq tells the model calls of one turn apart: after an overflow there is more than one. */
function streamingOf({ runId, turn, messageSeq }: OpenMessage): NonNullable<Snapshot['streaming']> {
  return { callId: `${runId}/${turn}`, turn, messageSeq };
}

/** Small, because a list of sessions carries all their memos. */
const noteBytes = 8_192;

type Waiting = { readonly allApprovals: PendingApproval[]; readonly allQuestions: PendingQuestion[] };

/** The pending approvals and questions for a session's memo, which the server lists without a worker. Null if nothing waits, which removes the memo's field. */
export function toWaitingNote({ allApprovals, allQuestions }: Waiting): WaitingNote | null {
  if (allApprovals.length + allQuestions.length === 0) return null;
  const note = { approvals: allApprovals, questions: allQuestions };
  return jsonBytes(note) <= noteBytes ? note : 'many';
}
