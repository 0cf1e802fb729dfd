// What a session remembers beyond itself, on a worker with a memory: notes that fit the prompt come before a run, facts are
// taken down before their messages are folded, and the report of a run is kept as a past incident. A memory that fails costs a
// run nothing but a warning.
import { memoryBlock } from '../agent/prompt/untrusted.ts';
import { extractPrompt, extractSystemPrompt, extractTokens, factsOf } from '../agent/memory/facts.ts';
import { cutText, cutToBytes } from '../base/cut-text.ts';
import { messageOf } from '../base/message-of.ts';
import { taskBytes } from '../base/sizes.ts';
import { type FrozenContext, hasMemory } from '../model/frozen-context.ts';
import { type Preface, textOf } from '../model/messages.ts';
import type { Session } from '../session/session.ts';
import type { CondensePlan } from '../view/condense/strategy.ts';
import { viewPosition } from '../view/log.ts';
import { askModel } from './ask-model.ts';
import type { Effects } from './effects.ts';
import { isOffTheRecord } from './saving.ts';

const taskCharacters = 500;

export function recall(session: Session, effects: Effects): Promise<Preface | undefined> | undefined {
  const { context, run } = session.state;
  // in the system prompt it is there already
  const isWanted =
    hasMemory(context) && context.settings.memoryTopK > 0 && context.settings.memoryPlacement !== 'system';
  const asked = run?.pending.filter(({ role }) => role === 'user').map(textOf) ?? [];
  const text = cutToBytes(asked.join('\n'), taskBytes);
  return isWanted && text.trim() !== '' ? search(session, effects, context, text) : undefined;
}

async function search(
  session: Session,
  effects: Effects,
  { digest: contextDigest }: FrozenContext,
  text: string,
): Promise<Preface | undefined> {
  const runId = session.state.run?.runId ?? '';
  const outcome = await effects.searchMemory({ sessionId: session.id, runId, contextDigest, text });
  if (outcome.type === 'failed') warn(session, 'Memory.NotSearched', outcome.message);
  if (outcome.type !== 'done') return undefined;
  const block = memoryBlock(outcome.chunks);
  return block === '' ? undefined : { kind: 'memory', text: block };
}

/** Before the messages of the plan are folded. Kept whatever becomes of the condense. */
export function flushMemory(
  session: Session,
  effects: Effects,
  plan: CondensePlan,
): Promise<'stopped' | 'done'> | undefined {
  const { state } = session;
  const fromSeq = Math.max(viewPosition(state).fromSeq, (state.flushedSeq ?? 0) + 1);
  if (!hasMemory(state.context) || isOffTheRecord(session) || fromSeq > plan.toSeq) return undefined;
  return flush(session, effects, { fromSeq, toSeq: plan.toSeq });
}

async function flush(
  session: Session,
  effects: Effects,
  { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
): Promise<'stopped' | 'done'> {
  const { state, id: sessionId } = session;
  const answer = await askModel(session, effects, {
    ...{ purpose: 'extract', system: extractSystemPrompt, prompt: extractPrompt, maxTokens: extractTokens },
    ...{ view: { ...viewPosition(state), toSeq }, fromSeq },
  });
  if (answer.type === 'stopped') return 'stopped';
  if (answer.type === 'failed') {
    warn(session, 'Memory.NotExtracted', answer.failure.message);
    return 'done';
  }
  const facts = factsOf(answer.text);
  const runId = state.run?.runId ?? state.lastResult?.runId ?? '';
  const input = { sessionId, runId, toSeq, at: session.now(), facts };
  const outcome = facts.length > 0 ? await effects.flushMemory(input) : ({ type: 'done' } as const);
  if (outcome.type === 'stopped') return 'stopped';
  if (outcome.type === 'failed') warn(session, 'Memory.NotFlushed', outcome.message);
  else session.record({ type: 'memory_flushed', toSeq, facts: facts.length });
  return 'done';
}

/** After the end of a run that has a report. */
export function saveIncident(session: Session, effects: Effects): Promise<void> | undefined {
  const { lastResult, lastTask = '', context } = session.state;
  if (!lastResult?.report || lastResult.report.byCode || !hasMemory(context) || isOffTheRecord(session))
    return undefined;
  const { runId, report } = lastResult;
  const task = cutText(lastTask, taskCharacters);
  const input = { sessionId: session.id, runId, artifactId: report.artifactId, task, at: session.now() };
  return effects
    .saveIncident(input)
    .catch((error: unknown) => warn(session, 'Memory.IncidentNotSaved', messageOf(error)));
}

function warn(session: Session, code: string, message: string): void {
  session.announce({ type: 'warning', code, message });
}
