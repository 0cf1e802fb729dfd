// A message counts as delivered only where its receiver has it: answers that take a success back, addresses that a mail
// server refuses, certificates of relays, and mappings that name the status of their API.
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DestinationConfig } from '../../../src/activities/delivery/destination.schema.ts';
import { destinationSchema } from '../../../src/activities/delivery/destination.schema.ts';
import { selfSigned } from '../../support/certificate.ts';
import { type Answer, destinationsFor, secretOf, startReceiver } from '../../support/receiver.ts';
import { approvalMessage, endMessage, sampleMessages, withWords } from '../../support/sample-messages.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const never = new AbortController().signal;
const builtIn = (name: string): string =>
  resolve(import.meta.dirname, `../../../catalog/destinations/${name}.yaml`);
const rejection = (sending: Promise<void> | undefined): Promise<unknown> =>
  Promise.resolve(sending).then(
    () => undefined,
    (error: unknown) => error,
  );

/** One destination, which lives as long as that of a worker. */
async function opened(destination: DestinationConfig, secrets: Record<string, string> = {}) {
  const destinations = await destinationsFor({ it: destination }, secrets);
  return (message = endMessage) => rejection(destinations.get('it')?.(message, never));
}

const html = '<!DOCTYPE html><html><body>Sign in</body></html>';
const teams413 =
  'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId tcid=0.';

describe('an answer', () => {
  test.each<[string, Answer, boolean]>([
    ['of Teams with an error in words', { status: 200, body: teams413 }, true],
    ['of Teams that is busy', { status: 200, body: teams413.replace('413', '429') }, false],
    ['with ok: false', { status: 200, body: '{"ok":false,"error":"channel_not_found"}' }, false],
    ['with success: false', { status: 200, body: '{"success":false}' }, false],
    ['with an error', { status: 201, body: '{"status":"error","message":"no"}' }, false],
    ['of DingTalk', { status: 200, body: '{"errcode":310000,"errmsg":"keywords not in content"}' }, false],
    ['that is a page', { status: 200, headers: { 'content-type': 'text/html' }, body: html }, false],
  ])('[DELIV-11a] %s takes its success back', async (_what, answer, isFinal) => {
    const { url } = await startReceiver(() => answer);
    const send = await opened({ teams: { url: 'secret://hook' } }, { hook: url });
    const words = `answered ${answer.status}`;
    expect(await send()).toMatchObject({ isFinal, message: expect.stringContaining(words) });
  });

  test.each([
    '1',
    'ok',
    '',
    '{"errcode":0,"errmsg":"ok"}',
    '{"ok":true}',
    '{"error":null,"status":"success"}',
    '0 errors, nothing failed',
  ])('[DELIV-11b] %j of a chat is a success', async (body) => {
    const { url } = await startReceiver(() => ({ status: 200, body }));
    const send = await opened({ slack: { url: 'secret://hook' } }, { hook: url });
    expect(await send()).toBeUndefined();
  });
});

describe('mail', () => {
  const to = ['Team <team@example.com>', 'lead@example.com', 'old@example.com'];
  const mail = (port: number, more: object = {}): DestinationConfig => ({
    email: { smtp: `smtp://127.0.0.1:${port}`, from: 'Holdfast <holdfast@example.com>', to, ...more },
  });

  test('[DELIV-12a] an address that is refused for now gets the mail at the next attempt, and no other gets it twice', async () => {
    let isBusy = true;
    const refuseTo = (address: string) => (isBusy && address === 'lead@example.com' ? 450 : undefined);
    const { port, mails } = await startSmtpServer(undefined, undefined, undefined, { refuseTo });
    const send = await opened(mail(port));
    expect(await send()).toMatchObject({
      isFinal: false,
      message: expect.stringMatching(/did not take the mail: lead@example\.com: 450/),
    });
    isBusy = false;
    expect(await send()).toBeUndefined();
    expect(mails.map((each) => each.to)).toEqual([
      ['team@example.com', 'old@example.com'],
      ['lead@example.com'],
    ]);
    // a person who repeats a message means everybody
    expect(await send()).toBeUndefined();
    expect(mails.at(-1)?.to).toHaveLength(3);
  });

  test('[DELIV-12b] an address that is refused for good is shown, and the others have the mail', async () => {
    const refuseTo = (address: string) => (address === 'old@example.com' ? 550 : undefined);
    const { port, mails } = await startSmtpServer(undefined, undefined, undefined, { refuseTo });
    const send = await opened(mail(port));
    expect(await send()).toMatchObject({
      isFinal: true,
      message: expect.stringContaining('old@example.com: 550'),
    });
    expect(mails.map((each) => each.to)).toEqual([['team@example.com', 'lead@example.com']]);
  });

  test('[DELIV-12c] of addresses that are refused for now and for good the first are tried again', async () => {
    const refuseTo = (address: string) => ({ 'old@example.com': 550, 'lead@example.com': 451 })[address];
    const { port } = await startSmtpServer(undefined, undefined, undefined, { refuseTo });
    const send = await opened(mail(port));
    expect(await send()).toMatchObject({
      isFinal: false,
      message: expect.stringMatching(/lead@.*451.*old@.*550/),
    });
  });

  test('[DELIV-13a] a relay with a certificate of its own takes mail with "ca", or with none, and the error names the key', async () => {
    const folder = await temporaryFolder();
    const files = selfSigned(folder, 'localhost', 'rsa:2048');
    const tls = { cert: await readFile(files.cert), key: await readFile(files.key) };
    const { port, mails } = await startSmtpServer(undefined, undefined, '127.0.0.1', { tls });
    const smtp = `smtp://localhost:${port}`;
    const refused = await (await opened(mail(port, { smtp })))();
    expect(refused).toMatchObject({ isFinal: false, message: expect.stringMatching(/certificate.*"ca"/) });
    for (const ca of [files.cert, 'none'])
      expect(await (await opened(mail(port, { smtp, ca })))()).toBeUndefined();
    expect(mails).toHaveLength(2);
  });

  test('a relay hears a name that other machines can look up, or the one in its address', async () => {
    const { port, mails } = await startSmtpServer(undefined);
    await (
      await opened(mail(port))
    )();
    await (
      await opened(mail(port, { smtp: `smtp://127.0.0.1:${port}?name=web-1.example.com` }))
    )();
    const own = hostname().includes('.') ? hostname() : 'example.com';
    expect(mails.map(({ client }) => client)).toEqual([own, 'web-1.example.com']);
  });

  test('[DELIV-13b] no certificate is left unchecked where a password is sent', () => {
    const email = {
      smtp: 'smtp://ops:secret://p@mail.example.com',
      from: 'a@example.com',
      to: ['b@example.com'],
    };
    expect(destinationSchema.safeParse({ email: { ...email, ca: 'none' } }).success).toBe(false);
    expect(destinationSchema.safeParse({ email: { ...email, ca: 'ca.pem' } }).success).toBe(true);
    expect(
      destinationSchema.safeParse({ email: { ...email, smtp: 'smtp://relay', ca: 'none' } }).success,
    ).toBe(true);
  });
});

