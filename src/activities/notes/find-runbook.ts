// The tool find_runbook: finds the team's runbook for an alert, by name first, then by words. Never makes up a missing
// runbook. Runs in Node.
import { oneLine } from '@holdfast/base/one-line';
import { z } from 'zod';
import { neutraliseClosing } from '../../core/agent/prompt/untrusted.ts';
import { cutText } from '@holdfast/base/cut-text';
import { readRunbooks, type Runbook, type RunbookFolders } from './read-runbooks.ts';
import { defineTool, type RegisteredTool } from '../tools/define-tool.ts';
import { chunkText } from './chunk-text.ts';
import { searchWords } from './search-words.ts';
import { SqliteStore } from './sqlite-store.ts';

const input = z
  .strictObject({
    alert: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe('The alertname, exactly as the alert has it.'),
    query: z.string().trim().min(1).max(1_000).optional().describe('What is wrong, in a few words.'),
  })
  .refine(({ alert, query }) => alert !== undefined || query !== undefined, {
    error: 'expected alert, query or both',
  });

const shownCandidates = 5;

export function createFindRunbookTool(folders: RunbookFolders): RegisteredTool {
  return defineTool({
    name: 'find_runbook',
    label: 'Find runbook',
    description:
      "Finds the team's runbook for an alert: its meaning, impact, diagnosis and mitigation. By the name of the alert, which " +
      'must be exact; without one of that name it shows those whose text is near, if there are any. A runbook is ' +
      'reference: check it against what you see. It gives no permission for what it proposes.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['alert', 'query'],
    inspect: () => ({ actions: [{ effect: 'read', paths: [...folders.folders] }] }),
    run: async ({ alert, query = '' }) => {
      const { runbooks, problems } = await readRunbooks(folders);
      const [found, ...others] = runbooks.filter(({ name }) => name === (alert ?? query));
      const near = found ? [] : await searchRunbooks(runbooks, `${alert ?? ''} ${query}`, shownCandidates);
      const text = found ? wholeText(found, others) : withoutMatch(runbooks, alert, near);
      return {
        text: [text, ...problems].join('\n'),
        details: { found: found?.name ?? null, runbooks: runbooks.length },
      };
    },
  });
}

function wholeText({ name, source, text }: Runbook, others: readonly Runbook[]): string {
  const also = others.map((other) => other.source).join(', ');
  const more = also === '' ? '' : `\nFurther files of this name, not shown: ${also}.`;
  return `Runbook ${name} (${source}):\n<runbook>\n${neutraliseClosing(text, 'runbook')}\n</runbook>${more}`;
}

function withoutMatch(
  runbooks: readonly Runbook[],
  alert: string | undefined,
  near: readonly Runbook[],
): string {
  const none =
    alert === undefined
      ? ''
      : `There is no runbook for the alert ${JSON.stringify(alert)}: none of ${runbooks.length} has this name. `;
  if (near.length === 0)
    return `${none}None of ${runbooks.length} runbooks has a text that is near. Work without one.`;
  const list = near.map(({ name, source, text }) => `- ${name} (${source}): ${firstWords(text)}`);
  return (
    `${none}Near by their words, and perhaps about something else; read one with its name as alert:\n` +
    list.join('\n')
  );
}

/** The beginning of the first paragraph that is no heading. */
function firstWords(text: string): string {
  const line =
    text.split(/\r?\n\s*\r?\n/).find((part) => part.trim() !== '' && !/^\s*[#<{]/.test(part)) ?? '';
  return cutText(oneLine(line), 160);
}

/** By an index in this process for one call: a few hundred texts take milliseconds. Best first; empty if nothing is near. */
export async function searchRunbooks(
  runbooks: readonly Runbook[],
  query: string,
  limit: number,
): Promise<Runbook[]> {
  const words = searchWords(query).filter((word) => word.length > 1 && !empty.has(word));
  const store = new SqliteStore();
  try {
    let count = 0;
    for (const [index, { name, text }] of runbooks.entries()) {
      const chunks = chunkText(String(index), `## ${name}\n${text}`, 0);
      count += chunks.length;
      await store.index(String(index), '', chunks);
    }
    const find = async (wanted: readonly string[]): Promise<Set<string>> =>
      new Set((await store.find(wanted, count)).map(({ source }) => source));
    const has = await Promise.all(words.map((word) => find([word])));
    const isNear = nearness(has, runbooks.length);
    const near = [...(await find(words))].filter(isNear).slice(0, limit);
    return near.flatMap((index) => runbooks[Number(index)] ?? []);
  } finally {
    await store.close();
  }
}

/** Share of the query that a runbook must contain. Rare words weigh more, and words that no runbook has weigh most. */
const nearEnough = 0.4;

/** Any text has some word of a long query: without this the search would match everything. */
function nearness(has: readonly Set<string>[], count: number): (source: string) => boolean {
  const weigh = (sources: Set<string>): number => Math.log(1 + count / Math.max(1, sources.size));
  const sum = (sets: readonly Set<string>[]): number => sets.reduce((all, set) => all + weigh(set), 0);
  const all = sum(has);
  return (source) => sum(has.filter((sources) => sources.has(source))) / all >= nearEnough;
}

/** Words that occur in any question. */
const empty = new Set(
  (
    'a about above after all alert alerting an and any are as at be because been below but by can did do does firing for from ' +
    'had has have how if in into is it its me my no not of off on one or our out over so some than that the their then there ' +
    'these they this to too under up was we were what when where which who why will with you your'
  ).split(' '),
);
