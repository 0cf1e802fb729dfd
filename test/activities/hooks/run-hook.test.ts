// The activity runHook by itself: what of a user's hook reaches history.
import { expect, test } from 'vitest';
import { defineHook } from '../../../src/activities/hooks/hook-definition.ts';
import type { RegisteredHook } from '../../../src/activities/hooks/hook-definition.ts';
import { createRedactor } from '../../../src/activities/redaction/redaction.ts';
import { createRunHook } from '../../../src/activities/hooks/run-hook.ts';
import type { RunHookInput } from '../../../src/core/model/activity-contracts.ts';
import { userMessage } from '../../../src/core/model/messages.ts';
import { MemoryWorkflow, attempt, fakeProvider, say, sessionId, worker } from '../../support/model-bench.ts';

const secret = 'planted0123456789abcdef';

/** What the activity comes to, its failure included. */
async function runHookOf(hook: RegisteredHook, point: RunHookInput['point'], input = {}): Promise<unknown> {
  const workflow = new MemoryWorkflow();
  workflow.append(userMessage('Why is checkout slow?'));
  const { deps } = worker(workflow, fakeProvider(() => say('x')).provider);
  const runHook = createRunHook({
    hooks: new Map([[hook.name, hook]]),
    transcripts: deps.transcripts,
    redactor: createRedactor([secret]),
    query: workflow.query,
  });
  const { contextDigest, view } = workflow.input();
  const place = { sessionId, runId: 'run-1', turn: 1, contextDigest, view, point };
  return attempt()
    .environment.run(runHook, { ...place, hook: hook.name, params: {}, input })
    .catch((error: unknown) => error);
}

test('[SAFE-04a] [HOOK-04] a secret that a hook quotes in its throw is not in the failure', async () => {
  const hook = defineHook({
    name: 'audit',
    runStart() {
      throw new Error(`the audit log\u001b[2J refused ${secret}: ${'x'.repeat(10_000)}`);
    },
  });
  const failure = await runHookOf(hook, 'runStart');
  expect(failure).toMatchObject({
    type: 'Hook.Failed',
    nonRetryable: true,
    message: expect.stringMatching(/^the audit log refused \[redacted:secret\]: x+$/),
  });
  expect(Object(failure).message).toHaveLength(4_000);
  expect(Object(failure).stack).not.toContain(secret);
});

test('[SAFE-05] what a hook answers and keeps is redacted and made valid before history', async () => {
  const hook = defineHook({
    name: 'audit',
    afterToolCall(_input, { setState }) {
      setState({ seen: [secret], password: 'hunter2hunter2' });
      return { content: `key ${secret}\u0000\u001b[31m`, details: { at: 'postgres://app:hunter2@db/x' } };
    },
  });
  expect(await runHookOf(hook, 'afterToolCall')).toEqual({
    output: {
      content: 'key [redacted:secret]',
      details: { at: 'postgres://app:[redacted:url-password]@db/x' },
    },
    state: { seen: ['[redacted:secret]'], password: '[redacted:password]' },
  });
});

test('an answer that is no JSON fails the hook', async () => {
  const hook = defineHook({
    name: 'audit',
    afterToolCall: () => ({ details: JSON.parse('['.repeat(300) + ']'.repeat(300)) }),
  });
  expect(await runHookOf(hook, 'afterToolCall')).toMatchObject({
    type: 'Hook.Failed',
    message: expect.stringContaining('its answer is not JSON'),
  });
});
