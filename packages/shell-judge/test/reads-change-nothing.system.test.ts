// Runs every command that the judge calls a read in a throwaway root where everything is writable; the root is the same
// afterwards.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRead, judgeCommand, type CommandPlan } from '../src/index.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';
import { table } from '../src/table/table.ts';
import { reads } from './lists/reads.ts';
import { bwrapMissing, makeThrowawayRoot, type ThrowawayRoot } from './throwaway-root.ts';

const nl2bash = sharedPath('data/commands/nl2bash-every30th.txt');
const missing = bwrapMissing === undefined ? '' : ` (${bwrapMissing})`;
// hundreds of sandboxes, and some commands run until they are ended after two seconds
const minutes = 5 * 60_000;

describe.skipIf(bwrapMissing !== undefined)(`reads in a throwaway root${missing}`, () => {
  let root: ThrowawayRoot;
  beforeAll(async () => {
    root = await makeThrowawayRoot();
  });
  afterAll(() => root.remove());

  /** All commands at once, four at a time; after a difference one by one, so that the command is named. */
  async function changed(plans: [string, CommandPlan][]): Promise<string[]> {
    const before = await root.list(true);
    await fourAtATime(plans, ([, plan]) => root.run(plan));
    if (difference(before, await root.list(true)).length === 0) return [];
    const found: string[] = [];
    for (const [command, plan] of plans) {
      const last = await root.list(false);
      await root.run(plan);
      const paths = difference(last, await root.list(false));
      if (paths.length > 0) found.push(`${command}: ${paths.join(', ')}`);
    }
    return found.length > 0 ? found : ['a change that did not come back when the commands ran one by one'];
  }

  test('the root notices a change', async () => {
    const plan = { type: 'script' as const, script: 'echo x > /work/new; rm /work/new' };
    expect(await changed([['echo', plan]])).toEqual([expect.stringContaining('work')]);
  });

  test(
    'the commands of an investigation change nothing',
    async () => {
      expect(await changed(readPlans(reads))).toEqual([]);
    },
    minutes,
  );

  test(
    'no program of the tables changes anything for --help or --version',
    async () => {
      // gcloud writes its log in the home folder, whatever it does
      const names = Object.keys(table).filter((name) => name !== 'gcloud');
      const lines = names.flatMap((name) => [`${name} --help`, `${name} --version`]);
      const plans = readPlans(lines).map(([line]) => line);
      expect(plans.length).toBeGreaterThan(500);
      const groups = Array.from({ length: Math.ceil(plans.length / 12) }, (_, index) =>
        plans.slice(index * 12, index * 12 + 12),
      );
      expect(
        await changed(
          groups.map((group) => [group.join('; '), { type: 'script', script: group.join('; ') }]),
        ),
      ).toEqual([]);
    },
    minutes,
  );

  test.skipIf(nl2bash === undefined)(
    `real one-liners that are called reads change nothing${nl2bash === undefined ? ` (${sharedMissing('data/commands')})` : ''}`,
    async () => {
      const lines = readFileSync(nl2bash ?? '', 'utf8')
        .trimEnd()
        .split('\n');
      const plans = readPlans(lines);
      expect(plans.length).toBeGreaterThan(150);
      expect(await changed(plans)).toEqual([]);
    },
    minutes,
  );

  test(
    'a command means the same rebuilt as it was written',
    async () => {
      const different: string[] = [];
      const plans = readPlans(reads.filter((line) => !changesByItself.test(line)));
      await fourAtATime(plans, async ([command, plan]) => {
        const written = await root.run({ type: 'script', script: command });
        const rebuilt = await root.run(plan);
        // without the program both fail, by different codes
        if (written.status === 127) return;
        if (written.stdout !== rebuilt.stdout || written.status !== rebuilt.status)
          different.push(`${command}: ${JSON.stringify([written, rebuilt])}`);
      });
      expect(different).toEqual([]);
    },
    minutes,
  );
});

async function fourAtATime<Item>(items: Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}

function difference(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/** Programs that print times, processes or loads, so that no two outputs are equal. */
const changesByItself =
  /^(?:ps|top|free|vmstat|uptime|w|who|date|now=|lsof|ss|netstat|curl|ping|env|sleep|time |TZ=|tail -f|timeout|lscpu|df|mount|findmnt|ls -\w*l\w*|find .*-ls)\b|xargs -0 ls -l|date/;

function readPlans(commands: string[]): [string, CommandPlan][] {
  return commands.flatMap((command): [string, CommandPlan][] => {
    const judgement = judgeCommand(command);
    return isRead(judgement) && judgement.ok ? [[command, judgement.plan]] : [];
  });
}
