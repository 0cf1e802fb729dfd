// Lines of real software, both ways: what is no secret stays, what is one goes. Prints both error rates; neither may have one.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRedactor } from '../src/redaction.ts';

const redactor = createRedactor([]);

/** The lines of a file of the corpus, without its headings. */
function linesOf(name: string): string[] {
  const text = readFileSync(new URL(`corpus/${name}.txt`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => (/^(?:##? |$)/.test(line) ? [] : [line.replaceAll('⏎', '\n')]));
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** The line without its signs, and what it has to become: any mark in place of each secret. */
function planted(line: string): { text: string; cleaned: RegExp; secrets: string[] } {
  const whole = line.replaceAll('·', '');
  const around = whole.split(/«[^»]*»/);
  return {
    text: whole.replaceAll(/[«»]/g, ''),
    cleaned: new RegExp(`^${around.map(escaped).join(String.raw`\[redacted:[a-z-]+(?:, \d+ lines)?\]`)}$`),
    secrets: Array.from(whole.matchAll(/«([^»]*)»/g), ([, secret = '']) => secret),
  };
}

const rate = (wrong: number, all: number): string =>
  `${wrong} of ${all} (${((100 * wrong) / all).toFixed(1)} %)`;

/** The fate of a line, for a message. */
const shown = (text: string): string => `${text}  =>  ${redactor.text(text)}`;

const stay = [...linesOf('stay'), ...linesOf('stay-forms')];
const go = [...linesOf('go'), ...linesOf('go-forms')].map(planted);

test('[SAFE-13deg] [SAFE-05] secrets go and evidence stays, over lines of real software, without an error either way', () => {
  const falsified = stay.filter((line) => redactor.text(line) !== line);
  const leaked = go.filter(({ text, secrets }) => {
    const left = redactor.text(text);
    return secrets.some((secret) => left.includes(secret));
  });
  const damaged = go.filter((line) => !leaked.includes(line) && !line.cleaned.test(redactor.text(line.text)));
  console.log(
    `falsified: ${rate(falsified.length, stay.length)}; leaked: ${rate(leaked.length, go.length)}; ` +
      `with changed neighbours: ${rate(damaged.length, go.length)}`,
  );
  expect(stay.length + go.length).toBeGreaterThanOrEqual(2_900);
  expect({
    falsified: falsified.map(shown),
    leaked: leaked.map(({ text }) => shown(text)),
    damaged: damaged.map(({ text }) => shown(text)),
  }).toEqual({ falsified: [], leaked: [], damaged: [] });
});

test('[SAFE-05] what was redacted comes through a second time, alone and among other lines', () => {
  const once = go.map(({ text }) => redactor.text(text));
  for (const line of once) expect(redactor.text(line)).toBe(line);
  const whole = [...stay, ...go.map(({ text }) => text)].join('\n\n');
  expect(redactor.text(whole)).toBe([...stay, ...once].join('\n\n'));
});

test('[SAFE-05] a value that the worker knows goes from every line that would stay', () => {
  const known = createRedactor(['expired7-known', 'enabled']);
  expect(known.text('token: expired7-known, PASSWORD: enabled')).toBe(
    'token: [redacted:secret], PASSWORD: [redacted:secret]',
  );
});

test('[SAFE-05] in JSON the whole value behind a name counts, also in a list', () => {
  const open = {
    password: 'YES',
    db_password: 'not set',
    api_key: '${API_KEY}',
    access_token: '/run/secrets/t',
  };
  const errors = { errors: { password: ['This field is required.', 'must be at least 8 characters'] } };
  expect(redactor.json({ ...open, ...errors })).toEqual({ ...open, ...errors });
  expect(redactor.json({ password: 'two words', client_secret: ['abc def'], user: 'ann' })).toEqual({
    password: '[redacted:password]',
    client_secret: ['[redacted:password]'],
    user: 'ann',
  });
});
