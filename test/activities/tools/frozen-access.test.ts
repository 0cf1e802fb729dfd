// What a call may reach on a worker whose configuration is not the one that its run began with.
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFrozenAccess } from '../../../src/activities/tools/frozen-access.ts';
import { createBuiltInTools } from '../../../src/activities/assembly/built-in-tools.ts';
import { decideStrictest, describeDifference, narrowShell } from '../../../src/core/tools/access.ts';
import type { Access, FrozenContext, ShellAccess } from '@holdfast/vocabulary/frozen-context';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import type { PolicyRule, PolicyDecision } from '@holdfast/vocabulary/tool-spec';
import { sandboxCheck, sandboxMissing } from '../../support/sandbox.ts';
import { seenFolder, shellSettings } from '../../support/shell.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';
import { frozenContext } from '../../support/frozen-context.ts';

const nothing: Access = { policy: [], roots: [], hosts: [] };

let base = '';
beforeEach(async () => {
  base = await temporaryFolder();
  await mkdir(join(base, 'log', 'shop'), { recursive: true });
  await mkdir(join(base, 'log', 'shop-secret'));
  await mkdir(join(base, 'own'));
  await writeFile(join(base, 'log', 'shop', 'app.log'), 'of the shop\n');
  await writeFile(join(base, 'log', 'shop-secret', 'app.log'), 'of nobody\n');
  await writeFile(join(base, 'own', 'report.json'), 'own words\n');
  await symlink(join(base, 'log', 'shop-secret'), join(base, 'log', 'shop', 'link'));
});

/** Runs a built-in tool of a worker that opens `own`, for a run that began with `frozen`. */
async function call(name: string, args: JsonObject, own: Access, frozen: Access, closed: string[] = []) {
  const made = (within?: Access) =>
    new Map(
      createBuiltInTools({
        roots: own.roots,
        writable: own.writable ?? [],
        closed,
        httpAllow: own.hosts,
        httpHosts: hostsWith(own.posts),
        shell: own.shell && { ...shellSettings(), ...own.shell },
        ...(within ? { within } : {}),
      }).map((tool) => [tool.spec.name, tool]),
    );
  const tool = made().get(name);
  if (!tool) throw new Error(`there is no ${name}`);
  const frozenAccess = createFrozenAccess({
    contexts: { find: () => Promise.resolve(contextWith(frozen)) },
    identity: 'w',
    policy: own.policy,
    access: own,
    toolsWithin: made,
  });
  const bench = await toolBench(tool, { frozenAccess, policy: own.policy });
  const { basis } = (await tool.inspect?.(args)) ?? {};
  const { message, notice } = await bench.run(args, { contextDigest: 'c', ...(basis && { basis }) });
  return { text: textOf(message), isError: message.isError, notice };
}

/** The words of a call that was refused. */
function refusalIn({ text, isError }: Awaited<ReturnType<typeof call>>): string {
  expect(isError).toBe(true);
  return text;
}

/** The setting http.hosts that opens these POST paths. */
function hostsWith(posts: readonly string[] = []) {
  const hosts: Record<string, { post: string[] }> = {};
  for (const post of posts) {
    const [host = '', path = ''] = post.split(/(?=\/)/);
    (hosts[host] ??= { post: [] }).post.push(path);
  }
  return hosts;
}

function contextWith(access: Access): FrozenContext {
  return frozenContext({ tools: [], access });
}

