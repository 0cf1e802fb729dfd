// What the Temporal UI shows of a call that waits: nothing to paste below a cut, and what changes something before the rest.
import { expect, test } from 'vitest';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';
import { allowanceLines, approvalLines } from '../../../src/workflows/session/details.ts';

// oxfmt-ignore
const pending: PendingApproval = {
  id: 'c', tool: 'bash', args: '{"command":"kubectl get pods"}', argsDigest: 'd', effect: 'once',
  summary: 'bash kubectl get pods', turn: 1, requestedAt: 0, deadline: 60_000, rememberable: [],
};
const detailsOf = (call: Partial<PendingApproval>): string =>
  approvalLines([{ ...pending, ...call }], 'shop-is-slow').join('\n');

test('[MODE-20a] what is seen whole can be approved from the UI', () => {
  expect(detailsOf({})).toContain('`{"question": "c@d", "answer": "approve", "by": "your name"}`');
});

test.each([
  ['too long for the panel', { args: `{"command":"echo ${'x'.repeat(600)}; rm -rf /srv"}` }],
  [
    'cut on its way from a subagent',
    { isCut: true as const, child: { name: 'fixer', sessionId: 'fixer-1' } },
  ],
])('[MODE-20ab] a call that is %s cannot be approved from there, and says where it can', (_name, call) => {
  const details = detailsOf(call);
  expect(details).not.toContain('"question"');
  expect(details).not.toContain('Send an Update');
  const session = 'child' in call ? 'fixer-1' : 'shop-is-slow';
  expect(details).toContain(`\`holdfast approvals ${session} --whole\``);
});

test('[MODE-20a] how to approve is told with the first call that can be', () => {
  const long = { ...pending, id: 'long', args: `"${'x'.repeat(700)}"` };
  const details = approvalLines([long, pending, { ...pending, id: 'e' }], 's').join('\n');
  expect(details.match(/More Actions/g)).toHaveLength(1);
  expect(details.indexOf('More Actions')).toBeGreaterThan(details.indexOf('Too long'));
  expect(details.match(/"answer": "approve"/g)).toHaveLength(2);
});

test('[MODE-19a] the part that changes most is named before the call', () => {
  const args = `{"command":"echo ${'x'.repeat(600)}; rm -rf /srv"}`;
  expect(detailsOf({ args, changes: 'rm -rf /srv' })).toMatch(
    /^- Changes `rm -rf \/srv`\. Run `bash kubectl/,
  );
});

test('[SAFE-11a] what does not show in an id is an escape of JSON in what is pasted', () => {
  expect(detailsOf({ id: 'c\u202e' })).toContain(String.raw`{"question": "c\u202e@d", "answer": "approve"`);
});

test('[MODE-09g] what is allowed for the session says by whom, and how it is taken back', () => {
  const held = { scope: 'call' as const, tool: 'shell', summary: 'shell restart', by: 'kim', at: 0 };
  const ids = Array.from({ length: 6 }, (_, index) => `allowance-${index + 1}`);
  const lines = allowanceLines(ids.map((id) => ({ ...held, id })));
  expect(lines).toHaveLength(6);
  expect(lines[4]).toBe(
    '- allowed for the session by kim: `shell restart` (allowance-6; update `forgetAllowance` takes it back)',
  );
  expect(lines[5]).toBe('- and 1 older ones');
});
