// More output in one reply than the window holds, with the activities that ship: what the provider gets, and where the rest is.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createReadArtifactTool } from '../../src/activities/built-in/files/read-artifact.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { estimateTokens } from '@holdfast/view/estimate';
import { runTeam } from '../support/team.ts';

const logOf = (service: number) =>
  Array.from(
    { length: 400 },
    (_, n) => `03:00:07Z service-${service} ERROR pool is used up, ${n} connections wait, retry\n`,
  )
    .join('')
    .concat('x'.repeat(40_000))
    .slice(0, 32_000);

const readLog = defineTool({
  name: 'read_log',
  description: 'Reads a log.',
  input: z.strictObject({ service: z.number() }),
  effect: 'read',
  run: async ({ service }) => ({ text: logOf(service) }),
});

test('[COND-24ac] [FAULT-105] 18 outputs of 32,000 characters in a window of 128,000 tokens: cut alike, the rest by read_artifact', async () => {
  const services = Array.from({ length: 18 }, (_, index) => index + 1);
  const team = await runTeam({
    tools: [readLog, createReadArtifactTool()],
    says: {
      tester: ({ number }) => {
        if (number === 1)
          return { calls: services.map((service) => ({ tool: 'read_log', args: { service } })) };
        if (number === 2)
          return {
            calls: [
              { tool: 'read_artifact', args: { artifactId: 'tool-call_1_7', search: '399 connections' } },
            ],
          };
        return { text: 'The pools are used up.' };
      },
    },
  });
  expect(team.ended).toMatchObject({ status: 'completed', answer: 'The pools are used up.' });
  const [, second, third] = team.model.requests;
  const results = second?.messages.filter(({ role }) => role === 'tool_result') ?? [];
  expect(results).toHaveLength(18);
  expect(estimateTokens(second?.messages ?? [])).toBeLessThan(128_000 * 0.7);
  for (const result of results)
    expect(textOf(result)).toMatch(/of 32000 characters left out here\. The full output is artifact/);
  // what was left out is there, and what was sent is sent again
  expect(textOf(third?.messages.at(-1) ?? results[0]!)).toContain(
    'service-7 ERROR pool is used up, 399 connections wait',
  );
  expect(JSON.stringify(third?.messages.slice(0, second?.messages.length))).toBe(
    JSON.stringify(second?.messages),
  );
});
