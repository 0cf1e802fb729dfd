// The proxy of a process: from which variables, for which requests, and for which hosts not.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '../../src/config/config.ts';
import { proxiesOf } from '../../src/config/proxy.ts';
import { createHoldfastWorker } from '../../src/worker.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** In a process of its own, whose requests all have the proxy then. */
const requests = `
  import { useProxies } from ${source('config/proxy.ts')};
  import { sendHttp } from ${source('activities/delivery/send-http.ts')};
  import { everyAddress, httpRequest } from ${source('activities/built-in/http/http-request.ts')};
  await useProxies(process.env);
  const signal = AbortSignal.timeout(20_000);
  const rest = { maxBytes: 1000, signal, deadline: signal };
  const said = [];
  for (const url of process.argv.slice(1)) {
    const asked = [
      fetch(url).then((reply) => reply.text()),
      httpRequest(new URL(url), { addresses: everyAddress, ...rest }).then(({ body }) => String(body)),
      sendHttp({ url: new URL(url), method: 'POST', body: '1' }, signal).then(() => 'sent'),
      httpRequest(new URL(url), { addresses: ['127.0.0.0/8'], ...rest }).then(({ body }) => String(body)),
    ];
    said.push(await Promise.all(asked.map((each) => each.catch(() => 'failed'))));
  }
  console.log(JSON.stringify(said));
  process.exit();`;

async function ask(env: Record<string, string>, ...urls: string[]): Promise<string[][]> {
  const run = ['--input-type=module', '-e', requests, '--', ...urls];
  const { stdout } = await promisify(execFile)(process.execPath, run, { env });
  return JSON.parse(stdout);
}

test('[CORE-14a] requests of models, sources and destinations go by the proxy; those of http_get, which checks addresses, do not', async () => {
  const { url, asked } = await startForwardProxy();
  await ask({ HTTPS_PROXY: url.replace('//', '//ann:s%40cret@') }, 'https://there.example/x');
  expect(asked).toEqual(Array(3).fill('CONNECT there.example:443 ann:s@cret'));
});

test('[CORE-14b] this machine and the hosts of NO_PROXY are asked directly', async () => {
  const { url, asked } = await startForwardProxy();
  const server = createServer((_, response) => void response.end('direct'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const port = listeningPort(server);
  const env = { http_proxy: url, NO_PROXY: 'shop.invalid, .svc' };
  const own = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`];
  const direct = ['direct', 'direct', 'sent', 'direct'];
  expect(await ask(env, ...own)).toEqual([direct, direct]);
  await ask(env, 'http://shop.invalid/', 'http://a.shop.invalid/', 'http://db.svc/');
  expect(asked).toEqual([]);
});

test.each([
  [{ HTTPS_PROXY: 'http://p:1' }, { https_proxy: 'http://p:1' }],
  [{ HTTP_PROXY: 'http://p:1' }, { http_proxy: 'http://p:1', https_proxy: 'http://p:1' }],
  [{ https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:1' }, { https_proxy: 'http://a:1' }],
  [{ https_proxy: '', HTTPS_PROXY: 'http://b:1' }, { https_proxy: 'http://b:1' }],
  [{ ALL_PROXY: 'p:3128' }, { http_proxy: 'http://p:3128', https_proxy: 'http://p:3128' }],
  [{ HTTPS_PROXY: 'p', NO_PROXY: '*' }, { no_proxy: expect.stringMatching(/,\*$/) }],
])('[CORE-14c] %j is read as other programs do', (environment, expected) => {
  expect(proxiesOf(environment)).toMatchObject(expected);
});

test.each(['socks5://p:1080', 'socks5h://u:secret@p:1', 'http://'])(
  '[CORE-14d] a worker refuses %s by name, without its words',
  async (address) => {
    const config = resolveConfig({ cwd: await temporaryFolder(), environment: { HTTPS_PROXY: address } });
    const failure = await createHoldfastWorker({ config }).catch(String);
    expect(failure).toContain('HTTPS_PROXY is not the address of a proxy: expected http://host:port');
    expect(failure).not.toContain('secret');
  },
);

test('[CORE-14ae] the command line has the proxy, and doctor names it without its credentials', async () => {
  const { url, asked } = await startForwardProxy();
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'alert.json'), '{}');
  const program = new URL('../../bin/holdfast.js', import.meta.url).pathname;
  const env = { PATH: '/nowhere', HTTPS_PROXY: url.replace('//', '//ann:pw@'), NO_PROXY: '10.0.0.0/8' };
  const holdfast = (...words: string[]) =>
    promisify(execFile)(process.execPath, [program, ...words], { cwd, env }).catch(
      (error: { stdout: string }) => error,
    );
  await holdfast('alerts', 'send', 'alert.json', '--receiver', 'a', '--gateway', 'https://gateway.example');
  expect(asked).toContain('CONNECT gateway.example:443 ann:pw');
  const { stdout } = await holdfast('doctor');
  expect(stdout).toMatch(
    /ok +proxy +127\.0\.0\.1:\d+, but for these names: localhost,.*10\.0\.0\.0\/8 is none/,
  );
  expect(stdout).not.toContain('ann:pw');
});

test('[CORE-14c] without these variables nothing changes', () => {
  expect(proxiesOf({ NO_PROXY: 'a', http_proxy: '' })).toBeUndefined();
});
