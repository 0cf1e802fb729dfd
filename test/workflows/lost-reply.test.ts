// An answer that a session has taken while its reply to the client is lost: the client finds out that it was taken. The reply
// is lost between the connection and the client.
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { type SessionHandle, createClient } from '../../src/client.ts';
import { askHumanTool } from '../../src/activities/assembly/built-in-tools.ts';
import { callsFirst } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import type { Decision } from '../../src/client/session-sender.ts';
import { approveShown } from '../support/approve-shown.ts';

type Call = { tool: string; args?: { question: string } };
type UpdateRequest = Parameters<Connection['workflowService']['updateWorkflowExecution']>[0];

/** The server answers, and the first reply is lost; `resend` changes what is sent again. */
function loseFirstReply(
  { workflowService }: Connection,
  resend: (request: UpdateRequest) => UpdateRequest,
  whenLost: () => Promise<unknown> | undefined,
): void {
  const send = workflowService.updateWorkflowExecution.bind(workflowService);
  let sent = 0;
  const lossy = async (request: UpdateRequest) => {
    sent += 1;
    const reply = await send(sent === 1 ? request : resend(request));
    if (sent > 1) return reply;
    await whenLost();
    throw Object.assign(new Error('The reply is lost.'), { code: 4, details: 'deadline', metadata: {} });
  };
  Object.assign(workflowService, { updateWorkflowExecution: lossy });
}

/** A call that waits, and the handle of a client that loses the first reply. */
async function startAsking(
  resend = (request: UpdateRequest) => request,
  meanwhile: { whenLost?: () => Promise<unknown>; call?: Call; keepAlive?: boolean } = {},
) {
  const ran: unknown[] = [];
  const change = fakeTool(
    (args) => {
      ran.push(args);
      return { text: 'changed' };
    },
    { name: 'change', effect: 'once' },
  );
  const bench = await createSessionBench({
    model: callsFirst([meanwhile.call ?? { tool: 'change' }]),
    tools: [change, askHumanTool],
  });
  const handle = await bench.start({ prompt: 'Go.', keepAlive: meanwhile.keepAlive ?? false });
  const asked = bench.holdfast.session(handle.workflowId);
  const [{ id } = { id: '' }] = await until('a call waits', async () => {
    const pending = [...(await asked.pendingApprovals()), ...(await asked.pendingQuestions())];
    return pending.length > 0 && pending;
  });
  const connection = await Connection.connect({ address: bench.address });
  loseFirstReply(connection, resend, () => meanwhile.whenLost?.());
  onTestFinished(() => connection.close());
  const { taskQueue } = bench;
  const session: SessionHandle = createClient({ connection, namespace: 'default', taskQueue }).session(
    handle.workflowId,
  );
  const accepted = async (): Promise<number> => {
    const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
    return events.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length;
  };
  return { session, handle, id, ran, accepted };
}

test('[FAULT-107] [WORKER-07ab] an approval whose reply is lost is asked for again under its id: it was taken, once', async () => {
  const { session, handle, id, ran, accepted } = await startAsking();
  expect(await approveShown(session, id, { actor: 'ann@host' })).toMatchObject({ approved: true });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(ran).toHaveLength(1);
  expect(await accepted()).toBe(1);
});

test('[FAULT-107] [WORKER-07b] an approval whose reply is lost while the session ends was taken', async () => {
  const ended: { whenLost?: () => Promise<unknown> } = {};
  const { session, handle, id } = await startAsking((request) => request, ended);
  ended.whenLost = () => handle.result();
  expect(await approveShown(session, id, { actor: 'ann@host' })).toMatchObject({ approved: true });
});

test.each([
  ['approved by the same person', approveShown, true],
  [
    'denied by the same person',
    (session: SessionHandle, id: string, said: Decision) => session.deny(id, said),
    false,
  ],
] as const)(
  '[FAULT-107] [WORKER-07b] an answer that a later execution no longer knows by its id is read back: %s',
  async (_, send, approved) => {
    const { session, id, accepted } = await startAsking(
      (sent) => ({
        ...sent,
        request: { ...sent.request, meta: { ...sent.request?.meta, updateId: 'not-known-there' } },
      }),
      { keepAlive: true },
    );
    expect(await send(session, id, { actor: 'ann@host', reason: 'agreed' })).toMatchObject({ approved });
    expect(await accepted()).toBe(1);
  },
);

test('[WORKER-07b] an answer to a question that was taken is never reported as failed', async () => {
  const { session, id, accepted } = await startAsking(
    (sent) => ({
      ...sent,
      request: { ...sent.request, meta: { ...sent.request?.meta, updateId: 'unknown' } },
    }),
    { call: { tool: 'ask_human', args: { question: 'On purpose?' } }, keepAlive: true },
  );
  expect(await session.answerQuestion(id, 'Yes.', { actor: 'ann@host' })).toEqual({ answered: id });
  expect(await accepted()).toBe(1);
});

test('[FAULT-107] an answer that came after somebody else had answered is refused, however often it is sent', async () => {
  const { session, handle, id } = await startAsking((sent) => sent, { keepAlive: true });
  await handle.executeUpdate('resolveApproval', { args: [{ id, approve: false, actor: 'bob@host' }] });
  await expect(session.approve(id, { actor: 'ann@host', argsDigest: 'x' })).rejects.toMatchObject({
    code: 'Refused',
    message: expect.stringMatching(/denied by bob@host/),
  });
});
