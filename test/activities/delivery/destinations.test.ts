// Every kind of destination against a real receiver: an HTTP server, an SMTP server, a folder.
import { createHmac } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DeliveryError } from '../../../src/activities/delivery/delivery-error.ts';
import type { DestinationConfig } from '../../../src/activities/delivery/destination.schema.ts';
import { MappingError, openMapping } from '../../../src/activities/delivery/mapping.ts';
import { destinationsFor, secretOf, startReceiver, webhookSecret } from '../../support/receiver.ts';
import { endMessage, approvalMessage, withWords } from '../../support/sample-messages.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const never = new AbortController().signal;
const builtIn = (name: string): string =>
  resolve(import.meta.dirname, `../../../catalog/destinations/${name}.yaml`);

/** Sends `message` to the destination; `secrets` are values by name. */
async function send(
  destination: DestinationConfig,
  message = endMessage,
  secrets: Record<string, string> = {},
): Promise<void> {
  const destinations = await destinationsFor({ it: destination }, secrets);
  await destinations.get('it')?.(message, never);
}

const failureOf = (sending: Promise<void>): Promise<unknown> =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the webhook', () => {
  test('[DELIV-06a] has a signature over time and body, and the id of the message', async () => {
    const { url, received } = await startReceiver();
    await send({ webhook: { url: `${url}/hook`, secret: 'secret://webhook' } });
    const [request, ...more] = received;
    if (!request) throw new Error('a request was expected');
    const { headers, body } = request;
    expect(more).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'holdfast-delivery': endMessage.id });
    const [, seconds = '', digest] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['holdfast-signature'])) ?? [];
    expect(digest).toBe(createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex'));
    expect(JSON.parse(body)).toEqual(endMessage);
  });

  test('an id beyond ASCII is written with percent signs in its header', async () => {
    const { url, received } = await startReceiver();
    await send(
      { webhook: { url, secret: 'secret://webhook' } },
      { ...endMessage, id: 'delivery:zähler 1\r\nx: y:end' },
    );
    expect(received[0]?.headers['holdfast-delivery']).toBe('delivery:z%C3%A4hler%201%0D%0Ax:%20y:end');
  });

  test('[DELIV-08b] a redirect is not followed, to no host', async () => {
    const other = await startReceiver();
    const { url } = await startReceiver(() => ({ status: 302, headers: { location: other.url } }));
    const error = await failureOf(send({ webhook: { url, secret: 'secret://webhook' } }));
    expect(error).toMatchObject({
      isFinal: false,
      message: expect.stringContaining('a redirect, which is not followed'),
    });
    expect(other.received).toEqual([]);
  });

  test.each([
    [400, true],
    [401, true],
    [404, true],
    [410, true],
    [301, true],
    [308, true],
    [302, false],
    [300, false],
    [304, false],
    [408, false],
    [425, false],
    [429, false],
    [500, false],
    [503, false],
  ])('[DELIV-02c] an answer %i is final: %s', async (status, isFinal) => {
    const { url } = await startReceiver(() => ({ status, headers: { location: 'http://127.0.0.1:1/' } }));
    const error = await failureOf(send({ webhook: { url, secret: 'secret://webhook' } }));
    expect(error).toBeInstanceOf(DeliveryError);
    expect(error).toMatchObject({ isFinal, message: expect.stringContaining(`answered ${status}`) });
  });

  test('a receiver that is not there is named by its host, and tried again', async () => {
    const error = await failureOf(
      send({ webhook: { url: 'http://127.0.0.1:1', secret: 'secret://webhook' } }),
    );
    expect(error).toMatchObject({
      isFinal: false,
      message: expect.stringMatching(/^127\.0\.0\.1:1 cannot be reached: /),
    });
  });

  test('[DELIV-02b] Retry-After in seconds or as a date, at most a day', async () => {
    for (const [header, least, most] of [
      ['120', 120_000, 120_000],
      [new Date(Date.now() + 600_000).toUTCString(), 500_000, 600_000],
      ['9999999', 86_400_000, 86_400_000],
    ] as const) {
      const { url } = await startReceiver(() => ({ status: 503, headers: { 'retry-after': header } }));
      const error = await failureOf(send({ webhook: { url, secret: 'secret://webhook' } }));
      const { afterMs = 0 } = error instanceof DeliveryError ? error : {};
      expect(afterMs).toBeGreaterThanOrEqual(least);
      expect(afterMs).toBeLessThanOrEqual(most);
    }
  });
});

describe.each(['slack', 'mattermost', 'teams'] as const)('%s', (kind) => {
  test('[DELIV-07abc] [DELIV-04d] gets its form at the address that only a secret names', async () => {
    const { url, received } = await startReceiver();
    await send({ [kind]: { url: `secret://${kind}` } }, approvalMessage, { [kind]: `${url}/${kind}` });
    expect(received).toMatchObject([{ method: 'POST', path: `/${kind}` }]);
    expect(received[0]?.body).toContain('Waiting for approval: ');
    expect(received[0]?.body).toContain('holdfast approve checkout-is-slow-k3v9x call_3_1');
  });
});

