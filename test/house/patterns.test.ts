// Regular expressions that look at a model's words: a "." that stops at a newline, or a "^" of each line, would let pass
// what stands behind a newline.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toolsetSchema } from '@holdfast/sources/toolset.schema';
import { inputOf } from '@holdfast/sources/parameters';
import { projectRoot } from '../support/project-root.ts';

const folders = [
  'packages/shell-judge/src',
  'src/core/tools',
  'src/activities/tools',
  'src/activities/toolsets',
];

/** A literal behind a sign that begins an expression; comments and texts are out first. */
const literal =
  /(?<=(?:[(,=:[!&|?{};]|return|=>)\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([a-z]*)/g;
/** Lines of an output or of a heredoc's body, which no decision hangs on. */
const ofLines = new Set([String.raw`^\t+`]);

function patternsIn(folder: string): { file: string; source: string; flags: string }[] {
  return globSync(`${folder}/**/*.ts`, { cwd: projectRoot }).flatMap((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
    const found = [...text.matchAll(literal)].map(([, source = '', flags = '']) => ({ file, source, flags }));
    // a path in a template is none
    return found.filter(({ source }) => !/`|\$\{/.test(source));
  });
}

function hasDot(source: string): boolean {
  return source
    .replaceAll(/\\./g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .includes('.');
}

test.each(folders)('[SAFE-16b] every pattern of %s looks behind a newline', (folder) => {
  const patterns = patternsIn(folder);
  expect(patterns.length).toBeGreaterThan(2);
  const faulty = patterns.filter(
    ({ source, flags }) =>
      !ofLines.has(source) && ((hasDot(source) && !flags.includes('s')) || flags.includes('m')),
  );
  expect(faulty).toEqual([]);
});

const toolsets = globSync('catalog/toolsets/*.yaml', { cwd: projectRoot }).map((file) => ({
  file,
  toolset: toolsetSchema.parse(parse(readFileSync(join(projectRoot, file), 'utf8'))),
}));

/** A text in which the pattern of a refusal is found, from its first alternative in plain words. */
const sample = /^(?:\\[bw]\*?|\(\?:|\^|\(\?!)*([a-z_$"&]{3,})/i;

test('[SAFE-16b] what a parameter of a toolset refuses is refused behind a newline, too', () => {
  const passed: string[] = [];
  let tried = 0;
  for (const { file, toolset } of toolsets) {
    for (const { name, parameters = {} } of toolset.tools) {
      for (const [parameter, declared] of Object.entries(parameters)) {
        if (declared.type !== 'string' || declared.refuses === undefined) continue;
        for (const { pattern } of declared.refuses) {
          const [, word] = sample.exec(pattern) ?? [];
          if (word === undefined || !new RegExp(pattern, 'iu').test(word)) continue;
          tried += 1;
          const text = `select 1\n${word}`;
          if (inputOf({ [parameter]: declared }).safeParse({ [parameter]: text }).success)
            passed.push(`${file} ${name} ${parameter}: ${pattern}`);
        }
      }
    }
  }
  expect(tried).toBeGreaterThan(5);
  expect(passed.filter((each) => !each.includes('^'))).toEqual([]);
});

test.each([
  [
    'aws',
    [
      'file:///etc/x',
      '\nfile:///etc/x',
      'a\n\nb,Values=fileb://x',
      'file:///etc/x\n',
      'Name=x,Values@=file://x',
    ],
  ],
  // az reads a file where a word, or what follows its first "=", begins with "@"
  ['azure', ['@/etc/x', '\n@/etc/x', '--query=@/etc/x', 'a\nb=@/etc/x', '--query=\n@/etc/x', '@/etc/x\n']],
])('[SAFE-16b] %s takes no file, with or without a newline', (source, words) => {
  const tool = toolsets.find(({ file }) => file === `catalog/toolsets/${source}.yaml`)?.toolset.tools[0];
  const takes = (text: string): boolean =>
    inputOf(tool?.parameters ?? {}).safeParse({ words: ['vm', 'list', text] }).success;
  expect(['a\nb', ...words].filter(takes)).toEqual(['a\nb']);
});
