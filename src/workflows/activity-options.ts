// Every timeout and every attempt count, by retry class. Temporal alone retries.
import type { ActivityOptions } from '@temporalio/workflow';
import { ActivityCancellationType } from '@temporalio/workflow';
import type {
  AskModelInput,
  EvaluatePolicyInput,
  ReadSkillsInput,
} from '../core/model/activity-contracts.ts';
import type { AgentSettings } from '../core/model/agent-spec.ts';
import type { BoardCallInput } from '../core/model/board.ts';
import type { ToolSpec } from '../core/model/tool-spec.ts';

// the default that bites is TRY_CANCEL's loss of what a stopped body returns; the stopper bounds the wait
const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

/** Above the tool's own timeout, which its body keeps: Temporal's is for bodies that cannot. */
const toolMarginMs = 5_000;

const summaryTimeoutMs = 600_000;

/** Of activities that may be repeated at no cost: a worker that dies in one is missed after this time. */
const heartbeatTimeout = '5s';

type Range = { fromSeq: number; toSeq: number };

export const assembleContextOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 10 },
  summary: 'assemble context',
};

export const resolveToolGroupsOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
  summary: 'load tools',
};

export function readSkillsOptions({ names }: Pick<ReadSkillsInput, 'names'>): ActivityOptions {
  return {
    startToCloseTimeout: '60s',
    heartbeatTimeout,
    retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
    summary: `load skill ${names.join(', ')}`.slice(0, 200),
  };
}

/** Without it a hand-over would lose messages. */
export function archiveOptions({ fromSeq, toSeq }: Range): ActivityOptions {
  return {
    startToCloseTimeout: '60s',
    heartbeatTimeout,
    // a store may be down over a weekend
    retry: { initialInterval: '1s', maximumInterval: '60s', maximumAttempts: 5_000 },
    summary: `archive messages ${fromSeq}-${toSeq}`,
  };
}

/** Not for ever: a run that can continue without condensing does. */
export function condenseArchiveOptions({ fromSeq, toSeq }: Range): ActivityOptions {
  const retry = { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 } as const;
  return {
    startToCloseTimeout: '60s',
    heartbeatTimeout,
    retry,
    summary: `archive messages ${fromSeq}-${toSeq}`,
  };
}

/** A question to a model beside the loop: the summary names the model, as that of a turn does. */
type SideCall = { settings: AgentSettings; model: string };

export function summarizeOptions(
  { fromSeq, toSeq }: Range,
  { settings: { heartbeatTimeoutMs }, model }: SideCall,
  timeoutMs = summaryTimeoutMs,
): ActivityOptions {
  return {
    startToCloseTimeout: timeoutMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 6 },
    cancellationType,
    summary: `condense messages ${fromSeq}-${toSeq} · ${model}`,
  };
}

/** As patient as a condense: the run continues without the answer. */
export function askModelOptions(
  { purpose }: Pick<AskModelInput, 'purpose'>,
  { settings: { heartbeatTimeoutMs }, model }: SideCall,
): ActivityOptions {
  return {
    startToCloseTimeout: summaryTimeoutMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 6 },
    cancellationType,
    summary: `${questions[purpose]} · ${model}`,
  };
}

const questions = { planner: 'make a plan', extract: 'extract what to remember' } as const;

/** The run begins without it where it does not come soon. */
export const searchMemoryOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumInterval: '5s', maximumAttempts: 3 },
  cancellationType,
  summary: 'search memory',
};

/** What is written is written once, however often it is tried. */
export function keepMemoryOptions(summary: string): ActivityOptions {
  return {
    startToCloseTimeout: '60s',
    heartbeatTimeout,
    retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
    summary,
  };
}

/** Without a verdict the calls are denied: a tier that is down gets a few tries, not minutes. */
export function evaluatePolicyOptions({ calls }: Pick<EvaluatePolicyInput, 'calls'>): ActivityOptions {
  return {
    startToCloseTimeout: '5m',
    heartbeatTimeout,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
    cancellationType,
    summary: `judge ${calls.map(({ tool }) => tool).join(', ')}`.slice(0, 200),
  };
}

