// The words of people, kept by code as they were said: the head of a view has those that were folded, whatever the
// summariser left out. Pure.
import { cutText, cutToBytes } from '@holdfast/base/cut-text';
import { isRecord } from '@holdfast/base/json';
import { newest } from '@holdfast/base/newest';
import { saidBytes, saidTextBytes, utf8Bytes } from '@holdfast/base/sizes';
import { toUtc } from '@holdfast/base/words';
import type { SaidLine } from '@holdfast/vocabulary/agent-state';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { describedText, isOfPerson, notPeople, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';

/** Name under which read_artifact gives all words of people in the log. */
export const saidArtifact = 'said';
const callCharacters = 300;
/** Largest share of a small window, in bytes for each of its tokens: about a tenth. */
const bytesPerWindowToken = 0.4;

/** The words of a person in a record; undefined without any. `log` has the reply whose call a result answers. */
export function saidIn(record: LogRecord, log: readonly LogRecord[]): SaidLine | undefined {
  const { seq, at, runId } = record;
  if (record.role === 'user') {
    const text = describedText(record).trim();
    if (text === '' || !isOfPerson(record)) return undefined;
    if (record.origin === 'prompt') return [seq, line(at, `, the task of ${runId}`, text), runId];
    return [seq, line(at, '', text)];
  }
  if (record.role !== 'tool_result') return undefined;
  const { callId, toolName, details, decided } = record;
  const of = (did: string): string => {
    const calls = log.flatMap((each) => (each.role === 'assistant' ? toolCallsOf(each) : []));
    const args = calls.findLast((call) => call.callId === callId)?.arguments ?? '';
    return cutText(`${did} ${toolName} ${args}`, callCharacters);
  };
  if (toolName === 'ask_human' && isRecord(details) && typeof details['answeredBy'] === 'string')
    return [seq, line(at, `, ${details['answeredBy']} ${of('answered')}`, textOf(record))];
  if (decided?.reason === undefined || notPeople.some((each) => each === decided.by)) return undefined;
  const verb = decided.approved ? 'approved' : 'denied';
  return [seq, line(decided.at, `, ${decided.by} ${of(verb)}`, decided.reason)];
}

/** All words of people in a log, oldest first. */
export function saidOf(log: readonly LogRecord[]): string {
  return log.flatMap((record) => saidIn(record, log)?.[1] ?? []).join('\n');
}

function line(at: number, about: string, text: string): string {
  return `- ${toUtc(at, 'minute')}${about}: ${text.replaceAll('\n', '\n  ')}`;
}

/** Adds words to those that a session keeps: long ones are cut, and the oldest make room. */
export function withSaid(said: readonly SaidLine[] = [], [seq, words, ...rest]: SaidLine): SaidLine[] {
  return newest([...said, [seq, cutToBytes(words, saidTextBytes), ...rest]], saidBytes, bytesOf);
}

/** The words from before `fromSeq` for the head of a view, without the task of the run, which the head has anyway. */
export function saidText(
  said: readonly SaidLine[],
  shown: { fromSeq: number; contextWindow: number; runId: string | undefined },
): string | undefined {
  const room = Math.min(saidBytes, bytesPerWindowToken * (shown.contextWindow || Infinity));
  const folded = said.filter(([seq, , taskOf]) => seq < shown.fromSeq && taskOf !== shown.runId);
  if (folded.length === 0) return undefined;
  return [
    'What people said to you, word for word, with the time (UTC) at which you read it. It holds unless they took it back. ' +
      `Older words, and the rest of long ones: read_artifact with "${saidArtifact}".`,
    ...newest(folded, room, bytesOf).map(([, words]) => words),
  ].join('\n');
}

function bytesOf([, words]: SaidLine): number {
  return utf8Bytes(words);
}
