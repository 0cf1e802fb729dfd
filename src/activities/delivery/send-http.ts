// Sends one message by HTTP to the address that the configuration names, and says why it was not taken. A redirect is
// not followed. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { isRecord, parseJson } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { fromRetryAfter } from '@holdfast/base/retry-after';
import { decodeText, toOneLine } from '@holdfast/redaction/sanitise';
import type { HttpMethod, HttpReply } from '../built-in/http/http-request.ts';
import { DeliveryError } from './delivery-error.ts';

export type HttpMessage = {
  url: URL;
  method: HttpMethod;
  headers?: Readonly<Record<string, string>>;
  body: string;
};

const attemptMs = 30_000;
const maxReplyBytes = 64 * 1024;
/** A receiver may be busy, or count its callers. */
const passing = [408, 425, 429];
/** The redirects that say that they are for ever. */
const moved = [301, 308];
/** A longer wait is met again. */
const longestWaitMs = 24 * 3_600_000;

/** Resolves when the receiver has taken it. `success`: status codes that say so; default 200 to 299. */
export async function sendHttp(
  { url, ...message }: HttpMessage,
  signal: AbortSignal,
  success?: readonly number[],
): Promise<void> {
  // loaded by the first message, because Node's HTTP slows the start of a worker
  const { everyAddress, httpRequest } = await import('../built-in/http/http-request.ts');
  const deadline = AbortSignal.timeout(attemptMs);
  const options = { ...message, addresses: everyAddress, maxBytes: maxReplyBytes, signal, deadline };
  const reply = await httpRequest(url, options).catch((error: unknown) => {
    signal.throwIfAborted();
    const why = deadline.aborted ? `no answer within ${attemptMs / 1_000} s` : messageOf(error);
    throw new DeliveryError(`${url.host} cannot be reached: ${toOneLine(why, 200)}`);
  });
  const { status } = reply;
  const isTaken = success ? success.includes(status) : status >= 200 && status < 300;
  if (isTaken && !saysNo(decodeText(reply.body).trim())) return;
  throw refusalOf(reply, url, success);
}

/** The error of Teams, with its status: https://github.com/MicrosoftDocs/msteams-docs/issues/1810. */
const inWords = /^webhook message delivery failed with error.*?HTTP error (\d{3})/i;

/** True for a body that takes a success back: an error in words or in JSON, or the page of a proxy that wants a sign-in. */
function saysNo(body: string): boolean {
  if (inWords.test(body) || /^<(?:!doctype html|html)/i.test(body)) return true;
  const value = parseJson(body);
  if (!isRecord(value)) return false;
  // errcode: DingTalk and WeCom
  const { ok, success, status, error, errcode = 0 } = value;
  return ok === false || success === false || status === 'error' || Boolean(error) || Number(errcode) !== 0;
}

function refusalOf(reply: HttpReply, { host }: URL, success: readonly number[] = []): DeliveryError {
  const { status, statusText, body, retryAfter } = reply;
  const meant = Number(inWords.exec(decodeText(body))?.[1] ?? status);
  const isFinal = moved.includes(meant) || (meant >= 400 && meant < 500 && !passing.includes(meant));
  const isRedirect = status >= 300 && status < 400;
  const said = isRedirect
    ? 'a redirect, which is not followed: name the last address in the config'
    : toOneLine(decodeText(body), 200);
  const wanted = status < 300 && success.length > 0 ? `, expected ${success.join(' or ')}` : '';
  const words = `${host} answered ${status} ${toOneLine(statusText, 50)}${wanted}${said && `: ${said}`}`;
  const wait = fromRetryAfter(retryAfter, Date.now());
  return new DeliveryError(words, {
    isFinal,
    ...defined({ afterMs: wait === undefined ? undefined : Math.min(wait, longestWaitMs) }),
  });
}
