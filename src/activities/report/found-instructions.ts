// Denied and stopped calls whose words occur in an earlier tool output, where somebody may have planted them. Runs in
// Node; reads the store, writes nothing.
import { defined } from '../../core/base/defined.ts';
import { setImmediate } from 'node:timers/promises';
import { cutText } from '../../core/base/cut-text.ts';
import { type LogRecord, textOf } from '../../core/model/messages.ts';
import type { FoundInstruction } from '../../core/report/run-facts.ts';
import type { ArtifactReader } from '../../stored/artifact-names.ts';
import { type LoggedCall, endOf } from '../../stored/logged-calls.ts';
import { openOutput } from '../../stored/stored-output.ts';
import { invalidArgumentsPrefix } from '../tools/tool-arguments.ts';
import { type DescribingWords, describeCall, firstLineOf, toTime } from './describe-call.ts';
import { type CallWords, findRequest, wordsOfCall } from './instruction-words.ts';

/** The newest: a run with hundreds of denied calls repeats the same ones. */
const maxDenied = 50;
const maxFound = 20;
const lineLength = 300;
const reasonLength = 200;

type Search = {
  /** Calls of the run and of its delegated sessions. */
  calls: readonly LoggedCall[];
  /** Calls whose outputs it may have read, including those of earlier runs. */
  earlier: readonly LoggedCall[];
  /** Every message of the session and of its delegated sessions. */
  log: readonly LogRecord[];
  sessionId: string;
  artifacts: ArtifactReader;
  signal: AbortSignal;
};

type Denied = { logged: LoggedCall; wanted: CallWords };

/** Oldest first. Outputs that were not searched in time yield nothing. */
export async function findInstructions(
  { calls, earlier, log, sessionId, artifacts, signal }: Search,
  words: DescribingWords,
): Promise<FoundInstruction[]> {
  const said = wordsOfPeople(log);
  let open = calls
    .filter((logged) => wasStopped(logged, calls))
    .slice(-maxDenied)
    .flatMap((logged): Denied[] => {
      const wanted = wordsOfCall(logged, words.toolSpec(logged.call.name), said);
      return wanted ? [{ logged, wanted }] : [];
    });
  const found: FoundInstruction[] = [];
  for (const source of earlier) {
    const asked = open.filter(({ logged }) => isBefore(source, logged));
    if (asked.length === 0 || source.result?.artifactId === undefined || notRead.has(source.call.name))
      continue;
    for (const [denied, place] of await searchOutput(source, asked, { sessionId, artifacts, signal })) {
      found.push(toFound(denied.logged, source, place, words));
      open = open.filter((other) => other !== denied);
    }
    if (signal.aborted || open.length === 0) break;
  }
  return found.sort((left, right) => (left.at < right.at ? -1 : 1)).slice(-maxFound);
}

/** The beginnings of our own refusals, and messages by which a system refuses changes through this call. */
export const refusals =
  /^(?:Unknown (?:tool|group|skill)s?\b|Not executed: |Not called: |Refused: |Denied |Tool call blocked)|\bread-only (?:transaction|file system)\b/;

/**
 * True for a call that was denied by a rule or a person, refused by its tool, or of an unknown tool. A malformed call
 * counts unless the model has corrected it afterwards.
 */
function wasStopped({ call, result, at }: LoggedCall, calls: readonly LoggedCall[]): boolean {
  if (result?.decided !== undefined) return !result.decided.approved;
  if (result === undefined || !result.isError) return false;
  // an activity made the result: the tool itself has refused
  if (result.outcome === 'refused' && result.digest !== undefined) return true;
  const text = textOf(result);
  if (!text.startsWith(invalidArgumentsPrefix)) return refusals.test(text);
  return !calls.some(
    (later) => later.call.name === call.name && later.at >= at && later.result?.isError === false,
  );
}

/** Their outputs are the words of people, or of the agent itself. */
const notRead = new Set(['ask_human', 'report']);

function wordsOfPeople(log: readonly LogRecord[]): string {
  return log
    .filter(
      (record) =>
        (record.role === 'user' && record.origin !== 'injected') ||
        (record.role === 'tool_result' && record.toolName === 'ask_human'),
    )
    .map(textOf)
    .join('\n');
}

/** Sessions number their messages separately, so times compare messages of two sessions. */
function isBefore({ result, by }: LoggedCall, denied: LoggedCall): boolean {
  if (result === undefined) return false;
  return by?.sessionId === denied.by?.sessionId ? result.seq < denied.seq : result.at < denied.at;
}

type Place = { line: number; text: string };

async function searchOutput(
  { result, by }: LoggedCall,
  asked: readonly Denied[],
  { sessionId, artifacts, signal }: Pick<Search, 'sessionId' | 'artifacts' | 'signal'>,
): Promise<Map<Denied, Place>> {
  const found = new Map<Denied, Place>();
  const output = await openOutput(artifacts, by?.sessionId ?? sessionId, result?.artifactId ?? '');
  for (const { fromLine, load } of output?.pieces ?? []) {
    if (signal.aborted || found.size === asked.length) break;
    const text = await load();
    for (const denied of asked) {
      if (found.has(denied)) continue;
      // lets heartbeats and the time limit run: a piece takes up to a fifth of a second
      await setImmediate();
      if (signal.aborted) break;
      const place = findRequest(text, denied.wanted);
      if (!place) continue;
      const line = cutText(text.split('\n')[place.line]?.trim() ?? '', lineLength);
      found.set(denied, { line: fromLine + place.line, text: line });
    }
  }
  return found;
}

function toFound(
  denied: LoggedCall,
  source: LoggedCall,
  place: Place,
  words: DescribingWords,
): FoundInstruction {
  const { decided } = denied.result ?? {};
  const reason = decided && (decided.reason ?? `denied by ${decided.by}`);
  return {
    callId: denied.id,
    call: describeCall(denied, words),
    reason: cutText(
      reason === undefined ? firstLineOf(denied, words.redact, reasonLength) : words.redact(reason),
      reasonLength,
    ),
    ...defined({ by: decided?.by }),
    at: toTime(denied.result ? endOf(denied.result) : denied.at),
    foundIn: { callId: source.id, call: describeCall(source, words), ...place },
  };
}
