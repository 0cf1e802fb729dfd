// What users meet first: the pages of the package lead only to files of the package, and those that begin with a clone name
// commands that work in one.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { npxPlaces } from './npx-places.ts';
import { blocksOf, pages, readPage, tokensOf } from './pages.ts';
import { projectRoot } from '../support/project-root.ts';
import { commandsIn } from './shell-lines.ts';

type Packed = { files: { path: string }[] };

/** Without the build, which adds no page. */
function packedFiles(): string[] {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const stdout = execFileSync('npm', pack, { cwd: projectRoot, encoding: 'utf8', stdio: 'pipe' });
  const [packed]: Packed[] = JSON.parse(stdout);
  return packed?.files.map(({ path }) => path) ?? [];
}

test('[CLI-02c] every relative link of a page in the package leads to a file or folder of the package', () => {
  const files = packedFiles();
  const places = new Set(files.flatMap((file) => [file, ...parentsOf(file)]));
  const links = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      linksOf(readFileSync(join(projectRoot, file), 'utf8')).map((link) => ({ file, link })),
    );
  expect(links.length).toBeGreaterThan(500);
  const dead = links.filter(
    ({ file, link }) => !places.has(normalize(join(dirname(file), link)).replace(/\/$/, '')),
  );
  expect(dead).toEqual([]);
});

test('the pictures of the package have a palette: with all colours they were half of it', () => {
  const pictures = packedFiles().filter((file) => file.endsWith('.png'));
  expect(pictures.length).toBeGreaterThan(6);
  // byte 25 is the kind of colours of a PNG
  const large = pictures.filter((file) => readFileSync(join(projectRoot, file))[25] !== 3);
  expect(large).toEqual([]);
});

function parentsOf(file: string): string[] {
  const parent = dirname(file);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}

/** Paths, without their headings. */
function linksOf(text: string): string[] {
  return tokensOf(text).flatMap((token) =>
    (token.type === 'link' || token.type === 'image') && !/^([a-z]+:|#)/.test(token.href)
      ? [decodeURIComponent(token.href.replace(/#.*/, ''))]
      : [],
  );
}

test.each(['README.md', 'docs/tutorial.md'])(
  '[CLI-02ab] %s begins with commands of a fresh clone, and has npx only in a project that has the package',
  (page) => {
    const shells = blocksOf(page).filter(({ language }) => language === 'sh');
    const [first] = commandsIn(shells[0]?.text ?? '', page);
    expect(first).toEqual(['npm', 'ci']);
    const lines = shells.flatMap(({ text }) => text.split('\n'));
    const installed = lines.indexOf('npm install');
    const until = lines.slice(0, installed === -1 ? lines.length : installed);
    expect(until.filter((line) => /\bnpx\b/.test(line))).toEqual([]);
    const words = until.flatMap((line) => commandsIn(line, page));
    expect(words.filter(([program = '']) => !['npm', 'cd'].includes(program))).toEqual([]);
  },
);

test('[CLI-02b] no page of an example, which runs in a clone, has npx in front of the command', () => {
  const examples = pages.filter((page) => page.startsWith('examples/'));
  expect(examples.length).toBeGreaterThan(8);
  expect(examples.filter((page) => readPage(page).includes('npx holdfast'))).toEqual([]);
});

/** Comments of the sources are for those who change them. */
const isComment = (line: string): boolean => /^(\/\/|\/?\*)/.test(line);

function linesWithNpx(): string[] {
  const further = ['CHANGELOG.md', 'examples/**/*.ts', '{agents,bin,deploy,src,templates,toolsets}/**/*'];
  const read = globSync(further, { cwd: projectRoot }).filter((path) =>
    statSync(join(projectRoot, path)).isFile(),
  );
  return [...pages, ...read].flatMap((file) =>
    readFileSync(join(projectRoot, file), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /\bnpx\b/.test(line) && !(file.startsWith('src/') && isComment(line)))
      .map((line) => `${file}: ${line}`),
  );
}

test('[CLI-02b] every line that says npx is in a list, with its reason', () => {
  const listed = npxPlaces.flatMap(({ lines }) =>
    Object.entries(lines).flatMap(([file, texts]) => texts.map((text) => `${file}: ${text}`)),
  );
  expect(linesWithNpx().toSorted()).toEqual(listed.toSorted());
});
