// Where the server binary comes from. The binaries here are small scripts that answer --version; the download is
// a real HTTP server on loopback with a real archive.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listeningPort } from '@holdfast/base/listening-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  describeOlder,
  getTemporalBinary,
  temporalCliVersion,
} from '../../src/dev-server/temporal-binary.ts';

const goodVersion = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';
/** What the scripts need to run. */
const systemPath = '/usr/bin:/bin';

/** Nothing listens there: it was free a moment ago. */
let closedPort: string;
let folder: string;
let server: Server | undefined;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-binary-'));
  said = [];
  closedPort = await serve(undefined);
  server?.close();
});
afterEach(async () => {
  server?.close();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function writeScript(path: string, body: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}

function get(path: string[], downloadBase = closedPort) {
  return getTemporalBinary({
    environment: { PATH: [...path, systemPath].join(':'), HOME: folder },
    cacheDir: join(folder, 'cache'),
    say: (line) => said.push(line),
    downloadBase,
  });
}

async function serve(archive: Buffer | undefined): Promise<string> {
  server = createServer((_request, response) => {
    response.writeHead(archive ? 200 : 404).end(archive);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${listeningPort(server)}`;
}

async function makeArchive(): Promise<Buffer> {
  await writeScript(join(folder, 'pack', 'temporal'), `echo '${goodVersion}'`);
  await promisify(execFile)('tar', ['-czf', 'archive.tar.gz', 'temporal'], { cwd: join(folder, 'pack') });
  return readFile(join(folder, 'pack', 'archive.tar.gz'));
}

test('takes a binary on PATH, and says which', async () => {
  const path = join(folder, 'bin', 'temporal');
  await writeScript(path, `echo '${goodVersion}'`);
  expect(await get([join(folder, 'bin')])).toEqual({ path, source: 'path', serverVersion: '1.29.1' });
  expect(said).toEqual([`temporal: using ${path} (server 1.29.1)`]);
});

test('takes one that is older than the pinned one, and says what to do', async () => {
  const path = join(folder, 'bin', 'temporal');
  await writeScript(path, `echo 'temporal version 1.4.0 (Server 1.29.0, UI 2.41.0)'`);
  expect(await get([join(folder, 'bin')])).toMatchObject({ path, serverVersion: '1.29.0' });
  expect(said).toEqual([
    expect.stringMatching(
      /^temporal: using .* \(server 1\.29\.0; older than 1\.29\.1, .*: update it, or take it off the PATH\)$/,
    ),
  ]);
});

test.each([
  ['1.29.1', false],
  ['1.29.0', true],
  ['1.28.9', true],
  ['1.30.0', false],
  ['2.0', false],
  ['1.29.1-rc', false],
])('server %s is older than the pinned one: %s', (version, older) => {
  expect(describeOlder(version) !== undefined).toBe(older);
});

test('passes over a binary that is too old, or does not run, with the reason', async () => {
  await writeScript(
    join(folder, 'old', 'temporal'),
    `echo 'temporal version 1.0.0 (Server 1.24.2, UI 2.1.0)'`,
  );
  await writeScript(join(folder, 'broken', 'temporal'), 'exit 3');
  const cached = join(folder, 'cache', temporalCliVersion, 'temporal');
  await writeScript(cached, `echo '${goodVersion}'`);
  expect(await get([join(folder, 'old'), join(folder, 'broken')])).toMatchObject({
    path: cached,
    source: 'cache',
  });
  expect(said[0]).toContain('its server is 1.24.2, older than 1.29');
  expect(said[1]).toContain('it does not run');
});

test('downloads into the cache, and finds it there the next time', async () => {
  const base = await serve(await makeArchive());
  const found = await get([], base);
  expect(found).toMatchObject({ source: 'download', serverVersion: '1.29.1' });
  expect(await get([], base)).toMatchObject({ path: found.path, source: 'cache' });
  expect(await readdir(join(folder, 'cache'))).toEqual([temporalCliVersion]);
});

test('two processes that install at once both get a whole binary', async () => {
  const base = await serve(await makeArchive());
  const [one, other] = await Promise.all([get([], base), get([], base)]);
  expect(one.path).toBe(other.path);
  const { stdout } = await promisify(execFile)(one.path, ['--version']);
  expect(stdout.trim()).toBe(goodVersion);
});

test('builds with go where the download fails', async () => {
  const base = await serve(undefined);
  // Go leaves the binary in GOBIN; this one does the same.
  await writeScript(
    join(folder, 'go', 'go'),
    `printf '#!/bin/sh\\necho "${goodVersion}"\\n' > "$GOBIN/temporal" && chmod 755 "$GOBIN/temporal"; echo "$@" > "$HOME/asked"`,
  );
  expect(await get([join(folder, 'go')], base)).toMatchObject({ source: 'go' });
  expect(await readFile(join(folder, 'asked'), 'utf8')).toContain(`/cmd/temporal@v${temporalCliVersion}`);
  expect(said.join('\n')).toContain('(HTTP 404)');
});

test('says what was tried and what to do where there is no server to be had', async () => {
  const failure = await get([]).then(
    () => undefined,
    (error: Error) => error,
  );
  expect(failure).toMatchObject({ name: 'UserError', exitCode: 3 });
  expect(failure?.message).toMatch(
    /not on PATH.*No download.*ECONNREFUSED.*No go on PATH.*set TEMPORAL_ADDRESS/s,
  );
});
