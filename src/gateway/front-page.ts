// The page at the root of the gateway, and the pages of the documentation that it leads to: public, the same for everybody,
// without a script. Runs in Node.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownVersion, packageFolder } from '../config/own-version.ts';
import { ifMissing } from '../core/base/has-code.ts';
import type { GatewayApp } from './operation.ts';

export function registerFrontPage(app: GatewayApp): void {
  const page = readFileSync(join(packageFolder(), 'templates/gateway.html'), 'utf8');
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  const headers = {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
  app.get('/', (c) => c.html(page.replace('{{version}}', ownVersion()), 200, headers));
  app.get('/docs/:page{[a-z-]+\\.md}', async (c, next) => {
    const file = join(packageFolder(), 'docs', c.req.param('page'));
    const text = await readFile(file).catch(ifMissing(undefined));
    if (text === undefined) return next();
    return c.body(text, 200, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
  });
}
