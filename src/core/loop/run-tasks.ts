// The tasks of one `delegate` call, from their names to their results: all start together, each in a session of its own.
import { firstMessages } from '../agent/delegation/first-messages.ts';
import { instanceName } from '../agent/delegation/instance-name.ts';
import { canceled, errorOf, toTaskResult } from '../agent/delegation/task-result.ts';
import { cutText } from '../base/cut-text.ts';
import { agentDefaults } from '../model/agent-spec.ts';
import type { Budget } from '../model/agent-spec.ts';
import type { Child, ListedAgent, TaskResult } from '../model/children.ts';
import type { SessionInput } from '../model/session-input.ts';
import { shareOf } from '../state/child-budget.ts';
import type { ChildEnd, NewChild } from '../state/facts.ts';
import type { ChildOutcome, WorkflowToolContext } from './effects.ts';

/** As the call has it. */
export type DelegatedTask = { agent: string; task: string; context: string; task_id?: string };

/** A task with the child that will do it. `former`: the child of a session before, whose work it takes over. */
type Named = { task: DelegatedTask; index: number; name: string; listed: ListedAgent; former?: Child };

/** In the order of the tasks. A task that fails is a result with an error, and stops no other. */
export async function runTasks(
  context: WorkflowToolContext,
  tasks: readonly DelegatedTask[],
): Promise<TaskResult[]> {
  const { session } = context;
  const settled = tasks.map((task, index) => settledResult(context, task, index));
  const due = nameTasks(
    context,
    [...tasks.entries()].filter(([index]) => settled[index] === undefined),
  );
  const share = shareOf(session.state, due.length, session.now());
  const ran = await Promise.all(
    due.map(async (named) => {
      const { task, name } = named;
      if ('spent' in share) return { agent: task.agent, error: errorOf(name, share.spent) };
      return runTask(context, named, share.budget);
    }),
  );
  for (const [at, { index }] of due.entries()) settled[index] = ran[at];
  return settled.flatMap((result) => result ?? []);
}

/** Known without a child: of a task that was done before its session was left, and of one that nobody can do. */
function settledResult(
  { session: { state }, callId }: WorkflowToolContext,
  { agent }: DelegatedTask,
  index: number,
): TaskResult | undefined {
  const done = formerOf(state.children, callId, index)?.result;
  const { agents = [] } = state.context ?? {};
  if (done || agents.some(({ name }) => name === agent)) return done;
  const known = agents.map(({ name }) => name).join(', ');
  return { agent, error: `There is no agent "${agent}": expected one of ${known}.` };
}

function formerOf(children: readonly Child[] = [], callId: string, index: number): Child | undefined {
  return children.find((child) => child.callId === callId && child.index === index);
}

function nameTasks(
  { session, callId }: WorkflowToolContext,
  tasks: [index: number, task: DelegatedTask][],
): Named[] {
  const { context, childIds = {}, children } = session.state;
  const given = new Map(Object.entries(childIds));
  session.record({ type: 'children_named', agents: tasks.map(([, { agent }]) => agent) });
  return tasks.map(([index, task]) => {
    const { agent } = task;
    const n = (given.get(agent) ?? 0) + 1;
    given.set(agent, n);
    const listed = context?.agents?.find(({ name }) => name === agent) ?? { name: agent };
    const name = instanceName(agent, task.task, n, context?.encrypted);
    const former = formerOf(children, callId, index);
    return { task, index, name, listed, ...(former ? { former } : {}) };
  });
}

async function runTask(context: WorkflowToolContext, named: Named, budget: Budget): Promise<TaskResult> {
  const { session, effects } = context;
  const { agent } = named.task;
  if (session.stop !== undefined) return { agent, error: canceled };
  const parent = session.input.parent?.name ?? '';
  const child = toChild(context, named, budget);
  session.record({ type: 'child_started', child, parent });
  const request = {
    id: child.id,
    input: toInput(context, named, child, budget),
    summary: `${child.name}: ${child.task}`,
  };
  return effects.children.run(request, (outcome) => {
    const end = toEnd(context, named, child.id, outcome);
    session.record({ type: 'child_ended', ...end, parent });
    return end.result;
  });
}

const taskCharacters = 200;

function toChild(
  { session, callId }: WorkflowToolContext,
  { task, index, name, listed, former }: Named,
  { wallMs: _, ...reserved }: Budget,
): NewChild {
  const { agent } = task;
  const taskId = former && (former.taskId ?? former.id);
  return {
    ...{ id: `${session.id}/${name}`, name, agent, prefix: listed.prefix ?? agentDefaults.prefix },
    ...{ depth: depthOf(session) + 1, task: cutText(task.task, taskCharacters), callId, index },
    ...(Object.keys(reserved).length === 0 ? {} : { reserved }),
    ...(taskId === undefined ? {} : { taskId }),
  };
}

function depthOf({ input }: WorkflowToolContext['session']): number {
  return input.parent?.depth ?? 0;
}

/** Of the parent a child gets the registry, the modes and limits; everything else is its own. */
function toInput(
  { session, callId }: WorkflowToolContext,
  { task: { agent, task, context }, name }: Named,
  { depth, taskId }: NewChild,
  budget: Budget,
): SessionInput {
  const { settings, deadline, input, id: sessionId } = session;
  const { mode, dryRun, offTheRecord, subagents = [] } = settings;
  const messages = firstMessages({ context });
  const deadlineMs = deadline && Math.max(1, deadline.at - session.now());
  return {
    ...{ agent, prompt: task, subagents },
    ...(messages.length === 0 ? {} : { messages }),
    ...(dryRun ? { dryRun } : {}),
    ...(offTheRecord ? { offTheRecord } : {}),
    parent: {
      ...{ sessionId, name, depth, parent: input.parent?.name ?? '', callId },
      within: { mode, budget, ...(deadlineMs === undefined ? {} : { deadlineMs }) },
      ...(taskId === undefined ? {} : { taskId }),
    },
    // what a former child has saved is not done twice; where it saved nothing, the task begins afresh
    ...(taskId === undefined ? {} : { checkpoint: 'saved', resumeFailed: true }),
  };
}

function toEnd(
  { session }: WorkflowToolContext,
  { task: { agent }, name }: Named,
  childId: string,
  outcome: ChildOutcome,
): ChildEnd {
  const nothing = { childId, usage: {}, costUsd: 0, toolCalls: 0 };
  if (outcome.type === 'stopped')
    return { ...nothing, status: 'aborted', result: { agent, error: canceled } };
  if (outcome.type === 'failed')
    return { ...nothing, status: 'failed', result: { agent, error: errorOf(name, outcome.message) } };
  const { status, usage, costUsd, toolCalls } = outcome.result;
  const isCanceled = status === 'aborted' && session.stop !== undefined;
  const result = isCanceled ? { agent, error: canceled } : toTaskResult(agent, name, outcome.result);
  return { childId, status, usage, costUsd, toolCalls, result };
}
