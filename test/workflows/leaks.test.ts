// Secrets planted wherever one may come from: none is found wherever a session leaves words.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { expect, inject, test } from 'vitest';
import type { Secrets } from '../../src/activities/secrets/secrets.ts';
import type { ToolReturn } from '../../src/activities/tools/define-tool.ts';
import { mapValuesAsync } from '@holdfast/base/map-values';
import { createClient } from '../../src/client.ts';
import { openArtifactReader } from '../../src/config/artifacts.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { ScriptedModel, callTool, callTools, say } from '../../src/testing.ts';
import { createHoldfastWorker } from '../../src/worker.ts';
import { collectParts } from '../../src/worker/parts.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { startHttpServer } from '../support/http-server.ts';
import { readServer, wordsIn } from '../support/raw-history.ts';
import { runUntilTestEnds } from '../support/running-worker.ts';
import { workerLog } from '../support/worker-log.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { approveShown } from '../support/approve-shown.ts';

/** Without a look that any pattern knows. */
const plant = (): string => `x${randomUUID().replaceAll('-', '')}`;
const planted = {
  modelKey: plant(),
  variable: plant(),
  file: plant(),
  command: plant(),
  temporalKey: plant(),
  codecKey: randomBytes(32).toString('hex'),
  // known by their look alone
  urlPassword: plant(),
  argument: plant(),
  cookie: plant(),
};
const values = Object.values(planted);
const canary = 'canary-word';

/** Answers with the headers that it got, as many debugging pages do. */
async function startEcho(): Promise<string> {
  const { url } = await startHttpServer(({ headers }, response) => {
    response.setHeader('set-cookie', `session=${planted.cookie}`);
    response.end(JSON.stringify({ headers, 'set-cookie': `session=${planted.cookie}` }));
  });
  return url;
}

