// A session that delegates a thousand times: what it keeps of its children is the same after two hundred and after a thousand.
import { expect, test } from 'vitest';
import { jsonBytes } from '@holdfast/base/sizes';
import { delegating, runTeam } from '../../support/team.ts';

const tasksEach = 50;
const turns = 20;

test('[SUB-03c] a thousand children: each is paid for, the newest hundred are kept, and the state does not grow', async () => {
  const sizes: number[] = [];
  const team = await runTeam({
    says: {
      tester: ({ number }) =>
        number <= turns
          ? delegating(
              ...Array.from({ length: tasksEach }, (_, of) => ({
                agent: 'worker',
                task: `Count ${number} of ${of}.`,
              })),
            )
          : { text: 'Counted.' },
      worker: () => ({ text: 'One.' }),
    },
    agents: { worker: { tools: [] } },
    changed: ({ id, state, events }) => {
      if (id !== 'top' || state.run?.cursor !== 'boundary') return;
      const { children = [] } = state;
      if (children.length > 0 && state.run.turn > sizes.length)
        sizes.push(jsonBytes([children, events.carry()]));
    },
  });
  expect(team.ended).toMatchObject({ answer: 'Counted.', status: 'completed' });
  const { children = [], childIds, usage } = team.top.state;
  expect(children).toHaveLength(100);
  expect(children.at(-1)?.name).toBe('worker-count-1000');
  expect(childIds).toEqual({ worker: 1_000 });
  // each asked once, and the top once a turn
  expect(usage.main?.input).toBe((1_000 + turns + 1) * 10);
  expect(sizes.length).toBeGreaterThanOrEqual(turns - 1);
  const [early = 0, late = 0] = [sizes[4], sizes.at(-1)];
  expect(late / early).toBeLessThan(1.05);
}, 60_000);
