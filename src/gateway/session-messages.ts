// Operations that talk to a session or stop it. Runs in Node.
import { createRoute, z } from '@hono/zod-openapi';
import type { PromptInput, Receipt, SentMessage, SessionHandle } from '../client.ts';
import type { StartedRun } from '@holdfast/vocabulary/session-api';
import {
  type GatewayApp,
  type GatewayParts,
  body,
  json,
  keyHeader,
  offers,
  refusals,
  schemaOf,
  sessionPath,
} from './operation.ts';

const message = z.string().trim().min(1).describe('Words for the agent.');
const steerSchema = z.strictObject({
  message,
  mode: z
    .enum(['next_turn', 'interrupt'])
    .optional()
    .describe('`interrupt` stops the model call and the tools in flight. Default `next_turn`.'),
  to: z.string().min(1).optional().describe('A running subagent by its name; one below it as `a/b`.'),
});
const followUpSchema = z.strictObject({ message });
const promptSchema = z.strictObject({ prompt: schemaOf<PromptInput>('PromptInput') });
const continueSchema = z.strictObject({ continueText: message.optional() });
const sentSchema = z
  .object({
    id: z.string().describe('Id of the message: the Idempotency-Key, or a new one.'),
    receipt: schemaOf<Receipt>('Receipt').optional(),
  })
  .openapi('SentMessage');
const started = { 202: json(schemaOf<StartedRun>('StartedRun'), 'The run begins.'), ...refusals };
const sent = { 202: json(sentSchema, 'Stored once for each key; `receipt`: it was taken.'), ...refusals };
const taken = { 204: { description: 'The session has the request.' }, ...refusals };

const steer = createRoute({
  ...offers('steer', 'steer', 'steerSession'),
  request: { params: sessionPath, headers: keyHeader, body: body('Steer', steerSchema) },
  responses: sent,
});
const followUp = createRoute({
  ...offers('followUp', 'followUp', 'followUpSession'),
  request: { params: sessionPath, headers: keyHeader, body: body('FollowUp', followUpSchema) },
  responses: sent,
});
const prompt = createRoute({
  ...offers('prompt', 'prompt', 'promptSession'),
  request: { params: sessionPath, body: body('Prompt', promptSchema) },
  responses: started,
});
const proceed = createRoute({
  ...offers('continue', 'continue', 'continueSession'),
  request: { params: sessionPath, body: body('Continue', continueSchema) },
  responses: started,
});
const stops = ['abort', 'shutdown'] as const;

export function registerMessageRoutes(app: GatewayApp, { client }: GatewayParts): void {
  const open = (c: { req: { valid(from: 'param'): { id: string } } }): SessionHandle =>
    client.session(c.req.valid('param').id);
  app.openapi(steer, async (c) => {
    const { message: words, mode, to } = c.req.valid('json');
    const { 'Idempotency-Key': id } = c.req.valid('header');
    const answer: SentMessage = await open(c).steer(words, { id, mode, to, actor: c.var.caller?.name });
    return c.json(answer, 202);
  });
  app.openapi(followUp, async (c) => {
    const { 'Idempotency-Key': id } = c.req.valid('header');
    const answer = await open(c).followUp(c.req.valid('json').message, { id, actor: c.var.caller?.name });
    return c.json(answer, 202);
  });
  app.openapi(prompt, async (c) => c.json(await open(c).prompt(c.req.valid('json').prompt), 202));
  app.openapi(proceed, async (c) => c.json(await open(c).continue(c.req.valid('json').continueText), 202));
  for (const name of stops) {
    const route = {
      ...offers(name, name, `${name}Session`),
      request: { params: sessionPath },
      responses: taken,
    };
    app.openapi(createRoute(route), async (c) => {
      await open(c)[name]();
      return c.body(null, 204);
    });
  }
}
