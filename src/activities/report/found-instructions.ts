// Denied and stopped calls whose words occur in an earlier tool output, where somebody may have planted them. Runs in
// Node; reads the store, writes nothing.
import { defined } from '@holdfast/base/defined';
import { setImmediate } from 'node:timers/promises';
import { cutText } from '@holdfast/base/cut-text';
import { type LogRecord, textOf } from '@holdfast/vocabulary/messages';
import type { FoundInstruction } from '@holdfast/report/run-facts';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { type LoggedCall, endOfCall } from '@holdfast/stored/logged-calls';
import { openOutput } from '@holdfast/stored/stored-output';
import { invalidArgumentsPrefix } from '../tools/tool-arguments.ts';
import { type DescribingWords, describeCall, firstLineOf, toIso } from './describe-call.ts';
import { type CallWords, findRequest, wordsOfCall } from './instruction-words.ts';

/** The newest: a run with hundreds of denied calls repeats the same ones. */
const maxDenied = 50;
const maxFound = 20;
const lineLength = 300;
const reasonLength = 200;

export type InstructionSearch = {
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
  { calls, log, ...search }: InstructionSearch,
  words: DescribingWords,
): Promise<FoundInstruction[]> {
  const said = wordsOfPeople(log);
  const denied = calls
    .filter((logged) => wasStopped(logged, calls))
    .slice(-maxDenied)
    .flatMap((logged): Denied[] => {
      const wanted = wordsOfCall(logged, words.toolSpec(logged.call.name), said);
      return wanted ? [{ logged, wanted }] : [];
    });
  const found = await findOrigins(denied, search, (source, { logged }) => isBefore(source, logged));
  return [...found]
    .map(([{ logged }, { source, place }]) => toFound(logged, source, place, words))
    .sort((left, right) => (left.at < right.at ? -1 : 1))
    .slice(-maxFound);
}

type Asked = { wanted: CallWords };
type Source = { source: LoggedCall; place: FoundLine };

/** The first output that asks for each call, among those that may have. Outputs that were not searched in time yield nothing. */
export async function findOrigins<Each extends Asked>(
  asked: readonly Each[],
  { earlier, ...search }: Pick<InstructionSearch, 'earlier' | 'sessionId' | 'artifacts' | 'signal'>,
  mayAsk: (source: LoggedCall, each: Each) => boolean = () => true,
): Promise<Map<Each, Source>> {
  const found = new Map<Each, Source>();
  for (const source of earlier) {
    const open = asked.filter((each) => !found.has(each) && mayAsk(source, each));
    if (open.length === 0 || source.result?.artifactId === undefined || notRead.has(source.call.name))
      continue;
    for (const [each, place] of await searchOutput(source, open, search)) found.set(each, { source, place });
    if (search.signal.aborted || found.size === asked.length) break;
  }
  return found;
}

/** The beginnings of our own refusals, and messages by which a system refuses changes through this call. */
export const refusalPattern =
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
  if (!text.startsWith(invalidArgumentsPrefix)) return refusalPattern.test(text);
  return !calls.some(
    (later) => later.call.name === call.name && later.at >= at && later.result?.isError === false,
  );
}

/** Their outputs are the words of people, or of the agent itself. */
const notRead = new Set(['ask_human', 'report']);

export function wordsOfPeople(log: readonly LogRecord[]): string {
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

type FoundLine = { line: number; text: string };

async function searchOutput<Each extends Asked>(
  { result, by }: LoggedCall,
  asked: readonly Each[],
  { sessionId, artifacts, signal }: Pick<InstructionSearch, 'sessionId' | 'artifacts' | 'signal'>,
): Promise<Map<Each, FoundLine>> {
  const found = new Map<Each, FoundLine>();
  const output = await openOutput(artifacts, by?.sessionId ?? sessionId, result?.artifactId ?? '');
  for (const { fromLine, load } of output?.pieces ?? []) {
    if (signal.aborted || found.size === asked.length) break;
    const text = await load();
    for (const each of asked) {
      if (found.has(each)) continue;
      // lets heartbeats and the time limit run: a piece takes up to a fifth of a second
      await setImmediate();
      if (signal.aborted) break;
      const place = findRequest(text, each.wanted);
      if (!place) continue;
      const line = cutText(text.split('\n')[place.line]?.trim() ?? '', lineLength);
      found.set(each, { line: fromLine + place.line, text: line });
    }
  }
  return found;
}

function toFound(
  denied: LoggedCall,
  source: LoggedCall,
  place: FoundLine,
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
    at: toIso(denied.result ? endOfCall(denied.result) : denied.at),
    foundIn: { callId: source.id, call: describeCall(source, words), ...place },
  };
}
