// The five reports of the documentation, made again: each of its pages says what its script gives.
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { SessionHandle } from '../../src/client.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { playUntilTestEnds } from '../support/running-worker.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { approveShown } from '../support/approve-shown.ts';

const root = resolve(import.meta.dirname, '../..');
const prompt = 'Charges fail since about 03:40. Find out why, and repair it where that is clear.';

/** Of the suite's server, on which other tests have such sessions, too. */
const prefix = 'five-';

/** A copy of the example at work, until the test is over. */
async function startExample(script: string, input: Partial<SessionInput> = {}): Promise<SessionHandle> {
  const folder = await temporaryFolder();
  await cp(join(root, 'examples/five-reports'), folder, {
    recursive: true,
    filter: (path) => !path.includes('.holdfast'),
  });
  const address = inject('temporalAddress');
  const config = await loadConfig({ cwd: folder, environment: { TEMPORAL_ADDRESS: address } });
  const own = { ...config, taskQueue: `report-${script}` };
  const client = await playUntilTestEnds(own, join(folder, `scripts/${script}.yaml`));
  return client.start({ agent: 'night', prompt, ...input }, { sessionId: `${prefix}${script}` });
}

/** What differs from run to run: its own times, and how much a prompt weighs. */
function comparable(markdown: string): string {
  return (
    markdown
      .replaceAll(/(?:2\d{3}-\d\d-\d\d,? )?\d\d:\d\d:\d\d UTC/g, (time) =>
        time.startsWith('2026-11-21 0') ? time : '(time)',
      )
      .replaceAll(/, \d+(\.\d)? s\b/g, ', (span)')
      .replace(/\d+ tokens/, '(count) tokens')
      // by their own starts, and those of one reply start together
      .replace(/(?<=\n## Timeline of the calls\n\n)(?:- .*\n)+/, (calls) =>
        calls.split('\n').toSorted().join('\n'),
      )
      // a server of the command's own has one
      .replace(/\n- In the Temporal UI: .*/, '')
  );
}

async function expectAsDocumented(session: SessionHandle): Promise<void> {
  const made = (await session.report(await session.result())) ?? '';
  const name = session.sessionId.slice(prefix.length);
  if (process.env['DUMP'])
    await (
      await import('node:fs/promises')
    ).writeFile(join(process.env['DUMP'], `${name}.md`), made.replaceAll(session.sessionId, name));
  const documented = await readFile(join(root, `docs/five-reports/${name}.md`), 'utf8');
  expect(comparable(made.replaceAll(session.sessionId, name))).toBe(comparable(documented));
}

test('[REPORT-09ab] confirmed: everything is found, and one change was approved', async () => {
  const session = await startExample('confirmed');
  const [pending] = await until('the question', async () => {
    const waiting = await session.pendingApprovals();
    return waiting.length > 0 && waiting;
  });
  await approveShown(session, pending?.id ?? '', { actor: 'maria' });
  await expectAsDocumented(session);
});

test('[REPORT-02b] [REPORT-10d] likely: a lie, a weak quote and a redacted one are marked', async () => {
  await expectAsDocumented(await startExample('likely'));
});

test('[REPORT-11a] limit: a run that is not done leaves what it has', async () => {
  await expectAsDocumented(await startExample('limit', { loop: { maxTurns: 3 } }));
});

test('[REPORT-09c] injection: what a file asked for is on top', async () => {
  await expectAsDocumented(await startExample('injection'));
});

test('[REPORT-11a] aborted: what was on its way was not done', async () => {
  const session = await startExample('aborted');
  await until('the question', async () => (await session.pendingApprovals()).length > 0);
  await session.abort();
  await expectAsDocumented(session);
});
