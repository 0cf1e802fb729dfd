// http_get against real servers on loopback; names are resolved by a lookup of the test, never by DNS.
import { createServer, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createHttpGetTool,
  createHttpPostTool,
  nextUrl,
} from '../../../../src/activities/built-in/http/http-tools.ts';
import type { HttpOptions } from '../../../../src/activities/built-in/http/http-tools.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { headersFor, isReadingPost } from '../../../../src/activities/built-in/http/http-hosts.ts';
import { startHttpServer } from '../../../support/http-server.ts';
import type { TestServer } from '../../../support/http-server.ts';
import { toolBench } from '../../../support/tool-calls.ts';

const unused = '127.9.8.7';
const mayListen = await new Promise<boolean>((resolve) => {
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen(80, unused, () => probe.close(() => resolve(true)));
});

type Answer = { text: string; isError: boolean; details: unknown };

/** How long answers took, in their own words. To one figure: the next answer is likely to be equal. */
const took: string[] = [];
const tookTime = /, in (?:under 100|[1-9]0{2,4}) ms/;

async function get(url: string, options: HttpOptions): Promise<Answer> {
  const { message } = await (await toolBench(createHttpGetTool(options))).run({ url });
  took.push(tookTime.exec(textOf(message))?.[0] ?? 'not said');
  return { text: textOf(message).replace(tookTime, ''), isError: message.isError, details: message.details };
}

async function serve(
  write: (response: ServerResponse, path: string) => void,
): Promise<TestServer & { allow: string[] }> {
  const server = await startHttpServer((request, response) => write(response, request.url ?? ''));
  return { ...server, allow: [`127.0.0.1:${server.port}`] };
}

/** The same answer to every request. */
const serveOne = (status: number, headers: OutgoingHttpHeaders, body: string | Buffer = '') =>
  serve((response) => void response.writeHead(status, headers).end(body));

/** Every name leads to this address. */
function resolvesTo(address: string): LookupFunction {
  return (_name, options, callback) => {
    const family = address.includes(':') ? 6 : 4;
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

test('[TOOL-24] status, type, size, time taken and body', async () => {
  const server = await serve((response) => {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end('pool_in_use 20\nwört\n');
  });
  const answer = await get(`${server.url}/metrics?x=1`, server);
  expect(answer).toMatchObject({ isError: false, details: { status: 200, bytes: 21 } });
  expect(answer.text).toBe('[HTTP 200 OK, text/plain; charset=utf-8, 21 bytes]\npool_in_use 20\nwört\n');
  expect(took.at(-1)).toMatch(tookTime);
  expect(server.requests[0]?.url).toBe('/metrics?x=1');
});

test('an error status is an answer', async () => {
  const server = await serveOne(503, { 'content-type': 'application/json' }, '{"error":"pool exhausted"}');
  const answer = await get(server.url, server);
  expect(answer.isError).toBe(false);
  expect(answer.text).toBe(
    '[HTTP 503 Service Unavailable, application/json, 26 bytes]\n{"error":"pool exhausted"}',
  );
});

test('[FAULT-84] only GET, no cookies, no authorization, no kept connection', async () => {
  const server = await serve((response, path) => {
    if (path === '/') response.writeHead(302, { location: '/next', 'set-cookie': 'sid=abcdefgh' });
    response.end('ok');
  });
  await get(server.url, server);
  await get(server.url, server);
  expect(server.requests).toHaveLength(4);
  for (const request of server.requests) {
    expect(request.method).toBe('GET');
    expect(request.headers).toMatchObject({ 'user-agent': 'holdfast', connection: 'close' });
    expect(request.headers).not.toHaveProperty('cookie');
    expect(request.headers).not.toHaveProperty('authorization');
  }
});

describe('the allow-list', () => {
  test('[TOOL-31] names host and port; another port, host or scheme is refused before anything is sent', async () => {
    const server = await serve((response) => response.end('ok'));
    const other = await serve((response) => response.end('ok'));
    for (const url of [
      other.url,
      `http://localhost:${server.port}`,
      'http://127.0.0.1/',
      `https://127.0.0.1:${other.port}`,
    ]) {
      const answer = await get(url, server);
      expect(answer, url).toMatchObject({ isError: true, text: expect.stringContaining('not allowed') });
      expect(answer.text).toContain(`Allowed: 127.0.0.1:${server.port}`);
      expect(answer.text).toContain('without a port allows 80 and 443 only; another port is part of it');
    }
    expect(other.requests).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('localhost means loopback', async () => {
    const server = await serve((response) => response.end('ok'));
    const answer = await get(`http://localhost:${server.port}/`, {
      allow: [`localhost:${server.port}`],
      lookup: resolvesTo('127.0.0.1'),
    });
    expect(answer.text).toMatch(/\nok$/);
  });

  test('a host without a port means 80 and 443', async () => {
    const options = { allow: ['shop.example'], lookup: resolvesTo('10.0.0.1') };
    for (const url of ['http://shop.example', 'https://shop.example/', 'http://SHOP.example.:80/x']) {
      expect((await get(url, options)).text, url).toContain('private');
    }
    expect((await get('http://shop.example:8080', options)).text).toContain('not allowed');
  });

  test.each(['http://x', 'x/path', 'a b', '', '*.example', 'user@host', '10.0.0.0/99', 'host:99999', 'x?y'])(
    'an entry that cannot be read is a mistake at the start: %j',
    (entry) => {
      expect(() => createHttpGetTool({ allow: [entry] })).toThrow(/http\.allow has/);
    },
  );

  test.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'gopher://x',
    'not a url',
    'javascript:alert(1)',
    '//x',
    '',
  ])('%j is no URL for it', async (url) => {
    const bench = await toolBench(createHttpGetTool({ allow: ['127.0.0.1:80'] }));
    expect(await bench.text({ url })).toMatch(/^(Invalid arguments for http_get|Refused)/);
  });

  test('a URL with a password is refused', async () => {
    const server = await serve((response) => response.end('ok'));
    const answer = await get(`http://user:pass@127.0.0.1:${server.port}/`, server);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('user name or password') });
    expect(server.requests).toEqual([]);
  });
});