describe('[WORKER-03b] file roots: only what lies in both', () => {
  const roots = (...names: string[]): Access => ({
    ...nothing,
    roots: names.map((name) => join(base, name)),
  });

  test('[WORKER-03c] a wider worker reads in the narrower folder only, and names the difference', async () => {
    const own = roots('log');
    const frozen = roots('log/shop');
    const inside = await call('read', { path: join(base, 'log/shop/app.log') }, own, frozen);
    expect(inside).toMatchObject({ isError: false, text: expect.stringContaining('of the shop') });
    expect(inside.notice).toContain(`file roots ${join(base, 'log')} instead of ${join(base, 'log/shop')}`);
    for (const path of [
      join(base, 'log/shop-secret/app.log'),
      join(base, 'log/shop/link/app.log'),
      join(base, 'log/none'),
    ]) {
      expect(refusalIn(await call('read', { path }, own, frozen)), path).toContain('outside the allowed');
    }
    const found = await call('grep', { pattern: 'of' }, own, frozen);
    expect(found.text).toBe('app.log:1:of the shop\n[links that lead elsewhere were not followed: link]');
  });

  test('a narrower worker stays narrow', async () => {
    const answer = await call('grep', { pattern: 'of' }, roots('log/shop'), roots('log'));
    expect(answer.text).toBe('app.log:1:of the shop\n[links that lead elsewhere were not followed: link]');
  });

  test('[WORKER-01a] with no folder in common a call is handed back: what it would say is true of the worker only', async () => {
    const answer = call('grep', { pattern: 'of' }, roots('log/shop'), roots('log/shop-secret'));
    await expect(answer).rejects.toMatchObject({
      type: 'Worker.Lacks',
      message: expect.stringContaining('opens none of the folders that this run began with: '),
    });
  });

  test('the whole file system has every folder in common', async () => {
    const all: Access = { ...nothing, roots: ['/'] };
    const answer = await call('grep', { pattern: 'of' }, all, roots('log/shop'));
    expect(answer.text).toBe('app.log:1:of the shop\n[links that lead elsewhere were not followed: link]');
  });

  test('a closed folder stays closed where only the other configuration had it open', async () => {
    const closed = [join(base, 'own')];
    const path = join(base, 'own', 'report.json');
    expect(refusalIn(await call('read', { path }, roots(''), roots('own'), closed))).toContain(
      'outside the allowed',
    );
  });

  test('equal lists in another order are no difference', async () => {
    const answer = await call('ls', {}, roots('log', 'own'), roots('own', 'log'));
    expect(answer.notice).toBeUndefined();
  });
});

describe('[WORKER-03b] writable folders: only what lies in both', () => {
  const open = (...writable: string[]): Access => ({
    policy: [{ tool: '*', decision: 'allow' }],
    roots: [join(base, 'log')],
    hosts: [],
    ...(writable.length > 0 && { writable: writable.map((name) => join(base, name)) }),
  });
  const write = (path: string, own: Access, frozen: Access) =>
    call('write', { path: join(base, path), content: 'x' }, own, frozen);

  test('a wider worker changes files in the narrower folder only, and names the difference', async () => {
    const [own, frozen] = [open('log'), open('log/shop')];
    const inside = await write('log/shop/new', own, frozen);
    expect(inside).toMatchObject({
      isError: false,
      notice: expect.stringContaining(
        `writable folders ${join(base, 'log')} instead of ${join(base, 'log/shop')}`,
      ),
    });
    for (const path of ['log/new', 'log/shop/link/new']) {
      expect(refusalIn(await write(path, own, frozen)), path).toContain('for reading only');
    }
  });

  test('a run that began without writable folders changes nothing', async () => {
    expect(refusalIn(await write('log/shop/new', open('log'), open()))).toContain(
      'Files may be changed nowhere on this worker.',
    );
  });

  test('a narrower worker stays narrow', async () => {
    expect(await write('log/new', open('log/shop'), open('log'))).toMatchObject({ isError: true });
  });
});

test('[WORKER-03bc] hosts: only what both allow', async () => {
  const server = await startHttpServer((_request, response) => void response.end('metrics'));
  const open: Access = { ...nothing, hosts: [`127.0.0.1:${server.port}`, 'localhost:1'] };
  const args = { url: server.url };
  expect(await call('http_get', args, open, open)).toMatchObject({ isError: false });
  const closed = await call('http_get', args, open, { ...nothing, hosts: ['localhost:1'] });
  expect(closed).toMatchObject({ isError: true, notice: expect.stringContaining('allowed hosts') });
  expect(server.requests).toHaveLength(1);
});

test('[WORKER-03bc] POST paths: only what both name', async () => {
  const server = await startHttpServer((_request, response) => void response.end('hits'));
  const host = `127.0.0.1:${server.port}`;
  const open = (...paths: string[]): Access => ({
    ...nothing,
    hosts: [host],
    ...(paths.length > 0 && { posts: paths.map((path) => `${host}${path}`) }),
  });
  const post = (path: string, own: Access, frozen: Access) =>
    call('http_post', { url: `${server.url}${path}`, body: {} }, own, frozen);
  const wide = open('/_search', '/_count');
  expect(await post('/_search', wide, open('/_search'))).toMatchObject({
    isError: false,
    notice: expect.stringContaining(`POST paths ${host}/_search, ${host}/_count instead of ${host}/_search`),
  });
  expect(refusalIn(await post('/_count', wide, open('/_search')))).toContain(
    `POST is allowed to ${host}/_search only`,
  );
  // a run that began without any has none, also where its worker has the tool
  expect(refusalIn(await post('/_search', wide, open()))).toContain('POST is allowed to nothing only');
  expect(await post('/_count', wide, wide)).toMatchObject({ isError: false });
  expect(server.requests.map(({ url }) => url)).toEqual(['/_search', '/_count']);
});

