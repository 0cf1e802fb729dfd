// Operations about alerts: takes those of a receiver, lists what became of them, and has one investigated all the same. Runs
// in Node.
import { createRoute, z } from '@hono/zod-openapi';
import { ClientError, type ListedAlert } from '../client.ts';
import { openSecrets, silent } from '../config/secrets.ts';
import { fateKinds } from '@holdfast/vocabulary/alert-fate';
import { eachAtOnce } from '@holdfast/base/at-once';
import { defined } from '@holdfast/base/defined';
import { toOuter } from '@holdfast/vocabulary/outer-form';
import { assertRight } from './callers.ts';
import { createFetchText } from '@holdfast/alert-intake/sns';
import { isSigned, readBody, refuseSender } from '@holdfast/alert-intake/read-alerts';
import { alertRequest, type AlertsRefused } from '@holdfast/alert-intake/sender-check';
import {
  type GatewayApp,
  type GatewayParts,
  at,
  body,
  callerOf,
  json,
  needs,
  refusals,
  schemaOf,
} from './operation.ts';
import { Refusal } from './problem.ts';

/** Signals of one request that are sent at the same time. */
const sentAtOnce = 16;

const takenSchema = z
  .object({
    alerts: z.int().describe('Alerts that Temporal has now.'),
    groups: z.array(z.string()).describe('Workflow ids of their groups.'),
    note: z.string().optional().describe('Why a valid body has no alerts.'),
  })
  .openapi('TakenAlerts');

const asSent = z.string().openapi({ format: 'binary' });

const take = createRoute({
  ...at('post', '/alerts/{receiver}', 'sendAlerts'),
  summary:
    'Takes the alerts of a sender, in the form of its receiver. It may be sent again: a repeat changes nothing.',
  description:
    'Needs the right `alerts`, or the signature of the sender where the receiver has a signing secret or topics.',
  tags: ['alerts'],
  security: [{ bearer: [] }, { basic: [] }, {}],
  request: {
    params: z.object({ receiver: z.string().min(1).describe('Name of a receiver of the config.') }),
    body: { required: true, content: { 'application/octet-stream': { schema: asSent } } },
  },
  responses: {
    202: json(takenSchema, 'Temporal has the alerts: nothing of them is lost any more.'),
    ...refusals,
  },
});

const list = createRoute({
  ...needs('read', 'alerts'),
  ...at('get', '/v1/alerts', 'listAlerts'),
  summary: 'Lists alerts with what became of them, newest first.',
  request: {
    query: z.strictObject({
      receiver: z.string().min(1).optional(),
      fate: z.enum(fateKinds).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Default 50.'),
      archived: z.enum(['true', 'false']).optional().describe('`true` lists old ones too.'),
    }),
  },
  responses: {
    200: json(
      z.object({ alerts: z.array(schemaOf<ListedAlert>('ListedAlert')) }).openapi('AlertList'),
      'The alerts.',
    ),
    ...refusals,
  },
});

const investigateSchema = z.strictObject({
  group: z.string().min(1).describe('Workflow id of the group, as in the list.'),
  ids: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Ids or fingerprints of alerts. Default: all of the group that nobody investigates.'),
});

const investigate = createRoute({
  ...needs('start', 'alerts'),
  ...at('post', '/v1/alerts/investigate', 'investigateAlerts'),
  summary: 'Has alerts that are waiting, joined or suppressed investigated now.',
  request: { body: body('Investigate', investigateSchema) },
  responses: {
    200: json(
      z.object({ alerts: z.int().describe('Number of alerts of the new session.') }).openapi('Investigating'),
      'A session begins.',
    ),
    ...refusals,
  },
});

export function registerAlertRoutes(app: GatewayApp, { client, config }: GatewayParts): void {
  const fetchText = createFetchText();
  // opened by the first use: a description of the routes has no config
  let secrets: ReturnType<typeof openSecrets> | undefined;
  const resolveSecret = (reference: string): Promise<string> =>
    (secrets ??= openSecrets(config, silent)).resolve(reference);
  app.openapi(take, async (c) => {
    const { receiver: name } = c.req.valid('param');
    const { receivers = {} } = config;
    const receiver = Object.hasOwn(receivers, name) ? receivers[name] : undefined;
    if (receiver === undefined || !isSigned(receiver)) assertRight(c.var.caller, 'alerts');
    if (receiver === undefined) throw unknownReceiver(name, Object.keys(receivers));
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const request = alertRequest(bytes, (header) => c.req.header(header));
    const refusal = await refuseSender(receiver, request, { resolveSecret, fetchText, now: Date.now() });
    if (refusal) throw refusalOf(refusal);
    const read = readBody({ name, receiver }, request.parse());
    if (!read.ok) {
      // kept for people; where Temporal is away it is 503, so that the sender comes again, and it is kept then
      await client.alerts.refuse(name, read.reason).catch((error: unknown) => {
        // thousands are kept that no worker has read: this one is in the log of the gateway only
        if (!(error instanceof ClientError && error.code === 'LimitReached')) throw error;
      });
      throw refusalOf(read);
    }
    // for the log: the signature has named the sender
    if (isSigned(receiver)) c.set('caller', { name: `signed:${name}`, may: ['alerts'] });
    const { groups, note } = read;
    const ids = await eachAtOnce(groups, sentAtOnce, (group) =>
      client.alerts.send({ receiver: name, ...group }),
    );
    const alerts = groups.reduce((sum, group) => sum + group.alerts.length, 0);
    c.set('taken', { receiver: name, alerts });
    return c.json({ alerts, groups: [...new Set(ids)], ...defined({ note }) }, 202);
  });
  app.openapi(list, async (c) => {
    const { archived, ...filters } = c.req.valid('query');
    const alerts = await client.alerts.list({ ...defined(filters), archived: archived === 'true' });
    return c.json({ alerts: toOuter(alerts) }, 200);
  });
  app.openapi(investigate, async (c) => {
    const { group, ids } = c.req.valid('json');
    const by = callerOf(c.var.caller, 'start');
    try {
      return c.json(await client.alerts.investigate(group, { by, ...defined({ ids }) }), 200);
    } catch (error) {
      throw error instanceof ClientError && error.code === 'UnknownSession' ? unknownGroup(group) : error;
    }
  });
}

function refusalOf({ status, code, reason: detail }: AlertsRefused): Refusal {
  return new Refusal(status, code, detail, status === 502 || status === 503 ? { 'retry-after': '30' } : {});
}

function unknownGroup(group: string): Refusal {
  const detail = `There is no open group of alerts "${group}". GET /v1/alerts lists those that there are.`;
  return new Refusal(404, 'UnknownGroup', detail);
}

function unknownReceiver(name: string, known: readonly string[]): Refusal {
  const expected = known.length === 0 ? 'the config has no receivers' : `expected one of ${known.join(', ')}`;
  const detail = `There is no receiver "${name}": ${expected}. Receivers are in "receivers" of the gateway's config.`;
  return new Refusal(404, 'UnknownReceiver', detail);
}