describe('addresses that are not meant', () => {
  // One listening server, so that a spelling that gets through would be answered.
  const literals = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '0',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '017700000001',
  ];

  test.each(literals)('[FAULT-84] a redirect to the literal %s is not followed', async (literal) => {
    const inside = await serve((response) => response.end('inside'));
    const server = await serve((response) => {
      response.writeHead(302, { location: `http://${literal}:${inside.port}/` });
      response.end();
    });
    const answer = await get(server.url, server);
    // a spelling of the server's own host fails by its port, any other is another host
    const isOwn = new URL(`http://${literal}/`).hostname === '127.0.0.1';
    const why = isOwn ? 'A redirect leads to a host and port that are not allowed' : 'was not followed';
    expect(answer).toMatchObject({ isError: isOwn, text: expect.stringContaining(why) });
    expect(inside.requests).toEqual([]);
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
    'fe80::1',
    '100.64.0.1',
  ])('an allowed name that resolves to %s is not reached', async (address) => {
    const server = await serve((response) => response.end('inside'));
    const answer = await get(`http://shop.example:${server.port}/`, {
      allow: [`shop.example:${server.port}`, `127.0.0.1:${server.port}`],
      lookup: resolvesTo(address),
    });
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining('private or reserved address'),
    });
    expect(server.requests).toEqual([]);
  });

  test('unless the operator names the range', async () => {
    const server = await serve((response) => response.end('inside'));
    const answer = await get(`http://shop.example:${server.port}/`, {
      allow: [`shop.example:${server.port}`, '127.0.0.0/8'],
      lookup: resolvesTo('127.0.0.1'),
    });
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('inside') });
  });

  test('a range opens no host', async () => {
    const server = await serve((response) => response.end('inside'));
    expect((await get(server.url, { allow: ['127.0.0.0/8'] })).text).toContain('not allowed');
    expect(server.requests).toEqual([]);
  });

  test('[FAULT-84] a name that turns private at the second hop is not reached', async () => {
    const addresses = ['127.0.0.1', '10.0.0.1'];
    const server = await serveOne(307, { location: '/second' });
    const answer = await get(`http://shop.example:${server.port}/first`, {
      allow: [`shop.example:${server.port}`, '127.0.0.0/8'],
      lookup: (name, options, callback) =>
        resolvesTo(addresses.shift() ?? '127.0.0.1')(name, options, callback),
    });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('private') });
    expect(addresses).toEqual([]);
    expect(server.requests.map((request) => request.url)).toEqual(['/first']);
  });
});

