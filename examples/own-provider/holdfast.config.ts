// A provider of your own: an object with a function `call`, named in `modelProviders`. The README shows how to run it.
import { z } from 'zod';
import { defineConfig, defineTool } from '../../src/config/define-config.ts';
import { createAcme } from './acme.ts';

const status = defineTool({
  name: 'service_status',
  description: 'Gives the status of the services.',
  input: z.strictObject({}),
  effect: 'read',
  run: () => ({ text: 'checkout is slow, payments is well' }),
});

export default defineConfig({
  model: 'acme.eu:small',
  modelProviders: { 'acme.eu': createAcme('http://127.0.0.1:7300') },
  models: { 'acme.eu:small': { prices: { input: 1, output: 4 }, contextWindow: 32_000 } },
  tools: [status],
  // an agent of this name replaces the built-in one, so a run needs no --agent
  agents: { investigator: { instructions: 'You look after a shop.', tools: ['service_status'] } },
});
