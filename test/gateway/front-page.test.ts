// The page at the root: public, without a script, and with links that lead somewhere.
import { expect, test } from 'vitest';
import { ownVersion } from '../../src/config/own-version.ts';
import { bearer, startTestGateway, tokens, withTokens } from '../support/gateway.ts';

test('[GATE-12a] it needs no token, has the version, and all of its links are there', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  const { status, text, headers } = await ask('/');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  expect(text).toContain(`Version ${ownVersion()}.`);
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toEqual(
    expect.arrayContaining(['/v1/openapi.json', '/docs/calling-http.md', '/healthz', '/readyz']),
  );
  for (const link of links) {
    const answer = await ask(link, { headers: link.startsWith('/v1/') ? bearer('reader') : {} });
    // the server is away
    expect([link, answer.status]).toEqual([link, link === '/readyz' ? 503 : 200]);
  }
});

test('[GATE-12b] its policy allows no script, request or frame, and it has no secret and nothing of the config', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  const { text, headers } = await ask('/');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^' ]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).not.toMatch(/<script|onload=|https?:/);
  const bare = await startTestGateway();
  expect((await bare.ask('/')).text).toBe(text);
  for (const word of [...Object.values(tokens), ...Object.keys(tokens)]) expect(text).not.toContain(word);
});

test('[GATE-12c] pages of the documentation are plain text, and no other file is given', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  const page = await ask('/docs/gateway.md');
  expect(page.text).toMatch(/^# The gateway\n/);
  expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const others = [
    'none.md',
    'reference/config.md',
    '../package.json',
    '%2e%2e/CHANGELOG.md',
    '..%2fCHANGELOG.md',
    'gateway.md%00',
    'features',
  ];
  for (const path of others) {
    const { status } = await ask(`/docs/${path}`, { headers: bearer('reader') });
    expect([path, status]).toEqual([path, 404]);
  }
});
