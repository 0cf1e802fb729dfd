// The pages that users read, cut into their code blocks. Every block has a kind, and every kind is checked by a test of
// this folder: a block of another kind fails `blocks.test.ts`.
import { projectRoot } from '../support/project-root.ts';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token } from 'marked';

/** A fenced block. Its first line is ```` ```<language> <words> ````; readers of the page do not see the words. */
export type Block = {
  /** Path of the page, from the root. */
  page: string;
  /** Of the opening fence. */
  line: number;
  language: string;
  /** The file that the page has the reader write with it. */
  file?: string;
  /** It belongs to the module of the block before it. */
  continued: boolean;
  text: string;
};

/** Not for users, or made by code that has tests of its own. */
const left = [
  /^docs\/(decisions|five-reports)\//,
  /^docs\/reference\/api\//,
  /^docs\/(behaviours|open-behaviours)\.md$/,
];

/** Paths from the root. */
export const pages: readonly string[] = globSync(
  ['{README,CONTRIBUTING,SECURITY,AGENTS}.md', 'docs/**/*.md', 'examples/*/README.md'],
  { cwd: projectRoot },
)
  .filter((page) => !left.some((pattern) => pattern.test(page)))
  .toSorted();

export function readPage(page: string): string {
  return readFileSync(join(projectRoot, page), 'utf8');
}

/** A block of a list is indented; its text is not. */
export function blocksOf(page: string, text = readPage(page)): Block[] {
  const blocks: Block[] = [];
  let open: { indent: string; fence: string; block: Block } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', fence = '', info = ''] = /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== '') open = { indent, fence, block: toBlock(page, index + 1, info) };
    } else if (fence === open.fence && info.trim() === '') {
      blocks.push(open.block);
      open = undefined;
    } else {
      open.block.text += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart()}\n`;
    }
  }
  if (open) throw new Error(`${placeOf(open.block)} is never closed: expected a line of ${open.fence}.`);
  return blocks;
}

function toBlock(page: string, line: number, info: string): Block {
  const [language = '', ...words] = info.trim().split(/\s+/);
  const [file] = words.filter((word) => word !== 'continued');
  return {
    page,
    line,
    language,
    continued: words.includes('continued'),
    text: '',
    ...(file === undefined ? {} : { file }),
  };
}

export const allBlocks: readonly Block[] = pages.flatMap((page) => blocksOf(page));

export function blocksIn(...languages: string[]): Block[] {
  return allBlocks.filter(({ language }) => languages.includes(language));
}

/** As editors jump to it. */
export function placeOf({ page, line }: Pick<Block, 'page' | 'line'>): string {
  return `${page}:${line}`;
}

/** Programs that pages show whole or in part. Those in TypeScript are compiled by `npm run check`. */
const programs = globSync('{examples,deploy}/**/*.{ts,py,go,mod,java,js,json,yaml,yml,service}', {
  cwd: projectRoot,
})
  .filter((path) => !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

/** The file of this repository that a block is cut from, whole lines of it. */
export function sourceOf({ text }: Pick<Block, 'text'>): string | undefined {
  return programs.find((program) => `\n${program.text}`.includes(`\n${text}`))?.path;
}

/** The files that pages name without showing them, such as the tools of a config. */
export const besideFolder = join(projectRoot, 'test/docs/beside');

export function exampleFolder(page: string): string | undefined {
  const folder = join(projectRoot, page, '..');
  return page.startsWith('examples/') && existsSync(folder) ? folder : undefined;
}

/** Its tokens in their order, those inside lists and tables too. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => void tokens.push(token));
  return tokens;
}
