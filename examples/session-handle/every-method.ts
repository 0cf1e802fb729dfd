// A program that uses every method of a session handle, on one session that stays: its state and its records are read, its
// messages sent and taken back, its settings changed; in the end it is removed from the server.
//
//   npx node every-method.ts <host:port of the Temporal server> <task queue of the worker>
import { setTimeout } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
// 'holdfast/client' in a project of your own
import { createClient } from '../../src/client.ts';

const [address = 'localhost:7233', taskQueue = 'session-handle'] = process.argv.slice(2);
const connection = await Connection.connect({ address });
const client = createClient({ connection, namespace: 'default', taskQueue });
const actor = 'every-method.ts';
const session = await client.start({ prompt: 'Which script?', keepAlive: true, budget: { costUsd: 1 } });

/** Waits until a call or a question waits for a person, or for the end of the run. */
async function reaches(what: 'approval' | 'question' | 'idle'): Promise<void> {
  for (;;) {
    const { state, waitingFor } = await session.snapshot();
    if ((state === 'idle' ? 'idle' : waitingFor) === what) return;
    await setTimeout(100);
  }
}

// a call waits for a person: the state of the session, meanwhile
for await (const item of session.events())
  if (item.type === 'event' && item.event.type === 'approval_requested') break;
const { runId = '', systemPrompt } = await session.snapshot();
const [call] = await session.pendingApprovals();
if (!call || !systemPrompt) throw new Error('nothing waits');
const { streaming } = await session.mergedSnapshot();
const { running } = await session.inFlight();
console.log('in flight', streaming, running.length, await session.pendingQuestions(), await session.plan());
console.log('prompt', (await session.systemPrompt(systemPrompt.ref))?.includes('one sentence'));
const [{ status }, tree] = [await session.describe(), await session.tree()];
const [{ events }, alive] = [await session.historySize(), await session.liveness()];
console.log(status, tree.sessionId === session.sessionId, events > 0, alive.worker);

// messages that wait can be read and taken back
const { id } = await session.steer('Read it slowly.');
await session.followUp('Then read it again.');
console.log('queued', (await session.queued()).length, await session.cancelQueued(id));
await session.clearQueues('followUp');
console.log('receipt', (await session.receipt(id))?.state);

// settings count from the next run on, the modes of the queues at once
await session.setQueueMode('steering', 'all');
await session.setModel('scripted:session-handle');
await session.setThinkingLevel('low');
await session.setSystemPrompt('Answer in one short sentence.');
await session.setTools(['read', 'ask_human']);
await session.setToolExecution('sequential');
await session.setMode('ask');
console.log('budget', (await session.extendBudget({ costUsd: 1 })).budget.costUsd);

// the approval is remembered, and taken back
const { argsDigest } = call;
console.log(await session.approve(call.id, { actor, argsDigest, remember: 'call' }));
const result = await session.result({ runId });
console.log(`${result.status}: ${result.answer}`);
const [allowance] = (await session.snapshot()).allowances ?? [];
console.log(await session.forgetAllowance(allowance?.id ?? '', { actor }));
// a finding of the agent is taken back like this; this agent has pinned none
await session.takeBackFinding('finding-1', { actor }).catch((error: Error) => console.log(error.message));

// what the run has left behind
const output = await session.readOutput(call.id);
console.log('output', output?.lines.length);
let records = 0;
for await (const _ of session.messages()) records += 1;
console.log('records', records, await session.storedMessages(), await session.storedResult());
console.log('reports', await session.report(result), await session.readReport());
console.log('thoughts', (await session.thoughts(result.newMessages)).items.length);

// the next prompt: its call is denied, its question answered
const unsubscribe = session.subscribe(async (event) => {
  // older events come first, and what they asked for is answered
  const asked = [...(await session.pendingApprovals()), ...(await session.pendingQuestions())];
  if (!('callId' in event) || !asked.some((pending) => pending.id === event.callId)) return;
  if (event.type === 'approval_requested')
    await session.deny(event.callId, { actor, reason: 'once is enough' });
  if (event.type === 'question_asked') await session.answerQuestion(event.callId, 'No.', { actor });
});
const image = await session.image(new Uint8Array([137, 80, 78, 71]), 'image/png');
console.log('image', image.mediaType);
console.log((await session.promptAndWait('And now?')).answer);
unsubscribe();

// the whole session as a document, from which another one can continue
console.log('checkpoint', (await session.checkpoint()).version > 0);

// a view that is made shorter, a run without a new task, stopped; and the view begun anew
console.log('condense', await session.condense());
await reaches('idle');
await session.continue('Go on.');
await reaches('approval');
await session.resume();
await session.abort();
await reaches('idle');
await session.prompt('Once more.');
await reaches('question');
await session.abort();
await session.reset();

await session.shutdown();
console.log('end', (await session.result()).status);
// the worker has no destination of this name, so that nothing is sent
const [begun = ''] = await session.deliver({ to: 'nowhere' });
console.log('delivery', begun.startsWith('delivery:'), await session.delivered(result.runId, 1_000));
console.log(await client.session('another').other(session.sessionId).remove());
await client.settled();
await connection.close();
