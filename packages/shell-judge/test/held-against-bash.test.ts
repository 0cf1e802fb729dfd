// Words that the judge takes for no option, against bash: scripts that set variables in every way, each run with a `sort`
// that only looks at its words.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { judgeCommand } from '../src/index.ts';

/** Numbers that are the same in every run. */
function dice(seed: number) {
  let state = seed;
  const roll = (sides: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
  return { roll, pick: (list: readonly string[]): string => list[roll(list.length)] ?? '' };
}

function scriptsFrom(seed: number, count: number): string[] {
  const { roll, pick } = dice(seed);
  const name = (): string => pick(['a', 'b', 'c', 'd']);
  const literals = ['-delete', '/x', 'x', '', '"/x -delete"', "'-o'", '""', 'x-y', '\\-z', '~/q', '"*"'];
  // oxfmt-ignore
  const value = (): string =>
    pick([
      pick(literals), `"$${name()}"`, `$${name()}`, `"\${${name()}:-${pick(['x', '-k', '/y'])}}"`,
      `\${${name()}-$${name()}}`,
        `"$${name()}$${name()}"`,
        `x$${name()}`,
        `"$${name()}"x`,
        '$(pwd)',
        '*',
      `"$(dirname "$${name()}")"`, '$(date +%Y%n-delete)', '$(echo -delete)', '$1', '"$@"', '$((1-2))',
    ]);
  const statement = (depth = 0): string => {
    const inner = (): string => (depth > 1 ? ':' : statement(depth + 1));
    return pick([
      `${name()}=${value()}`,
      `${name()}=${value()}`,
      `${name()}=${value()}`,
      `${name()}+=${value()}`,
      `if true; then ${inner()}; fi`,
      `for ${name()} in ${value()} ${value()}; do ${inner()}; done`,
      `for i in 1 2; do ${inner()}; ${inner()}; done`,
      `read -r ${name()} <<< ${value()}`,
      `printf -v ${name()} %s ${value()}`,
      `((${name()}=-1))`,
      `: "\${${name()}:=-k}"`,
      `IFS=${pick(['/', 'x'])}`,
      `IFS=/ read -r ${name()} <<< "/-q"`,
      `(${name()}=-q)`,
      `${name()}=-q true`,
      'set -- -q',
      'unset a',
    ]);
  };
  const word = (): string =>
    pick([
      `"$${name()}"`,
      `$${name()}`,
      `"$${name()}$${name()}"`,
      `$${name()}$${name()}`,
      `"x$${name()}"`,
      `"$${name()}"x`,
      `\${${name()}:-y}`,
      `"$(pwd)/$${name()}"`,
      `$${name()}/*`,
      '"$1"',
      `+$${name()}`,
      `"$${name()}"/$${name()}`,
      `"$(dirname "$${name()}")"`,
    ]);
  return Array.from({ length: count }, () => {
    const before = Array.from({ length: 1 + roll(4) }, () => statement()).join('; ');
    return roll(4) === 0 ? `for k in 1 2 3; do sort ${word()}; ${before}; done` : `${before}; sort ${word()}`;
  });
}

/** Those in which a word of sort begins with a dash. */
function withOption(scripts: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-held-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, '-delete'), '');
  const look = 'sort() { local q; for q in "$@"; do [[ $q == -?* ]] && echo "option $N"; done; }';
  const lines = scripts.map((script, index) => `( N=${index}; ${look}; ${script} ) 2> /dev/null < /dev/null`);
  const { stdout } = spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', lines.join('\n')], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: '/root' },
    encoding: 'utf8' as const,
  });
  const found = new Set([...stdout.matchAll(/^option (\d+)$/gm)].map(([, index]) => Number(index)));
  return scripts.filter((_, index) => found.has(index));
}

function isNoOption(script: string): boolean {
  const judgement = judgeCommand(script);
  if (!judgement.ok) return false;
  return judgement.actions.every(({ command, effect }) => !command.startsWith('sort') || effect === 'read');
}

test('[MODE-14a] a word that is taken for no option is none in bash, however its variables got their values', () => {
  const scripts = scriptsFrom(7, 300);
  expect(withOption(scripts).length).toBeGreaterThan(15);
  const judged = scripts.filter(isNoOption);
  expect(judged.length).toBeGreaterThan(60);
  expect(withOption(judged)).toEqual([]);
});
