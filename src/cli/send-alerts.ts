// Posts one payload of alerts to a gateway, and puts its refusals into words for a person.
import { gatewayUrl, listenAddress } from '../config/gateway-address.ts';
import { loopbackNames } from '@holdfast/base/loopback';
import { defined } from '@holdfast/base/defined';
import { fieldsOf } from '@holdfast/base/json';
import { jsonOfText } from '@holdfast/base/json-of-text';
import { messageOf } from '@holdfast/base/message-of';
import type { Config } from '../config/config.ts';
import { readVariables } from '../config/variables.ts';
import { readNamed } from './arguments.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { toLine } from './render/plain-text.ts';
import { UserError } from '../common/user-error.ts';

export type SendTo = {
  receiver: string;
  gateway?: string;
  tokenFile?: string;
  headers: Record<string, string>;
  cwd: string;
  say(line: string): void;
};

export type PostedAlerts = { url: string; status: number; note?: string };

const timeoutMs = 30_000;

/** Throws a UserError for every answer but a success, and where no gateway answers. */
export async function sendAlerts(config: Config, body: Uint8Array, to: SendTo): Promise<PostedAlerts> {
  const base = addressOf(config, to.gateway);
  const url = `${base.href.replace(/\/$/, '')}/alerts/${encodeURIComponent(to.receiver)}`;
  const token = await tokenOf(config, to);
  if (token !== undefined && base.protocol === 'http:' && !loopbackNames.includes(base.hostname))
    to.say(`warning: the token is sent to ${base.host} in clear; expected https.`);
  const headers = defined({
    'content-type': 'application/json',
    authorization: token === undefined ? undefined : `Bearer ${token}`,
    ...to.headers,
  });
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: Buffer.from(body),
    signal,
    redirect: 'error',
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const reason = messageOf(cause) || 'the connection was refused';
    throw new UserError(
      `No gateway at ${base.origin}: ${toLine(reason, 200)}. Expected one there; "holdfast gateway" starts it.`,
      exitCodes.noServer,
      { cause: error },
    );
  });
  const answer = jsonOfText(await response.text().catch(() => ''))?.value;
  const { detail, note } = fieldsOf(answer);
  if (!response.ok) throw refusal(response, to, typeof detail === 'string' ? toLine(detail, 500) : '');
  return {
    url,
    status: response.status,
    ...defined({ note: typeof note === 'string' ? toLine(note, 500) : undefined }),
  };
}

function addressOf({ gateway = {} }: Config, given: string | undefined): URL {
  if (given === undefined) {
    const { host, port } = listenAddress(gateway);
    const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
    return new URL(gatewayUrl({ ...gateway, host: name }, port));
  }
  const url = URL.parse(given);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UserError(`--gateway is "${given}": expected an address such as https://alerts.example.org.`);
}

async function tokenOf({ environment }: Config, to: SendTo): Promise<string | undefined> {
  if (to.tokenFile === undefined) return readVariables(environment).HOLDFAST_GATEWAY_TOKEN;
  return (await readNamed(to, to.tokenFile, 'the token')).toString().trim();
}

/** `detail` is the gateway's own sentence. */
function refusal({ status, headers }: Response, { receiver }: SendTo, detail: string): UserError {
  const wait = Number(headers.get('retry-after'));
  const words: Record<number, string> = {
    401: 'The gateway does not know the sender (401). Expected a token with the right "alerts", in HOLDFAST_GATEWAY_TOKEN or --token-file, or the signature of this receiver.',
    403: 'The gateway does not let this sender send alerts (403). Expected a token with the right "alerts" in its "may".',
    404: `The gateway has no receiver "${receiver}" (404). Expected one of "receivers" in its config.`,
    413: 'The payload is too large (413). Expected less than gateway.limits.bodyBytes, and at most 1,000 alerts.',
    422: 'The payload has another form than the receiver expects (422). "holdfast alerts test" shows why, without a gateway.',
    429: `The gateway has had too many requests (429). Send it again${wait > 0 ? ` in ${wait} s` : ' later'}.`,
  };
  const known = words[status] ?? `The gateway cannot take it (${status}). Send it again later.`;
  return new UserError(detail === '' ? known : `${known} It says: ${detail}`, exitCodes.refused);
}
