import { expect, test } from 'vitest';
import { cleanText } from '../src/clean-output.ts';
import { createRedactor } from '../src/redaction.ts';

test('[SAFE-05] of an output over 8 Mi characters beginning and end are left, redacted, without half a secret at the cut', () => {
  const half = 4 * 1024 * 1024;
  const secret = 'planted-secret-value';
  const filling = 'x '.repeat(half / 2);
  const head = `AKIAIOSFODNN7EXAMPLE\n${filling}`.slice(0, half - 12);
  const tail = `${filling} AKIAIOSFODNN7EXAMPLE`.slice(-(half - 12));
  const text = cleanText(`${head}${secret} cut ${secret}${tail}`, createRedactor([secret]));
  expect(text).toMatch(/^\[redacted:aws-key\]\n/);
  expect(text).toMatch(/ \[redacted:aws-key\]$/);
  expect(text).not.toMatch(/planted|value/);
  const whole = head.length + tail.length + 2 * secret.length + 5;
  const left = whole - 2 * half + 'ret-value'.length + 3;
  expect(text).toContain(`[redacted:secret]\n[... ${left} of ${whole} characters are left out here ...]\n`);
});
