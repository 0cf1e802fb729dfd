// The difference of two texts for people. Pure; used for the question before a change and for its result.
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import { cutText } from '../../../../core/base/cut-text.ts';
import { toVisible } from '../../../../core/base/visible.ts';

/** `text` is a unified diff without the names of files, cut at `length`. */
export type FileDiff = { text: string; added: number; removed: number };

/** Beyond this, the two texts are shown one after the other, because a search for more takes too long. */
const maxEdits = 2_000;

export function diffTexts(from: string, to: string, length: number): FileDiff {
  const hasPlainEnds = [from, to].some((text) => /(?<!\r)\n/.test(text));
  const before = hasPlainEnds ? from : from.replaceAll('\r\n', '\n');
  const after = hasPlainEnds ? to : to.replaceAll('\r\n', '\n');
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: maxEdits });
  const whole = [...linesOf(before, '-'), ...linesOf(after, '+')];
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? whole;
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const text = toVisible(patch ? formatPatch(patch, OMIT_HEADERS).replace(/\n$/, '') : whole.join('\n'));
  const notice = '\n[... the rest of the diff is cut here]';
  return {
    text: text.length <= length ? text : cutText(text, length - notice.length, '') + notice,
    added: count('+'),
    removed: count('-'),
  };
}

function linesOf(text: string, sign: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
}
