// Calls the hooks of a run and of its turns one after the other, and applies their answers. A throw ends the run
// (HOOK-04).
import { defined } from '@holdfast/base/defined';
import type { Session } from '../session/session.ts';
import type { AgentState, RunEnd } from '@holdfast/vocabulary/agent-state';
import { callHook, contextOf, describeThrow, hooksAt, lastReply } from './hooks.ts';
import type {
  HookInputs,
  HookOutputs,
  HookPoint,
  ListedHook,
  RunEnding,
  TurnEnd,
} from '@holdfast/vocabulary/hook';
import { isWholeReply, bareMessage, textOf, totalUsage, userMessage } from '@holdfast/vocabulary/messages';
import type { ToolResultMessage } from '@holdfast/vocabulary/messages';
import type { Effects } from './effects.ts';
import type { SessionSettings } from '@holdfast/vocabulary/agent-spec';
import { newMessagesOf } from '../state/run-outcome.ts';
import { assembleContext } from './assemble-context.ts';
import { canAnswerAgain } from './next-step.ts';
import { cutToJsonBytes } from '@holdfast/base/cut-text';
import { inlineMessagesBytes } from '@holdfast/base/sizes';

type TurnPoint = 'beforeComplete' | 'afterComplete' | 'afterResponse';

/** Calls the turn hooks of one phase; their messages to the model enter the log before the next request. */
export async function runTurnHooks(
  session: Session,
  effects: Effects,
  ...points: TurnPoint[]
): Promise<void> {
  for (const point of points) {
    await eachHook(session, effects, point, turnInput, (output) => {
      const { inject } = output;
      if (inject) session.record({ type: 'injected', message: userMessage(inject, 'injected') });
    });
  }
}

/** Called when the run has its context, in the listed order (HOOK-12). */
export async function runStartHooks(session: Session, effects: Effects): Promise<void> {
  const input = ({ run }: AgentState) => ({ task: run?.task ?? '', startedAt: run?.startedAt ?? 0 });
  await eachHook(session, effects, 'runStart', input, ({ answer, fail }, { name }) => {
    if (fail !== undefined) session.record({ type: 'ending', end: refused(fail) });
    else if (answer) session.record({ type: 'answer_given', hook: name, text: answer });
  });
}

/** Answers that hooks may send back in one run. */
const maxRetries = 3;

/** Called at the end of a run, in reverse order; a hook may refuse, send back or change a completed answer. */
export async function runEndHooks(session: Session, effects: Effects): Promise<void> {
  const input = (state: AgentState) => ({ ...runEnding(state), now: session.now() });
  await eachHook(session, effects, 'runEnd', input, ({ fail, retry, answer }) => {
    const { run } = session.state;
    if (run?.end?.status !== 'completed') return;
    if (fail !== undefined) session.record({ type: 'end_replaced', end: refused(fail) });
    else if (retry && mayRetry(session)) {
      session.record({ type: 'run_reopened', message: userMessage(retry, 'injected') });
    } else if (retry) session.record({ type: 'end_replaced', end: refused(retry) });
    else if (answer)
      session.record({
        type: 'end_replaced',
        end: { ...run.end, answer: cutToJsonBytes(answer, inlineMessagesBytes) },
      });
  });
}

/** False if no turn or budget is left, or a stop came meanwhile: the words would reach no model. */
function mayRetry(session: Session): boolean {
  const { run, context } = session.state;
  if (!run || !context || session.stop !== undefined || (run.retried ?? 0) >= maxRetries) return false;
  return canAnswerAgain(session.state, context.settings, run, session.now());
}

function refused(message: string): RunEnd {
  return { status: 'failed', cause: 'guardrail', error: { code: 'Run.Guardrail', message } };
}

function runEnding(state: AgentState): Omit<RunEnding, 'now'> {
  const { run } = state;
  const { status = 'completed', cause, error } = run?.end ?? {};
  const last = state.log.records.findLast(
    (record) => record.role === 'assistant' && record.seq >= (run?.firstSeq ?? 0),
  );
  return {
    status,
    ...defined({ cause: cause || undefined, error }),
    answer: run?.end?.answer ?? (last ? textOf(last) : ''),
    startedAt: run?.startedAt ?? 0,
    newMessages: run ? newMessagesOf(state, run) : { fromSeq: 1, toSeq: 0 },
  };
}

