// Operations that read sessions: the list, one session, its result and its report, and what waits for people. Runs in Node.
import { createRoute, z } from '@hono/zod-openapi';
import {
  ClientError,
  type ListOptions,
  type Report,
  type SessionHandle,
  type SessionResult,
  type WaitingItem,
  type WaitingList,
  renderReport,
  renderReportHtml,
} from '../client.ts';
import { undefinedIfUnknown } from '../client/client-error.ts';
import { defined } from '@holdfast/base/defined';
import { toOuter } from '@holdfast/vocabulary/outer-form';
import { outcomeFilters } from '@holdfast/vocabulary/run-status';
import {
  type GatewayApp,
  type GatewayParts,
  at,
  json,
  needs,
  refusals,
  schemaOf,
  sessionPath,
} from './operation.ts';
import { Refusal } from './problem.ts';
import { type SessionEntry, type SessionView, toEntry, toView } from './session-view.ts';

/** All that waits for people in running sessions. */
export type QuestionList = Pick<WaitingList, 'unanswered'> & {
  /** Approvals and questions, oldest first. */
  questions: WaitingItem[];
};

const entrySchema = schemaOf<SessionEntry>('SessionEntry');
const listSchema = z.object({ sessions: z.array(entrySchema) }).openapi('SessionList');

const list = createRoute({
  ...needs('read', 'sessions'),
  ...at('get', '/v1/sessions', 'listSessions'),
  summary: 'Lists sessions: running ones first, each kind newest first.',
  request: {
    query: z.strictObject({
      state: z.enum(['running', 'waiting', 'idle', 'ended']).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional().describe('Default 20.'),
      agent: z.string().min(1).optional().describe('Name of the agent.'),
      outcome: z
        .enum(outcomeFilters)
        .optional()
        .describe('As in the answer; `no_report`: completed without the report that its agent owed.'),
      children: z.enum(['true', 'false']).optional().describe('`true` lists subagents too.'),
    }),
  },
  responses: { 200: json(listSchema, 'The sessions.'), ...refusals },
});

const view = z.enum(['small', 'full']).optional().describe('`full` adds the snapshot. Default `small`.');
const get = createRoute({
  ...needs('read', 'sessions'),
  ...at('get', '/v1/sessions/{id}', 'getSession'),
  summary:
    'Gives one session with what waits for people. Without a worker it is as old as its entry in the list.',
  request: { params: sessionPath, query: z.strictObject({ view }) },
  responses: { 200: json(schemaOf<SessionView>('SessionView'), 'The session.'), ...refusals },
});

const result = createRoute({
  ...needs('read', 'sessions'),
  ...at('get', '/v1/sessions/{id}/result', 'getResult'),
  summary: 'Gives the result of a session that has ended.',
  request: { params: sessionPath },
  responses: {
    200: json(schemaOf<SessionResult>('SessionResult'), 'The result.'),
    202: json(entrySchema, 'The session has not ended: follow its events, or ask again.'),
    ...refusals,
  },
});

const report = createRoute({
  ...needs('read', 'sessions'),
  ...at('get', '/v1/sessions/{id}/report', 'getReport'),
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
  ...needs('read', 'questions'),
  ...at('get', '/v1/questions', 'listQuestions'),
  summary: 'Lists the approvals and questions of all running sessions, oldest first.',
  responses: { 200: json(schemaOf<QuestionList>('QuestionList'), 'What waits for people.'), ...refusals },
});

export function registerReadRoutes(app: GatewayApp, { client }: GatewayParts): void {
  app.openapi(list, async (c) => {
    const { children, state, ...filters } = c.req.valid('query');
    const options: ListOptions = { ...defined({ ...filters, status: state }), children: children === 'true' };
    const sessions = (await client.list(options)).map((listing) => toEntry(listing));
    return c.json({ sessions }, 200);
  });
  app.openapi(get, async (c) => {
    const { id } = c.req.valid('param');
    const session = await readView(client.session(id), c.req.valid('query').view === 'full');
    return c.json(session, 200);
  });
  app.openapi(result, async (c) => {
    const { id } = c.req.valid('param');
    const session = client.session(id);
    // the store knows sessions that the server has forgotten
    const listing = await session.describe().catch(undefinedIfUnknown);
    if (listing?.status === 'RUNNING') return c.json(toEntry(listing), 202, { 'retry-after': '5' });
    return c.json(toOuter(await session.result({ signal: c.req.raw.signal })), 200);
  });
  app.openapi(report, async (c) => {
    const { id } = c.req.valid('param');
    const { format = 'json', run } = c.req.valid('query');
    const found = await client.session(id).readReport(defined({ runId: run }));
    if (found === undefined) throw noReport(run);
    if (format === 'json') return c.json(toOuter(found), 200);
    if (format === 'md')
      return c.body(renderReport(found), 200, { 'content-type': 'text/markdown; charset=utf-8' });
    // the page has a policy of its own, which blocks scripts; nothing else of this origin is within its reach
    c.header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'");
    return c.html(renderReportHtml(found), 200);
  });
  app.openapi(waiting, async (c) => {
    const { waiting: questions, unanswered } = await client.waiting();
    return c.json(toOuter({ questions, unanswered }), 200);
  });
}

async function readView(session: SessionHandle, isFull: boolean): Promise<SessionView> {
  const listing = await session.describe();
  try {
    return toView(listing, await session.snapshot(), isFull);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { code, message } = error;
    return { ...toView(listing), unanswered: { code, message } };
  }
}

function noReport(run: string | undefined): Refusal {
  const detail = `${run === undefined ? 'No run of the session has a report' : `The run "${run}" has no report`}: expected one after its end. GET /v1/sessions/{id}/result tells how it ended.`;
  return new Refusal(404, 'NoReport', detail);
}
