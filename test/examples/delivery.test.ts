// examples/delivery, whose programs docs/delivery.md shows: they take what Holdfast has signed, once, and nothing else.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { signed } from '../../src/activities/delivery/webhook.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { destinationsFor } from '../support/receiver.ts';
import { missingPrograms } from '../support/real-servers.ts';
import { endMessage, startMessage } from '../support/sample-messages.ts';

const folder = resolve(import.meta.dirname, '../../examples/delivery');
const secret = 'whsec-of-an-example';
const never = new AbortController().signal;

/** Starts a program; `next` resolves with its next line. */
async function start(command: string, file: string) {
  const child = spawn(command, [join(folder, file)], {
    env: { ...readEnvironment(), SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const port = /^listening on port (\d+)$/.exec(await next())?.[1] ?? '';
  return { url: `http://127.0.0.1:${port}`, next };
}

const python = missingPrograms('python3');

test('[DELIV-06a] a receiver in Node verifies the signature and takes a message once', () =>
  takesOnce(process.execPath, 'receiver.ts'));

test.skipIf(python)(
  `[DELIV-06a] a receiver in Python verifies the signature and takes a message once${python ? ` (skipped: ${python})` : ''}`,
  () => takesOnce('python3', 'receiver.py'),
);

async function takesOnce(command: string, file: string): Promise<void> {
  const { url, next } = await start(command, file);
  const send = async (key: string, message = endMessage): Promise<void> => {
    const destination = { webhook: { url, secret: 'secret://key' } };
    const destinations = await destinationsFor({ it: destination }, { key });
    await destinations.get('it')?.(message, never);
  };
  await send(secret);
  expect(await next()).toBe('end of checkout-is-slow-k3v9x');
  // a repeat prints nothing, so that the next line is that of the next message
  await send(secret);
  await send(secret, startMessage);
  expect(await next()).toBe('start of checkout-is-slow-k3v9x');
  await expect(send('another-secret')).rejects.toThrow(/answered 401/);
  const old = signed(endMessage, secret, Date.now() - 600_000);
  expect((await fetch(url, { method: 'POST', ...old })).status).toBe(401);
  const changed = signed(endMessage, secret, Date.now());
  expect((await fetch(url, { method: 'POST', ...changed, body: `${changed.body} ` })).status).toBe(401);
}