/** Called after a successful turn; they may change the settings of the next turn, or end the run (HOOK-05, HOOK-06). */
export async function runTurnEndHooks(session: Session, effects: Effects): Promise<void> {
  await eachHook(session, effects, 'prepareNextTurn', turnEnd, (output) =>
    applyNextTurn(session, effects, output),
  );
  await eachHook(session, effects, 'shouldStopAfterTurn', turnEnd, ({ stop }) => {
    if (stop === true) session.record({ type: 'ending', end: { status: 'completed', cause: 'should_stop' } });
  });
}

async function applyNextTurn(
  session: Session,
  effects: Effects,
  { context, model, thinkingLevel }: HookOutputs['prepareNextTurn'],
): Promise<void> {
  const { systemPrompt, tools, messages } = context ?? {};
  const changes: SessionSettings = defined({
    systemPrompt: systemPrompt || undefined,
    tools: tools || undefined,
    model: model || undefined,
    thinkingLevel: thinkingLevel || undefined,
  });
  if (messages) session.record({ type: 'view_replaced', messages });
  if (Object.keys(changes).length === 0) return;
  const before = session.state.run?.settings;
  // added to the settings and earlier changes of the run, so that a change of one setting keeps the others
  const settings = { ...before, ...changes };
  const assembled = await assembleContext(session, effects, settings);
  if (assembled.type === 'failed') throw new Error(assembled.message);
  if (assembled.type === 'done')
    session.record({ type: 'context_replaced', context: assembled.context, settings });
}

/** Calls each hook of a point. A throw of a hook, or while its answer is applied, fails the run (HOOK-04). */
async function eachHook<Point extends HookPoint>(
  session: Session,
  effects: Effects,
  point: Point,
  input: (state: AgentState) => HookInputs[Point] | undefined,
  take: (output: HookOutputs[Point], hook: ListedHook) => void | Promise<void>,
): Promise<void> {
  const hooks = hooksAt(session.state, point);
  for (const hook of point === 'runEnd' ? hooks.toReversed() : hooks) {
    // a run that ends only calls its end hooks; a stopped run begins nothing new
    if (point !== 'runEnd' && (session.state.run?.end || session.stop === 'abort')) return;
    // an answer that was sent back is no end: the hooks outside see the next one
    if (point === 'runEnd' && !session.state.run?.end) return;
    const given = input(session.state);
    if (given === undefined) return;
    try {
      const outcome = await callHook(session, effects, hook, point, given);
      if (outcome.type === 'answered' && outcome.output) await take(outcome.output, hook);
      // an answer has not passed while its check is unfinished (HOOK-15)
      if (outcome.type === 'stopped' && point === 'runEnd' && session.state.run?.end?.status === 'completed')
        throw new Error('it was stopped before it had answered');
    } catch (error) {
      const failure = { code: 'Run.HookFailed', message: describeThrow(hook, error) };
      const end: RunEnd = { status: 'failed', cause: 'hook_error', error: failure };
      session.record({ type: point === 'runEnd' ? 'end_replaced' : 'ending', end });
    }
  }
}

function turnInput(state: AgentState): HookInputs[TurnPoint] {
  const { run, context } = state;
  return {
    phase: run?.cursor === 'answered' ? 'after_complete' : 'before_complete',
    iteration: (run?.turn ?? 1) - 1,
    context: contextOf(state),
    usage: totalUsage(run?.usage ?? {}),
    agentName: context?.agent ?? '',
  };
}

/** Undefined after a turn whose reply failed or was stopped. */
function turnEnd(state: AgentState): TurnEnd | undefined {
  const { run } = state;
  const message = lastReply(state);
  if (!run || !message || !isWholeReply(message)) return undefined;
  const ofTurn = state.log.records.filter((record) => record.runId === run.runId && record.turn === run.turn);
  const toolResults = ofTurn.flatMap((record): ToolResultMessage[] => {
    const plain = bareMessage(record);
    return plain.role === 'tool_result' ? [plain] : [];
  });
  return { message, toolResults, context: contextOf(state), newMessages: newMessagesOf(state, run) };
}
