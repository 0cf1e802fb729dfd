// Tools on hosts under Temporal: the tools of each, calls that a host judges, hosts that are not there, and hosts that go.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { ToolResultMessage } from '@holdfast/vocabulary/messages';
import type { PolicyRule, ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { queries } from '../../src/workflows/session/workflow-api.ts';
import { functionModel, type Saying } from '../support/function-model.ts';
import { createSessionBench, type SessionBench, type SessionHandle } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { until } from '../support/until.ts';
import { approveShown } from '../support/approve-shown.ts';

const childFile = resolve(import.meta.dirname, '../support/host-child.ts');

/** What each reply asks for, in order; then an answer. */
function calling(...turns: { tool: string; args: Record<string, string> }[][]) {
  return functionModel(({ number }): Saying => {
    const calls = turns[number - 1];
    return calls ? { calls } : { text: 'That is all.' };
  });
}

/** A shell of a test: it knows by its arguments whether it reads, and what it would print. */
function shell(ran: string[], host: string) {
  return defineTool({
    name: 'shell',
    description: 'Runs a command.',
    input: z.strictObject({ command: z.string() }),
    effect: 'once',
    summaryArguments: ['command'],
    inspect({ command }) {
      const effect: ToolEffect = command.startsWith('cat ') ? 'read' : 'once';
      return { actions: [{ effect, command }], preview: `${host}$ ${command}`, basis: `${host} as it is` };
    },
    run({ command }, { basis }) {
      ran.push(`${host}: ${command} (${basis})`);
      return { text: `${command} on ${host}` };
    },
  });
}

async function resultsOf(bench: SessionBench, handle: SessionHandle): Promise<ToolResultMessage[]> {
  const log = await bench.readLog(handle.workflowId);
  return log.flatMap((record) => (record.role === 'tool_result' ? [record] : []));
}

const said = (results: ToolResultMessage[]) =>
  results.map((result) => `${result.host ?? 'here'}: ${textOf(result)}`);

test('[WORKER-09a] a host judges its calls by its own facts before they run: reads run, a change asks with its reason and preview', async () => {
  const ran: string[] = [];
  const bench = await createSessionBench({
    hosts: ['web-1', 'web-2'],
    agent: { hosts: ['web-*'] },
    // not the word of the host: its own rules do not allow a change
    policy: [{ tool: '*', decision: 'allow' }],
    model: calling(
      [
        { tool: 'shell', args: { on_host: 'web-1', command: 'cat /etc/hosts' } },
        { tool: 'shell', args: { on_host: 'web-2', command: 'cat /etc/hosts' } },
      ],
      [{ tool: 'shell', args: { on_host: 'web-2', command: 'restart shop' } }],
    ),
  });
  const noSecrets: PolicyRule[] = [
    { tool: 'shell', command: 'cat *', decision: 'deny', reason: 'not on web-1' },
  ];
  await bench.addHost('web-1', { tools: [shell(ran, 'web-1')], policy: noSecrets });
  await bench.addHost('web-2', { tools: [shell(ran, 'web-2')] });
  const handle = await bench.start({ prompt: 'Look, then mend it.' });
  const session = bench.holdfast.session(handle.workflowId);
  const [asked] = await until('a call waits', async () => {
    const pending = await session.pendingApprovals();
    return pending.length > 0 && pending;
  });
  expect(asked).toMatchObject({
    tool: 'shell',
    summary: 'shell restart shop on web-2',
    effect: 'once',
    preview: 'web-2$ restart shop',
    reason: 'It changes something outside, so a person decides.',
    args: '{"on_host":"web-2","command":"restart shop"}',
  });
  await approveShown(session, asked?.id ?? '', { actor: 'test' });
  expect(await handle.result()).toMatchObject({ status: 'completed' });
  expect(said(await resultsOf(bench, handle))).toEqual([
    'web-1: Denied: not on web-1',
    'web-2: cat /etc/hosts on web-2',
    'web-2: restart shop on web-2',
  ]);
  expect(ran).toEqual(['web-2: cat /etc/hosts (web-2 as it is)', 'web-2: restart shop (web-2 as it is)']);
});

test('[WORKER-09b] [FAULT-90] a host without a worker is said when the run begins, refused at once, and a gap of the report; the next run has it', async () => {
  const report = { summary: 'All is well.', grade: 'inconclusive', claims: [], ruledOut: [], gaps: [] };
  const model = functionModel(({ number, request }): Saying => {
    const look = { tool: 'list_hosts' };
    const read = { tool: 'look', args: { on_host: 'db-1' } };
    if (number === 1) return { calls: [look, read] };
    if (number === 2) return { calls: [{ tool: 'report', args: report }] };
    if (number === 4) return { calls: [look, read] };
    return { text: request.tools.map(({ name }) => name).join(' ') };
  });
  const bench = await createSessionBench({
    model,
    hosts: ['web-1', 'db-1'],
    agent: { hosts: ['*'] },
    tools: [createReportTool()],
  });
  const look = (host: string) =>
    defineTool({
      name: 'look',
      description: 'Looks.',
      input: z.strictObject({}),
      effect: 'read' as const,
      run: () => ({ text: `seen on ${host}` }),
    });
  await bench.addHost('web-1', { tools: [look('web-1')] });
  const handle = await bench.start({ prompt: 'Look.', keepAlive: true });
  const session = bench.holdfast.session(handle.workflowId);
  const first = await session.result({ runId: 'run-1' });
  const gone =
    'Host db-1 is not there: no worker serves it. Nothing can be looked at or changed on it in this run.';
  const { events } = await handle.query(queries.getEvents, 0);
  expect(events).toContainEqual(expect.objectContaining({ type: 'warning', message: gone }));
  const [hosts, refused] = said(await resultsOf(bench, handle));
  expect(hosts).toBe(
    'here: web-1: look\ndb-1: not there, no worker serves it. Nothing can be looked at on it in this run.',
  );
  expect(refused).toBe('here: Not run: no worker serves host db-1. Nothing was changed.');
  const shown = await session.report(first);
  expect(shown).toContain(
    '- Host db-1: no worker serves it, so nothing was looked at there. (found by Holdfast)',
  );
  expect(shown).toContain('Not run: no worker serves host db-1.');
  // within seconds: nobody waits for it longer than this
  const history = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
  const asked = history.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.taskQueue?.name?.endsWith('.host.db-1')
      ? [Number(scheduled.scheduleToStartTimeout?.seconds)]
      : [],
  );
  expect(asked).toEqual([5]);

  await bench.addHost('db-1', { tools: [look('db-1')] });
  await handle.executeUpdate('prompt', { args: ['And now?'] });
  await session.result({ runId: 'run-2' });
  expect(said(await resultsOf(bench, handle)).slice(-2)).toEqual([
    'here: web-1: look\ndb-1: look',
    'db-1: seen on db-1',
  ]);
  await handle.signal('shutdown');
  await handle.result();
});