describe('redirects', () => {
  test('are followed within the allow-list, and the last address is named', async () => {
    const server = await serve((response, path) => {
      if (path === '/a') response.writeHead(301, { location: 'b?c=d' });
      response.end(`at ${path}`);
    });
    expect((await get(`${server.url}/a`, server)).text).toBe(
      `[HTTP 200 OK, no content type, 9 bytes, redirected to ${server.url}/b?c=d]\nat /b?c=d`,
    );
  });

  test('to another host are not followed, also where http.allow has it: the result names the address', async () => {
    const other = await serve((response) => response.end('other'));
    const location = `http://localhost:${other.port}/x?y=z`;
    const server = await serve((response) => response.writeHead(302, { location }).end('moved'));
    const allow = [...server.allow, `localhost:${other.port}`];
    expect(await get(server.url, { allow, lookup: resolvesTo('127.0.0.1') })).toMatchObject({
      isError: false,
      text: `[HTTP 302 Found, no content type, 0 bytes]\nThe redirect was not followed. Location: ${location}`,
    });
    expect(other.requests).toEqual([]);
  });

  test('[FAULT-84] do not lead from https to http', () => {
    const from = new URL('https://shop.example/a');
    expect(nextUrl({ location: '/b' }, from).href).toBe('https://shop.example/b');
    expect(() => nextUrl({ location: 'http://shop.example/b' }, from)).toThrow(/from https to http/);
    expect(nextUrl({ location: 'https://shop.example/b' }, new URL('http://shop.example/')).protocol).toBe(
      'https:',
    );
  });

  test('end after five', async () => {
    const server = await serveOne(302, { location: '/again' });
    expect((await get(server.url, server)).text).toBe('Refused: more than 5 redirects.');
    expect(server.requests).toHaveLength(6);
  });

  test.each(['ftp://x/', 'file:///etc/passwd', 'http://', 'http://u:p@127.0.0.1/', 'javascript:alert(1)'])(
    'to %s are refused',
    async (location) => {
      const server = await serveOne(302, { location });
      expect((await get(server.url, server)).text).toMatch(/^Refused: (A|a) redirect/);
    },
  );
});

describe('bodies', () => {
  const encodings: [string, (bytes: Buffer) => Buffer][] = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    // the best compression of a bomb takes seconds
    ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['identity', (bytes) => bytes],
  ];

  test.each(encodings)('%s is decoded', async (encoding, encode) => {
    const server = await serveOne(
      200,
      { 'content-encoding': encoding, 'content-type': 'text/html' },
      encode(Buffer.from('decoded text')),
    );
    expect((await get(server.url, server)).text).toMatch(/\ndecoded text$/);
  });

  test.each(encodings)('[FAULT-84] a bomb in %s ends at the size limit', async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(16 * 1024 * 1024, 'a'));
    const server = await serveOne(200, { 'content-encoding': encoding, 'content-type': 'text/plain' }, bomb);
    const answer = await get(server.url, server);
    expect(answer).toMatchObject({ isError: false, details: { bytes: 1024 * 1024 } });
    expect(answer.text).toContain('cut here: the body is longer');
  });

  test('[SAFE-05] half a secret at the size limit is not shown', async () => {
    const server = await serveOne(
      200,
      { 'content-type': 'text/plain' },
      `${'x'.repeat(50)} planted-secret-value`,
    );
    const tool = createHttpGetTool({ ...server, maxBytes: 65 });
    const bench = await toolBench(tool, { secrets: ['planted-secret-value'] });
    expect(await bench.text({ url: server.url })).toMatch(/x \[redacted:secret\]$/);
  });

  test('[FAULT-84] a body without end ends at the size limit', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const block = Buffer.alloc(65_536, 'b');
      const more = (): void => {
        while (response.write(block));
        response.once('drain', more);
      };
      more();
    });
    expect((await get(server.url, server)).details).toMatchObject({ bytes: 1024 * 1024 });
  });

  test('[FAULT-84] a body that trickles: what came in time, marked as not whole', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('first part');
    });
    const answer = await get(server.url, { ...server, timeoutMs: 1_000 });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/did not end in time: this is what came\]\nfirst part$/);
  });

  test('[FAULT-84] no headers in time', async () => {
    const server = await serve(() => undefined);
    expect(await get(server.url, { ...server, timeoutMs: 200 })).toMatchObject({
      text: 'No reply within 200 ms.',
      isError: true,
    });
  });

  test('a body that breaks off, and one that is not what it says', async () => {
    const cut = await serve((response) => {
      response.writeHead(200, { 'content-length': '100', 'content-type': 'text/plain' });
      response.write('half', () => response.destroy());
    });
    expect(await get(cut.url, cut)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/broke off.*\]\nhalf$/s),
    });
    const lie = await serveOne(
      200,
      { 'content-encoding': 'gzip', 'content-type': 'text/plain' },
      'not gzip at all',
    );
    expect(await get(lie.url, lie)).toMatchObject({ isError: true });
    const odd = await serveOne(200, { 'content-encoding': 'gzip, gzip', 'content-type': 'text/plain' }, 'x');
    expect(await get(odd.url, odd)).toMatchObject({ isError: true });
  });

  test('headers without end are refused', async () => {
    const server = await serve((response) => {
      response.setHeader('x-long', 'h'.repeat(60_000));
      response.end();
    });
    expect((await get(server.url, server)).text).toContain('larger than 32 KiB');
  });

  test.each([
    ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
    ['application/octet-stream', Buffer.from('text all the same')],
    ['text/plain', Buffer.from('a\u0000b')],
  ])('binary bodies are named, not shown: %s', async (type, body) => {
    const server = await serveOne(200, { 'content-type': type }, body);
    expect((await get(server.url, server)).text).toContain(`[binary data, ${body.length} bytes: not shown]`);
  });

  test('other charsets are read, broken text is mended', async () => {
    const server = await serve((response, path) => {
      response.writeHead(200, {
        'content-type': path === '/latin' ? 'text/plain; charset=iso-8859-1' : 'text/plain',
      });
      response.end(Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
    });
    expect((await get(`${server.url}/latin`, server)).text).toMatch(/\ngrün$/);
    expect((await get(`${server.url}/`, server)).text).toMatch(/\ngr\ufffdn$/);
  });
});

