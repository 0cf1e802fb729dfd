// `holdfast demo --crash` as a person starts it: its worker is killed three times.
import { expect, test } from 'vitest';
import { crashesOf, eventsOf, expectAllVerified, expectNothingRuns, runDemo } from '../support/run-demo.ts';

const limits = { timeout: 180_000 };

test(
  '[FAULT-4] [FAULT-5] killed in a model call, a tool and the once tool: it goes on, nothing is repeated',
  limits,
  async () => {
    const demo = await runDemo(['--crash']);
    expect(demo.exitCode).toBe(0);
    const crashes = crashesOf(demo);
    expect(crashes).toMatchObject([
      { where: 'model call', activity: 'callModel', attempt: 2 },
      { where: 'tool', activity: 'tool.http_get', attempt: 2 },
      { where: 'once tool', activity: 'tool.rollback_config' },
    ]);
    expect(crashes[2]).not.toHaveProperty('attempt');
    expect(demo.record).toMatchObject({ executions: 1, contradictions: [] });
    expect(demo.report).toMatch(/\*\*Closed by a later read\.\*\* rollback_config .*Outcome unknown/);
    const rollbacks = eventsOf(demo, 'tool_execution_end').filter(
      (event) => event.tool === 'rollback_config',
    );
    expect(rollbacks).toMatchObject([{ isError: true, text: expect.stringMatching(/outcome unknown/i) }]);
    expect(demo.result.answer).toMatch(/^Found and fixed\./);
    expectAllVerified(demo);
    await expectNothingRuns(demo);
  },
);
