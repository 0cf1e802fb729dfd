// Runs an agent in this process: no Temporal, no config, no key. The model and the tool are functions.
//
//   npx node without-temporal.ts
// 'holdfast/core' in a project of your own
import { type ModelRequest, estimateTokens, openAgent, planCondense } from '../../src/core.ts';

const logs: Record<string, string> = {
  checkout: '14:04 pool timeout after 512 ms, 2 of 2 connections in use',
  deploys: '13:58 checkout v41: DB_POOL_SIZE 20 -> 2',
};

/** Replies of a model, one a turn. With a real one: send the request, and return its reply in this form. */
const replies = [
  { tool: 'read_log', args: { service: 'checkout' } },
  { tool: 'read_log', args: { service: 'deploys' } },
  { text: 'checkout v41 made the pool of connections too small.' },
  { text: 'The team of checkout: they set DB_POOL_SIZE.' },
];

async function callModel({ model, messages, metadata }: ModelRequest) {
  const { text, tool, args } = replies[metadata.turn - 1] ?? { text: 'I have nothing to add.' };
  return {
    message: {
      role: 'assistant' as const,
      content:
        tool === undefined
          ? [{ type: 'text' as const, text: text ?? '' }]
          : [
              {
                type: 'tool_call' as const,
                callId: `call-${metadata.turn}`,
                name: tool,
                arguments: JSON.stringify(args),
              },
            ],
      model,
      usage: { input: estimateTokens(messages), cacheRead: 0, cacheWrite: 0, output: 10 },
      stopReason: tool === undefined ? ('stop' as const) : ('tool_use' as const),
    },
  };
}

function toService({ service }: Record<string, unknown>) {
  if (typeof service !== 'string') throw new Error('service: expected the name of a service');
  return { service };
}

const agent = {
  name: 'night-watch',
  instructions: 'Find out why the shop is slow.',
  loop: { maxTurns: 5 },
  condense: { keepLastN: 2 },
  tools: [
    {
      name: 'read_log',
      description: 'The newest lines of the log of a service.',
      parameters: { type: 'object', properties: { service: { type: 'string' } }, required: ['service'] },
      effect: 'read' as const,
      parse: toService,
    },
  ],
  hooks: [
    {
      name: 'no-secrets',
      beforeToolCall: ({ args }: { args: unknown }) =>
        JSON.stringify(args).includes('vault') ? { block: true, reason: 'Its log has secrets.' } : undefined,
    },
  ],
};

const session = openAgent({
  agent,
  effects: {
    callModel,
    runTool({ args: { service } }) {
      const log = typeof service === 'string' ? logs[service] : undefined;
      if (log === undefined) throw new Error(`No such service: expected ${Object.keys(logs).join(' or ')}.`);
      return log;
    },
    happened(event) {
      if (event.type === 'tool_execution_end') console.log(`turn ${event.turn}: ${event.tool}`);
    },
  },
});

const run = session.prompt('Why is checkout slow?');
// while it runs: read before its next request, and where it would end
session.steer('The shop was fine until 13:50.');
session.followUp('Who should fix it?');
const { status, turns, answer } = await run;
console.log(`${status} after ${turns} turns: ${answer}`);
const { messages } = session;
await session.close();
const { due, fold } = planCondense(messages, agent);
console.log(`${messages.length} messages, about ${estimateTokens(messages)} tokens`);
console.log(`a condense is ${due ? 'due' : 'not due'}; it would fold ${fold} messages`);
