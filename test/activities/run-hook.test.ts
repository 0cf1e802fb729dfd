// The activity runHook by itself: what of a user's hook reaches history.
import { expect, test } from 'vitest';
import { defineHook } from '../../src/activities/hook-definition.ts';
import { createRedactor } from '../../src/activities/redaction.ts';
import { createRunHook } from '../../src/activities/run-hook.ts';
import { userMessage } from '../../src/core/messages.ts';
import { MemoryWorkflow, attempt, fakeProvider, say, sessionId, worker } from '../support/model-bench.ts';

test('[SAFE-04] [HOOK-04] a secret that a hook quotes in its throw is not in the failure', async () => {
  const secret = 'planted0123456789abcdef';
  const hook = defineHook({
    name: 'audit',
    runStart() {
      throw new Error(`the audit log refused ${secret}`);
    },
  });
  const workflow = new MemoryWorkflow();
  workflow.append(userMessage('Why is checkout slow?'));
  const { deps } = worker(workflow, fakeProvider(() => say('x')).provider);
  const runHook = createRunHook({
    hooks: new Map([['audit', hook]]),
    transcripts: deps.transcripts,
    redactor: createRedactor([secret]),
    query: workflow.query,
  });
  const { contextDigest, view } = workflow.input();
  const place = { sessionId, runId: 'run-1', turn: 1, contextDigest, view, point: 'runStart' as const };
  const failure: unknown = await attempt()
    .environment.run(runHook, { ...place, hook: 'audit', params: {}, input: {} })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    type: 'Hook.Failed',
    nonRetryable: true,
    message: 'the audit log refused [redacted:secret]',
  });
  expect(Object(failure).stack).not.toContain(secret);
});
