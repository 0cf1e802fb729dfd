import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/activities/redaction.ts';

const secret = 'planted/secret+value 7&';
const redactor = createRedactor([secret, 'short', '']);

describe('known secrets', () => {
  test.each([
    ['as they are', secret],
    ['twice', `${secret}${secret}`],
    ['in JSON', JSON.stringify({ key: `a"${secret}"b` })],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
    ['as a form value', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 after one byte', Buffer.from(`u${secret}`).toString('base64')],
    ['in base64 after two bytes', Buffer.from(`us${secret}tail`).toString('base64')],
    ['in base64 as Basic authentication', Buffer.from(`user:${secret}`).toString('base64')],
    ['in base64url', Buffer.from(`us${secret}x`).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in XML', secret.replace('&', '&amp;')],
  ])('are taken out %s', (_name, text) => {
    const clean = redactor.text(`before ${text} after`);
    expect(clean).toContain('[redacted:');
    expect(clean).toMatch(/^before .* after$/);
    for (const known of ['planted', 'secret+', 'secret%2', 'value', Buffer.from('planted').toString('hex')]) {
      expect(clean).not.toContain(known);
    }
    // No six bytes of the secret are left in any alignment of base64.
    for (const piece of clean.split(/[^A-Za-z0-9+/_-]+/)) {
      expect(Buffer.from(piece, 'base64').toString('latin1')).not.toContain('planted');
    }
  });

  test('that are too short to be secrets stay words', () => {
    expect(redactor.text('a short text')).toBe('a short text');
  });
});

describe('common credentials', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N';
  test.each([
    ['AWS key', 'key AKIAIOSFODNN7EXAMPLE used', 'key [redacted:aws-key] used'],
    [
      'AWS secret',
      'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG',
      'aws_secret_access_key = [redacted:password]',
    ],
    ['GitHub token', `ghp_${'a1'.repeat(18)}`, '[redacted:github-token]'],
    ['GitLab token', `glpat-${'a1'.repeat(10)}`, '[redacted:gitlab-token]'],
    ['Slack token', 'xoxb-123456789012-abcdef', '[redacted:slack-token]'],
    ['model key', `sk-ant-api03-${'aB3'.repeat(10)}`, '[redacted:api-key]'],
    ['Google key', `AIza${'b'.repeat(35)}`, '[redacted:google-key]'],
    ['JWT', `got ${jwt}.`, 'got [redacted:jwt].'],
    ['bearer header', 'Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted:authorization]'],
    [
      'basic header in JSON',
      '{"authorization":"Basic dXNlcjpwYXNz"}',
      '{"authorization":"Basic [redacted:authorization]"}',
    ],
    [
      'password in a URL',
      'postgres://app:hunter2@db:5432/shop',
      'postgres://app:[redacted:url-password]@db:5432/shop',
    ],
    [
      'password in a command',
      'mysql --password=hunter2 -u app',
      'mysql --password=[redacted:password] -u app',
    ],
    ['password with blanks', 'DB_PASSWORD: "two words"', 'DB_PASSWORD: "[redacted:password]"'],
    [
      'password in escaped JSON',
      String.raw`{\"password\":\"hunter2\",`,
      String.raw`{\"password\":\"[redacted:password]\",`,
    ],
    [
      'private key',
      `x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\ny`,
      'x\n[redacted:private-key]\ny',
    ],
    ['private key that was cut', `x -----BEGIN PRIVATE KEY-----\nMIIE`, 'x [redacted:private-key]'],
    ['cookie', 'Set-Cookie: sid=abcdefgh; Path=/', 'Set-Cookie: [redacted:cookie]'],
  ])('%s', (_name, input, expected) => {
    expect(redactor.text(input)).toBe(expected);
    expect(redactor.text(expected), 'a second time').toBe(expected);
  });

  test.each([
    'max_tokens: 4096, tokens=123456789',
    'password: ${DB_PASSWORD}',
    'password required',
    'unexpected token: } in JSON',
    'GET http://shop:8080/cart?user=7@x',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    '2025-01-01T12:00:00Z pool exhausted: waiting 20 of 2',
    'the bearer of this token is authorised',
  ])('evidence stays: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  test.each([
    'eyJ',
    'password="',
    '-----BEGIN PRIVATE KEY-----',
    'http://',
    'authorization ',
    'a.-',
    'cookie:aaaaaaaa;',
    'sk-',
  ])('a megabyte of %j comes through', (piece) => {
    expect(redactor.text(piece.repeat(1_000_000 / piece.length)).length).toBeGreaterThan(0);
  });
});

test('JSON is cleaned in strings and keys, and a password is known by its key', () => {
  expect(
    redactor.json({ password: 'hunter2', n: 3, list: [secret, null], [secret]: true, pool: 'hunter2' }),
  ).toEqual({
    password: '[redacted:password]',
    n: 3,
    list: ['[redacted:secret]', null],
    '[redacted:secret]': true,
    pool: 'hunter2',
  });
});
