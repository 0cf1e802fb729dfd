// A rebuilt command is judged as the one it was built from, and bash reads the same words from both.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { judgeCommand } from '../src/index.ts';
import { adversarial } from './lists/adversarial.ts';
import { reads } from './lists/reads.ts';

const emptyFolder = mkdtempSync(join(tmpdir(), 'holdfast-judge-'));
afterAll(() => rmSync(emptyFolder, { recursive: true, force: true }));

/** The judgement as data. */
const judged = (command: string) => {
  const judgement = judgeCommand(command);
  return judgement.ok ? { ...judgement, marked: judgement.marked(3) } : judgement;
};

test('every command of the lists is judged the same after it was rebuilt', () => {
  for (const command of [...reads, ...adversarial]) {
    const judgement = judged(command);
    if (judgement.ok) expect([command, judged(judgement.shown)]).toEqual([command, judgement]);
  }
});

/** Pieces of a word, each in one of bash's spellings. None of them runs anything but echo. */
const piece = fc.oneof(
  fc
    .constantFrom(
      'a',
      'b c',
      '-n',
      '~',
      '~/x',
      '{',
      '}',
      '!',
      '#',
      '*',
      '?',
      '[x]',
      ';',
      '&',
      '|',
      '<',
      '>',
      '(',
      ')',
      '\\',
    )
    .map(singleQuoted),
  fc
    .string({ maxLength: 6, unit: fc.constantFrom(...` ab'"$\`\\!*{}~;|&<>()[]#=\n\té`.split('')) })
    .map(singleQuoted),
  fc.string({ maxLength: 4, unit: fc.constantFrom(...' ab*~;#\t!'.split('')) }).map((text) => `"${text}"`),
  fc.constantFrom(
    'a',
    'x=',
    '=',
    ':',
    '~',
    '~/b',
    '{1,2}',
    '{a,b}',
    '{1..3}',
    '*',
    './*',
    '?',
    '[a-z]',
    '#',
    '+',
    '%',
    ',',
    '@',
  ),
  fc.constantFrom('\\ ', '\\$', '\\*', '\\~', '\\{', "\\'", '\\\\', '\\\n', '\\a'),
  fc.constantFrom(`$'\\t'`, `$'a\\'b'`, `$'\\x41'`, `$'\\u00e9'`, `$'\\n'`, `$"x"`),
  fc.constantFrom(
    '$x',
    '${x}',
    '"$x"',
    '"${x:-d}"',
    '${x:+a b}',
    '${#x}',
    '$((1 + 2))',
    '$(echo "a  b")',
    '"$(echo "a  b")"',
    '`echo c`',
  ),
  fc.constantFrom(
    '"$x\\\n"',
    '"a\\$b"',
    '"\\`"',
    '"${x}y"',
    '"$x[1]"',
    '${x%b}',
    '${x/b/ c}',
    '"${a[@]}"',
    '${a[1]}',
  ),
);
const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const words = fc.array(word, { minLength: 1, maxLength: 6 });

test('bash reads the same words from both spellings', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), (lists) => {
      const script = lists.map((list) => `printf '<%s>' ${list.join(' ')}`).join('\n');
      const judgement = judged(`x='b  *'; a=(1 '2 3')\n${script}`);
      // bash reads some words of the generator as an open quote or bracket: then nothing runs
      if (!judgement.ok) return;
      const written = printed(`x='b  *'; a=(1 '2 3')\n${script}`);
      expect([script, printed(judgement.shown)]).toEqual([script, written]);
      expect(judged(judgement.shown)).toEqual(judgement);
    }),
    { numRuns: 60 },
  );
});

const bodies = fc.array(
  fc.constantFrom(
    'a',
    '$x',
    '${x}',
    '"q"',
    "'s'",
    '\\$x',
    '\\\\',
    '\\\n',
    '`echo c`',
    '$(echo "d  e")',
    '\n',
    '\t',
    '*',
    '$((1+1))',
    '\\a',
  ),
  { maxLength: 8 },
);
test('here-documents give the same input as the strings they become', () => {
  fc.assert(
    fc.property(bodies, fc.constantFrom('<<E', '<<-E', `<<'E'`, '<<"E"', '<<\\E'), (parts, operator) => {
      const script = `x='b  *'\ncat ${operator}; echo after\n${parts.join('')}\nE\n`;
      const judgement = judgeCommand(script);
      if (!judgement.ok) return;
      expect([script, printed(judgement.shown)]).toEqual([script, printed(script)]);
    }),
    { numRuns: 60 },
  );
});

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function printed(script: string): [string, number | null] {
  // globs match nothing in an empty folder
  const { stdout, status } = spawnSync('bash', ['--noprofile', '--norc', '-c', script], {
    cwd: emptyFolder,
    env: { PATH: '/usr/bin:/bin', HOME: '/home/x', LANG: 'C.UTF-8' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return [stdout, status];
}
