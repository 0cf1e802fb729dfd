// A server that refuses or does not exist, as its commands say it: one readable message, soon.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { type CliFolder, makeCliFolder } from '../support/cli-folder.ts';
import { grpcStatus, startGrpcProxy } from '../support/grpc-proxy.ts';

const commands = ['worker', 'list'];

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeCliFolder('no-server');
});
afterAll(() => folder.remove());

async function expectRefusal(
  args: string[],
  environment: Record<string, string>,
  message: RegExp,
): Promise<void> {
  const setting = { ...folder, environment: { ...folder.environment, ...environment } };
  const { code, stderr } = await callCli(args, setting);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(code).not.toBe(0);
}

test.each(commands)('[FAULT-20] %s: a namespace that is not there is named', async (command) => {
  await expectRefusal([command], { TEMPORAL_NAMESPACE: 'not-there' }, /not-there/);
});

test.each(commands)(
  '[FAULT-20] %s: a server without TLS where TLS is expected is an error with its address',
  async (command) => {
    await expectRefusal([command], { TEMPORAL_TLS: 'true' }, new RegExp(inject('temporalAddress')));
  },
);

test.each(commands)(
  '[FAULT-20] %s: a key that has expired is an error with the words of the server',
  async (command) => {
    const refused = { status: grpcStatus.unauthenticated, message: 'the API key has expired' };
    const { address } = await startGrpcProxy(inject('temporalAddress'), () => ({
      type: 'refuse',
      ...refused,
    }));
    const environment = { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: 'old', TEMPORAL_TLS: 'false' };
    await expectRefusal([command], environment, /the API key has expired/);
  },
);