test('[WORKER-01a] a call whose run cannot be asked for is handed back before its body begins', async () => {
  let begun = 0;
  const [tool] = createBuiltInTools({ roots: [base], httpAllow: [] });
  if (!tool) throw new Error('there is no tool');
  const counted = { ...tool, run: () => Promise.resolve({ text: String(++begun) }) };
  const frozenAccess = createFrozenAccess({
    contexts: { find: () => Promise.reject(new Error('nobody polls')) },
    identity: 'w1',
    policy: [],
  });
  const bench = await toolBench(counted, { frozenAccess });
  await expect(bench.run({ path: 'x' }, { contextDigest: 'c' })).rejects.toMatchObject({
    type: 'Worker.Lacks',
    nonRetryable: false,
    message: expect.stringMatching(/^Worker w1 on task queue .* nobody polls/),
  });
  expect(begun).toBe(0);
});

const narrow: ShellAccess = {
  sandbox: 'bubblewrap',
  changes: 'sandbox',
  network: false,
  unixSockets: false,
  writable: [],
  hidden: [],
  open: [],
};

describe('[WORKER-03b] bash: only what both configurations let it do', () => {
  const shell = (changes: Partial<ShellAccess>): Access => ({
    ...nothing,
    policy: [{ tool: 'bash', decision: 'allow' }],
    shell: { ...narrow, ...changes },
  });

  test('the narrower of each field counts', () => {
    const wide: ShellAccess = {
      sandbox: 'dangerously-off',
      changes: 'host',
      network: true,
      unixSockets: true,
      writable: ['/srv', '/opt'],
      hidden: ['/a'],
      open: ['/root'],
    };
    expect(narrowShell(wide, narrow)).toEqual({ ...narrow, hidden: ['/a'] });
    expect(narrowShell({ ...narrow, writable: ['/srv'] }, wide).writable).toEqual(['/srv']);
    expect(narrowShell(wide, wide)).toEqual(wide);
    expect(narrowShell(wide, undefined)).toMatchObject({
      sandbox: 'bubblewrap',
      changes: 'never',
      writable: [],
    });
  });

  test.skipIf(!sandboxCheck.ok)(
    `a worker that runs changes on the host does not where the run began without that${sandboxMissing}`,
    async () => {
      const folder = await seenFolder();
      const args = { command: `touch ${folder}/made /tmp/made` };
      const narrowed = await call('bash', args, shell({ changes: 'host' }), shell({}));
      expect(narrowed.text).toContain('Not run: this worker would run another command');
      expect(existsSync(join(folder, 'made'))).toBe(false);
      await call('bash', args, shell({ changes: 'host' }), shell({ changes: 'host' }));
      expect(existsSync(join(folder, 'made'))).toBe(true);
    },
  );
});

const judged = { tool: 'x', effect: 'once' } as const;

test.each<[PolicyDecision, PolicyDecision, PolicyDecision]>([
  ['allow', 'allow', 'allow'],
  ['allow', 'ask', 'ask'],
  ['ask', 'allow', 'ask'],
  ['deny', 'allow', 'deny'],
  ['ask', 'deny', 'deny'],
])('[MODE-05f] [WORKER-03b] of %s and %s the verdict is %s', (own, frozen, expected) => {
  const rule = (decision: PolicyDecision): PolicyRule[] => [{ tool: 'x', decision }];
  expect(decideStrictest(judged, [rule(own), rule(frozen)]).decision).toBe(expected);
});

test('without rules on one side its default counts: a change asks', () => {
  expect(decideStrictest(judged, [[{ tool: 'x', decision: 'allow' }], []]).decision).toBe('ask');
});

test('equal configurations differ in nothing', () => {
  expect(describeDifference(nothing, nothing)).toBeUndefined();
});
