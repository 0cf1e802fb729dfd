// A hook of your own: no service restarts while a change freeze lasts.
import { z } from 'zod';
import { defineConfig, defineHook, defineTool } from '../../src/config/define-config.ts';

const changeFreeze = defineHook({
  name: 'change-freeze',
  params: z.strictObject({ until: z.iso.date() }),
  beforeToolCall: ({ toolCall }, { params }) =>
    toolCall.name === 'restart' && Date.now() < Date.parse(params.until)
      ? { block: true, reason: `Change freeze until ${params.until}: nothing is restarted.` }
      : undefined,
});

const restart = defineTool({
  name: 'restart',
  description: 'Restarts a service.',
  input: z.strictObject({ service: z.string() }),
  effect: 'once',
  run: ({ service }) => ({ text: `${service} restarted` }),
});

const operator = { instructions: 'You run the shop.', tools: ['restart'] };

export default defineConfig({
  tools: [restart],
  hooks: [changeFreeze],
  agents: {
    operator: { ...operator, hooks: [{ name: 'change-freeze', params: { until: '2999-01-01' } }] },
    'operator-after-freeze': {
      ...operator,
      hooks: [{ name: 'change-freeze', params: { until: '2001-01-01' } }],
    },
  },
  policy: [{ tool: 'restart', decision: 'allow' }],
  script: 'script.yaml',
});
