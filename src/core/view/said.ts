// The words of people, kept by code as they were said: the head of a view has those that were folded, whatever the
// summariser left out. Pure.
import { defined } from '../base/defined.ts';
import { cutText, cutToBytes } from '../base/cut-text.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { newest } from '../base/newest.ts';
import { saidBytes, saidTextBytes, utf8Bytes } from '../base/sizes.ts';
import type { Said, SaidWords } from '../model/agent-state.ts';
import { type LogRecord, textOf, toolCallsOf } from '../model/messages.ts';
import { saidArtifact } from '../model/outer-names.ts';

const aboutCharacters = 300;
/** Largest share of a small window, in bytes for each of its tokens: about a tenth. */
const bytesPerWindowToken = 0.4;

/** The words of a person in a record; undefined without any. `log` has the reply whose call a result answers. */
export function saidIn(record: LogRecord, log: readonly LogRecord[]): Said | undefined {
  const { seq, at, runId } = record;
  if (record.role === 'user') {
    const text = record.origin === 'injected' || record.origin === 'seed' ? '' : textOf(record).trim();
    const task = record.origin === 'prompt' ? { taskOf: runId, about: `the task of ${runId}` } : {};
    return text === '' ? undefined : { seq, at, ...task, text };
  }
  if (record.role !== 'tool_result') return undefined;
  const { details, decided } = record;
  if (isRecord(details) && record.toolName === 'ask_human' && typeof details['answeredBy'] === 'string') {
    const { question } = argumentsOf(record.callId, log);
    return { seq, at, by: details['answeredBy'], about: about('asked:', question), text: textOf(record) };
  }
  if (decided?.reason === undefined || notPeople.has(decided.by)) return undefined;
  const what = about(decided.approved ? 'approved' : 'denied', record.toolName, callOf(record.callId, log));
  return { seq, at: decided.at, by: decided.by, about: what, text: decided.reason };
}

/** Deciders in a record that are no person. */
const notPeople = new Set(['policy', 'timer', 'stop']);

function about(...words: unknown[]): string {
  return cutText(words.filter((word) => typeof word === 'string').join(' '), aboutCharacters);
}

function callOf(callId: string, log: readonly LogRecord[]): string | undefined {
  const calls = log.flatMap((record) => (record.role === 'assistant' ? toolCallsOf(record) : []));
  return calls.findLast((call) => call.callId === callId)?.arguments;
}

function argumentsOf(callId: string, log: readonly LogRecord[]): { [name: string]: unknown } {
  const args = parseJson(callOf(callId, log) ?? '');
  return isRecord(args) ? args : {};
}

/** Adds words to those that a session keeps: long ones are cut, and the oldest make room. */
export function withSaid({ said, leftOut }: SaidWords = { said: [] }, words: Said): SaidWords {
  const text = cutToBytes(words.text, saidTextBytes);
  const isCut = text !== words.text;
  const all = [...said, { ...words, text, ...(isCut ? { isCut } : {}) }];
  const kept = newest(all, saidBytes, bytesOf);
  return { said: kept, ...defined({ leftOut: leftOut || kept.length < all.length || undefined }) };
}

type Shown = { fromSeq: number; contextWindow: number; runId: string | undefined };

/** The words from before `fromSeq`, without the task of the run, which the head has anyway. */
export function foldedSaid({ said, leftOut }: SaidWords, shown: Shown): SaidWords | undefined {
  const folded = said.filter(({ seq, taskOf }) => seq < shown.fromSeq && taskOf !== shown.runId);
  const kept = newest(
    folded,
    Math.min(saidBytes, bytesPerWindowToken * (shown.contextWindow || Infinity)),
    bytesOf,
  );
  const more = leftOut || kept.length < folded.length || kept.some(({ isCut }) => isCut);
  return folded.length === 0 ? undefined : { said: kept, ...(more ? { leftOut: true } : {}) };
}

function bytesOf(words: Said): number {
  return utf8Bytes(lineOf(words));
}

/** The text for the model; empty without words. */
export function saidText({ said, leftOut }: SaidWords = { said: [] }): string {
  if (said.length === 0 && !leftOut) return '';
  const more = `Longer and older words of people are cut here: read_artifact with "${saidArtifact}" has all that is stored.`;
  return [
    'What people said to you, word for word, with the time (UTC) at which you read it. It holds unless they took it back:',
    ...said.map(lineOf),
    ...(leftOut ? [more] : []),
  ].join('\n');
}

/** One line, or several for words of several lines. */
export function lineOf({ at, by, about: subject, text }: Said): string {
  const who = [by, subject].filter((part) => part !== undefined).join(', ');
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return `- ${when}${who === '' ? '' : `, ${who}`}: ${text.replaceAll('\n', '\n  ')}`;
}