/** A throw of the hook is final; only a lost worker is tried again. */
export function runHookOptions(name: string, point: string): ActivityOptions {
  return {
    startToCloseTimeout: '60s',
    // longer than an outage of the server usually is: a hook may do something, and would do it twice
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
    cancellationType,
    summary: `hook ${name} ${point}`,
  };
}

/** As long as storing the result: a result that cannot be read is made from the held messages. */
export const readOutputOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
  summary: 'read output',
};

/** As long as storing the result; an output that a quote is from may be long. */
export const completeReportOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
  summary: 'complete report',
};

export const saveResultOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 5 },
  summary: 'save result',
};

/** A caller waits for it. */
export const readStoredOptions: ActivityOptions = {
  startToCloseTimeout: '20s',
  heartbeatTimeout,
  retry: { initialInterval: '500ms', maximumAttempts: 3 },
};

/** The run waits for it: a store that is down must not cost it much. */
export const saveCheckpointOptions: ActivityOptions = {
  startToCloseTimeout: '60s',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumAttempts: 2 },
  summary: 'save checkpoint',
};

/** Notes are help, not the work: a folder that cannot be reached costs little. */
export function reflectionOptions(summary: string): ActivityOptions {
  return {
    startToCloseTimeout: '20s',
    heartbeatTimeout,
    retry: { initialInterval: '1s', maximumAttempts: 3 },
    summary,
  };
}

/** Not stopped by an abort, which gives claims back: a board that is down must not hold it up for long. */
export function boardCallOptions({ name, board, args: { id = '' } }: BoardCallInput): ActivityOptions {
  return {
    startToCloseTimeout: '10s',
    heartbeatTimeout,
    retry: { initialInterval: '500ms', maximumAttempts: 3 },
    summary: `board ${board}: ${name} ${id}`.slice(0, 200),
  };
}

/** Copies what the messages name. */
export const loadCheckpointOptions: ActivityOptions = {
  startToCloseTimeout: '10m',
  heartbeatTimeout,
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 10 },
  summary: 'load checkpoint',
};

/** A host has a worker that polls, or it is missing: nobody waits for one. */
export const hostStartTimeout = '5s';

/** Of what a host says of itself and of calls; it reads at most. */
export function hostOptions(taskQueue: string, summary: string): ActivityOptions {
  return {
    ...{ taskQueue, scheduleToStartTimeout: hostStartTimeout, startToCloseTimeout: '20s', heartbeatTimeout },
    retry: { initialInterval: '1s', maximumAttempts: 2 },
    cancellationType,
    summary: summary.slice(0, 200),
  };
}

/** Over those of a task that was handed back: the worker that runs the workflow would be given it again at once. */
export const handedBackOptions: ActivityOptions = { allowEagerDispatch: false };

/** For as long as it takes: it only looks, and Temporal repeats it, at first at the pace that the body asks for. */
export function awaitWorkerOptions(taskQueue: string | undefined): ActivityOptions {
  return {
    startToCloseTimeout: '10s',
    retry: { initialInterval: '3s', backoffCoefficient: 1 },
    ...(taskQueue === undefined ? {} : { taskQueue }),
    cancellationType,
    summary: 'wait for a worker that has what is needed',
  };
}

/**
 * No maximumAttempts and no schedule-to-close: the body counts provider failures in its heartbeat ledger and ends
 * the retries itself, so that lost workers and deploys cost nothing.
 */
export function callModelOptions({ heartbeatTimeoutMs }: AgentSettings, summary: string): ActivityOptions {
  return {
    startToCloseTimeout: '30m',
    heartbeatTimeout: heartbeatTimeoutMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
    cancellationType,
    summary,
  };
}

export function toolOptions(
  spec: Pick<ToolSpec, 'effect' | 'timeoutMs' | 'taskQueue'>,
  { heartbeatTimeoutMs }: AgentSettings,
  summary: string,
  scheduleToStartTimeout: '5s' | '30s' = '30s',
): ActivityOptions {
  return {
    startToCloseTimeout: spec.timeoutMs + toolMarginMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry:
      spec.effect === 'once'
        ? { maximumAttempts: 1 }
        : { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 10 },
    // a queue of another host may have no worker: its time-out proves that the body never began
    ...(spec.taskQueue === undefined ? {} : { taskQueue: spec.taskQueue, scheduleToStartTimeout }),
    cancellationType,
    summary,
  };
}
