// An encrypted session by the command line: commands with the keys show it, others and the server do not.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { freePort } from '@holdfast/processes/free-port';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { beginCall, callCli, startCli } from '../support/cli.ts';
import { type CliFolder, changeConfig, makeAskingFolder, makeCliFolder } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';
import { readServer, wordsIn } from '../support/raw-history.ts';

const id = `encrypted-${process.pid}`;
const key = randomBytes(32).toString('hex');
let folder: CliFolder;
let keyless: CliFolder;
let connection: Connection;

beforeAll(async () => {
  folder = await makeCliFolder('encrypted');
  keyless = await makeCliFolder('keyless');
  await changeConfig(folder, (config) => ({
    ...config,
    secrets: { codec: { file: 'codec.key' }, page: { env: 'CODEC_TOKEN' } },
    encryption: { activeKey: 'k1', keys: { k1: 'secret://codec' } },
  }));
  await writeFile(join(folder.cwd, 'codec.key'), `${key}\n`);
  connection = await Connection.connect({ address: inject('temporalAddress') });
  const { code, stderr } = await callCli(['run', '--session', id, 'why is the zebrafish slow?'], folder);
  expect(code, stderr).toBe(0);
});
afterAll(async () => {
  await connection.close();
  await folder.remove();
  await keyless.remove();
});

test('[CLI-21a] show, result and list print the words of a session whose history holds none of them', async () => {
  for (const [args, words] of [
    [
      ['show', id, '--messages'],
      ['zebrafish', 'pool timeout', 'I look into the log'],
    ],
    [['result', id], ['The log says: pool timeout after 512 ms']],
    [['list', '--limit', '500'], ['zebrafish']],
  ] as const) {
    const { stdout, code } = await callCli([...args], folder);
    for (const word of words) expect(stdout).toContain(word);
    expect(code).toBe(0);
  }
  const server = await readServer(new Client({ connection }), id);
  expect(wordsIn(server, ['zebrafish', 'pool timeout', 'I look', 'The log says'])).toEqual([]);
});

test('[CKPT-11a] replay reads an encrypted history, also by the id that a log line has of it', async () => {
  const { events } = await new Client({ connection }).workflow.getHandle(id).fetchHistory();
  const { originalExecutionRunId } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  const { code, stdout } = await callCli(['replay', String(originalExecutionRunId)], folder);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The history fits this version.\n' });
});

test('[CLI-21b] a person steers and answers an encrypted session, and the words are encrypted, too', async () => {
  const asking = await makeAskingFolder('encrypted-asking');
  onTestFinished(asking.remove);
  const encryption = { activeKey: 'k1', keys: { k1: { file: 'codec.key' } } };
  await changeConfig(asking, (config) => ({ ...config, encryption }));
  await writeFile(join(asking.cwd, 'codec.key'), `${key}\n`);
  const session = `encrypted-asking-${process.pid}`;
  const run = beginCall(['run', '--session', session, '--no-input', 'go'], asking);
  const waiting = await until('it waits', async () => {
    const { stdout } = await callCli(['approvals', session, '--json'], asking);
    return stdout.includes('"read"') && stdout;
  });
  expect(waiting).toContain('shop.log');
  expect((await callCli(['steer', session, 'mind the okapi'], asking)).code).toBe(0);
  const approve = await callCli(['approve', session, '--reason', 'said the pangolin'], asking);
  expect(approve.code, approve.stderr).toBe(0);
  expect((await run.ended).code).toBe(0);
  const server = await readServer(new Client({ connection }), session);
  expect(wordsIn(server, ['okapi', 'pangolin', 'shop.log'])).toEqual([]);
});

test('[FAULT-87] without the key a command says which one is missing, and a list still lists', async () => {
  const { code, stderr } = await callCli(['show', id], keyless);
  expect(stderr).toMatch(
    /cannot be read.*encrypted with the key "k1", and this process has no encryption keys/,
  );
  expect(code).toBe(2);
  const list = await callCli(['list', '--limit', '500'], keyless);
  expect(list.stdout).toMatch(new RegExp(`${id}.*\\n +\\(encrypted\\)`));
});

test('[CLI-21c] doctor says which key is on, and what is wrong with one', async () => {
  expect((await callCli(['doctor'], folder)).stdout).toMatch(/ok +encryption on with key k1\n/);
  expect((await callCli(['doctor'], folder)).stdout).toMatch(
    /failed +secrets +The secret "page" has no value/,
  );
  expect((await callCli(['doctor'], keyless)).stdout).toMatch(
    /ok +encryption off: the Temporal server keeps/,
  );
  await writeFile(join(folder.cwd, 'codec.key'), 'too-short');
  const wrong = await callCli(['doctor'], folder);
  const send = await callCli(['steer', id, 'words'], folder);
  await writeFile(join(folder.cwd, 'codec.key'), `${key}\n`);
  expect(wrong.stdout).toMatch(/failed +encryption The encryption key "k1" is 6 bytes/);
  expect(wrong.stdout).not.toContain('too-short');
  expect(send).toMatchObject({ code: 2 });
});

test('[CLI-21d] codec-server decrypts for the Temporal UI until it is ended', async () => {
  const port = String(await freePort());
  const page = 'http://localhost:8233';
  const server = startCli(['codec-server', '--port', port, '--origin', page], folder);
  await server.until(/Ctrl-C ends it/);
  const { events } = await new Client({ connection }).workflow.getHandle(id).fetchHistory();
  const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const encode = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  const metadata = Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, encode(value)]);
  const answer = await fetch(`http://127.0.0.1:${port}/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-namespace': 'default', origin: page },
    body: JSON.stringify({
      payloads: [{ metadata: Object.fromEntries(metadata), data: encode(payload?.data) }],
    }),
  });
  const { payloads }: { payloads: { data: string }[] } = JSON.parse(await answer.text());
  expect(Buffer.from(payloads[0]?.data ?? '', 'base64').toString()).toContain('zebrafish');
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('[CLI-21d] codec-server is for this machine without a token, and for a config with keys', async () => {
  const open = await callCli(['codec-server', '--host', '0.0.0.0'], folder);
  expect(open.stderr).toMatch(/--host 0\.0\.0\.0 lets other machines read every session/);
  const value = await callCli(['codec-server', '--token', 'my-token'], folder);
  expect(value.stderr).toMatch(/Expected a reference, secret:\/\/name/);
  const none = await callCli(['codec-server'], keyless);
  expect(none.stderr).toMatch(/no "encryption"/);
  expect([open.code, value.code, none.code]).toEqual([2, 2, 2]);
});
