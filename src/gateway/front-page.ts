// The page at the root of the gateway, and the pages of the documentation that it leads to: public, the same for everybody,
// without a script. Runs in Node.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownVersion, packageFolder } from '../config/own-version.ts';
import { ifMissing } from '../core/base/has-code.ts';
import type { GatewayApp } from './operation.ts';

const style = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}';
const headers = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Holdfast gateway</title>
<style>${style}</style>
<h1>Holdfast gateway</h1>
<p>Version ${ownVersion()}. Programs start, follow and answer investigations here over HTTP, and senders of alerts begin them.</p>
<ul>
<li><a href="/v1/openapi.json">OpenAPI description</a>, for a token with the right <code>read</code> where the gateway has tokens
<li><a href="/docs/calling-http.md">How to call it</a>
<li><a href="/docs/gateway.md">Tokens, limits and refusals</a>
<li><a href="/docs/alerts.md">How to send alerts</a>
<li><a href="/healthz">Health</a>, <a href="/readyz">readiness</a>
</ul>
</html>
`;

export function registerFrontPage(app: GatewayApp): void {
  app.get('/', (c) => c.html(page, 200, headers));
  app.get('/docs/:page{[a-z-]+\\.md}', async (c, next) => {
    const text = await readFile(join(packageFolder(), 'docs', c.req.param('page'))).catch(
      ifMissing(undefined),
    );
    if (text === undefined) return next();
    return c.body(text, 200, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
  });
}
