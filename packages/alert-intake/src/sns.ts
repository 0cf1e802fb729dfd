// Checks messages of Amazon SNS: the topic is one of the receiver's, and the signature is that of a certificate from
// Amazon's own address. A subscription to such a topic is confirmed. Runs in Node.
import { X509Certificate, createVerify } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { describeIssues } from '@holdfast/base/schema-issues';
import { type IntakeDeps, misshapenBody, type SenderCheck } from './sender-check.ts';
import { misshapen } from './shape.ts';
import { LRUCache } from 'lru-cache';

type FetchText = IntakeDeps['fetchText'];
type SnsFault = { status: 401 | 403 | 422 | 502; reason: string };

const text = z.string().min(1);
const base = { MessageId: text, TopicArn: text, Message: z.string(), Timestamp: text };
const signed = { SignatureVersion: z.enum(['1', '2']), Signature: text, SigningCertURL: text };
const subscription = { SubscribeURL: text, Token: text };
const envelopeSchema = z.discriminatedUnion('Type', [
  z.object({ Type: z.literal('Notification'), Subject: z.string().nullish(), ...base, ...signed }),
  z.object({ Type: z.literal('SubscriptionConfirmation'), ...base, ...subscription, ...signed }),
  z.object({ Type: z.literal('UnsubscribeConfirmation'), ...base, ...subscription, ...signed }),
]);
type Envelope = z.output<typeof envelopeSchema>;

/** SNS tries again for an hour at the most; an older message is one that somebody has kept. */
const oldestMs = 75 * 60_000;
const clocksDifferMs = 15 * 60_000;

const algorithms = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' } as const;

const codes = {
  401: 'Alerts.BadSignature',
  403: 'Alerts.UnknownTopic',
  422: 'Alerts.Shape',
  502: 'Alerts.NotChecked',
} as const;

export const snsSender: SenderCheck = {
  isSetFor: ({ topics }) => topics !== undefined,
  async refuse({ topics = [] }, request, deps) {
    const parsed = request.parse();
    if (!parsed.ok) return misshapenBody(parsed.reason);
    const fault = await faultOfSns(parsed.body, topics, deps);
    return fault && { ok: false, code: codes[fault.status], ...fault };
  },
};

/** Undefined for a message that may be read; its subscription has then been confirmed. */
async function faultOfSns(
  body: Json,
  topics: readonly string[],
  { fetchText, now }: { fetchText: FetchText; now: number },
): Promise<SnsFault | undefined> {
  const parsed = envelopeSchema.safeParse(body);
  if (!parsed.success) {
    const { reason } = misshapen('message of SNS', describeIssues(parsed.error, 'the body')[0] ?? '', body);
    return { status: 422, reason };
  }
  const envelope = parsed.data;
  if (!topics.includes(envelope.TopicArn)) {
    const reason =
      'The TopicArn is none of this receiver: expected one of its "topics". Add it there if it is yours.';
    return { status: 403, reason };
  }
  const fault = await faultOfSignature(envelope, { fetchText, now });
  if (fault !== undefined || envelope.Type !== 'SubscriptionConfirmation') return fault;
  return confirm(envelope, fetchText);
}

async function faultOfSignature(
  envelope: Envelope,
  { fetchText, now }: { fetchText: FetchText; now: number },
): Promise<SnsFault | undefined> {
  const { SigningCertURL: url, SignatureVersion: version, Signature: signature } = envelope;
  if (!isOfTopic(url, envelope) || !certificatePath.test(url))
    return {
      status: 401,
      reason: `SigningCertURL is not Amazon's: expected ${expectedAddress}/SimpleNotificationService-<hex>.pem.`,
    };
  const age = now - Date.parse(envelope.Timestamp);
  // NaN is no age
  if (!(age <= oldestMs && age >= -clocksDifferMs))
    return {
      status: 401,
      reason:
        'Timestamp is not of this hour: expected a message that SNS has just sent, and a right clock here.',
    };
  try {
    const certificate = new X509Certificate(await fetchText(url));
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo))
      return { status: 401, reason: 'The certificate at SigningCertURL is not valid at this time.' };
    const verify = createVerify(algorithms[version]).update(signedText(envelope));
    if (verify.verify(certificate.publicKey, signature, 'base64')) return undefined;
    return { status: 401, reason: 'Signature does not fit the message: expected that of Amazon SNS.' };
  } catch (error) {
    return { status: 502, reason: `The certificate at SigningCertURL cannot be read: ${messageOf(error)}.` };
  }
}

async function confirm(
  envelope: Extract<Envelope, { Token: string }>,
  fetchText: FetchText,
): Promise<SnsFault | undefined> {
  const { SubscribeURL: url, TopicArn, Token } = envelope;
  const { pathname, searchParams } = URL.parse(url) ?? {};
  const asked = { Action: 'ConfirmSubscription', TopicArn, Token };
  const isExact = Object.entries(asked).every(([name, value]) => searchParams?.get(name) === value);
  if (!isOfTopic(url, envelope) || pathname !== '/' || !isExact)
    return {
      status: 401,
      reason: `SubscribeURL is not Amazon's: expected ${expectedAddress}/ with ConfirmSubscription, the topic and its token.`,
    };
  try {
    await fetchText(url);
    return undefined;
  } catch (error) {
    return { status: 502, reason: `The subscription could not be confirmed: ${messageOf(error)}.` };
  }
}

const expectedAddress = 'https://sns.<region of the topic>.amazonaws.com';
/** The whole address: other paths of SNS answer with words that a stranger can choose. */
const certificatePath = /^https:\/\/[a-z0-9.-]+\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;

function isOfTopic(url: string, { TopicArn }: Envelope): boolean {
  const { protocol, host, username } = URL.parse(url) ?? {};
  const [, region = ''] = /^arn:aws[a-z-]*:sns:([a-z0-9-]{3,}):/.exec(TopicArn) ?? [];
  const hosts = ['', '.cn'].map((end) => `sns.${region}.amazonaws.com${end}`);
  return protocol === 'https:' && username === '' && region !== '' && hosts.includes(host ?? '');
}

/** Each field but those of the signature, with its name on the line before, in the order of the names. */
function signedText(envelope: Envelope): string {
  return Object.entries(envelope)
    .flatMap(([name, value]) => (name in signed || typeof value !== 'string' ? [] : [`${name}\n${value}\n`]))
    .toSorted()
    .join('');
}

const timeoutMs = 5_000;
const maxBytes = 64 * 1_024;
/** Amazon changes a certificate by a new address. */
const keepMs = 3_600_000;

/** Keeps what it has fetched for an hour. Rejects on a redirect, an error status, a long text, and after 5 s. */
export function createFetchText(): FetchText {
  const kept = new LRUCache<string, string>({ max: 32, ttl: keepMs, fetchMethod: fetchText });
  return (url) => kept.forceFetch(url);
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  const content = await response.text();
  if (content.length > maxBytes) throw new Error(`it has more than ${maxBytes} characters`);
  return content;
}
