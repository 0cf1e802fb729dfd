// Commands that are printed, pasted into a shell that knows nothing else: they reach what they are about.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOf } from '../support/cli.ts';
import { hasPty } from '../support/pty.ts';
import { startTerminal, type RunningTerminal } from '../support/terminal.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const root = resolve(import.meta.dirname, '../..');

/** The first line that holds the words, as a person copies it, pasted into another terminal of the same folder. */
function paste(live: RunningTerminal, words: RegExp, cwd: string) {
  const line = live.lines().find((one) => words.test(one)) ?? '';
  return spawnSync('sh', ['-c', line.trim()], { cwd, encoding: 'utf8', env: environmentOf({ cwd }) });
}

describe.runIf(hasPty)(`pasted${hasPty ? '' : ' (no python3 here)'}`, () => {
  test('[CLI-01abd] the demo of npm run: the commands that "later" prints answer its approval', async () => {
    const dir = await temporaryFolder();
    const environment = { HOLDFAST_DIR: dir };
    const demo = startTerminal(
      ['run', 'demo', '--', '--no-wait'],
      { cwd: root, environment, columns: 100, rows: 30 },
      ['npm'],
    );
    await demo.until(/Run exactly this/, 120_000);
    demo.type('l\r');
    await demo.until(/Answer with/);
    const approved = paste(demo, /^ *TEMPORAL_ADDRESS=\S+ npm run holdfast -- .* approve /, root);
    expect(approved, approved.stderr).toMatchObject({ status: 0 });
    expect(await demo.ended).toBe(0);
    // its server has ended
    const output = paste(demo, /^ *npm run holdfast -- .* output \S+ \S+ --line/, root);
    expect(output, output.stderr).toMatchObject({ status: 0 });
    expect(output.stdout).toMatch(/^> *\d+ {2}\S/m);
  }, 180_000);
});
