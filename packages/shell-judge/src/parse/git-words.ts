// Words that git gets beside those of the line: a repository's own config names programs for the differences of its files.
import type { Command } from 'unbash';
import { present } from '@holdfast/base/present';
import { literalValue } from './literal.ts';

/** Right behind the verb, where no other option takes one as its value. */
export const gitWords = ['--no-ext-diff', '--no-textconv'] as const;

const behind = /(?:timeout (?:[-\d]\S* )+|xargs (?:-[0rtx]+ |-[nPL] ?\d+ |-I ?\{\} )*)?/.source;
const begins = /(?:\/(?:usr\/)?bin\/)?git (?:-C \S+ |--[a-z-]+ )*/.source;
const verb = /(?:log|show|whatchanged|diff|blame|annotate|stash list|reflog show)(?= )/.source;
const showsDifferences = new RegExp(`^${behind}${begins}${verb}`);

/** The words behind the name of a command, as it runs. */
export function suffixOf({ name, suffix }: Command): Command['suffix'] {
  const words = present([name, ...suffix]).filter((item) => item.type === 'Word');
  const values = words.map((word) => (literalValue(word) ?? '?').replaceAll(/\s/g, '?'));
  const begin = showsDifferences.exec(`${values.join(' ')} `)?.[0].split(' ').length;
  if (begin === undefined || gitWords.every((word, at) => values[begin + at] === word)) return suffix;
  const last = words[begin - 1];
  return suffix.flatMap((item) => (item === last ? [item, ...gitWords.map(plainWord)] : [item]));
}

function plainWord(text: string): Command['suffix'][number] {
  return { type: 'Word', text, value: text, pos: 0, end: 0 };
}
