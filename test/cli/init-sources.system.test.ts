// The servers that init finds on this machine: real ones, on ports that are not their usual ones.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSources } from '../../src/cli/init/find-sources.ts';
import { callCli, hasTerminal, startOnTerminal } from '../support/cli.ts';
import { startHttpServer } from '../support/http-server.ts';
import { missingPrograms, postgresFolder, startPostgres, startRedis } from '../support/real-servers.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const noRedis = missingPrograms('redis-server', 'redis-cli');

test.skipIf(noRedis)('[SRC-10b] a Redis on another port is found by its answer', async () => {
  const { port } = await startRedis('');
  const found = await findSources({});
  expect(found).toContainEqual({
    name: 'redis',
    place: `port ${port}`,
    settings: { port: String(port) },
    needsToken: false,
  });
  const cwd = await temporaryFolder();
  await callCli(['init'], { cwd });
  expect(await readFile(join(cwd, 'holdfast.config.ts'), 'utf8')).toMatch(
    // another test may have one, which is first
    new RegExp(`^ {4}(// )?redis: \\{ settings: \\{ port: '${port}' \\} \\},$`, 'm'),
  );
});

test.skipIf(noRedis)(
  '[SRC-10b] a Redis that wants a password is a comment, with the place of the password',
  async () => {
    const { port } = await startRedis('of-this-test');
    const cwd = await temporaryFolder();
    await callCli(['init', '--yes'], { cwd });
    expect(await readFile(join(cwd, 'holdfast.config.ts'), 'utf8')).toContain(
      `    // redis: { settings: { port: '${port}', password: 'secret://redis' } },\n`,
    );
  },
);

test.skipIf(!postgresFolder())(
  '[SRC-10b] a PostgreSQL on another port is found, and no web server is one',
  async () => {
    const web = await startHttpServer((_request, response) => void response.end('{"data":[]}'), {
      sought: true,
    });
    const { port } = await startPostgres('of-this-test');
    const found = await findSources({});
    expect(found).toContainEqual({
      name: 'postgresql',
      place: `port ${port}`,
      settings: { port: String(port) },
      needsToken: false,
    });
    // it has the same answer for every page
    expect(found.map(({ place }) => place)).not.toContain(web.url.replace('localhost', '127.0.0.1'));
  },
);

test('[SRC-10b] a server of metrics on another port is found by its own page', async () => {
  const { url } = await startHttpServer(
    (request, response) => {
      const isOwn = request.url === '/api/v1/status/buildinfo';
      response.writeHead(isOwn ? 200 : 404).end(isOwn ? '{"status":"success"}' : '');
    },
    { sought: true },
  );
  const found = await findSources({});
  expect(found).toContainEqual({
    name: 'prometheus',
    place: url,
    address: url,
    settings: { url },
    needsToken: false,
  });
});

test.skipIf(noRedis || !hasTerminal)(
  '[SRC-10c] on a terminal init asks about each source, and leaves one out that is not wanted',
  async () => {
    const { port } = await startRedis('');
    const cwd = await temporaryFolder();
    const init = startOnTerminal(['init'], { cwd });
    init.child.stdout.on('data', (text: string) => {
      if (/agent may read|turn its tools on/.test(text))
        init.child.stdin.write(/Found redis/.test(text) ? 'n' : '\r');
    });
    await init.until(new RegExp(`Found redis at port ${port}: turn its tools on\\?`));
    expect((await init.ended).code).toBe(0);
    expect(await readFile(join(cwd, 'holdfast.config.ts'), 'utf8')).not.toMatch(/^ *redis:/m);
  },
);
