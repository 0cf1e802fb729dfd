// delegate: gives tasks to other agents, each in its own session, and answers with their results.
import { isSameAgent } from '../../agent/delegation/registry.ts';
import { toResultText } from '../../agent/delegation/task-result.ts';
import { defined } from '@holdfast/base/defined';
import { type Json, isText, listOf, objectOf, optional } from '@holdfast/base/json';
import { argumentsOf, failWith } from '@holdfast/vocabulary/tool-spec';
import type { WorkflowTool, WorkflowToolContext } from '../effects.ts';
import { type DelegatedTask, runTasks } from '../run-tasks.ts';

export const delegate: WorkflowTool = {
  name: 'delegate',
  async run(args, call) {
    const tasks = tasksOf(args);
    if (!tasks) return failWith(expected);
    const { settings, state } = call.session;
    const self = state.context?.agent ?? '';
    if (tasks.some(({ agent }) => isSameAgent(agent, self))) {
      return failWith(`Nothing was started: a task is for ${self}, which is you. Do it yourself.`);
    }
    const repeated = repeatsOf(call, tasks);
    const due = tasks.filter((_, index) => !repeated[index]);
    const own = await runTasks(call, due);
    const isError = own.length > 0 && own.every(({ error }) => error !== undefined);
    const queue = [...own];
    const results = repeated.flatMap((same) => same ?? queue.shift() ?? []);
    return defined({
      text: toResultText(results, settings.loop.toolResultCap),
      isError: isError || undefined,
      details: { children: childrenOf(call) },
    });
  },
};

/** In place of a task that this message has already given to the same agent: a second child would only do it again. */
function repeatsOf({ session, callId }: WorkflowToolContext, tasks: DelegatedTask[]) {
  const seen = new Map<string, string>();
  for (const { call, prepared } of session.state.run?.batch ?? []) {
    if (call.callId === callId) break;
    const isRun = call.name === delegate.name && prepared.status === 'ready' && prepared.decision !== 'deny';
    const given = isRun ? tasksOf(argumentsOf({ call, prepared })) : [];
    for (const task of given ?? []) seen.set(taskKeyOf(task), `call ${call.callId}`);
  }
  return tasks.map((task, index) => {
    const where = seen.get(taskKeyOf(task));
    seen.set(taskKeyOf(task), where ?? `entry ${index + 1} of this call`);
    const result = `Not started again: it is the same task as in ${where}, whose result is for both.`;
    return where === undefined ? undefined : { agent: task.agent, result };
  });
}

function taskKeyOf({ agent, task, context, task_id: id = '' }: DelegatedTask): string {
  return JSON.stringify([agent, task.trim(), context.trim(), id]);
}

/** The children of this call, in the order of the tasks; a check of a claim reads their sessions. */
function childrenOf({ session, callId }: WorkflowToolContext): { name: string; id: string }[] {
  const { children = [] } = session.state;
  return children
    .filter((child) => child.callId === callId)
    .sort((left, right) => left.index - right.index)
    .map(({ name, id }) => ({ name, id }));
}

const expected = 'Nothing was started: expected {tasks: [{agent, task, context, task_id?}]}.';

function tasksOf(args: Json): DelegatedTask[] | undefined {
  return isDelegation(args) ? args.tasks : undefined;
}

const isTask = objectOf<DelegatedTask>({
  agent: (name) => isText(name) && name !== '',
  task: (words) => isText(words) && words.trim() !== '',
  context: isText,
  task_id: optional(isText),
});
const isDelegation = objectOf<{ tasks: DelegatedTask[] }>({ tasks: listOf(isTask) });
