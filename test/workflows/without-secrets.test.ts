// Credentials in alerts and in the words of people: no server has them, whichever door they come through. No worker runs:
// everything here is what callers have sent.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { toScheduleId } from '../../src/core/schedules/schedule.ts';
import { acceptStart } from '../../src/nexus/session-handlers.ts';
import { entriesOf, webhook } from '../support/alert-payloads.ts';
import { readServer } from '../support/raw-history.ts';
import { bytesIn } from '../support/session-history.ts';

async function open() {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const client = createClient({
    connection,
    namespace: 'default',
    taskQueue: randomUUID(),
    answerTimeoutMs: 500,
  });
  const raw = new Client({ connection });
  onTestFinished(async () => connection.close());
  const wordsOf = async (id: string): Promise<string> => {
    onTestFinished(async () => void (await raw.workflow.getHandle(id).terminate()));
    const server = await readServer(raw, id);
    return Buffer.concat(bytesIn(server)).toString() + JSON.stringify(server);
  };
  return { client, raw, wordsOf };
}

const token = (letter: string): string => `ghp_${letter.repeat(3)}4b5C6d7E8f9G0h1I2j3K4l5M6n7O8p9Q0`;

test('[FAULT-111a] a token in a prompt, a steering message, a follow-up, a name or a label is taken out before it is sent', async () => {
  const { client, wordsOf } = await open();
  const session = await client.start({
    prompt: `Why does ${token('A')} fail? password: my-words-1`,
    name: `try ${token('B')}`,
    labels: { ticket: token('C') },
  });
  await session.steer(`use ${token('D')}`);
  await session.steer({ role: 'user', content: [{ type: 'text', text: token('E') }], origin: 'steer' });
  await session.followUp(`then postgres://app:hunter2x@db1/shop`);
  const words = await wordsOf(session.sessionId);
  expect(words).not.toMatch(/ghp_|hunter2x/);
  expect(session.sessionId).not.toContain('ghp');
  expect(words).toContain('Why does [redacted:github-token] fail? password: my-words-1');
  expect(words).toContain('use [redacted:github-token]');
  expect(words).toContain('postgres://app:[redacted:url-password]@db1/shop');
});

test('[FAULT-111a] a schedule and a start through Nexus have no token', async () => {
  const { client, raw } = await open();
  const name = `nightly-${randomUUID().slice(0, 8)}`;
  const schedule = client.schedule(name);
  onTestFinished(() => schedule.remove());
  await schedule.create({
    times: { cron: '0 3 * * *' },
    input: { prompt: `look with ${token('A')}` },
    paused: true,
  });
  const kept = JSON.stringify(await raw.schedule.getHandle(toScheduleId(name)).describe());
  expect(kept).toContain('look with [redacted:github-token]');
  expect(kept).not.toContain('ghp_');
  expect(acceptStart({ prompt: token('A') }).prompt).toBe('[redacted:github-token]');
});

test('[FAULT-111b] the texts of an alert are without credentials in the server, its id and its title, and it keeps its group', async () => {
  const { client, wordsOf } = await open();
  const alert = (password: string) => ({
    labels: {
      alertname: 'DiskFull',
      instance: 'db-1',
      dsn: `postgres://app:${password}@db1/shop`,
      api_key: 'k9f2m4x7',
    },
    annotations: {
      summary: `login with ${token('A')} failed`,
      db_password: password,
      note: 'token_count: 5',
    },
    generatorURL: `https://mon.example.com/?access_token=${token('B')}&tab=1`,
    startsAt: '2026-11-28T09:00:00.1Z',
  });
  const receiver = { format: 'alertmanager' } as const;
  const body = (password: string) => ({
    ...webhook(alert(password)),
    groupLabels: { dsn: alert(password).labels.dsn },
  });
  const [entry, again, other] = ['hunter2x', 'hunter2x', 'different3'].map(
    (each) => entriesOf(receiver, body(each))[0],
  );
  expect(again?.key).toBe(entry?.key);
  expect(other?.key).not.toBe(entry?.key);
  if (entry === undefined) throw new Error('the body has an alert');
  const id = await client.alerts.send({ ...entry, receiver: `prod-${randomUUID().slice(0, 8)}` });
  const words = await wordsOf(id);
  for (const text of [id, entry.title, words]) expect(text).not.toMatch(/hunter2x|k9f2m4x7|ghp_/);
  expect(words).toContain('DiskFull');
  expect(words).toContain('token_count: 5');
  expect(words).toContain('[redacted:github-token]');
  expect(words).toContain('[redacted:url-password]');
});