describe('a host that cannot be reached', () => {
  test('nothing listens', async () => {
    const closed = '127.0.0.1:1';
    expect((await get(`http://${closed}/`, { allow: [closed] })).text).toMatch(
      /could not be reached: connection refused/,
    );
  });

  test('no such name', async () => {
    const lookup: LookupFunction = (name, _options, callback) => {
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '', 4);
    };
    const answer = await get('http://gone.example/', { allow: ['gone.example'], lookup });
    expect(answer).toEqual({
      text: 'The host could not be reached: the name is not known to DNS.',
      isError: true,
      details: undefined,
    });
  });

  test('a reset', async () => {
    const server = await startHttpServer((request) => request.socket.resetAndDestroy());
    const answer = await get(server.url, { allow: [`127.0.0.1:${server.port}`] });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('reset') });
  });
});

test('a person’s stop reaches the request', async () => {
  let stop = (): void => undefined;
  let onClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  const server = await startHttpServer((request) => {
    request.socket.once('close', onClosed);
    stop();
  });
  const bench = await toolBench(createHttpGetTool({ allow: [`127.0.0.1:${server.port}`] }));
  stop = () => bench.environment.cancel();
  expect(await bench.run({ url: server.url })).toMatchObject({
    interrupted: true,
    message: { isError: true },
  });
  await closed;
});

