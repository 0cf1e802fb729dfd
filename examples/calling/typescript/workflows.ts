// Workflows of an incident team that have Holdfast investigate. Temporal bundles this file: see worker.ts.
import {
  condition,
  createNexusServiceClient,
  defineQuery,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { defineOutput, investigate, sessionService, startInvestigation } from 'holdfast/workflow';

export type Alert = { service: string; text: string };
type Cause = { cause: string; confidence: 'high' | 'low' };

const cause = defineOutput<Cause>({
  type: 'object',
  properties: { cause: { type: 'string' }, confidence: { enum: ['high', 'low'] } },
  required: ['cause', 'confidence'],
  additionalProperties: false,
});

/** The cause of an alert, found without changing anything. */
export async function findCause(alert: Alert, taskQueue: string): Promise<string> {
  const { status, output } = await investigate({
    task: `Find out why ${alert.service} is slow.`,
    context: alert,
    outputSchema: cause,
    budget: { costUsd: 2 },
    deadline: '10 minutes',
    policy: [{ tool: '*', effect: 'change', decision: 'deny', reason: 'Triage only looks.' }],
    taskQueue,
  });
  if (status !== 'completed') return `no cause: ${status}`;
  return output.confidence === 'high' ? output.cause : `maybe ${output.cause}`;
}

export const askedQuery = defineQuery<string[]>('asked');

/** The agent may change things: this workflow tells it what it knows, and answers what waits for approval. */
export async function repair(alert: Alert, taskQueue: string): Promise<object> {
  const session = await startInvestigation({
    task: `Find out why ${alert.service} is slow, and repair it.`,
    context: alert,
    outputSchema: cause,
    taskQueue,
  });
  const asked: string[] = [];
  setHandler(askedQuery, () => asked);
  await session.steer('The deploy of 14:00 was rolled back at 14:05.');

  await condition(() => session.waiting.approvals.length > 0, '10 minutes');
  const { turn, approvals } = await session.snapshot();
  for (const { id, argsDigest, summary } of session.waiting.approvals) {
    asked.push(summary);
    await session.approve(id, { actor: 'incident-team', argsDigest });
  }
  const { output } = await session.result();
  return { output, turn, waited: approvals.length, asked };
}

/** Looks for a while, and takes what is there by then. */
export async function lookFor(task: string, timeMs: number, taskQueue: string): Promise<string> {
  const session = await startInvestigation({ task, taskQueue });
  const result = session.result();
  const timeIsUp = await Promise.race([sleep(timeMs).then(() => true), result.then(() => false)]);
  // stops the model call and the tools that run; the result still comes
  if (timeIsUp) session.cancel();
  const { status, answer } = await result;
  return `${status}: ${answer}`;
}

/** The workers of Holdfast are in another namespace, which a Nexus endpoint leads to. */
export async function askOtherTeam(task: string, endpoint: string): Promise<string> {
  const sessions = createNexusServiceClient({ service: sessionService, endpoint });
  const { sessionId, status, output } = await sessions.executeOperation(
    'investigate',
    { prompt: task, outputSchema: cause, policy: [{ tool: '*', effect: 'change', decision: 'deny' }] },
    { scheduleToCloseTimeout: '15 minutes', summary: task },
  );
  const { costUsd } = await sessions.executeOperation('snapshot', { sessionId });
  return `${status} for ${costUsd} USD: ${JSON.stringify(output)}`;
}

/** A session of the other team that this workflow looks after: messages, an approval, an answer, and a stop. */
export async function repairWithOtherTeam(task: string, endpoint: string): Promise<string> {
  const sessions = createNexusServiceClient({ service: sessionService, endpoint });
  const [sessionId, actor] = [`${workflowInfo().workflowId}-repair`, 'incident-team'];
  const running = await sessions.startOperation('investigate', { sessionId, prompt: task });
  const news = { id: 'news', message: 'The deploy of 14:00 was rolled back at 14:05.' };
  await sessions.executeOperation('steer', { sessionId, ...news });
  await sessions.executeOperation('followUp', { sessionId, id: 'then', message: 'Then look at the disk.' });
  const answered: string[] = [];
  while (answered.length < 2) {
    const { approvals, questions } = await sessions.executeOperation('snapshot', { sessionId });
    for (const { id, argsDigest, tool } of approvals) {
      await sessions.executeOperation('resolveApproval', { sessionId, id, argsDigest, actor, approve: true });
      answered.push(`approved ${tool}`);
    }
    for (const { id, question } of questions) {
      await sessions.executeOperation('answerQuestion', { sessionId, id, actor, text: 'That of checkout.' });
      answered.push(`answered ${question}`);
    }
    await sleep('500 ms');
  }
  const { receipts } = await sessions.executeOperation('snapshot', { sessionId });
  await sessions.executeOperation('abort', { sessionId });
  const { status } = await running.result();
  return [status, ...answered, ...receipts.map(({ id }) => id)].join(', ');
}
