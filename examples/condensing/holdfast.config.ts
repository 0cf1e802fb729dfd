// An agent whose window is small: its messages are folded three times before it reports.
import { z } from 'zod';
import { defineConfig, defineTool } from '../../src/config/define-config.ts';

const logs: Record<string, string> = {
  checkout: '14:02:31 ERROR pool timeout after 30 s: 2 of 2 connections in use',
  cache: '14:02:40 hit rate 97 %',
  deploys: '14:01:55 checkout v41: DB_POOL_SIZE 20 -> 2',
};

const readLog = defineTool({
  name: 'read_log',
  description: 'Reads the log of a service.',
  input: z.strictObject({ service: z.string() }),
  effect: 'read',
  run: async ({ service }) => ({ text: logs[service] ?? 'no such log' }),
});

export default defineConfig({
  tools: [readLog],
  agents: {
    patient: {
      instructions: 'You find out why a service is slow, and report it with quotes.',
      tools: ['read_log', 'report'],
      model: { contextWindow: 10_000 },
      condense: { keepLastN: 2, maxPerRun: 0 },
    },
  },
  script: 'script.yaml',
});
