// Operations that start sessions: a start and a fork. An Idempotency-Key makes the id of the session, so that Temporal
// itself refuses a second one; the digest of the request is a label in its memo, which tells a repeat from another request.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ClientError, type HoldfastClient, type SessionInput, forkCheckpoint } from '../client.ts';
import { undefinedIfUnknown } from '../client/client-error.ts';
import { checkSessionStart } from '../client/start-session.ts';
import { agentNames } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { describeUnknown } from '../core/agent/start.ts';
import { defined } from '@holdfast/base/defined';
import { isRecord } from '@holdfast/base/json';
import { requestDigestLabel } from '@holdfast/vocabulary/outer-names';
import { firstWords } from '@holdfast/vocabulary/workflow-ids';
import { sha256Hex } from '@holdfast/stored/sha256';
import {
  type GatewayApp,
  type GatewayEnv,
  type GatewayParts,
  at,
  body,
  callerOf,
  json,
  keyHeader,
  needs,
  refusals,
  sessionPath,
} from './operation.ts';
import { Refusal } from './problem.ts';

const startedSchema = z
  .object({ sessionId: z.string().describe('Id of the session, for all other operations.') })
  .openapi('StartedSession');

const answers = {
  201: json(startedSchema, 'The session has begun.'),
  200: json(startedSchema, 'A request with the same key and body has started this session before.'),
  ...refusals,
};

const forkSchema = z.strictObject({
  prompt: z.string().trim().min(1).optional().describe('The next task. Absent: the work continues.'),
  atTurn: z.int().min(1).optional().describe('From the end of this turn. Absent: from the current state.'),
  run: z.string().min(1).optional().describe('The run of atTurn, e.g. `run-1`. Absent: the newest.'),
  model: z.string().min(1).optional().describe('Another model, `<provider>:<model id>`.'),
});
type ForkRequest = z.output<typeof forkSchema>;

const time = z.iso
  .datetime({ offset: true, error: 'expected a time such as 2026-11-29T15:04:05Z' })
  .transform((text) => Date.parse(text))
  .exactOptional();
const window = z.looseObject({ startsAt: time, endsAt: time }).exactOptional();
/** Times as the client takes them. Everything else is checked by the client, which knows the words. */
const alert = z.looseObject({ startsAt: time }).exactOptional();
const startSchema = z.looseObject({ deadlineAt: time, window, alert });

const start = createRoute({
  ...needs('start', 'sessions'),
  ...at('post', '/v1/sessions', 'startSession'),
  summary: 'Starts a session. With an Idempotency-Key a repeat of the request gives the same session.',
  request: { headers: keyHeader, body: body('SessionInput', startSchema) },
  responses: answers,
});

const fork = createRoute({
  ...needs('start', 'sessions'),
  ...at('post', '/v1/sessions/{id}/fork', 'forkSession'),
  summary: 'Starts a new session from the state of this one, running or ended, which stays unchanged.',
  request: { params: sessionPath, headers: keyHeader, body: body('Fork', forkSchema) },
  responses: answers,
});

export function registerStartRoutes(app: GatewayApp, { client, config }: GatewayParts): void {
  const answerStart = async (
    c: Context<GatewayEnv>,
    request: Omit<StartRequest, 'caller'>,
    toInput: () => Promise<SessionInput>,
  ) => {
    const caller = callerOf(c.var.caller, 'start');
    const { sessionId, isNew } = await startOnce(client, { caller, ...request }, toInput);
    c.set('session', sessionId);
    c.header('location', `/v1/sessions/${encodeURIComponent(sessionId)}`);
    return c.json({ sessionId }, isNew ? 201 : 200);
  };
  app.openapi(start, async (c) => {
    const input = c.req.valid('json') as SessionInput;
    assertOpen(input);
    const key = c.req.valid('header')['Idempotency-Key'];
    return answerStart(c, { key, content: input }, () => assertKnown(input, config).then(() => input));
  });
  app.openapi(fork, async (c) => {
    const { id } = c.req.valid('param');
    const changes = c.req.valid('json');
    const key = c.req.valid('header')['Idempotency-Key'];
    return answerStart(c, { key, content: { id, changes } }, () => toForked(client, id, changes));
  });
}

