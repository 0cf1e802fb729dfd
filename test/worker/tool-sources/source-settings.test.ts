// The settings of toolsets and MCP servers, on a worker that has others than the one that a run began with.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HoldfastConfig } from '../../../src/config/define-config.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { composeActivities, composeHostActivities } from '../../../src/worker/compose-activities.ts';
import { assembleOn, callOn, composeInput, resolvedAt } from '../../support/composed-worker.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { hostileServer } from '../../support/mcp-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const toolset = `
name: own
description: Own tools.
settings:
  place: { description: A place., default: here }
  password: { description: Of the place., optional: true }
  session: { description: Of the place., optional: true }
  keyspace: { description: Of the place., optional: true }
tools:
  - name: say
    description: Says its place.
    effect: read
    command: [echo, 'at {{settings.place}}']
`;

const secrets = { one: { env: 'ONE' }, two: { env: 'TWO' } };

/** The activities of a worker, each in a folder of its own as on another machine; `host`: of a worker of that host. */
async function workerWith(
  user: HoldfastConfig,
  settings: Record<string, string> = {},
  host?: string,
  text = toolset,
) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'own.yaml'), text);
  const config = resolvedAt(
    cwd,
    {
      secrets,
      policy: [{ tool: '*', decision: 'allow' }],
      ...user,
      toolsets: { './own.yaml': { settings } },
    },
    { OPENAI_API_KEY: 'k', PATH: process.env['PATH'], ONE: 'value-1', TWO: 'value-2' },
  );
  const input = await composeInput(config, cwd);
  const composed = await (host === undefined ? composeActivities(input) : composeHostActivities(input, host));
  onTestFinished(() => composed.close());
  return composed.activities;
}

type Activities = Awaited<ReturnType<typeof workerWith>>;

async function begin(activities: Activities, input = {}): Promise<FrozenContext> {
  if (!('assembleContext' in activities)) throw new Error('the worker of a host begins no run');
  return assembleOn(activities, { input });
}

/** What becomes of a call of a run that began with `context`. */
async function call(
  activities: Activities,
  context: FrozenContext,
  tool: string,
  args = {},
): Promise<string> {
  const { message } = await callOn(activities, tool, args, context);
  // before the note that this worker has another store than the run
  return textOf(message).split('\n', 1)[0] ?? '';
}

const handedBack = (source: string) => ({
  type: 'Worker.Lacks',
  message: expect.stringContaining(`does not have the settings of ${source} that this run began with`),
});

test('[WORKER-01a] a call of a toolset is handed back by a worker that has other settings for it, and by that one only', async () => {
  const context = await begin(await workerWith({}, { place: 'staging' }));
  expect(Object.keys(context.sourceDigests ?? {})).toEqual(['toolset:own']);
  const changed = await workerWith({}, { place: 'production' });
  await expect(call(changed, context, 'say')).rejects.toMatchObject(handedBack('toolset:own'));
  const withDefault = await workerWith({});
  await expect(call(withDefault, context, 'say')).rejects.toMatchObject(handedBack('toolset:own'));
  expect(await call(await workerWith({}, { place: 'staging' }), context, 'say')).toBe('at staging');
});

test('[SRC-04d] a run goes on on a worker that starts while a server is down, and reaches it when it is back', async () => {
  const listener = (_: unknown, response: { end(text: string): void }): void => response.end('at home');
  const { url, port, stop } = await startHttpServer(listener);
  const served = toolset
    .replace('tools:', `prerequisites: [{ http: '${url}/ready' }]\ntools:`)
    .replace(/command: .*/, `http: { url: '{{settings.place}}/say' }`);
  const worker = () => workerWith({}, { place: url }, undefined, served);
  const context = await begin(await worker());
  await stop();
  const later = await worker();
  expect(await call(later, context, 'say')).toMatch(/^Not reachable: /);
  await startHttpServer(listener, { port });
  expect(await call(later, context, 'say')).toBe('at home');
});

