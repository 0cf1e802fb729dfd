// The tool `changes`: what changed in a stretch of time, from every source that knows changes, in one list. It calls the
// readers of the toolsets, each under its own rules. Runs in Node.
import { omit } from '@holdfast/base/omit';
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import type { Json, JsonObject } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { readTime, timeForms } from '@holdfast/base/time-text';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { counted, toSecond } from '@holdfast/base/words';
import type { CallAction, CallFacts } from '@holdfast/vocabulary/tool-spec';
import { digestOf } from '../base/digest.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { defineTool, type RegisteredTool, type ToolContext, type ToolReturn } from '../tools/define-tool.ts';
import { NotRun } from '../tools/not-run.ts';
import { type AnswerKind, answerKindIn } from '@holdfast/sources/answer-kind';
import { gapMark } from './shown-answer.ts';
import { timeSchema } from '@holdfast/sources/parameters';
import type { ChangeReaders } from './toolsets.ts';

/** A toolset with its readers. `instances`: names of its servers, undefined for one without a name. */
export type ChangeSource = ChangeReaders & { toolset: string; instances: readonly (string | undefined)[] };

/** One call of one reader. */
type Reading = { label: string; tool: RegisteredTool; args: JsonObject };
/** `lines`: each begins with its time. `gaps`: why there may be more. */
type Read = { label: string; lines: string[]; gaps: string[]; tags?: string[] };

const hourMs = 3_600_000;
const lookBackMs = 24 * hourMs;
/** A change after the symptom may be an attempt to mend it, and matters for a while only. */
const lookAheadMs = hourMs;
const readingMs = 20_000;
const maxLines = 60;
const maxLinesAfter = 15;
const shownLength = 240;

export function createChangesTool(
  sources: readonly ChangeSource[],
  now: () => number = Date.now,
): RegisteredTool {
  const names = sources.flatMap(({ toolset, readers, absent }) =>
    readers.length + absent.length > 0 ? [toolset] : [],
  );
  const input = z.strictObject({
    until: timeSchema.default('now').describe(`When the symptom began. ${timeForms}.`),
    since: timeSchema.optional().describe('Default: a day before.'),
    match: z.string().min(1).max(200).optional().describe('Only lines with this text.'),
    sources: z.array(z.enum(names)).min(1).optional(),
  });
  const chosen = ({ sources: only }: z.output<typeof input>): ChangeSource[] =>
    sources.filter(({ toolset }) => only?.includes(toolset) ?? true);
  return defineTool({
    name: 'changes',
    description: `What changed before a symptom, newest first: who, what, where. Reads ${names.join(', ')}.`,
    effect: 'read',
    input,
    timeoutMs: readingMs + 10_000,
    lookBack: { since: 'changes', until: 'symptom' },
    inspect: (asked) => factsOf(readingsOf(chosen(asked), asked)),
    async run(asked, context) {
      const readings = readingsOf(chosen(asked), asked);
      const { basis } = await factsOf(readings);
      if (context.basis !== undefined && context.basis !== basis)
        throw new NotRun('this worker would ask other sources, or in another way, than was checked.');
      const window = windowOf(asked, now());
      const read = await Promise.all(readings.map((reading) => readOne(reading, context)));
      return toReturn([...read, ...absentIn(chosen(asked))], window, asked.match);
    },
  });
}

type Asked = { until: string; since?: string | undefined };

/** The times stay as they were given: a call is the same when it is checked and when it runs. */
function readingsOf(sources: readonly ChangeSource[], { until, since }: Asked): Reading[] {
  const times = { since: since ?? shifted(until, -lookBackMs), until: shifted(until, lookAheadMs) };
  return sources.flatMap(({ readers, instances }) =>
    readers.flatMap((tool) =>
      instances.map((instance) => ({
        label: instance === undefined ? tool.spec.name : `${tool.spec.name} ${instance}`,
        tool,
        args: { ...times, ...defined({ instance }) },
      })),
    ),
  );
}

/** A time before now stays one, and ends with now. */
function shifted(text: string, ms: number): string {
  const at = (readTime(text, 0) ?? 0) + ms;
  if (readTime(text, 0) === readTime(text, 1)) return toSecond(at);
  return at < 0 ? `-${Math.ceil(-at / 1_000)}s` : 'now';
}

function windowOf({ until, since }: Asked, now: number): { from: number; symptom: number; to: number } {
  const from = readTime(since ?? shifted(until, -lookBackMs), now) ?? 0;
  const symptom = readTime(until, now) ?? now;
  if (from >= symptom)
    throw new Error(
      `since is ${toSecond(from)}: expected a time before until, which is ${toSecond(symptom)}`,
    );
  return { from, symptom, to: Math.min(symptom + lookAheadMs, now) };
}

/** All that the calls do, so that a rule about one of them counts for the whole. */
async function factsOf(readings: readonly Reading[]): Promise<CallFacts & { basis: string }> {
  // a reader that cannot say what it would do is a gap of the list
  const facts = await Promise.all(
    readings.map(async ({ tool, args }): Promise<CallFacts> => {
      try {
        return (await tool.inspect?.(args)) ?? {};
      } catch {
        return {};
      }
    }),
  );
  const actions = readings.flatMap(({ tool, args }, index): CallAction[] => {
    const { actions: own = [{ effect: tool.spec.effect }] } = facts[index] ?? {};
    return own.map((action) => ({ ...action, of: { tool: tool.spec.name, args } }));
  });
  const preview = facts.flatMap((each) => each.preview ?? []).join('\n');
  return { actions, preview, basis: digestOf(facts.map((each) => each.basis ?? null)) };
}

