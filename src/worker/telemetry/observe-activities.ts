// What the worker's log says of activities: a line for each try after the first and for each failure, and with the level
// debug for each. Runs in Node; reads no argument but ids, and no content of a result.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { isHandBack } from '../../activities/context/hand-back.ts';
import { messageOf } from '../../core/base/message-of.ts';
import { cutText } from '../../core/base/cut-text.ts';
import { isRecord } from '../../core/base/json.ts';

/** Characters of a failure's reason. */
const shownReason = 300;

type ActivityContext = Parameters<ActivityInterceptorsFactory>[0];
type Fields = Record<string, string | number>;

export const observeActivities: ActivityInterceptorsFactory = ({ info, log, cancellationSignal }) => ({
  inbound: {
    async execute(input, next) {
      const kind = kindOf(info.activityType);
      const ids = idsOf(input.args[0]);
      const startedAt = performance.now();
      const took = (): Fields => ({ ...ids, durationMs: Math.round(performance.now() - startedAt) });
      if (info.attempt > 1) log.info(`${kind} is tried again`, ids);
      try {
        const result = await next(input);
        log.debug(`${kind} answered`, took());
        return result;
      } catch (error) {
        if (isHandBack(error)) throw error;
        if (cancellationSignal.aborted || error instanceof CancelledFailure)
          log.debug(`${kind} stopped`, took());
        else if (isFinal(error, info)) log.error(`${kind} failed`, { ...took(), ...describe(error) });
        else log.warn(`${kind} failed and is repeated`, { ...took(), ...describe(error) });
        throw error;
      }
    },
  },
});

function kindOf(activityType: string): 'model call' | 'tool call' | 'activity' {
  if (activityType === 'callModel') return 'model call';
  return activityType.startsWith('tool.') ? 'tool call' : 'activity';
}

/** Of the run that it is for. */
function idsOf(input: unknown): Fields {
  if (!isRecord(input)) return {};
  const { runId, turn, callId } = input;
  return {
    ...(typeof runId === 'string' && { run: runId }),
    ...(typeof turn === 'number' && { turn }),
    ...(typeof callId === 'string' && { call: callId }),
  };
}

/** Whether Temporal does not run it again. */
function isFinal(error: unknown, { attempt, retryPolicy }: ActivityContext['info']): boolean {
  const most = retryPolicy?.maximumAttempts ?? 0;
  return (
    (error instanceof ApplicationFailure && error.nonRetryable === true) || (most > 0 && attempt >= most)
  );
}

function describe(error: unknown): Fields {
  const type = error instanceof ApplicationFailure ? error.type : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  return { failure: type ?? name, reason: cutText(messageOf(error), shownReason) };
}
