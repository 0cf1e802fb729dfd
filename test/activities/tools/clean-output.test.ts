import { expect, test } from 'vitest';
import { cleanText } from '../../../src/activities/tools/clean-output.ts';
import { createRedactor } from '../../../src/activities/redaction/redaction.ts';

test('[SAFE-05] an output over 8 Mi characters is redacted, and holds no half of a secret at its end', () => {
  const limit = 8 * 1024 * 1024;
  const secret = 'planted-secret-value';
  const words = `at the start AKIAIOSFODNN7EXAMPLE\n`;
  const kept = `${words}${'x '.repeat(limit / 2)}`.slice(0, limit - 12);
  const text = cleanText(`${kept}${secret} and more`, createRedactor([secret]));
  expect(text.slice(0, 60)).toContain('[redacted:aws-key]');
  expect(text.slice(-200)).toContain(
    `x [redacted:secret]\n[The output had ${kept.length + secret.length + 9} characters;`,
  );
});
