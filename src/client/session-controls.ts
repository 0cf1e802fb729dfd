// What an operator may do with a session besides talking to it: go on, give it more budget, condense it, begin its
// view anew, and set what its next run works with. Runs in the caller's process.
import type { WorkflowHandle } from '@temporalio/client';
import type { Budget, DrainMode } from '../core/model/agent-spec.ts';
import type { QueueName } from '../core/model/events.ts';
import type { ThinkingLevel } from '../core/model/model-call.ts';
import type { ExecutionMode } from '../core/model/tool-spec.ts';
import * as api from '../workflows/workflow-api.ts';

/** Every method rejects with a ClientError. */
export type SessionControls = {
  /** A run without a new task: from the view, or from what waits in a queue. Refused when there is nothing. */
  continue(continueText?: string): Promise<{ runId: string }>;
  /** Adds to the budget of the work in hand; answers with the new one. Work that it ended goes on with continue. */
  extendBudget(by: Budget): Promise<{ budget: Budget }>;
  /** Accepted when idle; what came of it is in the event condense_end. */
  condense(): Promise<{ accepted: true }>;
  /** Empties view and queues as soon as the session is idle; its log and settings stay. */
  reset(): Promise<void>;
  clearQueue(queue: QueueName): Promise<void>;
  setQueueMode(queue: QueueName, mode: DrainMode): Promise<void>;
  /** `<provider>:<model id>`; this and the following take effect with the next run. */
  setModel(model: string): Promise<void>;
  setSystemPrompt(systemPrompt: string): Promise<void>;
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
  setTools(tools: readonly string[]): Promise<void>;
  setToolExecution(mode: ExecutionMode): Promise<void>;
};

type Send = <Result>(work: (handle: WorkflowHandle) => Promise<Result>) => Promise<Result>;

/** `call` and `update` reach one session, each with its deadline. */
export function createSessionControls(call: Send, update: Send): SessionControls {
  const { setModel, setSystemPrompt, setThinkingLevel, setTools, setToolExecution } = api.signals;
  return {
    continue: (continueText) =>
      update((handle) =>
        handle.executeUpdate(api.updates.continue, {
          args: [continueText === undefined ? {} : { continueText }],
        }),
      ),
    extendBudget: (by) => update((handle) => handle.executeUpdate(api.updates.extendBudget, { args: [by] })),
    condense: () => update((handle) => handle.executeUpdate(api.updates.condense)),
    reset: () => call((handle) => handle.signal(api.signals.reset)),
    clearQueue: (queue) =>
      call((handle) =>
        handle.signal(queue === 'steering' ? api.signals.clearSteering : api.signals.clearFollowUp),
      ),
    setQueueMode: (queue, mode) => call((handle) => handle.signal(api.signals.setQueueMode, { queue, mode })),
    setModel: (model) => call((handle) => handle.signal(setModel, model)),
    setSystemPrompt: (prompt) => call((handle) => handle.signal(setSystemPrompt, prompt)),
    setThinkingLevel: (level) => call((handle) => handle.signal(setThinkingLevel, level)),
    setTools: (tools) => call((handle) => handle.signal(setTools, [...tools])),
    setToolExecution: (mode) => call((handle) => handle.signal(setToolExecution, mode)),
  };
}
