// Which thinking level is asked for, given what a model supports.
import { expect, test } from 'vitest';
import { clampThinkingLevel } from '../src/vendor.ts';
import type { ThinkingLevel } from '@holdfast/vocabulary/model-call';

test.each<{ asked: ThinkingLevel; supported: ThinkingLevel[]; expected: ThinkingLevel }>([
  { asked: 'off', supported: ['low', 'high'], expected: 'off' },
  { asked: 'low', supported: ['low', 'high'], expected: 'low' },
  { asked: 'medium', supported: ['low', 'high'], expected: 'high' },
  { asked: 'minimal', supported: ['medium'], expected: 'medium' },
  { asked: 'high', supported: ['minimal', 'low'], expected: 'low' },
  { asked: 'xhigh', supported: ['low', 'medium', 'high'], expected: 'high' },
  { asked: 'xhigh', supported: ['xhigh'], expected: 'xhigh' },
  { asked: 'high', supported: ['minimal', 'xhigh'], expected: 'xhigh' },
  { asked: 'high', supported: [], expected: 'off' },
])('[LOOP-26] $asked of $supported is $expected', ({ asked, supported, expected }) => {
  expect(clampThinkingLevel(asked, supported)).toBe(expected);
});
