// The tools http_get and http_post: one request to a host that the operator allowed. Redirects of a GET within its host
// are followed by hand, so that every hop is checked; one to another host is only reported, because the policy judged the
// first host alone. Headers of a host go to that host alone. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { mapValuesAsync } from '@holdfast/base/map-values';
import { z } from 'zod';
import type { LookupFunction } from 'node:net';
import { binaryNotice, decodeText, toOneLine } from '@holdfast/redaction/sanitise';
import {
  bareHost,
  bothAllow,
  createHttpAllowList,
  describeAllowed,
  type HttpAllowList,
} from './http-allow-list.ts';
import { describeFailure, HttpRefusal } from './http-failure.ts';
import { headersFor, type HttpHosts, isReadingPost, postPaths } from './http-hosts.ts';
import type { HttpReply } from './http-request.ts';
import {
  defineTool,
  type RegisteredTool,
  type ToolContext,
  type ToolReturn,
} from '../../tools/define-tool.ts';

const address = z.url({ protocol: /^https?$/ }).max(4_000);
const input = z.strictObject({ url: address });
const postInput = z.strictObject({
  url: address.describe('http or https.'),
  body: z.json().describe('Sent as JSON.'),
});

export type HttpOptions = {
  /** `host`, `host:port` and address ranges, as in the configuration's http.allow. */
  allow: readonly string[];
  /** The list of another configuration: a host must be in both. */
  within?: readonly string[];
  /** By an entry of `allow`. */
  hosts?: HttpHosts;
  /** Replaces references to secrets. */
  resolve?(text: string): Promise<string>;
  /** Default 20 s, over all hops. */
  timeoutMs?: number;
  /** Default 1 MiB, after decompression. */
  maxBytes?: number;
  lookup?: LookupFunction;
};

const maxHops = 5;

/** Reaches the allowed hosts only. Throws for an invalid allow-list. */
export function createHttpGetTool(options: HttpOptions): RegisteredTool {
  const reach = { ...options, allowed: allowedBy(options) };
  return defineTool({
    name: 'http_get',
    label: 'HTTP GET',
    description:
      'Sends one HTTP GET to an allowed host: status, time taken, text body (up to 1 MiB). A redirect to another host is named, ' +
      'not followed.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['url'],
    inspect: ({ url }) => ({ actions: [{ effect: 'read', hosts: [bareHost(new URL(url))] }] }),
    run: ({ url }, context) => request(reach, context, (sending) => follow(new URL(url), sending)),
  });
}

/** For hosts whose queries are POST requests: only paths that the operator named as reading. */
export function createHttpPostTool(options: HttpOptions): RegisteredTool {
  const reach = { ...options, allowed: allowedBy(options) };
  const paths = postPaths(options.hosts ?? {});
  return defineTool({
    name: 'http_post',
    label: 'HTTP POST',
    description:
      'Sends one HTTP POST with a JSON body, for queries that an API takes by POST only: status, time taken and text body (up to ' +
      `1 MiB). Allowed: ${paths.join(', ')}; "*" is one part of a path. Redirects are not followed.`,
    input: postInput,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['url', 'body'],
    inspect: ({ url }) => ({ actions: [{ effect: 'read', hosts: [bareHost(new URL(url))] }] }),
    run: ({ url, body }, context) =>
      request(reach, context, async (sending) => {
        const target = new URL(url);
        if (!isReadingPost(target, options.hosts ?? {})) {
          const known = paths.length === 0 ? 'nothing' : toOneLine(paths.join(', '), 1_000);
          throw new HttpRefusal(`Refused: POST is allowed to ${known} only.`);
        }
        const post = { method: 'POST', body: JSON.stringify(body) } as const;
        return sendOnce(target, sending, { hops: 0, ...post });
      }),
  });
}

type Reach = HttpOptions & { allowed: HttpAllowList };
/** One call of a tool, over all hops. */
type Sending = Reach & { signal: AbortSignal; deadline: AbortSignal };

async function request(
  reach: Reach,
  { signal, redact }: ToolContext,
  send: (sending: Sending) => Promise<Reached>,
): Promise<ToolReturn> {
  const { timeoutMs = 20_000 } = reach;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return toReturn(await send({ ...reach, signal, deadline }), redact);
  } catch (error) {
    signal.throwIfAborted();
    return { text: describeFailure(error, deadline, timeoutMs), isError: true };
  }
}

function allowedBy({ allow, within }: HttpOptions): HttpAllowList {
  const own = createHttpAllowList(allow);
  return within ? bothAllow(own, createHttpAllowList(within)) : own;
}

type Hop = { hops: number; method?: 'POST'; body?: string };

