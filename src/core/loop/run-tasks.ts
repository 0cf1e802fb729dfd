// The tasks of one `delegate` call, from naming to results: all start together, each in its own session.
import { storedIdOf } from '@holdfast/vocabulary/agent-state';
import { defined } from '@holdfast/base/defined';
import { firstMessages } from '../agent/delegation/first-messages.ts';
import { instanceName } from '../agent/delegation/instance-name.ts';
import { canceled, errorOf, toTaskResult } from '../agent/delegation/task-result.ts';
import { cutText } from '@holdfast/base/cut-text';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { type Budget, agentDefaults } from '@holdfast/vocabulary/agent-spec';
import type { Child, ListedAgent, TaskResult } from '@holdfast/vocabulary/children';
import type { ParentLink, SessionInput } from '@holdfast/vocabulary/session-input';
import { type TaskAids, afterTask, beforeTask, hasAids, releaseTask } from './around-task.ts';
import { shareOf } from '../state/limits.ts';
import type { ChildEnd, NewChild } from '../state/facts.ts';
import { modesNow } from '../tools/modes.ts';
import type { ChildOutcome, WorkflowToolContext } from './effects.ts';

/** A task in the form of the call's arguments. */
export type DelegatedTask = { agent: string; task: string; context: string; task_id?: string };

/** A task with its child. `former`: a child of an earlier session, whose work this one takes over. */
type Named = {
  task: DelegatedTask;
  index: number;
  name: string;
  listed: ListedAgent;
  former?: Child;
  aids?: TaskAids;
};

/** `agents`: the known agents, by default those of the session. `aids`: true if task board and notes take part. */
type Among = { agents?: readonly ListedAgent[]; aids?: boolean };

/** Results in the order of the tasks. A failed task is a result with an error, and stops no other task. */
export async function runTasks(
  context: WorkflowToolContext,
  tasks: readonly DelegatedTask[],
  { agents = context.session.state.context?.agents ?? [], aids = hasAids(context.session) }: Among = {},
): Promise<TaskResult[]> {
  const { session } = context;
  const settled = tasks.map((task, index) => settledResult(context, task, index, agents));
  const named = nameTasks(
    context,
    [...tasks.entries()].filter(([index]) => settled[index] === undefined),
    agents,
  );
  const due = aids ? await prepareTasks(context, named, settled) : named;
  const share = shareOf(session.state, due.length, session.now());
  const ran = await Promise.all(
    due.map((each) => {
      if (session.stop !== undefined) return leaveOut(context, each, canceled);
      if ('spent' in share) return leaveOut(context, each, errorOf(each.name, share.spent));
      return runTask(context, each, share.budget);
    }),
  );
  for (const [at, { index }] of due.entries()) settled[index] = ran[at];
  return settled.flatMap((result) => result ?? []);
}

async function leaveOut(
  context: WorkflowToolContext,
  { task, aids }: Named,
  error: string,
): Promise<TaskResult> {
  if (aids?.claimed) await releaseTask(context, aids.claimed);
  return { agent: task.agent, error };
}

/** The tasks that the board gives to this session; it settles the others. */
async function prepareTasks(
  context: WorkflowToolContext,
  tasks: readonly Named[],
  settled: (TaskResult | undefined)[],
): Promise<Named[]> {
  const prepared = await Promise.all(
    tasks.map(async (named): Promise<Named[]> => {
      const { task, index, name, former } = named;
      const aids = await beforeTask(context, {
        task: task.task,
        childId: childIdOf(context, name),
        ...defined({ taskId: task.task_id, formerId: former?.id }),
      });
      if (!('refused' in aids)) return [{ ...named, aids }];
      settled[index] = { agent: task.agent, error: errorOf(name, aids.refused) };
      return [];
    }),
  );
  return prepared.flat();
}

/** The result of a task that needs no child: one that an earlier session completed, or one that no agent can do. */
function settledResult(
  { session: { state }, callId }: WorkflowToolContext,
  { agent }: DelegatedTask,
  index: number,
  agents: readonly ListedAgent[],
): TaskResult | undefined {
  const done = formerOf(state.children, callId, index)?.result;
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
  agents: readonly ListedAgent[],
): Named[] {
  const { context, childIds = {}, children } = session.state;
  const given = new Map(Object.entries(childIds));
  session.record({ type: 'children_named', agents: tasks.map(([, { agent }]) => agent) });
  return tasks.map(([index, task]) => {
    const { agent } = task;
    const n = (given.get(agent) ?? 0) + 1;
    given.set(agent, n);
    const listed = agents.find(({ name }) => name === agent) ?? { name: agent };
    const name = instanceName(agent, task.task, n, context?.encrypted);
    const former = formerOf(children, callId, index);
    // an ended child belongs to another call: some models use an id twice
    return defined({ task, index, name, listed, former: former?.state === 'left' ? former : undefined });
  });
}

