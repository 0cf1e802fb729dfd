// What a person is shown of a call: secrets masked wherever they are, nothing that a shell runs hidden, the gravest part named.
import { expect, test } from 'vitest';
import { maskedArgs, shownFacts } from '../../../src/activities/model/shown-call.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import type { CallAction } from '@holdfast/vocabulary/tool-spec';

const redactor = createRedactor(['planted-secret-1']);
const masked = (command: string) => maskedArgs({ command }, redactor).maskedArgs;

test('[SAFE-12a] a secret in the arguments of a question is masked: one that the worker knows, and one that looks like one', () => {
  expect(masked('curl -H "X-Key: planted-secret-1" http://db1/')).toBe(
    String.raw`{"command":"curl -H \"X-Key: [redacted:secret]\" http://db1/"}`,
  );
  expect(masked('mysql --password=hunter2 -e "drop table orders"')).toBe(
    String.raw`{"command":"mysql --password=[redacted:password] -e \"drop table orders\""}`,
  );
  expect(masked('systemctl restart shop')).toBeUndefined();
});

test.each(['psql --password=x$(rm -rf /srv)', 'echo --password="a`reboot`"', 'mysql --password=abc|reboot'])(
  '[SAFE-12c] what a shell would run is never behind a mask: %s',
  (command) => {
    expect(masked(command) ?? command).toMatch(/rm -rf|reboot/);
  },
);

test('[MODE-19a] of several parts those that change something are named, the gravest first, and counted', () => {
  const changes = (actions: CallAction[]) => shownFacts({ actions }, true, redactor).changes;
  const echo: CallAction = { effect: 'read', command: 'echo start' };
  const touch: CallAction = { effect: 'once', command: 'touch /tmp/a', paths: ['/tmp/a'] };
  const wide: CallAction = { effect: 'once', command: "rm -rf '/srv/x\u202etxt.gpj'" };
  expect(changes([echo, touch, wide])).toBe(String.raw`rm -rf '/srv/x\u{202E}txt.gpj'; touch /tmp/a`);
  expect(changes([echo, touch, { ...touch, decision: 'ask', command: 'kill 1' }])).toBe(
    'kill 1; touch /tmp/a',
  );
  expect(changes([wide, touch, touch, touch, touch])).toMatch(/^rm -rf .*; and 2 more$/);
  expect(changes([echo, echo])).toBeUndefined();
  expect(changes([wide])).toBeUndefined();
});

test('[SAFE-11a] a preview shows every character of what runs, and only its secrets are taken out', () => {
  const preview = "rm '/srv/x\u202etxt.gpj' \u001b[2K --password=hunter2";
  expect(shownFacts({ preview }, true, redactor).preview).toBe(
    String.raw`rm '/srv/x\u{202E}txt.gpj' \u{1B}[2K --password=[redacted:password]`,
  );
});