describe('e-mail', () => {
  const mail = (port: number): DestinationConfig => ({
    email: {
      smtp: `smtp://ops:secret://smtp@127.0.0.1:${port}`,
      from: 'Holdfast <holdfast@example.com>',
      to: ['team@example.com', 'lead@example.com'],
    },
  });

  test('[DELIV-07d] has text and HTML, and one Message-ID for every attempt', async () => {
    // signs that mean something in an address
    const password = 'p@ss/wörd:1%';
    const { port, mails } = await startSmtpServer(password);
    for (let attempt = 0; attempt < 2; attempt++) await send(mail(port), endMessage, { smtp: password });
    expect(mails).toHaveLength(2);
    const [first, second] = mails;
    expect(first).toMatchObject({
      from: 'holdfast@example.com',
      to: ['team@example.com', 'lead@example.com'],
    });
    const idOf = (raw = ''): string => /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? '';
    expect(idOf(first?.raw)).toMatch(/^<[0-9a-f]{40}@holdfast>$/);
    expect(idOf(second?.raw)).toBe(idOf(first?.raw));
    expect(first?.raw).toMatch(/Subject: Cause found, NOT fixed \(change denied by kim\):\s+payments/);
    expect(first?.raw).toContain('Content-Type: text/plain');
    expect(first?.raw).toContain('Content-Type: text/html');
  });

  test('[DELIV-08a] hostile words make no header, no address and no element of HTML', async () => {
    const { port, mails } = await startSmtpServer('password-of-ops');
    const words =
      'x\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script><img src=http://evil.example/x>';
    await send(mail(port), withWords(endMessage, words), { smtp: 'password-of-ops' });
    const [{ to, raw } = { to: [], raw: '' }] = mails;
    expect(to).toEqual(['team@example.com', 'lead@example.com']);
    const [head = ''] = raw.split('\r\n\r\n', 1);
    expect(head).not.toMatch(/^Bcc:/im);
    const page = raw.slice(raw.indexOf('text/html')).replaceAll('=\r\n', '');
    expect(page).not.toMatch(/<(?:script|img)/);
    expect(page).toContain('&lt;script&gt;');
  });

  test('[DELIV-02c] a mail refused for good is not tried again, another is', async () => {
    let code = 550;
    const { port } = await startSmtpServer('password-of-ops', () => code);
    const sending = () => failureOf(send(mail(port), endMessage, { smtp: 'password-of-ops' }));
    expect(await sending()).toMatchObject({ isFinal: true, message: expect.stringContaining('550') });
    code = 451;
    expect(await sending()).toMatchObject({ isFinal: false, message: expect.stringContaining('451') });
    const dead = mail(1);
    expect(await failureOf(send(dead, endMessage, { smtp: 'password-of-ops' }))).toMatchObject({
      isFinal: false,
    });
  });

  // another address of the loopback is here only
  test.skipIf(process.platform !== 'linux')(
    '[DELIV-04d] a password is not sent in clear, except on the machine itself (skipped: not Linux)',
    async () => {
      const { port, mails, users } = await startSmtpServer('password-of-ops', undefined, '127.0.0.2');
      const smtp = `smtp://ops:secret://smtp@127.0.0.2:${port}`;
      const elsewhere = { email: { smtp, from: 'a@example.com', to: ['b@example.com'] } };
      const error = await failureOf(send(elsewhere, endMessage, { smtp: 'password-of-ops' }));
      expect(error).toMatchObject({ message: expect.stringMatching(/TLS/) });
      expect({ mails, users }).toEqual({ mails: [], users: [] });
    },
  );
});

