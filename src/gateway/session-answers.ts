// Operations that answer what waits for a person. The name in the log of the session is that of the token, never a word of
// the request. Runs in Node.
import { createRoute, z } from '@hono/zod-openapi';
import { defined } from '@holdfast/base/defined';
import type { ResolvedApproval } from '@holdfast/vocabulary/session-api';
import {
  type GatewayApp,
  type GatewayParts,
  body,
  callerOf,
  json,
  offers,
  refusals,
  schemaOf,
  sessionPath,
} from './operation.ts';

const question = z.string().min(1).describe('Id of the approval or question, as in GET /v1/questions.');
const reason = z.string().max(4_000).optional().describe('Kept with the answer, and read by the agent.');
const argsDigest = z
  .string()
  .min(1)
  .optional()
  .describe(
    'argsDigest of the pending call: the answer counts only for the arguments that were read. An approval needs it, here or behind an `@` in `question`.',
  );
const denySchema = z.strictObject({ question, argsDigest, reason });
const approveSchema = denySchema.extend({
  remember: z
    .enum(['call', 'tool'])
    .optional()
    .describe('Approves later calls of the session too: the same call, or every call of the tool.'),
});
const words = z.string().trim().min(1).max(8_000).describe('The agent reads it.');
const answerSchema = z.strictObject({ question, answer: words });
const answeredSchema = z.object({ question }).openapi('Answered');
const resolved = {
  200: json(schemaOf<ResolvedApproval>('ResolvedApproval'), 'The call is answered.'),
  ...refusals,
};

const approve = createRoute({
  ...offers('resolveApproval', 'approve', 'approveCall'),
  summary: 'Allows a call that waits for approval.',
  request: { params: sessionPath, body: body('Approve', approveSchema) },
  responses: resolved,
});
const deny = createRoute({
  ...offers('resolveApproval', 'deny', 'denyCall'),
  summary: 'Refuses a call that waits for approval.',
  request: { params: sessionPath, body: body('Deny', denySchema) },
  responses: resolved,
});
const answer = createRoute({
  ...offers('answerQuestion', 'answer', 'answerQuestion'),
  request: { params: sessionPath, body: body('Answer', answerSchema) },
  responses: { 200: json(answeredSchema, 'The question is answered.'), ...refusals },
});

const takeBack = createRoute({
  ...offers('takeBackFinding', 'take-back', 'takeBackFinding'),
  request: { params: sessionPath, body: body('TakeBack', z.strictObject({ finding: z.string().min(1) })) },
  responses: { 204: { description: 'It holds no more.' }, ...refusals },
});

export function registerAnswerRoutes(app: GatewayApp, { client }: GatewayParts): void {
  app.openapi(approve, async (c) => {
    const { question: call, ...rest } = c.req.valid('json');
    const decision = { actor: callerOf(c.var.caller, 'answer'), ...defined(rest) };
    return c.json(await client.session(c.req.valid('param').id).approve(call, decision), 200);
  });
  app.openapi(takeBack, async (c) => {
    const given = { actor: callerOf(c.var.caller, 'answer') };
    await client.session(c.req.valid('param').id).takeBackFinding(c.req.valid('json').finding, given);
    return c.body(null, 204);
  });
  app.openapi(deny, async (c) => {
    const { question: call, ...rest } = c.req.valid('json');
    const decision = { actor: callerOf(c.var.caller, 'answer'), ...defined(rest) };
    return c.json(await client.session(c.req.valid('param').id).deny(call, decision), 200);
  });
  app.openapi(answer, async (c) => {
    const { question: asked, answer: text } = c.req.valid('json');
    const given = { actor: callerOf(c.var.caller, 'answer') };
    const { answered } = await client.session(c.req.valid('param').id).answerQuestion(asked, text, given);
    return c.json({ question: answered }, 200);
  });
}