describe('what the operator gives for one host', () => {
  const seen: string[] = [];
  async function api() {
    seen.length = 0;
    return startHttpServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        seen.push(
          `${request.method} ${request.url} ${request.headers['authorization'] ?? '-'} ${body}`.trim(),
        );
        if (request.url === '/away')
          return response.writeHead(302, { location: `http://${elsewhere}/x` }).end();
        return response.end('ok');
      });
    });
  }
  let elsewhere = '';
  const resolve = async (text: string) => text.replace('secret://key', 'value-1');

  test('its headers go to that host alone, also over a redirect', async () => {
    const [first, second] = [
      await api(),
      await startHttpServer((request, response) => {
        seen.push(`other ${request.headers['authorization'] ?? '-'}`);
        response.end('ok');
      }),
    ];
    elsewhere = `127.0.0.1:${second.port}`;
    const own = `127.0.0.1:${first.port}`;
    const tool = createHttpGetTool({
      allow: [own, elsewhere],
      hosts: { [own]: { headers: { authorization: 'Bearer secret://key' } } },
      resolve,
    });
    const bench = await toolBench(tool);
    expect(await bench.text({ url: `http://${own}/away` })).toContain('ok');
    expect(seen).toEqual(['GET /away Bearer value-1', 'other -']);
  });

  test('[TOOL-24] http_post reaches the named paths of that host only, and follows no redirect', async () => {
    const server = await api();
    const own = `127.0.0.1:${server.port}`;
    elsewhere = own;
    const tool = createHttpPostTool({
      allow: [own],
      hosts: {
        [own]: { headers: { authorization: 'secret://key' }, post: ['/_search', '/*/_search', '/away'] },
      },
      resolve,
    });
    expect(tool.spec).toMatchObject({
      effect: 'read',
      description: expect.stringContaining(`${own}/_search`),
    });
    const bench = await toolBench(tool);
    const post = (path: string) => bench.text({ url: `http://${own}${path}`, body: { query: 'x' } });
    const found = await post('/logs/_search?size=1');
    expect(found).toContain('ok');
    expect(found).toMatch(tookTime);
    for (const path of ['/logs/_delete_by_query', '/_search/../_bulk', '/_search%2f..', '/']) {
      expect(await post(path)).toMatch(/^Refused: POST is allowed to/);
    }
    expect(await post('/away')).toContain('HTTP 302');
    expect(seen).toEqual([
      'POST /logs/_search?size=1 value-1 {"query":"x"}',
      'POST /away value-1 {"query":"x"}',
    ]);
  });

  test.each([
    ['/*/_search', '/logs/_search', true],
    ['/logs-*/_search', '/logs-2026/_search', true],
    ['/*/_search', '/logs/_doc/_search', false],
    ['/*/_search', '/logs%2F_doc/_search', false],
    ['/*/_search', '/logs%5c_doc/_search', false],
    ['/*/_search', '/logs%252F_doc/_search', false],
    ['/*/_search', '//_search', false],
    ['/api/*', '/api/query', true],
    ['/api/*', '/api/query/delete', false],
    ['/api/*', '/api', false],
    ['*', '/api', false],
  ])('http_post: "*" of %s is within one segment of %s', (pattern, path, expected) => {
    const hosts = { 'es.test:9200': { post: [pattern] } };
    expect(isReadingPost(new URL(`http://es.test:9200${path}`), hosts)).toBe(expected);
  });

  // an entry without a port is for 80, and every address that a test may listen on is the machine itself
  test.skipIf(!mayListen)(
    `over http they stay here, and the answer says so${mayListen ? '' : ' (skipped: port 80 of 127.9.8.7 cannot be used)'}`,
    async () => {
      const received: (string | undefined)[] = [];
      const server = createServer((request, response) => {
        received.push(request.headers.authorization);
        response.end('ok');
      });
      await new Promise<void>((listening) => server.listen(80, unused, listening));
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      const answer = await get('http://graf.test/', {
        allow: ['graf.test', '127.0.0.0/8'],
        hosts: { 'graf.test': { headers: { authorization: 'Bearer secret://key' } } },
        resolve,
        lookup: resolvesTo(unused),
      });
      expect(answer.text).toMatch(/sent without the host's headers because they go over https only\]\nok$/);
      expect(received).toEqual([undefined]);
    },
  );

  test('headers of an entry without a port go over https only, except to loopback', () => {
    const headers = { authorization: 'secret://key' };
    const hosts = Object.fromEntries(
      ['graf.test', 'port.test:8080', 'http.test:80', 'localhost', '127.0.0.1', '[::1]'].map((entry) => [
        entry,
        { headers },
      ]),
    );
    const sent = (url: string) => headersFor(new URL(url), hosts);
    expect(sent('http://graf.test/')).toEqual({ headers: {}, withheld: true });
    for (const url of [
      'https://graf.test/',
      'http://port.test:8080/',
      'http://http.test/',
      'http://localhost/',
      'http://127.0.0.1/',
      'http://[::1]/',
    ]) {
      expect(sent(url), url).toEqual({ headers, withheld: false });
    }
    expect(sent('https://elsewhere.test/')).toEqual({ headers: {}, withheld: false });
    // the entry with a port is the one that is meant
    const both = { ...hosts, 'graf.test:80': { headers: { accept: 'text/plain' } } };
    expect(headersFor(new URL('http://graf.test/'), both).headers).toEqual({ accept: 'text/plain' });
  });

  test('the policy sees the host', async () => {
    const tool = createHttpGetTool({ allow: ['shop.internal'] });
    expect(await tool.inspect?.({ url: 'https://shop.internal:443/x' })).toEqual({
      actions: [{ effect: 'read', hosts: ['shop.internal'] }],
    });
  });
});