describe('a mapping', () => {
  const settingsOf: Record<string, Record<string, string>> = {
    jira: { project: 'OPS', authorization: 'Basic secret://jira' },
    servicenow: { authorization: 'Bearer secret://now' },
    'pagerduty-note': { token: 'secret://pagerduty', from: 'holdfast@example.com' },
    discord: {},
    'google-chat': {},
  };
  const labelled = {
    ...endMessage,
    session: { ...endMessage.session, labels: { pagerduty_incident: 'Q1' } },
  };

  test.each([
    ['jira', 201],
    ['servicenow', 201],
    ['pagerduty-note', 200],
    ['discord', 204],
    ['google-chat', 200],
  ])('[DELIV-14a] %s wants %i, which its API documents, and no other success', async (name, documented) => {
    let status = documented;
    const { url } = await startReceiver(() => ({ status }));
    const settings = { url, ...settingsOf[name] };
    const send = await opened({ mapping: { file: builtIn(name), settings } });
    expect(await send(labelled)).toBeUndefined();
    status = 202;
    expect(await send(labelled)).toMatchObject({
      isFinal: false,
      message: expect.stringContaining(`answered 202 Accepted, expected`),
    });
  });

  test.each([
    ['discord', 'content', 2_000],
    ['google-chat', 'text', 4_096],
  ])(
    '[DELIV-14b] %s gets at most the characters that it takes, at an address that is a secret',
    async (name, field, most) => {
      const { url, received } = await startReceiver();
      const settings = { url: 'secret://hook' };
      const send = await opened(
        { mapping: { file: builtIn(name), settings } },
        { hook: `${url}/hook?key=k` },
      );
      for (const message of sampleMessages) {
        expect(await send(message)).toBeUndefined();
        // a call is code, and stays exact
        const kept = ['answer', 'report', ...(message.question?.kind === 'approval' ? ['text'] : [])];
        const words = `<users/all> @everyone ${'ü'.repeat(9_000)}`;
        expect(await send(withWords(message, words, kept))).toBeUndefined();
      }
      expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/hook?key=k']));
      for (const { body } of received) {
        const text: string = JSON.parse(body)[field];
        expect(text.length).toBeLessThanOrEqual(most);
        expect(text).not.toMatch(/<users\/|@everyone/);
      }
    },
  );

  test('[DELIV-14c] a setting may be a secret anywhere; a text of a message never is one', async () => {
    const file = join(await temporaryFolder(), 'own.yaml');
    await writeFile(
      file,
      `description: x
settings: { url: {}, key: {} }
http:
  method: POST
  url: '{{settings.url}}/x'
  body: { routing_key: '{{settings.key}}', text: '{{text}}', digest: '{{digest}}' }
`,
    );
    const { url, received } = await startReceiver(() => ({ status: 202 }));
    const send = await opened({ mapping: { file, settings: { url, key: 'secret://key' } } });
    expect(await send(withWords(endMessage, 'secret://key'))).toBeUndefined();
    const body = JSON.parse(received[0]?.body ?? '');
    expect(body).toMatchObject({
      routing_key: secretOf('key'),
      digest: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(body.text).not.toContain(secretOf('key'));
  });

  test('[DELIV-14d] a form is sent as one', async () => {
    const file = join(await temporaryFolder(), 'own.yaml');
    await writeFile(
      file,
      `description: x\nsettings: { url: {} }\nhttp: { method: POST, url: '{{settings.url}}', form: { title: '{{title}}' } }\n`,
    );
    const { url, received } = await startReceiver();
    const send = await opened({ mapping: { file, settings: { url } } });
    expect(await send(approvalMessage)).toBeUndefined();
    expect(received).toMatchObject([
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: expect.stringMatching(/^title=Waiting\+for\+approval/),
      },
    ]);
  });
});