test('[SAFE-04ac] [SAFE-05] secrets of variables, files, commands, headers, URLs, arguments and errors are in no history, artifact, event, log and model request', async () => {
  const cwd = await temporaryFolder();
  const url = await startEcho();
  await writeFile(join(cwd, 'token'), `${planted.file}\n`);
  await writeFile(
    join(cwd, 'app.log'),
    `${canary} token of the app is ${planted.file}, and ${planted.variable}\n`,
  );
  await writeFile(join(cwd, 'vault'), `#!/bin/sh\necho ${planted.command}\n`);
  await chmod(join(cwd, 'vault'), 0o755);

  const resolving: { secrets?: Secrets } = {};
  const encodings = (value: string): string[] => [
    value,
    Buffer.from(value).toString('hex'),
    encodeURIComponent(value),
    ...['', 'u', 'us'].map((before) => Buffer.from(before + value).toString('base64')),
  ];
  const bodies: Record<string, () => Promise<ToolReturn> | ToolReturn> = {
    // as a tool of a toolset, an HTTP host or an MCP server does it
    async ask() {
      const resolve = async (text: string) => (await resolving.secrets?.resolve(text)) ?? '';
      const references = { authorization: 'Bearer secret://api', 'x-vault': 'secret://vault' };
      const headers = await mapValuesAsync(references, resolve);
      const text = await (await fetch(url, { headers })).text();
      return { text: `${canary} ${text}`, details: { headers } };
    },
    dump: () => ({
      text: values
        .flatMap(encodings)
        .slice(0, 6 * 6)
        .join('\n'),
    }),
    environment: () => ({
      text: `DATABASE_URL=postgres://app:${planted.urlPassword}@db/shop\nKEY ${planted.modelKey}`,
    }),
    content: () => ({
      text: JSON.stringify([{ type: 'text', text: `key=${planted.variable}` }]),
      details: { nested: [{ [planted.variable]: planted.file }] },
      full: `full ${planted.temporalKey}`,
    }),
    fail() {
      throw new Error(`${canary}: refused for ${planted.variable}`, { cause: planted.file });
    },
  };
  const config: HoldfastConfig = {
    secrets: {
      api: { env: 'API_TOKEN' },
      disk: { file: join(cwd, 'token') },
      vault: { command: [join(cwd, 'vault')] },
      codec: { env: 'CODEC_KEY' },
    },
    files: { roots: [cwd] },
    policy: [{ tool: 'change', decision: 'ask' }],
    tools: [
      ...Object.entries(bodies).map(([name, body]) =>
        fakeTool(
          async (_args, { onUpdate }) => {
            onUpdate(values.slice(0, 6).join(' '));
            return body();
          },
          { name },
        ),
      ),
      fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' }),
    ],
  };
  const taskQueue = `leaks-${randomUUID()}`;
  const address = inject('temporalAddress');
  const environment = {
    OPENAI_API_KEY: planted.modelKey,
    API_TOKEN: planted.variable,
    CODEC_KEY: planted.codecKey,
    HOLDFAST_TASK_QUEUE: taskQueue,
    TEMPORAL_ADDRESS: address,
    PATH: process.env['PATH'],
  };
  const resolved = resolveConfig({
    cwd,
    environment,
    file: { path: join(cwd, 'holdfast.config.ts'), config },
  });
  resolved.temporal.apiKey = planted.temporalKey;
  const play = new ScriptedModel([
    callTools([
      { tool: 'ask', args: {} },
      ...['environment', 'content', 'fail'].map((tool) => ({ tool, args: {} })),
    ]),
    callTool('dump'),
    callTool('grep', { pattern: canary }),
    callTool('change', { note: 'a', password: planted.argument }),
    say(`${canary} done`),
    // it owes a report, and is asked for it once
    say(`${canary} done`),
  ]);
  const parts = await collectParts(resolved, play);
  resolving.secrets = parts.secrets;
  installRuntime(workerLog());
  const worker = await createHoldfastWorker({
    config: resolved,
    parts,
    play,
    shutdownGraceMs: 1_000,
    server: { address, namespace: 'default' },
  });
  const connection = await runUntilTestEnds(worker, address);
  const artifacts = openArtifactReader(resolved);
  const client = createClient({ connection, namespace: 'default', taskQueue, artifacts });
  const session = await client.start({ prompt: `look, ${canary}`, hooks: [{ name: 'logger' }] });
  const pending = await until('the call waits', async () => (await session.pendingApprovals())[0]);
  await approveShown(session, pending.id, { actor: 'kim' });
  expect(await session.result()).toMatchObject({ status: 'completed' });

  const { sessionId } = session;
  const server = await readServer(new Client({ connection }), sessionId);
  const files = await readdir(resolved.artifactsDir, { recursive: true, withFileTypes: true });
  const stored = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
  );
  const events = [];
  for await (const item of session.events()) events.push(item);
  const log = await until('the end of the run is in the log', () => {
    const lines = readFileSync(workerLog(), 'utf8').split('\n');
    const own = lines.filter((line) => line.includes(sessionId));
    return own.some((line) => line.includes('run ended')) && own.join('\n');
  });
  const places = { server, stored, events, log, requests: play.requests, snapshot: await session.snapshot() };
  // what the model itself wrote into a call is its own: only what is made of it is clean
  const found = values.filter((value) => value !== planted.argument);
  const forms = found.flatMap(encodings);
  for (const [place, content] of Object.entries(places)) expect(wordsIn(content, forms), place).toEqual([]);
  expect(JSON.stringify(pending.summary)).not.toContain(planted.argument);
  expect(pending.summary).toContain('password=[redacted:password]');
  // the scan does see what is there, and every tool has run
  for (const place of ['server', 'stored', 'events', 'requests', 'snapshot'] as const)
    expect(wordsIn(places[place], [canary]), place).toEqual([canary]);
  expect(
    JSON.stringify(play.requests.at(-1)?.messages).match(/\[redacted:secret\]/g)?.length,
  ).toBeGreaterThan(20);
  play.assertFinished();
});
