// A config with a provider of its own. The server of this example is started with
//   node examples/own-provider/acme-server.ts
// and a run with
//   ACME_API_KEY=acme-key holdfast run --config examples/own-provider/holdfast.config.ts "How is checkout?"
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
  modelProviders: { 'acme.eu': createAcme('http://127.0.0.1:7300') },
  models: { 'acme.eu:small': { prices: { input: 1, output: 4 }, contextWindow: 32_000 } },
  tools: [status],
  agents: {
    host: { instructions: 'You look after a shop.', tools: ['service_status'], model: 'acme.eu:small' },
  },
});
