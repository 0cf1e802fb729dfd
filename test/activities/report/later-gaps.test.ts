// What went wrong after the report was handed in, in a run as users test it.
import { expect, test } from 'vitest';
import { callTool, say, testAgent } from '../../../src/testing.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

test('[REPORT-04] a call that fails after the report is a gap of it, too', async () => {
  const root = await temporaryFolder();
  const report = { summary: 'Nothing.', grade: 'inconclusive', claims: [] };
  const { report: markdown } = await testAgent({
    config: { files: { roots: [root] }, agents: { a: { instructions: 'Look.', tools: ['read', 'report'] } } },
    input: { agent: 'a' },
    prompt: 'Look.',
    script: [
      callTool('read', { path: 'before.log' }),
      callTool('report', report),
      callTool('read', { path: 'after.log' }),
      say('Done.'),
    ],
  });
  const gaps = markdown
    ?.match(/## Gaps\n\n([^#]*)/)?.[1]
    ?.trim()
    .split('\n');
  expect(gaps).toEqual([
    '- read before.log: There is no such file or folder. (found by Holdfast)',
    '- read after.log: There is no such file or folder. (found by Holdfast)',
  ]);
});