async function startChild(
  { address, taskQueue, artifactsDir }: SessionBench,
  host: string,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [childFile, address, taskQueue, artifactsDir, host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await printed(child, 'ready');
  return child;
}

async function printed(child: ChildProcess, wanted: string): Promise<void> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) if (line === wanted) return;
  throw new Error(`the child ended without "${wanted}"`);
}

test('[WORKER-09c] [FAULT-12] a host whose worker dies in a call: the call ends by its effect, and the next one is refused', async () => {
  const lost = { tool: 'idempotent', args: { on_host: 'web-1' } };
  const bench = await createSessionBench({
    hosts: ['web-1'],
    agent: { hosts: ['*'], loop: { heartbeatTimeoutMs: 1_000 } },
    policy: [{ tool: '*', decision: 'allow' }],
    model: calling([lost], [{ tool: 'read', args: { on_host: 'web-1', again: 'yes' } }]),
    tools: [],
  });
  const child = await startChild(bench, 'web-1');
  const handle = await bench.start({ prompt: 'Look.' });
  await printed(child, 'begun idempotent');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(await handle.result()).toMatchObject({ status: 'completed' });
  expect(said(await resultsOf(bench, handle))).toEqual([
    'web-1: The worker of host web-1 was lost while the tool ran, and none serves it now: no result. It may have taken effect: verify before you repeat it.',
    'web-1: Not run: no worker serves host web-1. Nothing was changed.',
  ]);
});
