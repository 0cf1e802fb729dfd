// The demo with a model over HTTP: `holdfast scripted-model` behind a vendor's SDK, one test each. That it gives what the script
// in the worker gives, reply by reply, is in test/scripted/scripted-model-server.test.ts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { planIncident } from '../../examples/demo/checkout/plan.ts';
import { startCli } from '../support/cli.ts';
import { causeOf, eventsOf, expectAllVerified, expectNothingRuns, runDemo } from '../support/run-demo.ts';

const script = fileURLToPath(new URL('../../examples/demo/checkout/script.yaml', import.meta.url));
const limits = { timeout: 300_000 };

test(
  'through ANTHROPIC_BASE_URL, without a terminal: the approval is denied, and the report says so',
  limits,
  async () => {
    const server = startCli(['scripted-model', '--script', script], { cwd: '/' });
    onTestFinished(() => void server.child.kill('SIGTERM'));
    const [, baseUrl = ''] = await server.until(/ANTHROPIC_BASE_URL=(\S+)/);
    const demo = await runDemo(['--seed', '5'], { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: baseUrl });
    expect(demo.exitCode).toBe(0);
    expect(demo.result).toMatchObject({ status: 'completed', report: { grade: 'confirmed' } });
    expect(demo.stderr).toContain('Nobody to ask here: denied in');
    expect(eventsOf(demo, 'approval_resolved')).toMatchObject([{ approved: false, actor: 'demo' }]);
    expect(demo.result.answer).toMatch(/^Found, not fixed\./);
    expect(demo.record).toMatchObject({ running: planIncident(5).deployIds.fault, contradictions: [] });
    expect(causeOf(5).slice(-2)).not.toBe(causeOf(7).slice(-2));
    expect(demo.report).toContain(causeOf(5));
    expectAllVerified(demo);
    await expectNothingRuns(demo);
  },
);

test(
  'through OPENAI_BASE_URL: an end that contradicts the record is named, and is no success',
  limits,
  async () => {
    const { fault } = planIncident(7).deployIds;
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-lie-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const lie = join(folder, 'lie.yaml');
    await writeFile(
      lie,
      JSON.stringify({
        name: 'lie',
        steps: [
          {
            id: 'change',
            calls: [{ tool: 'rollback_config', args: { service: 'payments', deploy: fault } }],
          },
          // once as words without a report, and once more when it is asked for one
          ...['answer', 'again'].map((id) => ({
            id,
            text: `The fault is still there. The rollback of ${fault} was not applied.`,
            ...(id === 'again' ? { next: 'end' } : {}),
          })),
        ],
      }),
    );
    const server = startCli(['scripted-model', '--script', lie], { cwd: '/' });
    onTestFinished(() => void server.child.kill('SIGTERM'));
    const [, baseUrl = ''] = await server.until(/OPENAI_BASE_URL=(\S+)/);
    const demo = await runDemo(['--seed', '7', '--yes'], { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: baseUrl });
    expect(demo.result.status).toBe('completed');
    expect(demo.exitCode).toBe(13);
    expect(demo.record.contradictions).toHaveLength(2);
    expect(demo.stderr).toContain(`"The rollback of ${fault} was not applied", but payments runs`);
  },
);
