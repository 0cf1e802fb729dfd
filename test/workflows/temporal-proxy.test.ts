// A Temporal server that is reached only by a proxy: client and worker take the same one.
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { resolveConfig } from '../../src/config/config.ts';
import { connectClient, toConnectionOptions } from '../../src/config/temporal-connection.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';

const address = 'temporal.example:7233';
const server = { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'false' };

test.each([
  ['HTTPS_PROXY', (url: string) => ({ HTTPS_PROXY: url })],
  ['grpc_proxy', (url: string) => ({ grpc_proxy: url, HTTPS_PROXY: 'http://127.0.0.1:1' })],
])('[CORE-15a] client and worker go by the proxy of %s', async (_, environmentOf) => {
  const { url, asked } = await startForwardProxy(inject('temporalAddress'));
  const environment = { ...server, ...environmentOf(url.replace('//', '//ann:pw@')) };
  const { temporal } = resolveConfig({ cwd: '/somewhere', environment });
  const client = await connectClient({ ...temporal, address });
  await client.close();
  const worker = await NativeConnection.connect(toConnectionOptions({ ...temporal, address }));
  await worker.close();
  expect(asked.length).toBeGreaterThanOrEqual(2);
  expect(new Set(asked)).toEqual(new Set(['CONNECT temporal.example:7233 ann:pw']));
});

test.each(['temporal.example', '.example', '*.example', 'example', '*', 'a, temporal.example'])(
  '[CORE-15b] a server that NO_PROXY names as %s is reached directly, and so is this machine',
  (excluded) => {
    const environment = { ...server, HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: excluded };
    expect(resolveConfig({ cwd: '/somewhere', environment }).temporal.proxy).toBeUndefined();
    const own = { HTTPS_PROXY: 'http://127.0.0.1:1', TEMPORAL_ADDRESS: '127.0.0.1:7233' };
    expect(resolveConfig({ cwd: '/somewhere', environment: own }).temporal.proxy).toBeUndefined();
  },
);