test('a default that a worker states, and one that it leaves out, are the same settings', async () => {
  const context = await begin(await workerWith({}));
  expect(await call(await workerWith({}, { place: 'here' }), context, 'say')).toBe('at here');
});

test('a run that began before settings were compared continues with those of its worker', async () => {
  const { sourceDigests: _, ...old } = await begin(await workerWith({}, { place: 'staging' }));
  expect(await call(await workerWith({}, { place: 'production' }), old, 'say')).toBe('at production');
});

test('the worker of a host has settings of its own', async () => {
  const hosts = { shop: {} };
  const context = await begin(await workerWith({}, { place: 'staging' }));
  const onHost = await workerWith({ hosts }, { place: 'shop' }, 'shop');
  expect(await call(onHost, context, 'say', { on_host: 'shop' })).toBe('at shop');
});

test('only what the agent may use is compared, also where it has to be loaded first', async () => {
  const agents = {
    without: { instructions: 'x', tools: [] },
    later: { instructions: 'x', tools: [], toolGroups: ['more'] },
  };
  const activities = await workerWith({ agents, toolGroups: { more: ['say'] } });
  expect(await begin(activities, { agent: 'without' })).not.toHaveProperty('sourceDigests');
  expect((await begin(activities, { agent: 'later' })).sourceDigests).toHaveProperty(['toolset:own']);
});

test('[WORKER-01a] a call of an MCP server is handed back by a worker that starts it with other settings', async () => {
  const { settings: shop, lines } = await hostileServer('plain', { env: { REGION: 'eu' } });
  const context = await begin(await workerWith({ mcpServers: { shop } }));
  const changed = await workerWith({ mcpServers: { shop: { ...shop, env: { REGION: 'us' } } } });
  const act = { text: 'a' };
  await expect(call(changed, context, 'mcp__shop__act', act)).rejects.toMatchObject(handedBack('mcp:shop'));
  expect(lines()).not.toContain('call act');
  // its time limit is the frozen one, and its folder lies elsewhere there
  const same = await workerWith({ mcpServers: { shop: { ...shop, timeoutMs: 9_000 } } });
  expect(await call(same, context, 'mcp__shop__act', act)).toBe('call 1: a');
});

test('[SAFE-04a] a reference to a secret counts as the reference, and a secret in the config does not count at all', async () => {
  const digestWith = async (settings: Record<string, string>) =>
    (await begin(await workerWith({}, settings))).sourceDigests?.['toolset:own'];
  const one = await digestWith({ password: 'secret://one' });
  expect(await digestWith({ password: 'secret://one' })).toBe(one);
  expect(await digestWith({ password: 'secret://two' })).not.toBe(one);
  // also one that is short, and looks like nothing in particular
  for (const name of ['password', 'session']) {
    const literal = await digestWith({ [name]: 'pw1' });
    expect(await digestWith({ [name]: 'a-longer-one' }), name).toBe(literal);
    expect(await digestWith({}), name).not.toBe(literal);
  }
});

test('[WORKER-01a] a setting whose name only resembles that of a secret counts, and a secret changes nothing beside it', async () => {
  const digestWith = async (settings: Record<string, string>) =>
    (await begin(await workerWith({}, settings))).sourceDigests?.['toolset:own'];
  const shop = await digestWith({ keyspace: 'shop' });
  expect(await digestWith({ keyspace: 'shop' })).toBe(shop);
  expect(await digestWith({ keyspace: 'shop_staging' })).not.toBe(shop);
  // a password whose value is also a part of another one
  const short = await digestWith({ place: 'here-e', password: 'e' });
  expect(await digestWith({ place: 'here-e', password: 'r' })).toBe(short);
  const address = await digestWith({ place: 'postgres://app:one@db/shop' });
  expect(await digestWith({ place: 'postgres://app:two@db/shop' })).toBe(address);
  expect(await digestWith({ place: 'postgres://app:two@db/other' })).not.toBe(address);
});
