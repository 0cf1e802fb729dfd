// `holdfast demo --team` as a person starts it.
import { expect, test } from 'vitest';
import { eventsOf, expectAllVerified, expectNothingRuns, runDemo } from '../support/run-demo.ts';

const limits = { timeout: 180_000 };

test(
  '[SUB-05a] a team: three analysts at once, and a critic before the report counts; it quotes what they got',
  limits,
  async () => {
    const demo = await runDemo(['--team', '--yes']);
    expect(demo.exitCode).toBe(0);
    const [started, ended] = [eventsOf(demo, 'subagent_start'), eventsOf(demo, 'subagent_end')];
    expect(started.map(({ agent }) => agent)).toEqual([
      'metrics-analyst',
      'log-analyst',
      'change-analyst',
      'critic',
    ]);
    expect(ended.map(({ agent }) => agent).toSorted()).toEqual(started.map(({ agent }) => agent).toSorted());
    const order = demo.lines.flatMap((line) =>
      line.type === 'event' && line.event.type.startsWith('subagent_') ? [line.event.type] : [],
    );
    expect(order.slice(0, 3), 'at once').toEqual(['subagent_start', 'subagent_start', 'subagent_start']);
    expect(demo.report).toMatch(/quote found: `read deploys.log` by change-analyst-deploys-1/);
    // the line of the new deploy, and not the one above, which has 20
    expect(demo.report).toMatch(/> 2 {2}config\/versions\/payments\.\S+ +pool_size: 2$/m);
    expect(demo.result).toMatchObject({ status: 'completed', report: { grade: 'confirmed', quotes: 12 } });
    expect(demo.record).toMatchObject({ executions: 1, contradictions: [] });
    expectAllVerified(demo);
    await expectNothingRuns(demo);
  },
);
