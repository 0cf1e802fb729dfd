// An interceptor that keeps an execution in step with its history, where the SDK (1.24) does not. A query that reaches a
// worker without the session in its cache takes the execution forward, over what no workflow task has begun with, or over a task
// that is then lost. The next message is handled in a state that no replay has at that place, and the session is stuck on
// every other worker. A failure here makes the SDK drop the execution, and replay it from the start.
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { outOfStep } from '@holdfast/base/in-step';

type Interceptor = NonNullable<WorkflowInterceptors['internals']>[number];
type Activation = Parameters<NonNullable<Interceptor['activate']>>[0]['activation'];
type Command = Parameters<NonNullable<Interceptor['concludeActivation']>>[0]['commands'][number];
/** One workflow task; `commands` are those of its that surely are in history once the server has it. */
type Step = { id: string; length: number; isLive: boolean; commands: number };

/** A task is completed, and the next one is scheduled and started. */
const eventsBetweenTasks = 3;

export const interceptors = (): WorkflowInterceptors => {
  let step: Step = { id: '', length: 0, isLive: false, commands: 0 };
  return {
    internals: [
      {
        activate(input, next) {
          const { activation } = input;
          const isQuery = activation.jobs?.every(({ queryWorkflow }) => Boolean(queryWorkflow)) ?? false;
          if (isQuery) return next(input);
          const { isReplaying, historyLength } = activation;
          const [id, length, isLive] = [idOf(activation), Number(historyLength), !isReplaying];
          if (isLive && length > step.length && (isUnbegun(id, step) || isOverLostTask(activation, step)))
            throw new Error(outOfStep);
          if (id !== step.id || length !== step.length) step = { id, length, isLive, commands: 0 };
          return next(input);
        },
        concludeActivation(input, next) {
          step.commands += countWritten(input.commands);
          return next(input);
        },
      },
    ],
  };
};

/** Names a task by its start. A clock of milliseconds gives two tasks one time, so that the size of the history belongs to it. */
function idOf({ timestamp, historySizeBytes }: Activation): string {
  return `${String(timestamp?.seconds)}.${timestamp?.nanos} ${String(historySizeBytes)}`;
}

/** True for events behind the task before, of which none has begun. */
function isUnbegun(id: string, step: Step): boolean {
  return id === step.id && !id.endsWith(' 0');
}

/** True if the history lacks commands of the task before: a query made them, and the server never had them. */
function isOverLostTask(
  { historyLength, jobs = [] }: Activation,
  { length, isLive, commands }: Step,
): boolean {
  if (!isLive || commands === 0) return false;
  const recorded = (jobs ?? []).filter((job) => recordedJobs.some((name) => job[name])).length;
  return Number(historyLength) < length + eventsBetweenTasks + commands + recorded;
}

/** Each has an event before the task; an update gets one behind it. */
const recordedJobs = ['signalWorkflow', 'resolveActivity', 'fireTimer', 'cancelWorkflow'] as const;

function countWritten(commands: Command[]): number {
  const count = (names: readonly (keyof Command)[]): number =>
    commands.filter((command) => names.some((name) => command[name])).length;
  // what is cancelled in its own task is not written
  return Math.max(0, count(writtenCommands) - count(['cancelTimer', 'requestCancelActivity']));
}

const writtenCommands = [
  'scheduleActivity',
  'startTimer',
  'startChildWorkflowExecution',
  'upsertWorkflowSearchAttributes',
  'modifyWorkflowProperties',
] as const;
