// Estimates sizes in tokens where the provider has not counted: for messages since its last count, for progress lines,
// and for cuts of a view. Pure; a run's context freezes the version of the estimator.
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { LogRecord, Message, ModelRef, RecordOf } from '@holdfast/vocabulary/messages';
import { inputTotal, isWholeReply, picturesOf, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';
import { textTokens } from '@holdfast/base/text-tokens';
import { callIndexText } from './call-index.ts';
import { type ViewEntry, viewEntries } from './view-entries.ts';
import { reducedRecords } from './reducers/table.ts';

/** Raised with every change of a number from the first release on: a workflow that replays must decide as it did. */
export const estimatorVersion = 1;

type Context = Pick<FrozenContext, 'model'>;
/** Role, separators, and the frame of one call or its answer. */
const messageTokens = 4;
const callTokens = 8;
/** An image of medium size, as the vendors count it. */
const imageTokens = 1_200;
/** The largest measured ratio of ours to a vendor's is 2.4: Russian, by OpenAI's newest vocabulary. */
const leastShare = 0.25;
/** Factors for the vendors' vocabularies, measured from their recorded counts. */
const vendorFactors: Partial<Record<string, number>> = { anthropic: 1.15 };

/** `context.model` applies the factor of its vendor's vocabulary. */
export function estimateTokens(messages: readonly Message[], context?: { model: ModelRef }): number {
  return Math.round(messagesTokens(messages, context));
}

function messagesTokens(messages: readonly Message[], context: Context | undefined): number {
  return (
    messages.reduce((sum, message) => sum + measuredOnce(message, messageTokensOf), 0) * factorOf(context)
  );
}

/** Tokens that every request begins with: system prompt and tool definitions. */
export function estimateSystemTokens(context: FrozenContext | undefined): number {
  return context ? measuredOnce(context, systemTokensOf) : 0;
}

/** Each turn asks for the size of the whole view, and no part of it changes. */
const sizes = new WeakMap<object, number>();

function measuredOnce<Part extends object>(part: Part, measure: (part: Part) => number): number {
  const size = sizes.get(part) ?? measure(part);
  sizes.set(part, size);
  return size;
}

function systemTokensOf(context: FrozenContext): number {
  const tools = toDefinitions(context.tools).reduce(
    (sum, { name, description, parameters }) =>
      sum + callTokens + textTokens(`${name} ${description} ${JSON.stringify(parameters)}`),
    0,
  );
  return Math.round((textTokens(context.systemPrompt) + tools) * factorOf(context));
}

/** The whole view: system prompt, tool definitions, the words before the records, and the records as sent. */
export function estimateViewTokens(state: AgentState): number {
  const { context, view } = state;
  const notes = [
    view.summary,
    view.task,
    view.plan,
    view.hypotheses,
    callIndexText(view.calls),
    view.said,
    view.place,
    ...(view.findings ?? []).map(({ text }) => text),
  ];
  const head = notes.reduce((sum, text) => sum + textTokens(text ?? ''), 0) * factorOf(context);
  const messages = viewSizes(state).reduce((sum, { tokens }) => sum + tokens, 0);
  return estimateSystemTokens(context) + Math.round(head) + Math.round(messages);
}

/** `pictures`: those of its tokens that no cut of texts takes away. */
export type ViewSize = Pick<ViewEntry, 'seq' | 'role'> & { tokens: number; pictures: number };

/** The messages of the view with their sizes as sent. */
export function viewSizes(state: AgentState): ViewSize[] {
  const { context, log, view } = state;
  const held = reducedRecords(view.reductions, log.records);
  const first = held[0]?.seq ?? 0;
  const fit = view.reductions?.find((reduction) => reduction.name === 'fit_window');
  return viewEntries(state).map(({ seq, role, tokens, record }) => {
    const sent = record && held[seq - first];
    const pictures = sent ? picturesOf(sent).length * imageTokens : 0;
    if (sent) return { seq, role, tokens: messagesTokens([sent], context), pictures };
    // an archived text cannot be cut here: it counts as its size after the cut
    const most = fit && role === 'tool_result' && seq <= fit.throughSeq ? fit.params.results : Infinity;
    return { seq, role, tokens: Math.min(tokens ?? 0, most * factorOf(context)), pictures };
  });
}

/**
 * Tokens of the next request: the provider's count for the last reply, plus an estimate of the messages since. Where
 * that count leaves out what was sent (COND-32), the own estimate of the whole view, if it is larger.
 */
export function estimateInputTokens(state: AgentState): number {
  const [last, before] = countedReplies(state);
  if (!last) return estimateViewTokens(state);
  const since = estimateTokens(recordsFrom(state, last.seq + 1), state.context);
  const tokens = inputTotal(last.usage) + last.usage.output + since;
  const own = estimateViewTokens(state);
  return tokens < own && leavesOut(state, last, before, own - since) ? own : tokens;
}

/**
 * Some servers count new tokens only, or those that they have not cut away. Such a count stays behind what was appended
 * since the count before it, or is a fraction of the view: a vendor's vocabulary alone is never that far from ours.
 */
function leavesOut(state: AgentState, last: Reply, before: Reply | undefined, view: number): boolean {
  const least = (estimate: number) => leastShare * estimate;
  const input = inputTotal(last.usage);
  if (input < least(view)) return true;
  if (!before || before.model.id !== last.model.id) return false;
  const appended = recordsFrom(state, before.seq).filter(({ seq }) => seq < last.seq);
  return input - inputTotal(before.usage) < least(estimateTokens(appended, state.context));
}

type Reply = RecordOf<'assistant'>;

function recordsFrom({ log }: AgentState, seq: number): LogRecord[] {
  return log.records.filter((record) => record.seq >= seq);
}

/** The replies with a provider's count, newest first; a count from before the last condense is void. */
export function countedReplies({ log, view }: AgentState): Reply[] {
  return log.records
    .filter((record): record is Reply => isWholeReply(record) && record.seq > view.condensedAtSeq)
    .reverse();
}

function messageTokensOf(message: Message): number {
  if (message.role === 'custom') return 0;
  const pictures = picturesOf(message).length * imageTokens;
  return messageTokens + textTokens(textOf(message)) + pictures + framesOf(message);
}

/** Calls with ids and arguments, the call id of a result, the preface; no thinking: most servers do not keep it. */
function framesOf(message: Exclude<Message, { role: 'custom' }>): number {
  if (message.role === 'tool_result') return callTokens / 2 + textTokens(message.callId);
  if (message.role === 'user')
    return (message.preface ?? []).reduce((sum, { text }) => sum + textTokens(text), 0);
  if (message.role !== 'assistant') return 0;
  return toolCallsOf(message).reduce(
    (sum, call) => sum + callTokens + textTokens(call.name + call.arguments) + textTokens(call.callId),
    0,
  );
}

export function factorOf(context: Context | undefined): number {
  return context === undefined ? 1 : (vendorFactors[context.model.provider] ?? 1);
}
