import { expect, test } from 'vitest';
import { findMarks, redactionMarks } from '../src/redaction-marks.ts';

const text =
  'DB_PASSWORD=[redacted:password]\n"[redacted:aws-key]" [redacted:password] [REDACTED] [redacted: all]';

test('[SAFE-05] the marks of a text are found, and the kinds of what was taken out, each once', () => {
  expect(findMarks(text)).toEqual(['[redacted:password]', '[redacted:aws-key]', '[redacted:password]']);
  expect(redactionMarks(text)).toEqual(['password', 'aws-key']);
  expect(redactionMarks('nothing')).toEqual([]);
});
