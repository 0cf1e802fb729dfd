// Links of every Markdown file of the repository lead to a file that is there, and to a heading that it has. Addresses on
// the network are not asked.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { tokensOf } from './pages.ts';
import { projectRoot } from '../support/project-root.ts';

const files = globSync(['*.md', '{docs,examples,deploy,packages,toolsets,test,bench}/**/*.md'], {
  cwd: projectRoot,
}).filter((path) => !path.includes('node_modules'));
const texts = new Map(files.map((path) => [path, readFileSync(join(projectRoot, path), 'utf8')]));

function linksOf(text: string): string[] {
  return tokensOf(text).flatMap((token) =>
    (token.type === 'link' || token.type === 'image') && !/^[a-z]+:/.test(token.href) ? [token.href] : [],
  );
}

/** The anchors that GitHub makes of headings, where a second one of the same words ends in `-1`, and those that a page sets. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const token of tokensOf(text)) {
    const [, set] = token.type === 'html' ? (/^<a id="([^"]+)">/.exec(token.raw) ?? []) : [];
    if (set !== undefined) anchors.add(set);
    if (token.type !== 'heading') continue;
    const words: string = token.text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    const again = [...anchors].filter((other) => other.replace(/-\d+$/, '') === anchor).length;
    anchors.add(again === 0 ? anchor : `${anchor}-${again}`);
  }
  return anchors;
}

/** By file: the pages of the API have thousands of links to each other. */
const knownAnchors = new Map<string, Set<string>>();

function anchorsIn(file: string, text: string): Set<string> {
  const anchors = knownAnchors.get(file) ?? anchorsOf(text);
  knownAnchors.set(file, anchors);
  return anchors;
}

function faultOf(file: string, href: string): string | undefined {
  const [path = '', anchor] = href.split('#').map(decodeURIComponent);
  const target = path === '' ? file : relative(projectRoot, join(projectRoot, dirname(file), path));
  const place = join(projectRoot, target);
  if (target.startsWith('..')) return 'leads out of the repository';
  if (!existsSync(place)) return 'leads to no file';
  if (anchor === undefined || statSync(place).isDirectory()) return undefined;
  const text = texts.get(target);
  return text === undefined || anchorsIn(target, text).has(anchor) ? undefined : 'leads to no heading';
}

test('every link leads to a file and to a heading', () => {
  const links = [...texts].flatMap(([file, text]) => linksOf(text).map((href) => ({ file, href })));
  expect(links.length).toBeGreaterThan(200);
  const faults = links.flatMap(({ file, href }) => {
    const fault = faultOf(file, href);
    return fault === undefined ? [] : [`${file}: ${href} ${fault}`];
  });
  expect(faults).toEqual([]);
});

test('docs/README.md leads to every page', () => {
  const links = linksOf(texts.get('docs/README.md') ?? '').map((href) => href.split('#')[0]);
  const pages = files.flatMap((file) => /^docs\/([\w-]+\.md)$/.exec(file)?.[1] ?? []);
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter((page) => page !== 'README.md' && !links.includes(page))).toEqual([]);
});

test('docs/decisions/README.md leads to every decision, in the words of its heading', () => {
  const index = texts.get('docs/decisions/README.md') ?? '';
  const listed = [...index.matchAll(/^ {2}- \[(.*)\]\(([\w-]+\.md)#/gm)].map(
    ([, words, page]) => `${page}: ${words}`,
  );
  const decisions = [...texts].flatMap(([file, text]) => {
    const [, page] = /^docs\/decisions\/(?!README)([\w-]+\.md)$/.exec(file) ?? [];
    return page === undefined
      ? []
      : [...text.matchAll(/^## (.+)$/gm)].map(([, words]) => `${page}: ${words}`);
  });
  expect(decisions.length).toBeGreaterThan(60);
  expect(listed.toSorted()).toEqual(decisions.toSorted());
});
