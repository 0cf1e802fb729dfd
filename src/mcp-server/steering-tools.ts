// The tools that change a session: start_investigation, steer_session, answer_approval, abort_session. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SessionHandle } from '../client.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { operations } from '@holdfast/vocabulary/session-operations';
import { answering, startedByUser, type ToolParts } from './tool-parts.ts';
import { sessionId } from './reading-tools.ts';

const changes = { readOnlyHint: false, openWorldHint: false };

export function addSteeringTools(server: McpServer, parts: ToolParts): void {
  addStart(server, parts);
  addSteer(server, parts);
  if (parts.approvals) addApproval(server, parts);
  addAbort(server, parts);
}

const startSchema = z.object({
  task: z.string().trim().min(1).max(20_000).describe('What is wrong, in words, with hosts and times.'),
  agent: z.string().min(1).max(100).optional().describe('An agent of the configuration.'),
  max_cost_usd: z.number().positive().optional(),
  max_minutes: z.number().positive().optional(),
});

function addStart(server: McpServer, { client, actor }: ToolParts): void {
  server.registerTool(
    'start_investigation',
    {
      description:
        'Starts an investigation and returns its session id at once; it works on for minutes or hours.',
      inputSchema: startSchema,
      annotations: { ...changes, destructiveHint: false },
    },
    answering(async (options) => {
      const { sessionId: started } = await client.start(toInput(options, actor()));
      const note = 'No worker polls yet: somebody has to start one with "holdfast worker".';
      return defined({ sessionId: started, note: (await client.hasWorker()) ? undefined : note });
    }),
  );
}

function addSteer(server: McpServer, { client, actor }: ToolParts): void {
  server.registerTool(
    'steer_session',
    {
      description: `${operations.steer.words} "receipt" in the answer says whether this run still reads it ("readIn").`,
      inputSchema: z.object({
        session_id: sessionId,
        message: z.string().trim().min(1).max(20_000),
        interrupt: z.boolean().default(false).describe('Stop the model call or tools in flight.'),
        to: z
          .string()
          .min(1)
          .max(1_000)
          .optional()
          .describe('A subagent that runs, by its name in session_snapshot; one below it as "a/b".'),
      }),
      annotations: { ...changes, destructiveHint: false },
    },
    answering(async ({ session_id, message, interrupt, to }) => {
      const mode = interrupt ? 'interrupt' : undefined;
      const { id: messageId, receipt } = await client
        .session(session_id)
        .steer(message, { mode, to, actor: actor() });
      return { sessionId: session_id, messageId, ...defined({ receipt }) };
    }),
  );
}

function addAbort(server: McpServer, { client }: ToolParts): void {
  server.registerTool(
    'abort_session',
    {
      description: `${operations.abort.words} "aborting" is false where no run was there.`,
      inputSchema: z.object({ session_id: sessionId }),
      annotations: { ...changes, destructiveHint: true },
    },
    answering(async ({ session_id }) => {
      const session = client.session(session_id);
      const before = await session.snapshot().catch(() => undefined);
      await session.abort();
      // without a worker nobody knows
      return { sessionId: session_id, aborting: before?.state !== 'idle' || before.waitingFor !== 'prompt' };
    }),
  );
}

/**
 * A model that starts a session must not also approve its calls. Clients choose their own names, so this covers every
 * session that an MCP client of this user has started, and its subagents.
 */
async function assertOfOthers(session: SessionHandle, user: string): Promise<void> {
  const { parentId, labels } = await session.describe();
  if (parentId !== undefined) return assertOfOthers(session.other(parentId), user);
  if (labels?.startedBy?.endsWith(startedByUser(user)))
    throw new Error(
      'Refused: an MCP client of this user started the session, and does not answer for it. A person answers with "holdfast approve", in the Temporal UI, or where the session is followed.',
    );
}

function addApproval(server: McpServer, { client, actor, user }: ToolParts): void {
  server.registerTool(
    'answer_approval',
    {
      description:
        'Allows or refuses one call that waits for a person, in a session that was not started through MCP. Only for what a ' +
        'person has decided about exactly these arguments: args_digest is the argsDigest of the call in session_snapshot.',
      inputSchema: z.object({
        session_id: sessionId,
        question: z.string().min(1).max(1_000).describe('Its id, in session_snapshot.'),
        approve: z.boolean(),
        args_digest: z.string().min(1).max(200),
        reason: z.string().max(4_000).optional().describe('Kept with the answer, and read by the agent.'),
      }),
      annotations: { ...changes, destructiveHint: true },
    },
    answering(async ({ session_id, question: id, approve, args_digest, reason }) => {
      const session = client.session(session_id);
      await assertOfOthers(session, user);
      const decision = defined({ actor: actor(), argsDigest: args_digest, reason });
      const given = await (approve ? session.approve(id, decision) : session.deny(id, decision));
      return { sessionId: session_id, question: id, ...given, actor: decision.actor };
    }),
  );
}

type StartOptions = z.infer<typeof startSchema>;

function toInput({ task, agent, max_cost_usd, max_minutes }: StartOptions, startedBy: string): SessionInput {
  const budget = defined({
    costUsd: max_cost_usd,
    wallMs: max_minutes === undefined ? undefined : Math.ceil(max_minutes * 60_000),
  });
  return { prompt: task, labels: { startedBy }, ...defined({ agent, budget: unlessEmpty(budget) }) };
}
