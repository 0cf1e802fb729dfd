// What a call that waits shows of the reason for asking.
import { expect, test } from 'vitest';
import type { BatchCall } from '@holdfast/vocabulary/agent-state';
import { Approvals, approvalRequested } from '../../../src/core/session/approvals.ts';

test('[SAFE-11ab] the reason for asking has the escapes of the arguments, in the snapshot and in the event', () => {
  const reason = 'It changes p\u0430yments\u202e.';
  const entry = {
    call: { type: 'tool_call', callId: 'c', name: 'change', arguments: '{}' },
    started: false,
    prepared: {
      status: 'ready',
      callId: 'c',
      effect: 'once',
      decision: 'ask',
      reason,
      argsDigest: 'd',
      summary: 'change',
    },
  } satisfies BatchCall;
  const asked = new Approvals().ask(entry, { turn: 1, requestedAt: 0, deadline: 9 }, 10);
  if (!asked) throw new Error('it was expected to ask');
  const shown = String.raw`It changes p\u{430}yments\u{202E}.`;
  expect(asked.pending.reason).toBe(shown);
  expect(approvalRequested(asked.pending)).toMatchObject({ reason: shown });
});