async function runTask(context: WorkflowToolContext, named: Named, budget: Budget): Promise<TaskResult> {
  const { session, effects } = context;
  const parent = session.input.parent?.name ?? '';
  const child = toChild(context, named, budget);
  session.record({ type: 'child_started', child, parent });
  const input = toInput(context, named, child, budget);
  return effects.runChild({ id: child.id, name: child.name, input }, (outcome) => {
    const end = toEnd(context, named, child.id, outcome);
    const record = (result: TaskResult): TaskResult => {
      session.record({ type: 'child_ended', ...end, result, parent });
      return result;
    };
    const { aids, name, task } = named;
    return aids
      ? afterTask(context, aids, { name, task: task.task }, end.result).then(record)
      : record(end.result);
  });
}

const taskCharacters = 200;

function toChild(
  context: WorkflowToolContext,
  { task, index, name, listed, former }: Named,
  { wallMs: _, ...reserved }: Budget,
): NewChild {
  const { agent } = task;
  const taskId = former && (former.taskId ?? former.id);
  return {
    id: childIdOf(context, name),
    name,
    agent,
    prefix: listed.prefix ?? agentDefaults.delegation.prefix,
    depth: (context.session.input.parent?.depth ?? 0) + 1,
    callId: context.callId,
    index,
    task: cutText(task.task, taskCharacters),
    ...defined({ reserved: unlessEmpty(reserved), taskId }),
  };
}

function childIdOf({ session }: WorkflowToolContext, name: string): string {
  return `${storedIdOf(session.state)}/${name}`;
}

/** A child gets its parent's registry, modes and limits; everything else is its own. */
function toInput(
  { session, callId }: WorkflowToolContext,
  { task: { agent, task, context }, name, aids }: Named,
  { depth, taskId }: NewChild,
  budget: Budget,
): SessionInput {
  const { settings, state, deadline, input, id: sessionId } = session;
  // the settings have a lower mode from the next request on
  const { mode, dryRun, offTheRecord } = modesNow(state);
  const { agents = [], taskBoard, reflectionDir } = settings.delegation;
  const messages = firstMessages(defined({ context, reflections: aids?.reflections }));
  const deadlineMs = deadline && Math.max(1, deadline.at - session.now());
  const hasSaved = taskId !== undefined;
  return {
    agent,
    prompt: task,
    delegation: { agents, ...defined({ taskBoard, reflectionDir }) },
    ...defined({
      messages: unlessEmpty(messages),
      window: input.window,
      dryRun: dryRun || undefined,
      offTheRecord: offTheRecord || undefined,
    }),
    parent: {
      sessionId,
      name,
      depth,
      parent: input.parent?.name ?? '',
      callId,
      within: { mode, budget, ...defined({ deadlineMs }), ...narrowed(session) },
      ...defined({ taskId }),
    },
    // work that a former child saved is not repeated; without saved work the task starts over
    ...defined({ checkpoint: hasSaved ? 'saved' : undefined, resumeFailed: hasSaved || undefined }),
  };
}

/** Restrictions of the agents above also bind a child: rules of the top session's start input, and rules by agent. */
function narrowed({
  input: { policy = [], parent },
  state: { context },
}: WorkflowToolContext['session']): Pick<ParentLink['within'], 'policy' | 'agents' | 'modeOf'> {
  const rules = [...policy, ...(parent?.within.policy ?? [])];
  const { agent = '', above = [], modeOf } = context ?? {};
  const agents = [...above, agent];
  return defined({ policy: unlessEmpty(rules), agents, modeOf });
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
  const { status, usage, costUsd, costUnknown, toolCalls, undelivered, calls } = outcome.result;
  const canRead = session.state.context?.tools.some((tool) => tool.name === 'read_artifact');
  const given = toTaskResult(agent, name, outcome.result, canRead);
  const isCanceled = status === 'aborted' && session.stop !== undefined;
  const result = isCanceled ? { ...given, error: canceled } : given;
  return {
    childId,
    status,
    usage,
    costUsd,
    toolCalls,
    result,
    undelivered,
    ...defined({ costUnknown: costUnknown || undefined, calls }),
  };
}
