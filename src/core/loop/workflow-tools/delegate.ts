// delegate: gives tasks to other agents, each in its own session, and answers with their results.
import { isSameAgent } from '../../agent/delegation/registry.ts';
import { toResultText } from '../../agent/delegation/task-result.ts';
import { type Json, isRecord } from '../../base/json.ts';
import type { WorkflowTool, WorkflowToolContext } from '../effects.ts';
import { type DelegatedTask, runTasks } from '../run-tasks.ts';

export const delegate: WorkflowTool = {
  name: 'delegate',
  async run(args, call) {
    const tasks = tasksOf(args);
    if (!tasks) return { text: expected, isError: true };
    const { settings, state } = call.session;
    const self = state.context?.agent ?? '';
    if (tasks.some(({ agent }) => isSameAgent(agent, self))) {
      return {
        text: `Nothing was started: a task is for ${self}, which is you. Do it yourself.`,
        isError: true,
      };
    }
    const results = await runTasks(call, tasks);
    const isError = results.length > 0 && results.every(({ error }) => error !== undefined);
    return {
      text: toResultText(results, settings.loop.toolResultCap),
      ...(isError ? { isError } : {}),
      details: { children: childrenOf(call) },
    };
  },
};

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
  const given = isRecord(args) && Array.isArray(args.tasks) ? args.tasks : undefined;
  const tasks = given?.flatMap((task) => (isTask(task) ? [task] : []));
  return tasks?.length === given?.length ? tasks : undefined;
}

function isTask(value: Json): value is DelegatedTask {
  if (!isRecord(value)) return false;
  const { agent, task, context, task_id: id } = value;
  const named = typeof agent === 'string' && agent !== '' && (id === undefined || typeof id === 'string');
  return named && typeof task === 'string' && task.trim() !== '' && typeof context === 'string';
}
