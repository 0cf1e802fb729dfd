// The prompt of a summariser: the conversation as plain text, long parts cut, and the facts that must be kept; and the check of
// its answer. Pure.
import type { SummarizeInput, SummaryNotes } from '@holdfast/vocabulary/activity-contracts';
import { type Message, describedText, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import { capText, cutText } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';
import { utf8Bytes } from '@holdfast/base/sizes';
import { textTokens } from '@holdfast/base/text-tokens';

/** Limits in characters for arguments and results in the rendered conversation (COND-14). */
const argumentCharacters = 200;
const resultCharacters = 500;
/** Share of the context window for the rendered conversation; the rest is for task, notes and answer. */
const workShare = 0.6;

type Settings = { condense: { maxTokens: number }; model: { contextWindow: number } };

export const summarySystemPrompt =
  'You condense the working notes of an agent that investigates an incident, so that it can continue without them. ' +
  'Keep what is exact: names, numbers, times, paths, ids, error texts. Leave out what led nowhere, but say that it was ruled out.';

/** `faultOf`: the reason why an answer is no summary of what the prompt has. */
export type SummaryQuestion = { prompt: string; faultOf(answer: string): string | undefined };

/** One question, or two if the cut goes through unfinished work: their answers are joined by `joinSummaries`. */
export function summaryPrompts(
  messages: readonly Message[],
  notes: SummaryNotes,
  { view, splitFromSeq }: Pick<SummarizeInput, 'view' | 'splitFromSeq'>,
  settings: Settings,
): SummaryQuestion[] {
  const ask = (of: readonly Message[], prompt = summaryPrompt(of, notes, settings), before = notes) => ({
    prompt,
    faultOf: (answer: string) => summaryFault(answer, shownWords(of), before),
  });
  if (splitFromSeq === undefined) return [ask(messages)];
  const split = splitFromSeq - view.fromSeq;
  const before = messages.slice(0, split);
  const begun = messages.slice(split);
  const ending = ask(begun, splitPrompt(begun, settings), { task: notes.task });
  const nothing = before.length === 0 && notes.summary === undefined;
  return nothing ? [ending] : [ask(before), ending];
}

export function joinSummaries(summaries: readonly string[]): string {
  return summaries.join('\n\nThe work in hand, its beginning:\n\n');
}

/**
 * The one user message of the request. It repeats the task, because the summary replaces the message with the task;
 * earlier notes are updated, not summarised again (COND-10).
 */
export function summaryPrompt(
  messages: readonly Message[],
  { task, summary }: SummaryNotes,
  settings: Settings,
): string {
  return present([
    `The task:\n${task}`,
    summary !== undefined && `The notes so far:\n${summary}`,
    `The work ${summary === undefined ? 'so far' : 'since then'}:\n${renderedMessages(messages, settings)}`,
    `${summary === undefined ? 'Write the notes that replace this' : 'Update the notes so that they replace both: keep what still holds, correct what does not, add what is new'}` +
      `: goal, findings, resources (hosts, files, queries), decisions, done, pending, state of the system, next steps. ${wordLimit(settings)}`,
  ]).join('\n\n');
}

/** For work that continues in the view: a summary of its beginning (COND-19). */
function splitPrompt(messages: readonly Message[], settings: Settings): string {
  return [
    `The beginning of the work in hand:\n${renderedMessages(messages, settings)}`,
    'What comes after it is kept as it is. Write what is needed to understand that: what was asked, what was done, ' +
      `what was found. ${wordLimit(settings)}`,
  ].join('\n\n');
}

function wordLimit({ condense }: Settings): string {
  return `At most ${Math.round(condense.maxTokens * 0.7)} words.`;
}

/** Plain text; long arguments and results are cut, and the middle of what is more than the window holds. */
export function renderedMessages(messages: readonly Message[], settings?: Settings): string {
  const text = messages.map(render).filter(Boolean).join('\n');
  const share = (workShare * (settings?.model.contextWindow || Infinity)) / (textTokens(text) + 1);
  return capText(text, Math.floor(share * (text.length + 1)), 'The window holds no more.');
}

function render(message: Message): string {
  switch (message.role) {
    case 'user':
      return `user: ${describedText(message)}`;
    case 'assistant': {
      const calls = toolCallsOf(message).map(
        ({ name, arguments: args, callId }) =>
          `call ${name} ${cut(args, argumentCharacters)}, its id: ${callId}`,
      );
      return [`assistant: ${textOf(message)}`, ...calls].join('\n');
    }
    case 'tool_result':
      return `result of ${message.toolName}: ${cut(describedText(message), resultCharacters)}`;
    case 'custom':
      return '';
  }
}

/** The words of the messages that a summariser sees, without those around them. */
function shownWords(messages: readonly Message[]): string {
  return messages
    .flatMap((message) => {
      if (message.role === 'tool_result') return cutText(textOf(message), resultCharacters, '');
      const calls = message.role === 'assistant' ? toolCallsOf(message) : [];
      return [textOf(message), ...calls.map((call) => cutText(call.arguments, argumentCharacters, ''))];
    })
    .join('\n');
}

function cut(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : `${cutText(text, characters, '')} [${text.length - characters} more characters]`;
}

/** A summary has at least this share of what it replaces, up to so many bytes. */
const [leastShare, leastBytes] = [1 / 50, 200];
/** Names from which on a summary keeps at least one: of all that it replaces, and of the summary before it. */
const [namesOfAll, namesBefore] = [10, 3];

/**
 * The reason why these words are no summary of the work, such as a refusal; undefined if they may be one. The task stays without
 * them. Judged by length, names and numbers, not by words, so that every language is judged alike.
 */
export function summaryFault(
  words: string,
  work: string,
  { task, summary: before = '' }: Pick<SummaryNotes, 'task' | 'summary'>,
): string | undefined {
  const size = utf8Bytes(words);
  const replaced = utf8Bytes(work) + utf8Bytes(before);
  if (size < Math.min(leastBytes, replaced * leastShare))
    return `it has ${size} bytes in place of ${replaced}`;
  const kept = new Set(lowerCase(words.match(token)));
  const known = new Set(lowerCase(task.match(token)));
  const keepsNone = (text: string, least: number): boolean => {
    const named = lowerCase(text.match(token)?.filter(isName)).filter((name) => !known.has(name));
    return new Set(named).size >= least && !named.some((name) => kept.has(name));
  };
  const none = 'it has none of the names and numbers of';
  if (keepsNone(`${before}\n${work}`, namesOfAll)) return `${none} what it replaces`;
  return keepsNone(before, namesBefore) ? `${none} the notes before it` : undefined;
}

/** Pieces of ASCII: machines and programs have such names in texts of every language. */
const token = /[a-z0-9](?:[\w.-]*[a-z0-9])?/gi;

/** Numbers, and words with a digit, a sign or a capital inside: other words are in any text. */
function isName(word: string): boolean {
  return /\d\w|\w\d|\w[._-]\w|[a-z][A-Z]|[A-Z]{2}/.test(word);
}

function lowerCase(words: readonly string[] | null = []): string[] {
  return words?.map((word) => word.toLowerCase()) ?? [];
}
