// The Temporal server dies while three children of a session work, and is started again on its file.
import { inject, onTestFinished, expect, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { startDevServer } from '../../src/dev-server/dev-server.ts';
import { functionModel } from '../support/function-model.ts';
import { isAlive } from '../support/processes.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { delegating } from '../support/team.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const tasks = ['errors', 'latency', 'deploys'].map((task) => ({ agent: 'analyst', task }));

/** What the parent's model read and answered; `during` runs while each of the children is in its tool. */
async function investigate(address: string, during: () => Promise<void>): Promise<object> {
  const working = new Set<string>();
  const mayEnd = Promise.withResolvers<void>();
  const ran: string[] = [];
  const bench = await createSessionBench({
    address,
    policy: [{ tool: '*', decision: 'allow' }],
    agents: { analyst: {} },
    agent: { delegation: { agents: ['analyst'] } },
    model: functionModel(({ number, request, newTexts }) => {
      if (request.metadata.agent === 'tester') return number === 1 ? delegating(...tasks) : { text: 'done' };
      if (number === 1) return { calls: [{ tool: 'look', args: { at: newTexts.at(-1) ?? '' } }] };
      const looked = request.messages.findLast(({ role }) => role === 'tool_result');
      const summary = looked ? textOf(looked) : '';
      return { calls: [{ tool: 'task_complete', args: { status: 'completed', summary } }] };
    }),
    tools: [
      fakeTool(
        async ({ at: given }) => {
          const at = String(given);
          ran.push(at);
          working.add(at);
          await mayEnd.promise;
          return { text: `looked at ${at}` };
        },
        { name: 'look', effect: 'once' },
      ),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 60_000 } });
  await until('every child works', () => working.size === 3);
  await during();
  mayEnd.resolve();
  const { status, answer, toolCalls, usage } = await handle.result();
  const log = await bench.readLog(handle.workflowId);
  const read = log.flatMap((record) => (record.role === 'tool_result' ? [textOf(record)] : []));
  return { status, answer, toolCalls, usage, read, ran: ran.toSorted() };
}

test('[FAULT-15] [SUB-05b] the server is killed in the middle of a delegation of three: nothing of the result changes', async () => {
  const settings = {
    dir: await temporaryFolder(),
    binary: inject('temporalBinary'),
    environment: readEnvironment(),
    ui: false,
  };
  const server = await startDevServer(settings);
  onTestFinished(() => server.stop());
  const killed = await investigate(server.address, async () => {
    process.kill(server.pid, 'SIGKILL');
    await until('the server is dead', () => !isAlive(server.pid));
    const again = await startDevServer(settings);
    onTestFinished(() => again.stop());
    expect(again.pid).not.toBe(server.pid);
  });
  const undisturbed = await investigate(inject('temporalAddress'), () => Promise.resolve());
  expect(killed).toEqual(undisturbed);
  expect(killed).toMatchObject({
    status: 'completed',
    ran: ['deploys', 'errors', 'latency'],
    read: [expect.stringMatching(/looked at errors.*looked at latency.*looked at deploys/s)],
  });
});
