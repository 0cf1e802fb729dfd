// One batch of tool calls: each call of a reply gets exactly one answer, and the answers enter the log in the model's
// order, not in the order of completion (LOOP-03, TOOL-09).
import { defined } from '@holdfast/base/defined';
import { cutToBytes } from '@holdfast/base/cut-text';
import { toShownJson } from '@holdfast/base/shown-json';
import { eventTextBytes } from '@holdfast/base/sizes';
import { userMessage } from '@holdfast/vocabulary/messages';
import { argumentsOf } from '@holdfast/vocabulary/tool-spec';
import type { Session } from '../session/session.ts';
import type { BatchCall, Denial, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import { stoppedMessage } from './model-step.ts';
import { saveCheckpoint } from './saving.ts';
import { runTool, specOf } from './tool-call.ts';
import { askApproval, asksAgain } from './waits.ts';
import type { Decided } from '../state/facts.ts';
import type { Effects, Take } from './effects.ts';
import { errorAnswer, notStarted, textAnswer } from '../state/own-answers.ts';
import { denialOf } from '../state/reduce-tools.ts';
import { isPastReport, notRunAfterReport } from '../state/report.ts';
import { needsInspection } from './host-step.ts';
import { judgedNow, needsVerdict } from './policy-step.ts';
import { hasHooks } from './hooks.ts';
import { loweredMode } from '../tools/modes.ts';
import { afterToolHooks, blockedByHook } from './tool-hooks.ts';
import { criticise, needsCritic } from './verify-report.ts';
import { runsInWorkflow, runWorkflowTool } from './workflow-tools/built-in.ts';

export function runToolBatch(session: Session, effects: Effects): Promise<void> | void {
  session.record({ type: 'tools_begun' });
  const batch = session.state.run?.batch ?? [];
  const open = [...batch.entries()].filter(([, entry]) => !entry.answer).map(settleVerdict(session));
  const [only] = open;
  // the usual batch: one call and no hooks, so nothing else is awaited
  if (only && open.length === 1 && !hasHooks(session.state)) {
    const [index, entry] = only;
    session.record({ type: 'tool_started', index });
    return carryOut(session, effects, entry, (answered) =>
      recordAnswer(session, effects, index, answered, () => finishBatch(session)),
    );
  }
  return runCalls(session, effects, open, concurrencyOf(session, batch)).then(() => finishBatch(session));
}

/** A call's output affects only later proposals: the other calls of its batch were made before it was known. */
function settleVerdict({ state }: Session): (call: [number, BatchCall]) => [number, BatchCall] {
  return ([index, entry]) => [index, needsVerdict(state, entry) ? entry : { ...entry, evaluated: true }];
}

async function runCalls(
  session: Session,
  effects: Effects,
  open: [number, BatchCall][],
  limit: number,
): Promise<void> {
  // permission is settled for all calls before the first one runs (TOOL-11)
  const settled = limit > 1 && hasHooks(session.state) ? await settleAll(session, effects, open) : undefined;
  for (const { calls, width } of inStages(session, open, limit)) {
    const queue = [...calls];
    const runner = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        await answerCall(session, effects, next[0], next[1], settled?.get(next[0]));
      }
    };
    await Promise.all(Array.from({ length: Math.min(Math.max(width, 1), calls.length) }, runner));
  }
}

type Stage = { calls: [number, BatchCall][]; width: number };

/** A tool that reads the calls beside it, as a report quotes them, runs after them, one after the other. */
function inStages({ state }: Session, open: [number, BatchCall][], limit: number): Stage[] {
  const isLast = ([, { call }]: [number, BatchCall]): boolean =>
    specOf(state, call)?.executionMode === 'last';
  if (!open.some(isLast)) return [{ calls: open, width: limit }];
  return [
    { calls: open.filter((call) => !isLast(call)), width: limit },
    { calls: open.filter(isLast), width: 1 },
  ];
}

function finishBatch(session: Session): void {
  session.record({ type: 'batch_finished' });
  if (session.stop !== 'abort') return;
  session.record({
    type: 'model_stopped',
    message: stoppedMessage(session, 'aborted', 'Stopped while tools ran.'),
  });
}

