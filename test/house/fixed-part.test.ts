// What every request of the investigator begins with: words that are added here are paid for in every turn of every run.
import { expect, test } from 'vitest';
import { createBuiltInTools } from '../../src/activities/assembly/built-in-tools.ts';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';
import { measureFixedPart, measurePrompt } from '../../tools/bench/fixed-part.ts';

test('[PROMPT-14b] bounds of texts and lists are not sent: they are checked at the call', () => {
  const tools = createBuiltInTools({ roots: ['/'], httpAllow: ['localhost'] });
  const bound = /"(?:min|max)(?:Length|Items)"/;
  expect(JSON.stringify(tools.map(({ spec }) => spec.parameters))).toMatch(bound);
  expect(JSON.stringify(toDefinitions(tools.map(({ spec }) => spec)))).not.toMatch(bound);
  const report = tools.find(({ spec }) => spec.name === 'pin_finding');
  expect(() => report?.parse({ text: 'x'.repeat(8_193) })).toThrow('8192');
});

test('[PROMPT-14a] system prompt and tools of the investigator have at most 13,700 bytes, on every machine the same', async () => {
  const measured = await measureFixedPart();
  expect(measured.bytes).toBeLessThanOrEqual(13_700);
  expect(await measureFixedPart()).toEqual(measured);
  // all of it is there: no tool is missing
  expect(Object.keys(measured.tools)).toEqual(
    expect.arrayContaining([
      'bash',
      'delegate',
      'grep',
      'hypotheses',
      'http_get',
      'read',
      'read_artifact',
      'report',
      'update_plan',
    ]),
  );
  expect((await measurePrompt()).map(({ what }) => what)).toContain('bytes of tool report');
});
