// The results of delegated tasks for the model: one entry a task, in order, as JSON. Pure.
import { cutText } from '../../base/cut-text.ts';
import type { Json } from '../../base/json.ts';
import { counted } from '../../base/words.ts';
import type { TaskResult } from '../../model/children.ts';
import { answerCutSentence } from '../../report/describe-end.ts';
import type { Completion, RunResult, RunStatus } from '../../model/run-result.ts';

const answerCharacters = 2_000;
const cutMark = '... [truncated]';
export const errorCharacters = 2_000;
const summaryCharacters = 8_000;

/** The part of a child's result that its parent reads. */
type Ended = Pick<RunResult, 'status' | 'answer' | 'answerCut' | 'completion' | 'error' | 'turns'>;

/** The result of a child whose run has ended; `name` is its instance name. */
export function toTaskResult(agent: string, name: string, ended: Ended): TaskResult {
  const { status, answer, answerCut, error } = ended;
  if (status === 'aborted') return { agent, error: errorOf(name, 'aborted') };
  if (status === 'failed')
    return { agent, error: errorOf(name, error?.message ?? 'it failed without a reason') };
  const completion = ended.completion ?? completionAtLimit(name, ended);
  if (completion) return { agent, result: textOf(completion), completion };
  return { agent, result: `${cutAnswer(answer)}${answerCut ? `\n[${answerCutSentence}]` : ''}` };
}

/** The error of a task that a stop of its parent ended. */
export const canceled = 'canceled';

export function errorOf(name: string, message: string): string {
  return `subagent ${name}: ${cutText(message, errorCharacters)}`;
}

/** The answer of a child that ended without task_complete, cut for its parent. */
export function cutAnswer(answer: string): string {
  if (answer.length <= answerCharacters || answer.endsWith(cutMark)) return answer;
  return `${cutText(answer, answerCharacters, '')}${cutMark}`;
}

const listed = 50;

/** The completion cut for the parent; the child's own result has the whole. */
export function cutCompletion(completion: Completion): Completion {
  const { summary, caveats, files_modified: files, tests_run: tests, ...rest } = completion;
  const cutList = (list: string[]) => list.slice(0, listed).map((text) => cutText(text, 200));
  return {
    ...rest,
    summary: cutText(summary, summaryCharacters, cutMark),
    ...(files ? { files_modified: cutList(files) } : {}),
    ...(tests ? { tests_run: cutList(tests) } : {}),
    ...(caveats === undefined ? {} : { caveats: cutText(caveats, errorCharacters, cutMark) }),
  };
}

function textOf({ status, summary, caveats = '' }: Completion): string {
  return summary.trim() === '' ? `${status}: ${caveats}` : summary;
}

/** A completion in place of the one that a child at its limit had no turn left for. */
function completionAtLimit(name: string, { status, turns, answer, error }: Ended): Completion | undefined {
  if (status === 'completed') return undefined;
  const caveats =
    status === 'max_iterations'
      ? errorOf(name, `iteration limit exceeded (${turns})`)
      : errorOf(name, error?.message ?? limitTexts[status] ?? status);
  // after an error the last words are from the middle of the work; otherwise the limit left one request for an answer
  return { status: 'failed', summary: error ? '' : cutAnswer(answer), caveats };
}

const limitTexts: Partial<Record<RunStatus, string>> = { context_exhausted: 'its context window is full' };

/** Compact JSON, at most `limit` characters: the longest texts are cut first. */
export function toResultText(results: readonly TaskResult[], limit: number): string {
  for (const length of [Infinity, 8_000, 4_000, 2_000, 1_000, 500, 200]) {
    const text = JSON.stringify(shorten(results as unknown as Json, length));
    if (text.length <= limit) return text;
  }
  return cutText(`${counted(results.length, 'task')} ended; their results are too long to show.`, limit);
}

function shorten(value: Json, length: number): Json {
  if (typeof value === 'string') return value.length <= length ? value : cutText(value, length, cutMark);
  if (Array.isArray(value)) return value.map((item) => shorten(item, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item, length)]));
}
