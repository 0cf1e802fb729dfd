// An agent with a planner: `plan.strategy` has a plan made before the first turn, and the agent carries it out.
import { z } from 'zod';
import { defineConfig, defineTool } from '../../src/config/define-config.ts';

const poolSize = defineTool({
  name: 'pool_size',
  description: 'Shows how many connections the pool of a service has, and how many are in use.',
  input: z.strictObject({ service: z.string() }),
  effect: 'read',
  run: async ({ service }) => ({ text: `${service}: 2 connections, 2 in use, 41 requests wait` }),
});

export default defineConfig({
  tools: [poolSize],
  agents: {
    methodical: {
      instructions: 'You find out why a service is slow. You carry out your plan step by step.',
      tools: ['pool_size'],
      plan: { strategy: 'plan_and_solve' },
    },
  },
  script: 'script.yaml',
});
