// llms.txt (https://llmstxt.org): the pages of docs/README.md with what each is for, for programs that read documentation.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Token, type Tokens, marked } from 'marked';

type Page = { text: string; href: string; task: string };

export function makeLlms(root: string): string {
  const read = (page: string): Token[] => marked.lexer(readFileSync(join(root, page), 'utf8'));
  const [, summary] = read('README.md').filter(({ type }) => type === 'heading' || type === 'paragraph');
  if (summary?.type !== 'paragraph')
    throw new Error('Expected README.md to begin with a title and a paragraph');
  const lines = read('docs/README.md').flatMap((token): string[] => {
    if (token.type === 'heading' && token['depth'] === 2) return ['', `## ${token['text']}`, ''];
    return token.type === 'table' ? pagesOf(token['rows']).map(toLine) : [];
  });
  return ['# Holdfast', '', `> ${plain(summary['text'])}`, ...lines, ''].join('\n');
}

/** Each link of a row, with the row's first cell. */
function pagesOf(rows: { text: string; tokens: Token[] }[][]): Page[] {
  return rows.flatMap(([task, ...cells]) =>
    cells
      .flatMap(({ tokens }) => tokens)
      .filter((token): token is Tokens.Link => token.type === 'link')
      .map(({ text, href }) => ({ text, href, task: plain(task?.text ?? '') })),
  );
}

function toLine({ text, href, task }: Page): string {
  const address = /^[a-z]+:/.test(href) ? href : posix.join('docs', href);
  return `- [${text}](${address}): ${task}`;
}

function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
}
