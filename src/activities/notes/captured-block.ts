// A block of captured facts as text: the addition to the notes, and the mark by which a repeated flush finds it. Pure.
import type { CapturedBlock } from './memory-store.ts';

const headingOf = (date: string): string => `## Auto-captured -- ${date}`;

/** Invisible in rendered Markdown. */
export function blockMark(key: string): string {
  return `<!-- holdfast: ${key} -->`;
}

function blockLines({ key, facts }: CapturedBlock): string {
  return [blockMark(key), ...facts.map((fact) => `- ${fact}`), ''].join('\n');
}

/** Includes its heading. */
export function blockText(block: CapturedBlock): string {
  return `${headingOf(block.date)}\n\n${blockLines(block)}`;
}

/** The text to append to these notes: facts of the same day come under the last heading, if it is theirs. */
export function addedText(notes: string, block: CapturedBlock): string {
  const last = notes
    .match(/^## .*$/gm)
    ?.at(-1)
    ?.trimEnd();
  const gap = notes === '' || notes.endsWith('\n') ? '' : '\n';
  if (last === headingOf(block.date)) return `${gap}${blockLines(block)}`;
  return `${gap}${notes === '' ? '' : '\n'}${blockText(block)}`;
}