/** One request to a checked address. A redirect's target is only reported. */
async function sendOnce(url: URL, sending: Sending, { hops, ...post }: Hop): Promise<Reached> {
  // loaded by the first call, because Node's HTTP slows the start of a worker
  const { httpRequest, isRedirect } = await import('./http-request.ts');
  const startedAt = performance.now();
  const { allowed, hosts = {}, resolve = asIs, signal, deadline, maxBytes = 1024 * 1024, lookup } = sending;
  const addresses = checkUrl(url, allowed, hops);
  // a redirect to another port gets the headers of that port, or none
  const { withheld, headers: given } = headersFor(url, hosts);
  const headers = await mapValuesAsync(given, resolve);
  const sent = { addresses, headers, signal, deadline, maxBytes, ...defined({ lookup }), ...post };
  const reply = await httpRequest(url, sent);
  const elapsedMs = performance.now() - startedAt;
  const leadsTo = isRedirect(reply) ? { leadsTo: nextUrl(reply, url) } : {};
  return { reply, url, hops, withheld, elapsedMs, ...leadsTo };
}

const asIs = (text: string): Promise<string> => Promise.resolve(text);

type Reached = {
  reply: HttpReply;
  url: URL;
  hops: number;
  elapsedMs: number;
  /** True if the host has headers that plain http would have exposed. */
  withheld: boolean;
  /** The target of a redirect that was not followed. */
  leadsTo?: URL;
};

async function follow(start: URL, sending: Sending): Promise<Reached> {
  let url = start;
  let elapsedMs = 0;
  for (let hops = 0; hops <= maxHops; hops++) {
    const reached = await sendOnce(url, sending, { hops });
    elapsedMs += reached.elapsedMs;
    const { leadsTo } = reached;
    if (leadsTo === undefined || !isSameHost(leadsTo, url)) return { ...reached, elapsedMs };
    url = leadsTo;
  }
  throw new HttpRefusal(`Refused: more than ${maxHops} redirects.`);
}

function isSameHost(left: URL, right: URL): boolean {
  return left.hostname.replace(/\.$/, '') === right.hostname.replace(/\.$/, '');
}

/** Throws for an address that no list can allow. */
function checkForm(url: URL, what: string): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new HttpRefusal(`Refused: ${what} is not http or https.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HttpRefusal(`Refused: ${what} holds a user name or password.`);
  }
}

/** The addresses that the host may have. */
function checkUrl(url: URL, allowed: HttpAllowList, hop: number): string[] {
  const what = hop === 0 ? 'The URL' : 'A redirect';
  checkForm(url, what);
  const addresses = allowed.find(url);
  if (addresses !== undefined) return addresses;
  throw new HttpRefusal(
    `Refused: ${what} leads to a host and port that are not allowed. ${describeAllowed(allowed)} ` +
      'Ask the operator to add it where it is needed.',
  );
}

/** The target of a redirect. Throws if it is no URL for a call, or leads from https to http. */
export function nextUrl({ location = '' }: Pick<HttpReply, 'location'>, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new HttpRefusal('Refused: a redirect leads to no valid URL.');
  const next = new URL(location, from);
  checkForm(next, 'A redirect');
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new HttpRefusal('Refused: a redirect leads from https to http.');
  }
  return next;
}

function toReturn(reached: Reached, redact: ToolContext['redact']): ToolReturn {
  const { reply, url, hops, elapsedMs, withheld, leadsTo } = reached;
  const status = `HTTP ${reply.status} ${toOneLine(reply.statusText, 100)}`.trim();
  const type = toOneLine(reply.contentType, 100) || 'no content type';
  // only an address that the server chose: the model's own words are no output
  const landed = hops === 0 ? '' : `, redirected to ${toOneLine(url.href, 500)}`;
  const notices = `${withheld ? withheldNotice : ''}${reply.cut === undefined ? '' : cutNotices[reply.cut]}`;
  const head = `[${status}, ${type}, ${reply.body.length} bytes, ${howLong(elapsedMs)}${landed}${notices}]`;
  const body =
    leadsTo === undefined
      ? bodyText(reply)
      : `The redirect was not followed. Location: ${toOneLine(leadsTo.href, 4_000)}`;
  return defined({
    text: `${head}\n${reply.cut === undefined ? body : redact(body, { cut: true })}`,
    details: { status: reply.status, bytes: reply.body.length, elapsedMs: Math.round(elapsedMs) },
    isError: reply.cut === 'time' || reply.cut === 'broken' || undefined,
  });
}

/** Rounded to one figure: equal answers stay equal, or the loop guard misses a model that repeats itself. */
function howLong(milliseconds: number): string {
  return milliseconds < 100 ? 'in under 100 ms' : `in ${Number(milliseconds.toPrecision(1))} ms`;
}

const withheldNotice = ", sent without the host's headers because they go over https only";

const cutNotices = {
  size: ', cut here: the body is longer',
  time: ', the body did not end in time: this is what came',
  broken: ', the body broke off: this is what came',
};

const textTypes =
  /^(?:text\/|application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|javascript|x-ndjson|openmetrics-text|x-www-form-urlencoded)|$)/is;

function bodyText(reply: HttpReply): string {
  const isText = textTypes.test(reply.contentType.split(';')[0]?.trim() ?? '');
  if (!isText) return binaryNotice(reply.body.length);
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(reply.contentType)?.[1];
  return decodeText(reply.body, charset);
}
