// The demo with a model over HTTP: `holdfast scripted-model` behind each vendor's SDK gives what the script in the
// worker gives.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { planIncident } from '../../examples/demo/checkout/plan.ts';
import { startCli } from '../support/cli.ts';
import { causeOf, eventsOf, expectAllVerified, expectNothingRuns, runDemo } from '../support/run-demo.ts';
import type { Demo } from '../support/run-demo.ts';

const script = fileURLToPath(new URL('../../examples/demo/checkout/script.yaml', import.meta.url));
const limits = { timeout: 300_000 };

test(
  'through OPENAI_BASE_URL and ANTHROPIC_BASE_URL it ends with the same result: without a terminal the approval is denied, and the report says that the fix is open',
  limits,
  async () => {
    const server = startCli(['scripted-model', '--script', script], { cwd: '/' });
    onTestFinished(() => void server.child.kill('SIGTERM'));
    const [, openAi = ''] = await server.until(/OPENAI_BASE_URL=(\S+)/);
    const [, anthropic = ''] = await server.until(/ANTHROPIC_BASE_URL=(\S+)/);
    const options = ['--seed', '5'];
    const [chat, messages] = await Promise.all([
      runDemo(options, { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: openAi }),
      runDemo(options, { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: anthropic }),
    ]);
    expect(outcomeOf(chat)).toMatchObject({ status: 'completed', grade: 'confirmed' });
    expect(outcomeOf(messages)).toEqual(outcomeOf(chat));

    expect(chat.stderr).toContain('No terminal to ask on: denied in');
    expect(eventsOf(chat, 'approval_resolved')).toMatchObject([{ approved: false, actor: 'demo' }]);
    expect(chat.result.answer).toMatch(/^Found, not fixed\./);
    expect(chat.record).toMatchObject({ running: planIncident(5).deployIds.fault, contradictions: [] });
    expect(causeOf(5).slice(-2)).not.toBe(causeOf(7).slice(-2));
    expect(chat.report).toContain(causeOf(5));
    expectAllVerified(chat);
    await expectNothingRuns(chat);
  },
);

test('an end that contradicts what was done to the system is named, and is no success', limits, async () => {
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
          ...{ id, text: `The fault is still there. The rollback of ${fault} was not applied.` },
          ...(id === 'again' ? { next: 'end' } : {}),
        })),
      ],
    }),
  );
  const server = startCli(['scripted-model', '--script', lie], { cwd: '/' });
  onTestFinished(() => void server.child.kill('SIGTERM'));
  const [, baseUrl = ''] = await server.until(/OPENAI_BASE_URL=(\S+)/);
  const demo = await runDemo(['--seed', '7', '--yes'], {
    OPENAI_API_KEY: 'any',
    OPENAI_BASE_URL: baseUrl,
  });
  expect(demo.result.status).toBe('completed');
  expect(demo.exitCode).toBe(13);
  expect(demo.record.contradictions).toHaveLength(2);
  expect(demo.stderr).toContain(`"The rollback of ${fault} was not applied", but payments runs`);
});

/** All that does not depend on when the incident's services were started. */
function outcomeOf(demo: Demo) {
  const { result, exitCode } = demo;
  const { grade, quotes, verifiedQuotes, claims, verifiedClaims } = result.report;
  const tools = eventsOf(demo, 'tool_execution_start').map(({ turn, tool }) => `${turn} ${tool}`);
  const findings = demo.report.match(/Deploy \S+ cut the pool[^.]*\./g);
  return {
    ...{ exitCode, status: result.status, findings, tools, grade, claims, verifiedClaims },
    everyQuoteVerified: quotes === verifiedQuotes,
    rollbacks: eventsOf(demo, 'approval_resolved').length,
  };
}
