// A toolset's tool that sends one HTTP request to the server of its settings. The model's arguments reach the path, the
// query and the body, never the host. A redirect is not followed. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { bareHost } from '../built-in/http/http-allow-list.ts';
import { messageOf } from '@holdfast/base/message-of';
import { decodeText, toOneLine } from '@holdfast/redaction/sanitise';
import { kindOfStatus } from '@holdfast/sources/answer-kind';
import type { RegisteredTool, ToolReturn } from '../tools/define-tool.ts';
import type { HttpMethod, HttpReply } from '../built-in/http/http-request.ts';
import { certificateFault, redirectIn } from './no-source.ts';
import { fillAddress } from '@holdfast/sources/address';
import { noAccess, notReachable, tooOften } from './answer.ts';
import { earlierOf } from '@holdfast/sources/compare';
import { withTimes } from '@holdfast/sources/parameters';
import { createSourceTool } from './source-tool.ts';
import { type AnsweredCall, type Came, type Earlier, isNothing, shownAnswer } from './shown-answer.ts';
import { fillFields, fillJson, namesIn, type Values } from '@holdfast/sources/template';
import type { ToolsetHttp, ToolsetTool } from '@holdfast/sources/toolset.schema';
import { toValues, type ToolsetPlace } from './toolset-place.ts';

const maxBytes = 8 * 1024 * 1024;
export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

export type HttpDeclaration = ToolsetTool & { http: ToolsetHttp };

export function createHttpTool(declared: HttpDeclaration, place: ToolsetPlace): RegisteredTool {
  const { effect = 'once', http } = declared;
  const requestOf = (input: Values): HttpCall => toCall(http, input, place.settings);
  return createSourceTool(declared, place, {
    prepare(input) {
      const call = requestOf(input);
      const earlier = earlierOf(input, declared);
      const shown = `${shownCall(call)}${earlier ? `\nand once more, ${earlier.by} earlier` : ''}`;
      return { shown, action: { effect, command: shownLine(call), hosts: [bareHost(call.url)] } };
    },
    async run(_, call) {
      const { asked, input, now, redact, timeoutMs } = call;
      const { signal } = call.context;
      const deadline = AbortSignal.timeout(timeoutMs);
      // a secret or a file that cannot be read says nothing about the server
      const headers = { ...(http.form && formType), ...(await place.headers(http.headers)) };
      const tls = await place.tls();
      try {
        // loaded by the first call, because Node's HTTP slows the start of a worker
        const { everyAddress, httpRequest } = await import('../built-in/http/http-request.ts');
        const send = async (values: Values): Promise<HttpReply> => {
          const { url, method, body } = requestOf(values);
          const options = { addresses: everyAddress, maxBytes, signal, deadline, headers, method, tls };
          return httpRequest(url, { ...options, ...defined({ body }) });
        };
        const earlier = earlierOf(asked, declared);
        const [reply, before] = await Promise.all([
          send(input),
          earlier && send(withTimes(asked, declared, now, earlier.ms)),
        ]);
        const failed = before && !isGood(before, declared) ? before : undefined;
        const compared = before && earlier && { came: cameOf(before, redact), by: earlier.by };
        return await toReturn(failed ?? reply, call, compared);
      } catch (error) {
        signal.throwIfAborted();
        const reason = toOneLine(certificateFault(error) ?? messageOf(error), 300);
        return notReachable(
          deadline.aborted ? `${requestOf(input).url.host} gave no reply within ${timeoutMs} ms.` : reason,
        );
      }
    },
  });
}

type HttpCall = { method: HttpMethod; url: URL; body?: string };
type HttpTemplate = Omit<ToolsetHttp, 'method'> & { method?: HttpMethod };

/** References to secrets in the call are not resolved: only headers may hold a secret. */
export function toCall(http: HttpTemplate, input: Values, settings: Values): HttpCall {
  const values = toValues(input, settings);
  const json = http.body === undefined ? undefined : fillJson(http.body, values);
  const form = http.form && new URLSearchParams(fillFields(http.form, values)).toString();
  return {
    method: http.method ?? 'GET',
    url: requestUrl(http, input, settings),
    ...defined({ body: form ?? (json === undefined ? undefined : JSON.stringify(json)) }),
  };
}

function shownLine({ method, url }: HttpCall): string {
  return `${method} ${url.href}`;
}

function shownCall(call: HttpCall): string {
  return call.body === undefined ? shownLine(call) : `${shownLine(call)}\n${call.body}`;
}

/** The origin comes from the settings alone; every value in the path is one segment of it. */
function requestUrl(http: HttpTemplate, input: Values, settings: Values): URL {
  const values = toValues(input, settings);
  const filled = fillAddress(http.url, values, settings);
  if (filled === undefined) throw new Error(`${namesIn(http.url).join(', ')} has no value`);
  const { base, rest } = filled;
  assertNoDots(rest);
  const url = new URL(`${base}${rest}`);
  if (url.origin !== new URL(base).origin) throw new Error('the address leads to another server');
  const query = Object.entries(fillFields(http.query, values));
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

/** The URL parser would remove such a segment, and the one before it. */
function assertNoDots(path: string): void {
  const part = path
    .split(/[?#]/, 1)[0]
    ?.split('/')
    .find((each) => each === '.' || each === '..');
  if (part === undefined) return;
  throw new Error(`the path ${JSON.stringify(path)} has the part "${part}": expected none of "." and ".."`);
}

/** An error status counts as success where its body says that there is nothing: a wrong address answers 404, too. */
function isGood({ status, body }: HttpReply, declared: ToolsetTool): boolean {
  const { success, nothing } = declared;
  const isListed = success ? success.includes(status) : status >= 200 && status < 300;
  return isListed && (status < 400 || nothing === undefined || isNothing(decodeText(body), nothing));
}

/** An error status that is no failure (isGood) says that there is nothing, with or without words. */
function cameOf({ status, body, cut }: HttpReply, redact: AnsweredCall['redact']): Came {
  const text = decodeText(body);
  return cut === undefined
    ? { text, isAbsent: status === 404 || status === 204 }
    : { text: redact(text, { cut: true }), gaps: [`the body is not whole (${cut})`] };
}

async function toReturn(reply: HttpReply, call: AnsweredCall, earlier?: Earlier): Promise<ToolReturn> {
  const { declared, place, redact } = call;
  const came = cameOf(reply, redact);
  const details = { status: reply.status, bytes: reply.body.length };
  if (isGood(reply, declared)) return shownAnswer(came, call, details, earlier);
  const { text, gaps = [] } = came;
  const head = `[${[`HTTP ${reply.status} ${toOneLine(reply.statusText, 100)}`, ...gaps].join(', ')}]`;
  // servers such as Prometheus explain in the body of a refusal what was wrong with the query
  const said = `${head}\n${text}`;
  const redirect = redirectIn(reply);
  if (redirect !== undefined) return notReachable(`${head} ${redirect}`);
  const limited = tooOften(reply, said, place.now());
  if (limited) return limited;
  const kind = kindOfStatus(reply.status);
  if (kind === 'no_access') return noAccess(said, place);
  return kind === 'not_reachable' ? notReachable(said) : { text: said, details, isError: true };
}
