// What every request of the investigator begins with: words that are added here are paid for in every turn of every run.
import { expect, test } from 'vitest';
import { measureFixedPart, measurePrompt } from '../../bench/fixed-part.ts';

test('[PROMPT-14] system prompt and tools of the investigator have at most 12,600 bytes, on every machine the same', async () => {
  const measured = await measureFixedPart();
  expect(measured.bytes).toBeLessThanOrEqual(12_600);
  expect(await measureFixedPart()).toEqual(measured);
  // all of it is there: no tool is missing
  expect(Object.keys(measured.tools)).toEqual(
    expect.arrayContaining([
      'bash',
      'delegate',
      'grep',
      'http_get',
      'read',
      'read_artifact',
      'report',
      'update_plan',
    ]),
  );
  expect((await measurePrompt()).map(({ what }) => what)).toContain('bytes of tool report');
});
