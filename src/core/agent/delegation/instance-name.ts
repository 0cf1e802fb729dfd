// The name of one child among all children of an agent; people and workflow ids use it. Pure.

import { cutText } from '@holdfast/base/cut-text';

const slugCharacters = 12;
const leastLetters = 3;

/**
 * Words without meaning for a task. Never change them: children of running sessions would get other names in a replay.
 */
const stopWords = new Set(
  (
    'about above after again all and any are been before being below between both but can could did does doing down ' +
    'during each few for from further had has have having her here him his how into its just may more most must not ' +
    'now off once only other our out over own please same shall she should since some such than that the their them then ' +
    'there these they this those through too under until very was were what when where whether which while who whom ' +
    'whose why will with would you your'
  ).split(' '),
);

/**
 * `<agent>-<slug>-<n>`, e.g. `log-analyst-pool-3`. `plain` leaves out words of the task, for ids that are not
 * encrypted.
 */
export function instanceName(agent: string, task: string, n: number, plain = false): string {
  return `${agent}-${plain ? noWord : slugOf(task)}-${n}`;
}

const noWord = 'task';

function slugOf(task: string): string {
  for (const given of task.split(/\s+/)) {
    const word = given.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    const letters = word.match(/\p{L}/gu)?.length ?? 0;
    if (letters >= leastLetters && !stopWords.has(word)) return toName(word);
  }
  return noWord;
}

/** Replaces slashes, which separate two sessions in an id. */
function toName(word: string): string {
  const cut = cutText(word.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-'), slugCharacters, '');
  return cut.replace(/[^\p{L}\p{N}]+$/u, '');
}