function concurrencyOf({ state }: Session, batch: BatchCall[]): number {
  const { context } = state;
  if (!context) return 1;
  const sequential = batch.some(({ call }) => specOf(state, call)?.executionMode === 'sequential');
  return sequential || context.settings.loop.toolExecution === 'sequential'
    ? 1
    : context.settings.loop.toolConcurrency;
}

type Answered = { answer: ToolAnswer; denied?: Denial; decided?: Decided };
/** Permission to run, or the answer that refuses it. */
type Settled = Answered | 'may_run';

async function settleAll(
  session: Session,
  effects: Effects,
  open: [number, BatchCall][],
): Promise<Map<number, Settled>> {
  const settled = new Map<number, Settled>();
  for (const [index, entry] of open) {
    session.record({ type: 'tool_started', index });
    settled.set(index, await settle(session, effects, entry));
  }
  return settled;
}

async function answerCall(
  session: Session,
  effects: Effects,
  index: number,
  entry: BatchCall,
  before: Settled | undefined,
): Promise<void> {
  if (!before) session.record({ type: 'tool_started', index });
  const settled = before ?? (hasHooks(session.state) ? await settle(session, effects, entry) : 'may_run');
  const take = (answered: Answered) => recordAnswer(session, effects, index, answered, () => undefined);
  return settled === 'may_run' ? carryOut(session, effects, entry, take) : take(settled);
}

function recordAnswer(
  session: Session,
  effects: Effects,
  index: number,
  { answer, denied, decided }: Answered,
  next: () => void,
): Promise<void> | void {
  session.record({ type: 'tool_answered', index, answer, ...defined({ denied, decided }) });
  if (session.settings.loop.checkpointEvery !== 'tool') return next();
  return saveCheckpoint(session, effects).then(next);
}

/** Checks a call: found, valid, allowed by the rules, then by the hooks (TOOL-04). */
async function settle(session: Session, effects: Effects, entry: BatchCall): Promise<Settled> {
  const refused = refuse(session, entry);
  if (refused) return refused;
  const answer = await blockedByHook(session, effects, entry);
  return answer ? { answer } : 'may_run';
}

/** The reason in the state for not running a call, as its answer. */
function refuse(session: Session, entry: BatchCall): Answered | undefined {
  const { run } = session.state;
  const { prepared } = entry;
  if (session.stop) return { answer: notStarted(entry) };
  if (skipsForSteering(session)) return skipped(entry);
  if (run?.end) return { answer: errorAnswer(entry, 'Not run: the run has ended.') };
  if (run?.final) return { answer: errorAnswer(entry, 'Not run: the turn limit is reached.') };
  if (run && isPastReport(run)) return { answer: errorAnswer(entry, notRunAfterReport) };
  if (prepared.status === 'rejected') return { answer: errorAnswer(entry, prepared.reason, 'refused') };
  const outdated = madeInWiderMode(session, entry);
  if (outdated) return outdated;
  const reason = prepared.reason ?? 'the policy does not allow it';
  const decided = { approved: false, by: 'policy', reason };
  if (prepared.decision === 'deny')
    return { answer: errorAnswer(entry, `Denied: ${reason}`, 'refused'), denied: {}, decided };
  const before = denialOf(session.state, entry);
  if (before && !before.heard) {
    const { why = 'the same call was denied before in this run' } = before;
    const [text, by, outcome] =
      before.why === undefined
        ? ([`Denied: ${why}.`, 'policy', 'refused'] as const)
        : ([`Not asked again: ${why}. ${asksAgain}`, 'before', 'not_run'] as const);
    return { answer: errorAnswer(entry, text, outcome), decided: { approved: false, by, reason: why } };
  }
  // the check by its host or by the tiers was stopped
  return needsVerdict(session.state, entry) || needsInspection(session.state, entry)
    ? { answer: notStarted(entry) }
    : undefined;
}

/** The reason for not running a change that was made before a person has lowered the mode. */
function madeInWiderMode({ state }: Session, entry: BatchCall): Answered | undefined {
  const { prepared } = entry;
  const mode = loweredMode(state);
  if (mode === undefined || prepared.status === 'rejected' || prepared.effect === 'read') return undefined;
  // a person decides over the others
  if (mode === 'ask' && prepared.decision !== 'allow') return undefined;
  const text = `Not run: the mode was lowered to ${mode} after this call was made. Make it again if you still have the tool.`;
  return { answer: errorAnswer(entry, text) };
}

