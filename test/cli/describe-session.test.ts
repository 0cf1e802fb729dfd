// A session's state for people.
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { describeSnapshot } from '../../src/cli/render/describe-session.ts';
import { inTurn, says } from '../support/memory-model.ts';
import { memorySession } from '../support/memory-session.ts';

test('[STATE-03] the modes of a run are shown, and left out before the first run', async () => {
  const settings = { mode: 'act', dryRun: true, offTheRecord: true } as const;
  const session = memorySession({ model: inTurn(says('ok')), settings });
  const shown = () => describeSnapshot(session.snapshot, pc.createColors(false), 0);
  expect(shown()).not.toContain('mode');
  await session.ask('go');
  expect(shown()).toContain('\nmode     act, dry run, off the record\n');
});
