// Who sent it: the signatures of PagerDuty and of Amazon SNS, whose certificate a real openssl makes here.
import { createHmac, createSign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AlertsRead, isSigned } from '../src/read-alerts.ts';
import { alertRequest } from '../src/sender-check.ts';
import { selfSigned } from '../../../test/support/certificate.ts';
import { readAlerts } from '../../../test/support/read-alerts.ts';
import { bytesOf, payload, shownReceiver } from '../../../test/support/alert-payloads.ts';

const now = Date.parse('2026-11-28T10:00:00Z');
const noFetch = () => Promise.reject(new Error('nothing is fetched'));

describe('PagerDuty', () => {
  const receiver = shownReceiver('pager');
  const body = bytesOf(payload('pagerduty'));
  const sign = (key: string) => `v1=${createHmac('sha256', key).update(body).digest('hex')}`;

  function send(signature: string | undefined, secret = 'correct horse'): Promise<AlertsRead> {
    const resolveSecret = (reference: string) =>
      reference === 'secret://pagerduty-webhook' && secret !== ''
        ? Promise.resolve(secret)
        : Promise.reject(new Error('The secret "pagerduty-webhook" has no value: the variable is not set.'));
    const header = (name: string) => (name === 'x-pagerduty-signature' ? signature : undefined);
    return readAlerts({ name: 'pager', receiver }, alertRequest(body, header), {
      resolveSecret,
      fetchText: noFetch,
      now,
    });
  }

  test.each([
    ['one signature', sign('correct horse')],
    ['the second of two, while a secret is changed', `${sign('older')},${sign('correct horse')}`],
    ['one beside another version', `v2=00, ${sign('correct horse')}`],
  ])('[ALERT-04a] a body with %s is read', async (_, signature) => {
    expect(await send(signature)).toMatchObject({
      ok: true,
      groups: [{ alerts: [{ fingerprint: 'PGR0VU2' }] }],
    });
  });

  test.each([
    ['no signature', undefined],
    ['an empty one', ''],
    ['that of another secret', sign('other')],
    ['that of another body', `v1=${createHmac('sha256', 'correct horse').update('{}').digest('hex')}`],
    ['half of it', sign('correct horse').slice(0, 40)],
    ['it without its version', sign('correct horse').slice(3)],
  ])('[ALERT-04a] a body with %s is refused', async (_, signature) => {
    const refused = await send(signature);
    expect(refused).toMatchObject({ ok: false, status: 401, code: 'Alerts.BadSignature' });
    expect(JSON.stringify(refused)).not.toContain('correct horse');
  });

  test('[ALERT-04f] without its secret nothing is read, and the sender is told to try again', async () => {
    expect(await send(sign('correct horse'), '')).toEqual({
      ok: false,
      status: 503,
      code: 'Alerts.NotChecked',
      reason:
        'The signature cannot be checked: The secret "pagerduty-webhook" has no value: the variable is not set.',
    });
  });

  test('[ALERT-04g] a signature takes the place of a token only where the receiver has a secret or topics', () => {
    expect(['pager', 'aws', 'prod'].map((name) => isSigned(shownReceiver(name)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('Amazon SNS', () => {
  const receiver = shownReceiver('aws');
  const [topic = ''] = receiver.topics ?? [];
  const certUrl = `https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-${'0123456789abcdef'.repeat(2)}.pem`;
  const subscribeUrl = `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=abc`;
  let key = '';
  let certificate = '';

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-sns-'));
    const files = selfSigned(folder, 'sns.amazonaws.com', 'rsa:2048');
    key = readFileSync(files.key, 'utf8');
    certificate = readFileSync(files.cert, 'utf8');
    rmSync(folder, { recursive: true });
  });

  /** As Amazon's documentation has it: these fields, in this order, each with its name. */
  const signedFields: Record<string, string[]> = {
    Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
    SubscriptionConfirmation: [
      'Message',
      'MessageId',
      'SubscribeURL',
      'Timestamp',
      'Token',
      'TopicArn',
      'Type',
    ],
  };

  type Fields = Record<string, string | undefined>;
  function message(fields: Fields = {}): Fields {
    return {
      Type: 'Notification',
      MessageId: '95df01b4-ee98-5cb9-9903-4c221d41eb5e',
      TopicArn: topic,
      Subject: 'ALARM: "db-cpu" in EU (Frankfurt)',
      Message: JSON.stringify(payload('cloudwatch-alarm')),
      Timestamp: new Date().toISOString(),
      SignatureVersion: '2',
      SigningCertURL: certUrl,
      ...fields,
    };
  }

  function signed(fields: Fields = {}): Fields {
    const whole = message(fields);
    const names = signedFields[whole['Type'] ?? ''] ?? [];
    const text = names
      .flatMap((name) => (whole[name] === undefined ? [] : [`${name}\n${whole[name]}\n`]))
      .join('');
    const algorithm = whole['SignatureVersion'] === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    return { ...whole, Signature: createSign(algorithm).update(text).sign(key, 'base64') };
  }

  async function send(
    body: object,
    { at = Date.now(), answers = {} }: { at?: number; answers?: Record<string, string> } = {},
  ): Promise<{ read: AlertsRead; fetched: string[] }> {
    const fetched: string[] = [];
    const known: Record<string, string> = { [certUrl]: certificate, [subscribeUrl]: '<ok/>', ...answers };
    const fetchText = (url: string) => {
      fetched.push(url);
      const text = known[url];
      return text === undefined ? Promise.reject(new Error('it answered 404')) : Promise.resolve(text);
    };
    const request = alertRequest(bytesOf(body), () => undefined);
    const deps = { resolveSecret: noFetch, fetchText, now: at };
    return { read: await readAlerts({ name: 'aws', receiver }, request, deps), fetched };
  }

  test.each(['1', '2'])('[ALERT-04b] a message with a signature of version %s is read', async (version) => {
    const { read, fetched } = await send(signed({ SignatureVersion: version }));
    expect(read).toMatchObject({ ok: true, groups: [{ alerts: [{ name: 'db-cpu', status: 'firing' }] }] });
    expect(fetched).toEqual([certUrl]);
  });

  test('[ALERT-04b] a message without a subject is signed without it', async () => {
    expect((await send(signed({ Subject: undefined }))).read).toMatchObject({ ok: true });
  });

  test.each(['Message', 'Subject', 'Timestamp', 'MessageId'])(
    '[ALERT-04b] a message whose %s was changed is refused',
    async (name) => {
      const { read } = await send({ ...signed(), [name]: 'changed' });
      expect(read).toMatchObject({ ok: false, status: 401, code: 'Alerts.BadSignature' });
    },
  );

  test.each([
    'http://sns.eu-central-1.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com/a.txt',
    'https://sns.eu-central-1.amazonaws.com.example.org/a.pem',
    'https://example.org/sns.eu-central-1.amazonaws.com/a.pem',
    'https://me@sns.eu-central-1.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com:8443/a.pem',
    'https://s3.eu-central-1.amazonaws.com/a.pem',
    'https://sns.evil.org#.amazonaws.com/a.pem',
    'no address',
    'https://sns.eu-central-1.amazonaws.com/?Action=GetTopicAttributes&x=.pem',
    'https://sns.eu-central-1.amazonaws.com/?x=/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
    'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123.pem',
    'https://sns.eu-central-1.amazonaws.com/a/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
    'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem?x=1',
    'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem#x',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  ])('[ALERT-04c] a certificate from %s is never fetched', async (url) => {
    const { read, fetched } = await send(signed({ SigningCertURL: url }), {
      answers: { [url]: certificate },
    });
    expect(read).toMatchObject({
      ok: false,
      status: 401,
      reason: /^SigningCertURL is not Amazon's: expected https/,
    });
    expect(fetched).toEqual([]);
  });

  test('[ALERT-04c] a certificate that is not valid now, is none, or cannot be fetched', async () => {
    const in5Days = Date.now() + 5 * 86_400_000;
    const later = await send(signed({ Timestamp: new Date(in5Days).toISOString() }), { at: in5Days });
    expect(later.read).toMatchObject({ status: 401, reason: /not valid at this time/ });
    const none = await send(signed(), { answers: { [certUrl]: 'no certificate' } });
    expect(none.read).toMatchObject({ status: 502, code: 'Alerts.NotChecked' });
    const other = certUrl.replace('0123', '0124');
    const gone = await send(signed({ SigningCertURL: other }));
    expect(gone.read).toMatchObject({ status: 502, reason: /cannot be read: it answered 404\.$/ });
  });

  test.each([
    ['more than an hour', -76],
    ['from a time to come', 20],
  ])('[ALERT-04i] a message that is old by %s is refused, though it is signed', async (_, minutes) => {
    const Timestamp = new Date(Date.now() + minutes * 60_000).toISOString();
    const { read, fetched } = await send(signed({ Timestamp }));
    expect(read).toMatchObject({ ok: false, status: 401, reason: /^Timestamp is not of this hour/ });
    expect(fetched).toEqual([]);
    expect((await send(signed({ Timestamp: 'today' }))).read).toMatchObject({ status: 401 });
  });

  test('[ALERT-04i] a message that SNS has tried for an hour is read', async () => {
    const Timestamp = new Date(Date.now() - 60 * 60_000).toISOString();
    expect((await send(signed({ Timestamp }))).read).toMatchObject({ ok: true });
  });

  test('[ALERT-04d] another topic is refused, and nothing is fetched for it', async () => {
    for (const Type of ['Notification', 'SubscriptionConfirmation']) {
      const foreign = { Type, TopicArn: `${topic}-other`, SubscribeURL: subscribeUrl, Token: 'abc' };
      const { read, fetched } = await send(signed(foreign));
      expect(read).toMatchObject({ ok: false, status: 403, code: 'Alerts.UnknownTopic', reason: /"topics"/ });
      expect(fetched).toEqual([]);
    }
  });

  test('[ALERT-04e] a subscription to a topic of the receiver is confirmed, once it is known to be from Amazon', async () => {
    const wanted = {
      Type: 'SubscriptionConfirmation',
      SubscribeURL: subscribeUrl,
      Token: 'abc',
      Message: 'You have',
    };
    const { read, fetched } = await send(signed(wanted));
    expect(read).toEqual({
      ok: true,
      groups: [],
      note: 'The subscription is confirmed, and has no alert: nothing is done.',
    });
    expect(fetched).toEqual([certUrl, subscribeUrl]);
    const forged = await send({ ...signed(wanted), Token: 'other' });
    expect(forged.read).toMatchObject({ status: 401 });
    expect(forged.fetched).toEqual([certUrl]);
    const elsewhere = await send(signed({ ...wanted, SubscribeURL: 'https://example.org/' }));
    expect(elsewhere.read).toMatchObject({ status: 401, reason: /^SubscribeURL is not Amazon's/ });
    expect(elsewhere.fetched).toEqual([certUrl]);
    for (const url of [
      subscribeUrl.replace('ConfirmSubscription', 'Publish'),
      subscribeUrl.replace('Token=abc', 'Token=abcd'),
      subscribeUrl.replace(topic, `${topic}-other`),
      subscribeUrl.replace('eu-central-1.amazonaws', 'us-east-1.amazonaws'),
      subscribeUrl.replace('/?', '/a?'),
    ]) {
      const { read: other, fetched: others } = await send(signed({ ...wanted, SubscribeURL: url }));
      expect(other).toMatchObject({ status: 401, reason: /^SubscribeURL is not Amazon's/ });
      expect(others).toEqual([certUrl]);
    }
    const unanswered = await send(signed({ ...wanted, SubscribeURL: `${subscribeUrl}&x=2` }));
    expect(unanswered.read).toMatchObject({ status: 502, reason: /could not be confirmed: it answered 404/ });
  });

  test('[ALERT-04d] what is no message of SNS is refused with the first wrong field', async () => {
    const { read } = await send({ Type: 'Notification', Message: '{}' });
    expect(read).toMatchObject({
      ok: false,
      status: 422,
      code: 'Alerts.Shape',
      reason: /MessageId: expected string/,
    });
    expect((await send(payload('cloudwatch-alarm'))).read).toMatchObject({
      status: 422,
      reason: /Its keys: AlarmName/,
    });
  });
});
