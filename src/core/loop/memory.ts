// The long-term memory of a session, on a worker that has one: recalls notes before a run, extracts facts before
// messages are folded, and keeps the report of a run as a past incident. A memory failure is only a warning.
import { memoryBlock } from '../agent/prompt/untrusted.ts';
import { extractPrompt, extractSystemPrompt, extractTokens, toFacts } from '../agent/memory/facts.ts';
import { cutText, cutToBytes } from '@holdfast/base/cut-text';
import { taskBytes } from '@holdfast/base/sizes';
import { type FrozenContext, hasMemory } from '@holdfast/vocabulary/frozen-context';
import { type Preface, textOf } from '@holdfast/vocabulary/messages';
import type { Session } from '../session/session.ts';
import type { CondensePlan } from '@holdfast/view/condense/strategy';
import { viewPosition } from '@holdfast/view/log';
import { askModel } from './ask-model.ts';
import type { Effects } from './effects.ts';
import { isOffTheRecord } from './saving.ts';

const taskCharacters = 500;

export function recallMemory(session: Session, effects: Effects): Promise<Preface | undefined> | undefined {
  const { context, run } = session.state;
  // with this placement, the memory is already in the system prompt
  const isWanted =
    hasMemory(context) && context.settings.memory.topK > 0 && context.settings.memory.placement !== 'system';
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
  const outcome = await effects.call('searchMemory', { sessionId: session.key, runId, contextDigest, text });
  if (outcome.type === 'failed') session.warn('Memory.NotSearched', outcome.failure.message);
  if (outcome.type !== 'done') return undefined;
  const block = memoryBlock(outcome.value.chunks);
  return block === '' ? undefined : { kind: 'memory', text: block };
}

/** Runs before the messages of the plan are folded. The facts are kept even if the condense fails. */
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
  const { state, key: sessionId } = session;
  const answer = await askModel(session, effects, {
    purpose: 'extract',
    system: extractSystemPrompt,
    prompt: extractPrompt,
    maxTokens: extractTokens,
    view: { ...viewPosition(state), toSeq },
    fromSeq,
  });
  if (answer.type === 'stopped') return 'stopped';
  if (answer.type === 'failed') {
    session.warn('Memory.NotExtracted', answer.failure.message);
    return 'done';
  }
  const facts = toFacts(answer.text);
  const runId = state.run?.runId ?? state.lastResult?.runId ?? '';
  const input = { sessionId, runId, toSeq, at: session.now(), facts };
  const outcome =
    facts.length > 0 ? await effects.call('flushMemory', input) : { type: 'done' as const, value: 0 };
  if (outcome.type === 'stopped') return 'stopped';
  if (outcome.type === 'failed') session.warn('Memory.NotFlushed', outcome.failure.message);
  else session.record({ type: 'memory_flushed', toSeq, facts: outcome.value });
  return 'done';
}

/** Runs after the end of a run that has a report. */
export function saveIncident(session: Session, effects: Effects): Promise<void> | undefined {
  const { lastResult, lastTask = '', context } = session.state;
  if (!lastResult?.report || lastResult.report.byCode || !hasMemory(context) || isOffTheRecord(session))
    return undefined;
  const { runId, report } = lastResult;
  const task = cutText(lastTask, taskCharacters);
  const input = { sessionId: session.key, runId, artifactId: report.artifactId, task, at: session.now() };
  return effects.call('saveIncident', input).then((outcome) => {
    if (outcome.type === 'failed') session.warn('Memory.IncidentNotSaved', outcome.failure.message);
  });
}