describe('a folder', () => {
  test('[DELIV-07e] has one file a message, whole at every moment, for its owner only; the same message replaces its file', async () => {
    const folder = join(await temporaryFolder(), 'reports');
    await send({ file: { folder } });
    await send({ file: { folder } }, { ...endMessage, session: { ...endMessage.session, name: 'again' } });
    await send({ file: { folder } }, approvalMessage);
    const names = (await readdir(folder)).sort();
    expect(names).toEqual([
      expect.stringMatching(/^delivery-checkout-is-slow-k3v9x-run-1-3-call_3_1-[0-9a-f]{8}\.md$/),
      expect.stringMatching(/^delivery-checkout-is-slow-k3v9x-run-1-end-[0-9a-f]{8}\.md$/),
    ]);
    const file = join(folder, names[1] ?? '');
    expect(await readFile(file, 'utf8')).toContain('again (checkout');
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  test('[DELIV-07e] has JSON on wish, and an id cannot leave the folder', async () => {
    const folder = join(await temporaryFolder(), 'reports');
    const message = { ...endMessage, id: '../../../etc/passwd' };
    await send({ file: { folder, format: 'json' } }, message);
    const [name = '', ...more] = await readdir(folder);
    expect(more).toEqual([]);
    expect(name).toMatch(/^-etc-passwd-[0-9a-f]{8}\.json$/);
    expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toEqual(message);
  });
});

describe('mappings', () => {
  const labelled = {
    ...endMessage,
    session: { ...endMessage.session, labels: { pagerduty_incident: 'Q1/../x' } },
  };

  test('[DELIV-07f] jira makes an issue whose text is a block of code', async () => {
    const { url, received } = await startReceiver(() => ({ status: 201 }));
    const settings = { url, project: 'OPS', authorization: 'Basic secret://jira' };
    await send({ mapping: { file: builtIn('jira'), settings } });
    expect(received).toMatchObject([
      { method: 'POST', path: '/rest/api/3/issue', headers: { authorization: `Basic ${secretOf('jira')}` } },
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      fields: {
        project: { key: 'OPS' },
        issuetype: { name: 'Task' },
        summary:
          'Cause found, NOT fixed (change denied by kim): payments (configuration): pool size 2 instead of 20',
        description: {
          type: 'doc',
          content: [
            { type: 'codeBlock', content: [{ type: 'text', text: expect.stringContaining('Next steps:') }] },
          ],
        },
      },
    });
  });

  test('[DELIV-07f] servicenow makes an incident with a digest of the id of the message', async () => {
    const { url, received } = await startReceiver(() => ({ status: 201 }));
    const settings = { url, authorization: 'Bearer secret://now' };
    await send({ mapping: { file: builtIn('servicenow'), settings } });
    expect(received).toMatchObject([
      { path: '/api/now/table/incident', headers: { authorization: `Bearer ${secretOf('now')}` } },
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      correlation_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      description: expect.stringContaining('Next steps:'),
    });
  });

  test('[DELIV-07f] [DELIV-08c] pagerduty-note writes to the incident of a label, which stays one part of the path', async () => {
    const { url, received } = await startReceiver(() => ({ status: 201 }));
    const settings = { url, token: 'secret://pagerduty', from: 'holdfast@example.com' };
    const destination = { mapping: { file: builtIn('pagerduty-note'), settings } };
    await send(destination, labelled);
    expect(received).toMatchObject([
      {
        path: '/incidents/Q1%2F..%2Fx/notes',
        headers: { authorization: `Token token=${secretOf('pagerduty')}`, from: 'holdfast@example.com' },
      },
    ]);
    const error = await failureOf(send(destination));
    expect(error).toMatchObject({
      isFinal: true,
      message: expect.stringContaining('labels.pagerduty_incident'),
    });
  });

  test('[DELIV-08c] texts of a message stay texts: in JSON, and as references to secrets', async () => {
    const { url, received } = await startReceiver(() => ({ status: 201 }));
    const settings = { url, authorization: 'Bearer secret://now' };
    const words = '"},"correlation_id":"x" secret://now {{settings.authorization}}';
    await send({ mapping: { file: builtIn('servicenow'), settings } }, withWords(endMessage, words));
    const body = JSON.parse(received[0]?.body ?? '');
    expect(Object.keys(body).sort()).toEqual([
      'correlation_display',
      'correlation_id',
      'description',
      'short_description',
    ]);
    expect(body.correlation_id).toMatch(/^[0-9a-f]{40}$/);
    expect(body.description).toContain(words);
    expect(received[0]?.body).not.toContain(secretOf('now'));
  });

  async function mistakeIn(yaml: string, settings: Record<string, string> = {}): Promise<string> {
    const file = join(await temporaryFolder(), 'own.yaml');
    await writeFile(file, yaml);
    return openMapping(file, settings).then(
      () => '',
      (error: unknown) => (error instanceof MappingError ? error.message : String(error)),
    );
  }

  test.each([
    ['no YAML', 'a: [', 'is no YAML'],
    [
      'a field that is none',
      'description: x\nhttp: { method: GET, url: "https://x.example" }',
      'http.method',
    ],
    [
      'a name that is none',
      'description: x\nhttp: { method: POST, url: "https://x.example/{{nmae}}" }',
      '{{nmae}}',
    ],
    [
      'a text in a header',
      'description: x\nhttp: { method: POST, url: "https://x.example", headers: { a: "{{title}}" } }',
      'texts of a message stay out of headers',
    ],
    ['a host from a text', 'description: x\nhttp: { method: POST, url: "https://{{name}}/" }', 'HOST first'],
    [
      'a missing setting',
      'description: x\nsettings: { url: {} }\nhttp: { method: POST, url: "{{settings.url}}/x" }',
      'needs its setting url',
    ],
  ])('%s in a mapping is named with its file', async (_what, yaml, words) => {
    const mistake = await mistakeIn(yaml);
    expect(mistake).toContain(words);
    expect(mistake).toContain('own.yaml');
  });

  test('a setting that the mapping does not have is refused', async () => {
    const mistake = await mistakeIn('description: x\nhttp: { method: POST, url: "https://x.example" }', {
      a: 'b',
    });
    expect(mistake).toContain('has no setting a: expected one of none');
  });
});
