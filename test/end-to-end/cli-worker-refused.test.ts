// A worker or a run that cannot start: one message, its code, and the process ends.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, inject, onTestFinished, test } from 'vitest';
import { runCli, type CliResult } from '../support/cli.ts';
import { type CliFolder, makeCliFolder } from '../support/cli-folder.ts';
import { pass, startGrpcProxy, type Treatment } from '../support/grpc-proxy.ts';

async function folderAt(name: string, environment: Record<string, string>): Promise<CliFolder> {
  const folder = await makeCliFolder(name);
  onTestFinished(folder.remove);
  return { ...folder, environment: { ...folder.environment, ...environment } };
}

function expectRefusal({ code, stderr }: CliResult, expected: number, words: RegExp): void {
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/unexpected error|^ +at |Status \{|b"/m);
  expect(code).toBe(expected);
}

const starts = [['worker'], ['run', 'look']];
const denied: Treatment = { type: 'refuse', status: 7, message: 'Request unauthorized.' };

test.each(starts)('[FAULT-116a] %s in a namespace that is not there ends with its code', async (...args) => {
  const folder = await folderAt('nowhere', { TEMPORAL_NAMESPACE: 'nowhere' });
  expectRefusal(await runCli(args, folder), 3, /has no namespace "nowhere": set TEMPORAL_NAMESPACE\./);
});

test.each(starts)(
  '[FAULT-116b] %s without the right to the namespace ends with its code',
  async (...args) => {
    const { address } = await startGrpcProxy(inject('temporalAddress'), (method) =>
      method === 'DescribeNamespace' ? denied : pass,
    );
    const folder = await folderAt('denied', { TEMPORAL_ADDRESS: address });
    expectRefusal(
      await runCli(args, folder),
      3,
      new RegExp(`The Temporal server at ${address} refused: Request unauthorized\\.`),
    );
  },
);

test('[FAULT-116c] a worker whose address of health is taken closes what it opened, and ends with its code', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const port = listeningPort(taken);
  const folder = await folderAt('taken', {});
  const ended = await runCli(['worker', '--health', `${port}`], folder);
  expectRefusal(ended, 2, /telemetry\.health is \S+, and nothing can listen there/);
});