async function readOne({ label, tool, args }: Reading, context: ToolContext): Promise<Read> {
  const deadline = AbortSignal.timeout(readingMs);
  const own = {
    ...omit(context, 'basis', 'found'),
    signal: AbortSignal.any([context.signal, deadline]),
    onUpdate: () => undefined,
    addOutput: () => Promise.resolve(),
  };
  try {
    const made = await tool.run(tool.parse(args), own);
    const tags = [...(tool.spec.sensitivity ?? []), ...(made.sensitivity ?? [])];
    if (made.isError) return { label, lines: [], gaps: [deadline.aborted ? late : made.text], tags };
    if (answerKindIn(made.details) === 'unknown') return { label, lines: [], gaps: [made.text], tags };
    const all = made.text.split('\n');
    const lines = all.filter((line) => /^\d{4}-/.test(line));
    const gaps = all.filter((line) => line.startsWith(gapMark)).map((line) => line.slice(gapMark.length));
    return { label, lines, gaps, tags };
  } catch (error) {
    context.signal.throwIfAborted();
    return { label, lines: [], gaps: [deadline.aborted ? late : messageOf(error)] };
  }
}

const late = `Not reachable: no answer within ${readingMs / 1_000} s.`;

function absentIn(sources: readonly ChangeSource[]): Read[] {
  return sources.flatMap(({ absent }) =>
    absent.flatMap(({ tools, reason }) =>
      tools.map((label) => ({ label, lines: [], gaps: [`Not there on this worker: ${reason}`] })),
    ),
  );
}

type Window = ReturnType<typeof windowOf>;

function toReturn(read: readonly Read[], window: Window, match: string | undefined): ToolReturn {
  const from = toSecond(window.from);
  const symptom = toSecond(window.symptom);
  const to = toSecond(window.to);
  const wanted = match?.toLowerCase();
  const inWindow = read.map(({ label, lines }) => {
    const within = lines.filter((line) => line.slice(0, 20) >= from && line.slice(0, 20) <= to);
    const named = within.map((line) => `${line.slice(0, 20)} ${label} ${line.slice(21)}`);
    return { label, lines: named.filter((line) => !wanted || line.toLowerCase().includes(wanted)) };
  });
  const sorted = inWindow.flatMap(({ lines }) => lines).sort((one, other) => (one < other ? 1 : -1));
  const before = sorted.filter((line) => line.slice(0, 20) <= symptom);
  const after = sorted.filter((line) => line.slice(0, 20) > symptom);
  const gaps = read.flatMap(({ label, gaps: said }) =>
    said.map((gap) => `${gapMark}${label}: ${toOneLine(gap, 300)}`),
  );
  const counts = inWindow.map(({ label, lines }) => `${label} ${lines.length}`).join(', ');
  const head = [
    `${counted(sorted.length, 'change')}: ${counts}`,
    ...gaps,
    `Before ${symptom}, back to ${from}, newest first:`,
  ];
  const afterHead = `After ${symptom}, to ${to}, newest first:`;
  const text = [
    ...head,
    ...shownLines(before, maxLines),
    ...(after.length === 0 ? [] : [afterHead, ...shownLines(after, maxLinesAfter)]),
  ];
  // first as shown, so that quotes are found with the same line numbers
  const full = [...text, '', '[All of them:]', ...sorted];
  const sensitivity = [...new Set(read.flatMap(({ tags = [] }) => tags))];
  const failed =
    read.length > 0 && read.every(({ lines, gaps: said }) => lines.length === 0 && said.length > 0);
  return defined({
    text: text.join('\n'),
    full: full.join('\n'),
    isSelection: true,
    isError: failed || undefined,
    sensitivity: unlessEmpty(sensitivity),
    details: defined({
      changes: before.length,
      after: after.length,
      gaps: gaps.length,
      answer: gaps.length > 0 ? ('partial' satisfies AnswerKind) : undefined,
    }) satisfies Json,
  });
}

/**
 * Without addresses, which are in the stored output. The same change three times or more, such as the unit of a timer, is
 * one line at its newest time.
 */
function shownLines(lines: readonly string[], most: number): string[] {
  if (lines.length === 0) return ['none'];
  const groups = [...Map.groupBy(lines, (line) => line.slice(21)).values()].flatMap((same) =>
    same.length < 3 ? same.map((line) => [line]) : [same],
  );
  const newest = groups.sort(([one = ''], [other = '']) => (one < other ? 1 : -1)).slice(0, most);
  const shown = newest.map((same) => {
    const line = toOneLine((same[0] ?? '').replace(/ <https?:\S+>$/, ''), shownLength);
    return same.length === 1 ? line : `${line} [${same.length} times since ${same.at(-1)?.slice(0, 20)}]`;
  });
  if (groups.length > most)
    shown.push(`[${groups.length - most} older ones: ask with a shorter time, match or sources]`);
  return shown;
}