type TakeAnswer = Take<Answered, void>;

function carryOut(
  session: Session,
  effects: Effects,
  entry: BatchCall,
  take: TakeAnswer,
): Promise<void> | void {
  // checked again after hooks: a stop, a message or a denial may have come since
  const late = refuse(session, entry);
  if (late) return take(late);
  if (isDry(session, entry)) return take({ answer: dryAnswer(entry) });
  const { prepared, idempotencyKey } = entry;
  // a change from another session was decided there, where the mode may have been another
  const isForeign = idempotencyKey !== undefined && !runsInWorkflow(session, entry);
  const asks =
    prepared.status === 'ready' && (prepared.decision === 'ask' || (isForeign && prepared.effect !== 'read'));
  return asks
    ? askAndExecute(session, effects, entry, take)
    : execute(session, effects, entry, undefined, take);
}

/** In a dry run only reads are executed; other calls neither run nor ask for approval (MODE-02). */
function isDry({ settings }: Session, { prepared }: BatchCall): boolean {
  return settings.dryRun && prepared.status === 'ready' && prepared.effect !== 'read';
}

function dryAnswer(entry: BatchCall): ToolAnswer {
  const { call, prepared } = entry;
  const { preview } = prepared.status === 'ready' ? prepared : {};
  const shown = cutToBytes(toShownJson(argumentsOf(entry)), eventTextBytes);
  const text = `Dry run: ${call.name} was not executed, and nothing was changed. It would have run with ${shown}.`;
  const whole = preview === undefined ? text : `${text}\n${preview}`;
  return { ...textAnswer(entry, whole), outcome: 'simulated' };
}

async function askAndExecute(
  session: Session,
  effects: Effects,
  prepared: BatchCall,
  take: TakeAnswer,
): Promise<void> {
  const entry = await judgedNow(session, effects, prepared);
  // a stop, a message or a denial may have come since; an agent that was changed may lack the tool
  const lacks = specOf(session.state, entry.call)
    ? undefined
    : { answer: errorAnswer(entry, `Unknown tool ${entry.call.name}`) };
  const refused = refuse(session, entry) ?? lacks;
  if (refused) return take(refused);
  if (entry.prepared.status === 'ready' && entry.prepared.decision === 'allow')
    return execute(session, effects, entry, undefined, take);
  const decision = await askApproval(session, effects, entry);
  if (decision.type !== 'approved') {
    const { type, text, ...refusal } = decision;
    return take({ answer: errorAnswer(entry, text, type), ...refusal });
  }
  // a stop wins over an approval in the same moment: nothing starts after a stop
  if (session.stop) return take({ answer: notStarted(entry) });
  const late = skipsForSteering(session) ? skipped(entry) : madeInWiderMode(session, entry);
  if (late) return take(late);
  const { actor, at, reason } = decision;
  const approved = defined({ approved: true, by: actor, at, reason });
  if (reason !== undefined) {
    const words = `${actor} approved ${entry.call.name} (call ${entry.call.callId}), and said: ${reason}`;
    session.record({ type: 'injected', message: userMessage(words, 'injected') });
  }
  return execute(session, effects, entry, actor, (answered) => take({ ...answered, decided: approved }));
}

function execute(
  session: Session,
  effects: Effects,
  entry: BatchCall,
  approvedBy: string | undefined,
  take: TakeAnswer,
): Promise<void> | void {
  const finish = (answer: ToolAnswer): Promise<void> | void =>
    hasHooks(session.state)
      ? afterToolHooks(session, effects, entry, answer).then((changed) => take({ answer: changed }))
      : take({ answer });
  const takeResult = (answer: ToolAnswer): Promise<void> | void =>
    needsCritic(session, answer) ? criticise(session, effects, entry, answer).then(finish) : finish(answer);
  return runsInWorkflow(session, entry)
    ? runWorkflowTool(session, effects, entry).then(takeResult)
    : runTool(session, effects, entry, approvedBy, takeResult);
}

/** A message that came after the calls were made may make them pointless (QUEUE-02). */
function skipsForSteering({ state, inbox }: Session): boolean {
  return state.context?.settings.queues.steeringPoint === 'tool' && inbox.waiting('steering') > 0;
}

function skipped(entry: BatchCall): Answered {
  return { answer: errorAnswer(entry, 'Skipped due to queued user message.') };
}
