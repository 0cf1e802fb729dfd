// Operations that read sessions: the list, one session, its result and its report, and what waits for people. Runs in Node.
import { createRoute, z } from '@hono/zod-openapi';
import {
  ClientError,
  type ClientErrorCode,
  type ListOptions,
  type Report,
  type SessionListing,
  type SessionResult,
  type Snapshot,
  type WaitingList,
  renderReport,
  renderReportHtml,
} from '../client.ts';
import { undefinedIfUnknown } from '../client/client-error.ts';
import { defined } from '../core/base/defined.ts';
import {
  type GatewayApp,
  type GatewayParts,
  json,
  needs,
  refusals,
  schemaOf,
  sessionPath,
} from './operation.ts';
import { Refusal } from './problem.ts';

/** One session: its entry in the list, and its state if a worker has answered. */
export type SessionView = SessionListing & {
  /** State of the session, with what waits for people. */
  snapshot?: Snapshot;
  /** The reason why there is no snapshot. */
  unanswered?: {
    /** For programs, e.g. `NoWorker`. */
    code: ClientErrorCode;
    /** The reason in words for people. */
    message: string;
  };
};

const listingSchema = schemaOf<SessionListing>('SessionListing');
const listSchema = z
  .object({ sessions: z.array(listingSchema).describe('Newest first.') })
  .openapi('SessionList');
const outcomes = [
  'completed',
  'failed',
  'aborted',
  'max_iterations',
  'loop_detected',
  'context_exhausted',
  'budget_exceeded',
  'timed_out',
  'no_report',
] as const;

const list = createRoute({
  ...needs('read'),
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  summary: 'Lists sessions, newest first.',
  request: {
    query: z.strictObject({
      status: z.enum(['running', 'waiting', 'idle', 'ended']).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional().describe('Default 20.'),
      agent: z.string().min(1).optional().describe('Name of the agent.'),
      outcome: z.enum(outcomes).optional().describe('Status of the last run.'),
      children: z.enum(['true', 'false']).optional().describe('`true` lists subagents too.'),
    }),
  },
  responses: { 200: json(listSchema, 'The sessions.'), ...refusals },
});

const get = createRoute({
  ...needs('read'),
  method: 'get',
  path: '/v1/sessions/{id}',
  operationId: 'getSession',
  summary:
    'Gives one session with its state, its approvals and its questions. Without a worker the state is missing.',
  request: { params: sessionPath },
  responses: { 200: json(schemaOf<SessionView>('SessionView'), 'The session.'), ...refusals },
});

const result = createRoute({
  ...needs('read'),
  method: 'get',
  path: '/v1/sessions/{id}/result',
  operationId: 'getResult',
  summary: 'Gives the result of a session that has ended.',
  request: { params: sessionPath },
  responses: {
    200: json(schemaOf<SessionResult>('SessionResult'), 'The result.'),
    202: json(listingSchema, 'The session has not ended: follow its events, or ask again.'),
    ...refusals,
  },
});

const report = createRoute({
  ...needs('read'),
  method: 'get',
  path: '/v1/sessions/{id}/report',
  operationId: 'getReport',
  summary: 'Gives the report of the newest run, or of one run.',
  request: {
    params: sessionPath,
    query: z.strictObject({
      format: z.enum(['json', 'md', 'html']).optional().describe('Default `json`.'),
      run: z.string().min(1).optional().describe('Id of the run, e.g. `run-1`.'),
    }),
  },
  responses: {
    200: {
      description: 'The report.',
      content: {
        'application/json': { schema: schemaOf<Report>('Report') },
        'text/markdown': { schema: z.string() },
        'text/html': { schema: z.string() },
      },
    },
    ...refusals,
  },
});

const waiting = createRoute({
  ...needs('read'),
  method: 'get',
  path: '/v1/waiting',
  operationId: 'listWaiting',
  summary: 'Lists the approvals and questions of all running sessions, oldest first.',
  responses: { 200: json(schemaOf<WaitingList>('WaitingList'), 'What waits for people.'), ...refusals },
});

export function registerReads(app: GatewayApp, { client }: GatewayParts): void {
  app.openapi(list, async (c) => {
    const { children, ...filters } = c.req.valid('query');
    const options: ListOptions = { ...defined(filters), children: children === 'true' };
    return c.json({ sessions: await client.list(options) }, 200);
  });
  app.openapi(get, async (c) => {
    const { id } = c.req.valid('param');
    const view = await readView(client.session(id));
    c.set('session', id);
    return c.json(view, 200);
  });
  app.openapi(result, async (c) => {
    const { id } = c.req.valid('param');
    const session = client.session(id);
    // the store knows sessions that the server has forgotten
    const listing = await session.describe().catch(undefinedIfUnknown);
    c.set('session', id);
    if (listing?.status === 'RUNNING') return c.json(listing, 202, { 'retry-after': '5' });
    return c.json(await session.result({ signal: c.req.raw.signal }), 200);
  });
  app.openapi(report, async (c) => {
    const { id } = c.req.valid('param');
    const { format = 'json', run } = c.req.valid('query');
    const found = await client.session(id).readReport(defined({ runId: run }));
    if (found === undefined) throw noReport(run);
    c.set('session', id);
    if (format === 'json') return c.json(found, 200);
    if (format === 'md')
      return c.body(renderReport(found), 200, { 'content-type': 'text/markdown; charset=utf-8' });
    // the page has a policy of its own, which blocks scripts; nothing else of this origin is within its reach
    c.header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'");
    return c.html(renderReportHtml(found), 200);
  });
  app.openapi(waiting, async (c) => c.json(await client.waiting(), 200));
}

async function readView(session: ReturnType<GatewayParts['client']['session']>): Promise<SessionView> {
  const listing = await session.describe();
  try {
    return { ...listing, snapshot: await session.snapshot() };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { code, message } = error;
    return { ...listing, unanswered: { code, message } };
  }
}

function noReport(run: string | undefined): Refusal {
  return new Refusal({
    status: 404,
    code: 'NoReport',
    detail: `${run === undefined ? 'No run of the session has a report' : `The run "${run}" has no report`}: expected one after its end. GET /v1/sessions/{id}/result tells how it ended.`,
  });
}
