// The events of a session as server-sent events. The id of each is its seq, so that a client resumes after the last one
// that it has seen, at any gateway. Runs in Node.
import { createRoute, z } from '@hono/zod-openapi';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { ClientError, type SessionHandle, type WatchItem } from '../client.ts';
import { defined } from '@holdfast/base/defined';
import { toOuter } from '@holdfast/vocabulary/outer-form';
import { Refusal } from './problem.ts';
import { type GatewayApp, type GatewayParts, at, needs, refusals, sessionPath } from './operation.ts';
import { type SessionEntry, type SessionView, toEntry, toView } from './session-view.ts';

/** Data of `gap`: events are no longer kept. */
export type StreamGap = Pick<Extract<WatchItem, { type: 'gap' }>, 'fromSeq' | 'toSeq'> & {
  /** The session in their place. */
  session: SessionView;
};

/** Data of `unanswered`: no worker or server answers, and the stream waits. */
export type StreamUnanswered = Omit<Extract<WatchItem, { type: 'unanswered' }>, 'type'>;

/** Data of `closed`, the last event of a stream: the session has ended. */
export type StreamClosed = Pick<SessionEntry, 'sessionId' | 'state' | 'outcome'>;

/** Until a client resumes after a lost connection. */
const retryMs = 1_000;

const seq = z
  .string()
  .regex(/^\d{1,15}$/, 'expected the seq of an event, a whole number')
  .transform(Number)
  .openapi({ type: 'integer' });

const events = createRoute({
  ...needs('read', 'sessions'),
  ...at('get', '/v1/sessions/{id}/events', 'streamEvents'),
  summary: 'Streams the events of a session: first those that are kept, then each as it comes.',
  description:
    'Needs the right `read`. The answer is a text of server-sent events, which no generated client reads by itself: `id` is ' +
    'the seq of the event, `event` its type, `data` the JSON of the schema AgentEvent. A client that has lost the connection ' +
    'sends the last id in the header Last-Event-ID, and gets those after it. Three types have no id: `gap` (StreamGap), ' +
    '`unanswered` (StreamUnanswered) and `closed` (StreamClosed), the last one of a session that has ended. A stream that ' +
    'ends without `closed` is to be resumed.',
  request: {
    params: sessionPath,
    headers: z.object({ 'Last-Event-ID': seq.optional().describe('Events after this seq only.') }),
    query: z.strictObject({
      after: seq.optional().describe('As Last-Event-ID, for a client that cannot set the header.'),
    }),
  },
  responses: {
    200: {
      description: 'The events, until the session ends.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...refusals,
  },
});

export function registerEventRoutes(app: GatewayApp, { client, streams, keepAliveMs }: GatewayParts): void {
  app.openapi(events, async (c) => {
    const { id } = c.req.valid('param');
    const after = c.req.valid('header')['Last-Event-ID'] ?? c.req.valid('query').after ?? 0;
    const session = client.session(id);
    // an unknown session is refused before the stream begins
    await session.describe();
    // the answer was 504 meanwhile: a stream would have nobody
    if (c.env.outgoing.headersSent) throw new Refusal(504, 'TimedOut', 'Too late.');
    const close = streams.open();
    c.header('x-accel-buffering', 'no');
    const answer = streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      const keepAlive = setInterval(() => void stream.write(': keep-alive\n\n'), keepAliveMs);
      try {
        await stream.write(`retry: ${retryMs}\n\n`);
        await send(stream, session, { after, signal: AbortSignal.any([gone.signal, streams.ending]) });
      } finally {
        clearInterval(keepAlive);
        close();
      }
    });
    // they are Node's affair: a client may have asked for the end of the connection
    for (const name of ['connection', 'transfer-encoding']) answer.headers.delete(name);
    return answer;
  });
}

/** Ends after `closed`; without it when the client has left or the gateway ends. */
async function send(
  stream: SSEStreamingApi,
  session: SessionHandle,
  { after, signal }: { after: number; signal: AbortSignal },
): Promise<void> {
  try {
    // the last events of a session that has ended may wait for a worker: `closed` comes after them, never in their place
    for await (const item of session.events(after, signal)) {
      const { type: event, seq: id } = item.type === 'event' ? item.event : { ...item, seq: undefined };
      const data = JSON.stringify(await dataOf(item, session));
      await stream.writeSSE({ event, data, ...defined({ id: id?.toString() }) });
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { code, message } = error;
    const unanswered: StreamUnanswered = { code, message, closed: false };
    await stream.writeSSE({ event: 'unanswered', data: JSON.stringify(unanswered) });
    return;
  }
  if (signal.aborted) return;
  const listing = await session.describe().catch(() => undefined);
  const outcome = listing && toEntry(listing).outcome;
  const closed: StreamClosed = { sessionId: session.sessionId, state: 'ended', ...defined({ outcome }) };
  await stream.writeSSE({ event: 'closed', data: JSON.stringify(closed) });
}

async function dataOf(item: WatchItem, session: SessionHandle): Promise<object> {
  if (item.type === 'event') return toOuter(item.event);
  const { type: _, ...rest } = item;
  if (!('snapshot' in rest)) return toOuter(rest);
  const { snapshot, ...range } = rest;
  return { ...range, session: toView(await session.describe(), snapshot) } satisfies StreamGap;
}
