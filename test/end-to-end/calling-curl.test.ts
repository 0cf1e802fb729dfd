// The section "With curl alone" of docs/calling.md, as its reader runs it: each of its commands, in its order, against Temporal's
// HTTP API of a real server, with a real worker.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { httpAddress } from '../../src/config/ui-address.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/calling.md'), 'utf8');
const [, section = ''] = /^## With curl alone\n(.*?)^## /ms.exec(page) ?? [];
/** The first one sets variables, which are others here. */
const [, start = '', query = '', steer = '', answer = '', result = ''] = [
  ...section.matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, commands = '']) => commands);

const change = fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' });

type Snapshot = { waitingFor?: string; approvals: { id: string; argsDigest: string }[] };

test('[CALL-09abcde] a session is started, asked, steered and answered by the commands of the page, with curl alone', async () => {
  const bench = await createSessionBench({
    agents: { investigator: { tools: ['change'] } },
    tools: [change],
    model: functionModel(({ number, request }) => {
      if (number === 1) return { calls: [{ tool: 'change' }] };
      const words = request.messages.map(textOf).join('\n');
      return { text: words.includes('The pool was changed at 14:05.') ? 'It is the pool.' : 'No idea.' };
    }),
  });
  const id = `curl-${bench.taskQueue}`;
  const variables: Record<string, string> = {
    QUEUE: bench.taskQueue,
    SESSION: httpAddress(inject('temporalHttp'), 'default', id),
  };
  const run = async (commands: string): Promise<Record<string, unknown>> => {
    const env = { ...process.env, ...variables };
    const { stdout } = await promisify(execFile)('bash', ['-ec', commands], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const snapshot = async (): Promise<Snapshot> => {
    const { queryResult } = await run(query);
    return (queryResult as [Snapshot])[0];
  };
  expect(await run(start)).toMatchObject({ started: true });
  const { approvals } = await until('the approval', async () => {
    const now = await snapshot();
    return now.waitingFor === 'approval' ? now : undefined;
  });
  await run(steer);
  Object.assign(variables, { CALL: approvals[0]?.id, DIGEST: 'of-other-arguments' });
  expect(await run(answer)).toMatchObject({
    outcome: { failure: { message: expect.stringContaining('it waits with other arguments') as string } },
  });
  variables['DIGEST'] = approvals[0]?.argsDigest ?? '';
  expect(await run(answer)).toMatchObject({ outcome: { success: [{ approved: true }] } });
  const closed = await until('the last event', async () => {
    const { history } = await run(result);
    const { events = [] } = history as { events?: Record<string, unknown>[] };
    return events[0];
  });
  expect(closed).toMatchObject({
    workflowExecutionCompletedEventAttributes: {
      result: [{ status: 'completed', answer: 'It is the pool.' }],
    },
  });
});
