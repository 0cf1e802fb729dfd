// Messages other than text through a whole session: those of an application, and what a run tells of its way.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createClient, userMessage } from '../../src/client.ts';
import type { Connection } from '@temporalio/client';
import type { Message } from '../../src/core/model/messages.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

const ticket = { role: 'custom' as const, kind: 'ticket', data: { id: 'INC-7' } };

test('[MSG-04ac] custom messages in the start input and in a prompt reach log and result, and a projection that knows them', async () => {
  const model = functionModel(({ number }) => ({ text: `answer ${number}` }));
  const shown = (messages: Message[]) =>
    messages.map((message) =>
      message.role === 'custom' ? userMessage(`ticket ${JSON.stringify(message.data)}`) : message,
    );
  const bench = await createSessionBench({ model, projections: { convertToLlm: shown } });
  const handle = await bench.start({ prompt: [ticket, userMessage('Why?')], keepAlive: true });
  const { runId } = await bench.holdfast
    .session(handle.workflowId)
    .prompt([userMessage('And now?'), ticket])
    .catch(
      // the first run may not be over yet
      async () => {
        await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });
        return bench.holdfast.session(handle.workflowId).prompt([userMessage('And now?'), ticket]);
      },
    );
  const result = await bench.holdfast.session(handle.workflowId).result({ runId });
  expect(result.newMessages).toEqual({ fromSeq: 4, toSeq: 6 });
  expect(await bench.holdfast.session(handle.workflowId).snapshot()).toMatchObject({
    messageCount: 6,
    task: 'Why?',
  });
  await bench.holdfast.session(handle.workflowId).shutdown();
  await handle.result();
  const log = await bench.readLog(handle.workflowId);
  expect(log.map(({ role }) => role)).toEqual(['custom', 'user', 'assistant', 'user', 'custom', 'assistant']);
  const sent = model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'));
  expect(sent[0]).toMatchObject([{ content: [{ text: 'ticket {"id":"INC-7"}' }] }, userMessage('Why?')]);
  expect(sent[1]).toHaveLength(4);
});

test('[MSG-16d] over hand-overs a result holds the newest thoughts, and the log gives them all', async () => {
  const turns = 12;
  const model = functionModel(({ number }) =>
    number <= turns
      ? {
          // twelve of them are more than a result holds
          text: `${`Look ${number}. `.repeat(800)}.`,
          calls: [{ tool: 'echo', args: { text: `part ${number} `, times: 300 } }],
        }
      : { text: 'Found it.' },
  );
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: 'Why?', continueAsNewAfterTurns: 4 });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'completed', answer: 'Found it.' });
  const { thoughts } = result;
  expect(thoughts).toMatchObject({ truncated: true, toSeq: 26 });
  expect(thoughts.fromSeq).toBeGreaterThan(3);
  expect(thoughts.items.length).toBeGreaterThan(10);
  const all = await bench.holdfast.session(handle.workflowId).thoughts(result.newMessages);
  expect(all).toMatchObject({ truncated: false, fromSeq: 1, toSeq: 26 });
  expect(all.items).toHaveLength(2 * turns);
  expect(all.items.slice(0, 2)).toMatchObject([
    { stage: 'reasoning', text: expect.stringMatching(/^Look 1\. /), seq: 2 },
    { stage: 'tool_call', summary: expect.stringMatching(/^echo -> part 1 part 1 .*…$/), seq: 2 },
  ]);
  expect(all.items.slice(-thoughts.items.length)).toEqual(thoughts.items);
  expect(result.content).toMatch(/Look 12\. \.\n\nFound it\.$/);
});

test('[MSG-03ab] [MSG-12a] images in seed, prompt, steer and followUp reach the model as they were given, text first', async () => {
  const seen: string[][] = [];
  const model = functionModel(async ({ number, request, options }) => {
    const parts = request.messages.flatMap((message) => (message.role === 'user' ? message.content : []));
    seen.push(
      await Promise.all(
        parts.map(async (part) =>
          part.type === 'text' ? part.text : Buffer.from(await options.loadImage(part)).toString('latin1'),
        ),
      ),
    );
    return number === 1 ? { calls: [{ tool: 'echo', args: { text: 'a' } }] } : { text: `answer ${number}` };
  });
  const bench = await createSessionBench({ model, workerless: true });
  const { holdfast } = bench;
  const apart = createClient({
    connection: bench.client.connection as Connection,
    namespace: 'default',
    taskQueue: bench.taskQueue,
  });
  const id = `images-${bench.name}`;
  const bytes = (name: string) => Buffer.from(`bytes of ${name}`);
  const stored = (name: string) => holdfast.session(id).image(bytes(name), 'image/png');
  const inline = (name: string) => apart.session(id).image(bytes(name), 'image/jpeg');
  expect(await inline('x')).toMatchObject({ data: bytes('x').toString('base64') });
  expect(await stored('prompt')).toEqual({
    type: 'image',
    artifactId: expect.stringMatching(/^image-[0-9a-f]{32}$/),
    mediaType: 'image/png',
    sha256: createHash('sha256').update(bytes('prompt')).digest('hex'),
  });
  const input = {
    agent: 'tester',
    messages: [userMessage('seed', [await stored('seed')])],
    prompt: userMessage('prompt', [await stored('prompt'), await inline('second')]),
  };
  await holdfast.start(input, { sessionId: id });
  await holdfast.session(id).steer(userMessage('steer', [await inline('steer')]));
  await holdfast.session(id).followUp(userMessage('follow', [await stored('follow')]));
  await bench.addWorker();
  expect(await holdfast.session(id).result()).toMatchObject({ status: 'completed', answer: 'answer 3' });
  const all = ['seed', 'bytes of seed', 'prompt', 'bytes of prompt', 'bytes of second'];
  expect(seen.at(-1)).toEqual([...all, 'steer', 'bytes of steer', 'follow', 'bytes of follow']);
  expect(await holdfast.session(id).snapshot()).toMatchObject({ task: 'prompt' });
});
