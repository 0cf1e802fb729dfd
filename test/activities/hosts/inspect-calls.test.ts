// What a host says of calls before they run, as far as a person may be shown it.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createInspectCalls } from '../../../src/activities/hosts/inspect-calls.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';
import type { FrozenTiers } from '@holdfast/vocabulary/frozen-context';
import type { PolicyDecision } from '@holdfast/vocabulary/tool-spec';
import { frozenContext } from '../../support/frozen-context.ts';

const restart = defineTool({
  name: 'restart',
  description: 'Restarts.',
  input: z.strictObject({}),
  effect: 'once',
  inspect: () => ({ actions: [{ effect: 'once' }], preview: 'restart shop' }),
  run: () => ({ text: 'restarted' }),
});

async function previewWith(decision: PolicyDecision, tiers?: FrozenTiers): Promise<string | undefined> {
  const context = { ...frozenContext(), ...(tiers ? { tiers } : {}) };
  const inspectCalls = createInspectCalls({
    host: 'web-1',
    tools: new Map([['restart', restart]]),
    redactor: createRedactor([]),
    policy: [{ tool: 'restart', decision }],
    contexts: { find: () => Promise.resolve(context) },
  });
  const { verdicts } = await inspectCalls({
    sessionId: 's',
    runId: 'r',
    turn: 1,
    contextDigest: context.digest,
    host: 'web-1',
    tags: [],
    calls: [{ callId: 'a', tool: 'restart', args: {} }],
  });
  expect(verdicts).toMatchObject([{ decision }]);
  return verdicts[0]?.preview;
}

test('the preview is there where a person may be asked: by a rule, or later by a tier', async () => {
  const tiers: FrozenTiers = { tiers: ['classifier'], calls: 'changes' };
  expect(await previewWith('ask')).toBe('restart shop');
  expect(await previewWith('allow')).toBeUndefined();
  expect(await previewWith('allow', tiers)).toBe('restart shop');
  expect(await previewWith('deny', tiers)).toBeUndefined();
});
