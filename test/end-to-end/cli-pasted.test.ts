// Commands that are printed, pasted into a shell that knows nothing else: they reach what they are about. The demo with a team
// prints them.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOf } from '../support/cli.ts';
import { hasPty } from '../support/pty.ts';
import { startTerminal, type RunningTerminal } from '../support/terminal.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const root = resolve(import.meta.dirname, '../..');

/** The first line that holds the words, as a person copies it, pasted into another terminal of the same folder. */
function paste(live: RunningTerminal, words: RegExp, more = (line: string) => line): string {
  const line = live.lines().find((one) => words.test(one)) ?? '';
  const env = environmentOf({ cwd: root });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', more(line.trim())], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  expect({ line, status, stderr }).toMatchObject({ status: 0 });
  return stdout;
}

describe.runIf(hasPty)(`pasted${hasPty ? '' : ' (no python3 here)'}`, () => {
  test('[CLI-01abd] [CLI-09g] [SUB-05a] the demo of npm run: a team of three analysts and a critic; the commands that "later" prints answer its approval', async () => {
    const environment = { HOLDFAST_DIR: await temporaryFolder() };
    const demo = startTerminal(
      ['run', 'demo', '--', '--team', '--no-wait'],
      { cwd: root, environment, columns: 100, rows: 30 },
      ['npm'],
    );
    await demo.until(/Run exactly this/, 120_000);
    demo.type('l\r');
    await demo.until(/Answer with/);
    paste(demo, /^ *TEMPORAL_ADDRESS=\S+ npm run holdfast -- .* approve /);
    expect(await demo.ended).toBe(0);
    const order = demo
      .history()
      .flatMap((row) => /🤖 ([a-z-]+)-[a-z]+-\d+(: | completed)/.exec(row)?.slice(1) ?? []);
    // at once
    const begun = ['metrics-analyst', ': ', 'log-analyst', ': ', 'change-analyst', ': '];
    expect(order.slice(0, 6)).toEqual(begun);
    const completed = order.filter((_, index) => order[index + 1] === ' completed');
    expect(completed.toSorted()).toEqual(['change-analyst', 'critic', 'log-analyst', 'metrics-analyst']);
    // its server has ended
    expect(paste(demo, /^ *npm run holdfast -- .* output \S+ \S+ --line/)).toMatch(/^> *\d+ {2}\S/m);
    const words = (line: string) => line.replace(/ --output \S+$/, '');
    const report = paste(demo, /^ *npm run holdfast -- .* report \S+ --output/, words);
    expect(report).toContain('12 of 12 quotes found');
    expect(report).toMatch(/quote found: `read deploys.log` by change-analyst-deploys-1/);
    // the line of the new deploy, and not the one above, which has 20
    expect(report).toMatch(/> 2 {2}config\/versions\/payments\.\S+ +pool_size: 2$/m);
  }, 180_000);
});
