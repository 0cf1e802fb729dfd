// `openAgent` of `holdfast/core`: a session of functions that takes prompts and messages while it runs.
import { expect, test } from 'vitest';
import { overtaken } from '../../src/core/session/inbox.ts';
import { z } from 'zod';
import {
  type Message,
  type ModelRequest,
  type OpenAgent,
  type PlainAgent,
  openAgent,
} from '../../src/core.ts';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { ScriptedModel, callTool, say } from '../../src/testing.ts';

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' }, effect: 'read' as const };

type Steps = ConstructorParameters<typeof ScriptedModel>[0];

function open(
  steps: Steps,
  options: Partial<PlainAgent> = {},
  runTool: (args: object, agent: OpenAgent) => string = () => 'quiet',
  messages: Message[] = [],
) {
  const model = new ScriptedModel(steps);
  const agent: OpenAgent = openAgent({
    agent: { instructions: 'Watch.', tools: [look], ...options },
    messages,
    effects: {
      callModel: (request: ModelRequest, signal) => model.call(request, { signal }),
      runTool: ({ args }) => runTool(args, agent),
    },
  });
  return { agent, requests: model.requests };
}

const said = (request: Pick<ModelRequest, 'messages'> | undefined) =>
  request?.messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : []));
const results = (messages: OpenAgent['messages']) =>
  messages.flatMap((message) => (message.role === 'tool_result' ? [textOf(message)] : []));

test('[CORE-03a] it takes one prompt after the other over one log, and refuses a second one while a run is in progress', async () => {
  const { agent, requests } = open([say('One.'), say('Two.')]);
  const first = agent.prompt('First?');
  await expect(agent.prompt('At once?')).rejects.toThrow('RunInProgress: a run is in progress');
  expect(await first).toMatchObject({ status: 'completed', answer: 'One.' });
  expect(await agent.prompt('Second?')).toMatchObject({ answer: 'Two.' });
  expect(said(requests[1])).toEqual(['First?', 'Second?']);
  expect(await agent.close()).toMatchObject({ status: 'completed', undelivered: [] });
  await expect(agent.prompt('More?')).rejects.toThrow('SessionClosing');
});

test('[CORE-03b] a steering message is in the next request, a follow-up where the run would end', async () => {
  const { agent, requests } = open([callTool('look'), say('Nearly.'), say('All.')], {}, (_, own) => {
    own.followUp('And then?');
    own.steer('Not the payment pods.');
    return 'quiet';
  });
  expect(await agent.prompt('Well?')).toMatchObject({ status: 'completed', answer: 'All.' });
  expect(said(requests[1])).toEqual(['Well?', 'Not the payment pods.']);
  expect(said(requests[2])).toEqual(['Well?', 'Not the payment pods.', overtaken, 'And then?']);
  await agent.close();
});

test('[CORE-03c] after an abort, continue goes on with the same work', async () => {
  const { agent, requests } = open([callTool('look'), say('The pool.')], {}, (_, own) => {
    own.abort();
    return 'full';
  });
  expect(await agent.prompt('Well?')).toMatchObject({ status: 'aborted' });
  expect(await agent.continue('Go on.')).toMatchObject({ status: 'completed', answer: 'The pool.' });
  expect(said(requests[1])?.[0]).toBe('Well?');
  await expect(agent.continue()).rejects.toThrow('NothingToContinue');
  await agent.close();
});

test('[CORE-03d] messages from before are in the view, and continue answers the last one', async () => {
  const { agent, requests } = open([say('Yes.')], {}, undefined, [userMessage('Are you there?')]);
  expect(await agent.continue()).toMatchObject({ status: 'completed', answer: 'Yes.' });
  expect(said(requests[0])).toEqual(['Are you there?']);
  await agent.close();
  const later = open([say('Still.')], {}, undefined, [...agent.messages]);
  await later.agent.prompt('And now?');
  expect(said(later.requests[0])).toEqual(['Are you there?', 'And now?']);
  expect(later.agent.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  await later.agent.close();
});

test('[CORE-04a] hooks are functions at the points of the run: they block calls, change results and end runs', async () => {
  const ran: object[] = [];
  const hook: NonNullable<PlainAgent['hooks']>[number] = {
    name: 'guard',
    beforeToolCall: ({ args }) =>
      JSON.stringify(args).includes('prod') ? { block: true, reason: 'Not in production.' } : undefined,
    runEnd: ({ answer }) => (answer === 'Bad.' ? { retry: 'Say it better.' } : undefined),
  };
  const steps = [
    callTool('look', { at: 'prod' }),
    callTool('look', { at: 'test' }),
    say('Bad.'),
    say('Good.'),
  ];
  const { agent, requests } = open(steps, { hooks: [hook] }, (args) => `looked ${ran.push(args)}`);
  expect(await agent.prompt('Well?')).toMatchObject({ status: 'completed', answer: 'Good.' });
  expect(ran).toEqual([{ at: 'test' }]);
  expect(results(agent.messages)[0]).toContain('Not in production.');
  expect(said(requests[3])).toEqual(['Well?', 'Say it better.']);
  await agent.close();
});

test('[CORE-04b] a built-in hook that needs no worker is there by its name', async () => {
  const hooks = [{ name: 'outputGuardrail', params: { mustMatch: 'pool', message: 'Name the pool.' } }];
  const { agent } = open([say('Nothing.')], { hooks });
  expect(await agent.prompt('Well?')).toMatchObject({
    status: 'failed',
    error: { message: 'Name the pool.' },
  });
  await agent.close();
});

test('[CORE-05a] what parse returns is an object, or nothing runs', async () => {
  const tool = { ...look, parse: () => ['pool'] };
  const { agent } = open([callTool('look', {}), say('Done.')], { tools: [tool] }, () => 'looked');
  await agent.prompt('Well?');
  expect(results(agent.messages)).toEqual(['Invalid arguments: the parse of this tool returned no object']);
  await agent.close();
});

test('[CORE-05ab] arguments that run are those that parse returns; what it throws is the mistake that the model reads', async () => {
  const ran: object[] = [];
  const input = z.strictObject({ at: z.string(), lines: z.int().default(20) });
  const tool = { ...look, parse: input.parse.bind(input) };
  const steps = [callTool('look', { to: 'pool' }), callTool('look', { at: 'pool' }), say('Done.')];
  const { agent } = open(steps, { tools: [tool] }, (args) => `looked ${ran.push(args)}`);
  expect(await agent.prompt('Well?')).toMatchObject({ status: 'completed' });
  expect(ran).toEqual([{ at: 'pool', lines: 20 }]);
  const [mistake] = results(agent.messages);
  expect(mistake).toMatch(/^Invalid arguments: [^]*"at"/);
  await agent.close();
});
