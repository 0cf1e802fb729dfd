// The API of a source on loopback, with recorded or documented answers. It demands what the vendor's description demands: a
// request of another form gets status 400 with the reason, one without the token 401.
import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { text as readText } from 'node:stream/consumers';
import type { Json } from '@holdfast/base/json';
import { startHttpServer, type TestServer } from './http-server.ts';
import { plantedPassword } from './toolset-bench.ts';

export type SourceRoute = {
  method?: 'GET' | 'POST';
  path: string;
  /** Each must come, with this value, and no others. */
  query?: Record<string, string | RegExp>;
  body?: Json;
  /** Instead of `body`: the fields of a form. */
  form?: Record<string, string>;
  status?: number;
  answer: Json;
};

const bearer = { authorization: `Bearer ${plantedPassword}` };

/** `headers`: those that each request must have; default: the planted token. */
export function startSourceApi(
  routes: readonly SourceRoute[],
  headers: Readonly<Record<string, string>> = bearer,
): Promise<TestServer> {
  return startHttpServer((request, response) => {
    void answerOf(request, routes, headers).then(([status, answer]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
}

async function answerOf(
  request: IncomingMessage,
  routes: readonly SourceRoute[],
  headers: Readonly<Record<string, string>>,
): Promise<[number, Json]> {
  if (Object.entries(headers).some(([name, value]) => request.headers[name] !== value))
    return [401, { message: 'Unauthorized' }];
  const url = new URL(request.url ?? '', 'http://source');
  const route = routes.find(({ path }) => path === decodeURIComponent(url.pathname));
  if (route === undefined) return [400, `the API does not take this: no ${url.pathname}`];
  const fault = await faultOf(route, request.method, url, readText(request));
  return fault === undefined
    ? [route.status ?? 200, route.answer]
    : [400, `the API does not take this: ${fault}`];
}

async function faultOf(
  { method = 'GET', query = {}, body, form }: SourceRoute,
  came: string | undefined,
  { searchParams }: URL,
  sent: Promise<string>,
): Promise<string | undefined> {
  if (came !== method) return `expected ${method}, got ${came}`;
  const other = [...searchParams.keys()].find((name) => !(name in query));
  if (other !== undefined) return `the parameter ${other} is not known`;
  for (const [name, expected] of Object.entries(query)) {
    const value = searchParams.get(name) ?? '';
    if (typeof expected === 'string' ? value === expected : expected.test(value)) continue;
    return `${name} is ${JSON.stringify(value)}: expected ${expected}`;
  }
  const text = await sent;
  if (form) {
    const fields = Object.fromEntries(new URLSearchParams(text));
    return isDeepStrictEqual(fields, form)
      ? undefined
      : `the form is ${text}: expected ${JSON.stringify(form)}`;
  }
  if (body === undefined || JSON.stringify(JSON.parse(text)) === JSON.stringify(body)) return undefined;
  return `the body is ${text}: expected ${JSON.stringify(body)}`;
}
