// Files of a project in the form for a prompt: without Markdown marks, and cut if there is a limit. Pure.
import { cutText, endOfText } from '@holdfast/base/cut-text';

export function toPlainFile(text: string, name: string, limit = Infinity): string {
  return keepBothEnds(withoutMarks(text), name, limit);
}

/** Marks the cut, so that a model does not take the rest for the whole. */
function keepBothEnds(text: string, name: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const [head, tail] = [cutText(text, half, ''), endOfText(text, half)];
  const left = text.length - head.length - tail.length;
  return `${head}\n[... ${left} of ${text.length} characters of ${name} are left out here ...]\n${tail}`;
}

/** Keeps words, lists and lines. Code keeps its text and loses its marks. */
function withoutMarks(markdown: string): string {
  const text = markdown
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '');
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = undefined;
    else lines.push(fence === undefined ? plainLine(line) : line);
  }
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function plainLine(line: string): string {
  if (/^ {0,3}(?:=+|(?:[-*_] *){3,})$/.test(line)) return '';
  const words = line
    .replace(/^ {0,3}#{1,6}(?: +|$)/, '')
    .replace(/ +#+ *$/, (end) => (line.startsWith('#') ? '' : end))
    .replace(/^(?: {0,3}> ?)+/, '')
    .replace(/^(\s*)[*+](?= )/, '$1-');
  // every second piece is code
  const pieces = words.split(/(`+)((?:(?!\1).)+)\1/);
  return pieces
    .flatMap((piece, index) => (index % 3 === 1 ? [] : [index % 3 === 2 ? piece : plainWords(piece)]))
    .join('');
}

function plainWords(text: string): string {
  return text
    .replaceAll(/!\[([^\]]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\(([^()\s]+)\)/g, (_, label: string, to: string) =>
      label === to ? to : `${label} (${to})`,
    )
    .replaceAll(/(\*{1,3})(?=\S)([^*\n]+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w\\])(_{1,3})(?=\S)([^_\n]+?)(?<=\S)\1(?!\w)/g, '$2')
    .replaceAll(/~~(?=\S)([^~\n]+?)(?<=\S)~~/g, '$1');
}
