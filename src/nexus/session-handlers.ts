// The handlers of the Nexus service `holdfast`: a session as an operation, and messages to sessions of its namespace.
// Runs in Node.
import { setTimeout as sleep } from 'node:timers/promises';
import { type WorkflowHandle, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { getClient, startWorkflow, WorkflowRunOperationHandler } from '@temporalio/nexus';
import { HandlerError, OperationError, type ServiceHandler, serviceHandler } from 'nexus-rpc';
import type { AgentSession } from '../calling/investigate.ts';
import { askAgain, awaitStep } from '@holdfast/base/in-step';
import { type InvestigateRequest, sessionService } from '../calling/session-service.ts';
import { messageOf } from '@holdfast/base/message-of';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { parseSessionInput } from '../core/session/session-input.schema.ts';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { payloadWithoutTokens, startWithoutTokens } from '../core/session/without-tokens.ts';
import { agentSessionType, queries, signals, updates } from '../workflows/session/workflow-api.ts';

/** Sessions start on the task queue of the worker. */
export function createSessionService(): ServiceHandler {
  return serviceHandler(sessionService, {
    investigate: new WorkflowRunOperationHandler<InvestigateRequest, SessionResult>((context, request) => {
      const { sessionId, ...input } = request;
      return startWorkflow<AgentSession>(context, agentSessionType, {
        // a repeated request finds the workflow that it has started
        workflowId: sessionId ?? `nexus-${context.requestId}`,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        args: [acceptStart(input)],
      });
    }),
    snapshot: (_, { sessionId }) =>
      toSession<Snapshot>(sessionId, (session) => session.query(queries.snapshot)),
    steer: (_, { sessionId, ...sent }) =>
      toSession(sessionId, (session) => session.signal(signals.steer, payloadWithoutTokens(sent))),
    followUp: (_, { sessionId, ...sent }) =>
      toSession(sessionId, (session) => session.signal(signals.followUp, payloadWithoutTokens(sent))),
    // the server repeats an operation whose answer is lost, under its id
    resolveApproval: ({ requestId: updateId }, { sessionId, ...answer }) =>
      toSession(sessionId, (session) =>
        session.executeUpdate(updates.resolveApproval, { args: [payloadWithoutTokens(answer)], updateId }),
      ),
    answerQuestion: ({ requestId: updateId }, { sessionId, ...answer }) =>
      toSession(sessionId, (session) =>
        session.executeUpdate(updates.answerQuestion, { args: [payloadWithoutTokens(answer)], updateId }),
      ),
    abort: (_, { sessionId }) => toSession(sessionId, (session) => session.signal(signals.abort)),
  });
}

/**
 * Refuses `parent`, a link that only `delegate` sets and that decides the child's limits. Refuses `notify`, which would
 * let the caller send any signal to any workflow of the session's namespace.
 */
export function acceptStart({ parent, notify, ...input }: SessionInput): SessionInput {
  if (parent)
    throw new HandlerError('BAD_REQUEST', 'The start input has a "parent": only delegate sets one.');
  if (notify)
    throw new HandlerError(
      'BAD_REQUEST',
      'The start input has "notify", which signals reach in this namespace only: use the operation snapshot.',
    );
  try {
    return startWithoutTokens(parseSessionInput(input));
  } catch (error) {
    throw new HandlerError('BAD_REQUEST', messageOf(error));
  }
}

/** Less than the server's limit for an operation that answers at once. */
const answerMs = 8_000;

async function toSession<Answer>(
  sessionId: string,
  call: (session: WorkflowHandle<AgentSession>) => Promise<Answer>,
): Promise<Answer> {
  const client = getClient();
  try {
    return await client.withDeadline(Date.now() + answerMs, async () => {
      const session = client.workflow.getHandle<AgentSession>(sessionId);
      const describe = async () => {
        const { type, raw } = await session.describe();
        if (type !== agentSessionType) throw notFound(sessionId);
        return raw;
      };
      await awaitStep(describe, sleep, answerMs);
      return askAgain(() => call(session), sleep);
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw notFound(sessionId);
    if (error instanceof WorkflowUpdateFailedError) throw refused(error);
    throw error;
  }
}

function notFound(sessionId: string): HandlerError {
  return new HandlerError('NOT_FOUND', `There is no open session ${sessionId} in this namespace.`);
}

/** The session's own message, e.g. that nothing waits under this id; not retried. */
function refused({ cause, message }: WorkflowUpdateFailedError): OperationError {
  const failure = cause instanceof ApplicationFailure ? cause : undefined;
  return new OperationError('failed', failure?.message ?? message, { cause: failure });
}
