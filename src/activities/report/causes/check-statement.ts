// Checks that what a root cause says of its component is in a line that is quoted for it. Runs in Node, pure.
import { contentWords } from '@holdfast/report/component-names';
import type { CauseCheck } from '@holdfast/report/report';
import { type Cause, hitLines } from './cause.ts';

/** Forms of one word begin alike: removed, remove. */
const stemCharacters = 5;

export function checkStatement({ report, quotes }: Cause): CauseCheck {
  const check = 'statement';
  const { component = '', text = '' } = report.rootCause ?? {};
  const named = stemsOf(component);
  const said = [...stemsOf(text)].filter((stem) => !named.has(stem));
  const shown = stemsOf(quotes.flatMap((quote) => hitLines(quote).map((line) => line.text)).join('\n'));
  if (said.length === 0 || said.some((stem) => shown.has(stem)))
    return { check, result: 'holds', text: 'words of the root cause are in a line that is quoted for it' };
  const words =
    'no line that is quoted for the cause has a word of what the root cause says of its component';
  return { check, result: 'fails', text: words };
}

function stemsOf(text: string): Set<string> {
  return new Set([...contentWords(text)].map((word) => word.slice(0, stemCharacters)));
}