/** As for callers through Nexus: a link to a parent sets limits, and signals reach any workflow of the namespace. */
function assertOpen(input: SessionInput): void {
  const closed = ['parent', 'notify'].filter((name) => name in input);
  if (closed.length > 0)
    throw new ClientError(
      'InvalidInput',
      `${closed.join(' and ')}: expected to be absent, because it reaches other workflows of the namespace. Follow /v1/sessions/{id}/events instead.`,
    );
}

/** Such a session would fail later. A config without agents or destinations does not tell those of the workers. */
async function assertKnown(input: SessionInput, config: Config): Promise<void> {
  checkSessionStart(input, {});
  const { agent, deliver = [] } = input;
  const destinations = Object.keys(config.destinations);
  const to = deliver.map((each) => each.to).find((name) => !destinations.includes(name));
  if (to !== undefined && destinations.length > 0)
    throw new ClientError('InvalidInput', describeUnknown('destination', to, destinations));
  if (agent === undefined || Object.keys(config.agents).length === 0) return;
  const known = await agentNames(config);
  if (!known.has(agent)) throw new ClientError('InvalidInput', describeUnknown('agent', agent, known));
}

type StartRequest = { caller: string; key: string | undefined; content: unknown };

async function startOnce(
  client: HoldfastClient,
  { caller, key, content }: StartRequest,
  toInput: () => Promise<SessionInput>,
): Promise<{ sessionId: string; isNew: boolean }> {
  const requestDigest = sha256Hex(JSON.stringify(content));
  // the words of the key are for people
  const words = (key !== undefined && firstWords(key)) || 'key';
  const sessionId = key && `${words}-${sha256Hex(`${caller}\n${key}`).slice(0, 16)}`;
  try {
    const input = await toInput();
    const own = { startedBy: caller, ...defined({ [requestDigestLabel]: sessionId && requestDigest }) };
    // anything else is refused by the client, which knows the words
    const labels = isRecord(input.labels ?? {}) ? { ...input.labels, ...own } : input.labels;
    const session = await client.start({ ...input, ...defined({ labels }) }, defined({ sessionId }));
    return { sessionId: session.sessionId, isNew: true };
  } catch (error) {
    if (!(error instanceof ClientError) || sessionId === undefined) throw error;
    // also where the start would be refused today
    const found = await client.session(sessionId).describe().catch(undefinedIfUnknown);
    if (found?.labels?.[requestDigestLabel] === requestDigest) return { sessionId, isNew: false };
    if (error.code !== 'SessionExists') throw error;
    const detail = `Another request of "${caller}" with this Idempotency-Key has started session ${sessionId}: expected the same path and body, or a new key.`;
    throw new Refusal(409, 'KeyReused', detail);
  }
}

async function toForked(
  client: HoldfastClient,
  sessionId: string,
  { prompt, atTurn, run, model }: ForkRequest,
): Promise<SessionInput> {
  const now = await client.session(sessionId).checkpoint();
  const forked = atTurn === undefined ? undefined : forkCheckpoint(now, { atTurn, ...defined({ run }) });
  if (forked && !forked.ok)
    throw new ClientError('Refused', `The session was not forked: ${forked.reason}.`, {
      reason: forked.code,
    });
  const checkpoint = forked?.value ?? now;
  if (checkpoint.status === 'completed' && prompt === undefined)
    throw new ClientError(
      'Refused',
      'The session has completed its work, and there is nothing to continue: expected "prompt" with the next task, or "atTurn".',
    );
  // a failed run is forked to continue it
  return { checkpoint, resumeFailed: true, ...defined({ model, prompt }) };
}
