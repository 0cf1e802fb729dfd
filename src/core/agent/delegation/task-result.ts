// The results of delegated tasks for the model: one entry a task, in order, as JSON. Pure.
import { capText, cutText, isCapped } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { withoutAdvice } from '@holdfast/base/failures';
import type { Json } from '@holdfast/base/json';
import { mapValues } from '@holdfast/base/map-values';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import type { TaskResult } from '@holdfast/vocabulary/children';
import { answerCutSentence } from '@holdfast/report/describe-end';
import { lastWordsText } from '@holdfast/report/last-words';
import type { Completion, SessionResult } from '@holdfast/vocabulary/run-result';

const answerCharacters = 2_000;
export const errorCharacters = 2_000;
const longCharacters = 8_000;
export const inArtifact = 'Its artifact has all of it.';

/** The part of a child's result that its parent reads. */
type Ended = Pick<
  SessionResult,
  | 'status'
  | 'answer'
  | 'lastWords'
  | 'answerCut'
  | 'completion'
  | 'error'
  | 'turns'
  | 'report'
  | 'soFar'
  | 'isStored'
>;

/**
 * The result of a child whose run has ended; `name` is its instance name. One that did not complete gives what it had, marked
 * as unfinished. `canRead`: its parent can read artifacts.
 */
export function toTaskResult(agent: string, name: string, ended: Ended, canRead = false): TaskResult {
  const { status, answerCut, completion, report, soFar } = ended;
  const said = [ended.answer, lastWordsText(ended)].filter(Boolean).join('\n\n');
  const answer = answerCut ? `${said}\n[${answerCutSentence}]` : said;
  const hasFailed = status === 'aborted' || status === 'failed';
  const named = canRead && ended.isStored ? { artifact: `${name}/result` } : {};
  if (completion && !hasFailed) return { agent, result: completionText(completion), completion, ...named };
  if (status === 'completed') return { agent, result: answer, ...named };
  const why = errorOf(name, whyOf(ended));
  const result = present([`unfinished: ${why}`, soFar || undefined]).join('\n');
  const left = {
    ...named,
    ...defined({ report: report && 'artifact' in named ? `${name}/report` : undefined }),
  };
  if (hasFailed) return { agent, error: why, ...defined({ result: soFar ? result : undefined }), ...left };
  return { agent, result, completion: { status: 'failed', summary: '', caveats: why }, ...left };
}

/** The error of a task that a stop of its parent ended. */
export const canceled = 'canceled';

export function errorOf(name: string, message: string): string {
  return `subagent ${name}: ${cutText(message, errorCharacters)}`;
}

/** The final text of a child for its parent: the beginning and the end. `where` says how to get the rest. */
export function cutAnswer(answer: string, where: string): string {
  return capText(answer, answerCharacters, where);
}

/** The words and findings of a child whose run ended early; '' if it said nothing and pinned nothing. */
export function describeSoFar(words: string, findings: readonly string[], where: string): string {
  const pinned = findings.map((finding) => `- ${finding}`).join('\n');
  return [
    words.trim() === '' ? '' : `Its last words: ${cutAnswer(words, where)}`,
    pinned === '' ? '' : `Its pinned findings:\n${capText(pinned, longCharacters, where)}`,
  ]
    .filter(Boolean)
    .join('\n');
}

const listed = 50;

/** The completion cut for the parent; the child's own result has the whole. */
export function cutCompletion(completion: Completion, where: string): Completion {
  const { summary, caveats, files_modified: files, tests_run: tests, ...rest } = completion;
  const cutList = (list: string[]) => list.slice(0, listed).map((text) => cutText(text, 200));
  return {
    ...rest,
    summary: capText(summary, longCharacters, where),
    ...defined({
      files_modified: files && cutList(files),
      tests_run: tests && cutList(tests),
      caveats: caveats && capText(caveats, errorCharacters, where),
    }),
  };
}

function completionText({ status, summary, caveats = '' }: Completion): string {
  return summary.trim() === '' ? `${status}: ${caveats}` : summary;
}

/** The reason of an early end, in words for a model. */
function whyOf({ status, turns, error }: Ended): string {
  if (status === 'aborted') return 'aborted';
  if (status === 'max_iterations') return `iteration limit exceeded (${turns})`;
  if (error) return withoutAdvice(error.message);
  if (status === 'context_exhausted') return 'its context window is full';
  return status === 'failed' ? 'it failed without a reason' : status;
}

/** Compact JSON, at most `limit` characters: of the longest texts the middle is left out first. */
export function toResultText(results: readonly TaskResult[], limit: number): string {
  for (const length of [Infinity, 8_000, 4_000, 2_000, 1_000, 500, 200]) {
    const text = JSON.stringify(results.map((result) => shown(result, length)));
    if (text.length <= limit) return text;
  }
  return cutText(`${counted(results.length, 'task')} ended; their results are too long to show.`, limit);
}

/** The artifact is named where something is left out. */
function shown({ artifact, ...result }: TaskResult, length: number): Json {
  const where = artifact === undefined ? 'The rest is not shown.' : inArtifact;
  const short = mapValues<Json, Json>(result, (value) => shorten(value, length, where));
  return artifact !== undefined && isCapped(JSON.stringify(short)) ? { ...short, artifact } : short;
}

function shorten(value: Json, length: number, where: string): Json {
  if (typeof value === 'string') return capText(value, length, where);
  if (Array.isArray(value)) return value.map((item) => shorten(item, length, where));
  if (typeof value !== 'object' || value === null) return value;
  return mapValues(value, (item) => shorten(item, length, where));
}
