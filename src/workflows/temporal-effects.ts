// The loop's effects under Temporal: activities, durable waits, stops. Runs in the workflow. Every value passed on is
// small, because history keeps it.
import { condition, log, scheduleActivity } from '@temporalio/workflow';
import type { CallOptions, Effects, Outcome } from '../core/loop/effects.ts';
import { canHandOver } from '../core/loop/saving.ts';
import { activityTable } from '../core/model/activity-table.ts';
import type { ActivityName, InputOf, OutputOf } from '../core/model/activity-table.ts';
import type { Session } from '../core/session/session.ts';
import { toFailed } from './activity-failure.ts';
import { optionsOf } from './activity-options.ts';
import { runChild } from './child-sessions.ts';
import { runOnFitWorker } from './fit-worker.ts';
import { type SignalCount, isHistoryLong } from './hand-over.ts';
import { whyMissing } from './host-calls.ts';
import { callModel } from './model-call.ts';
import { type Host, type Stoppable, type Stopper, failedWith } from './stopper.ts';
import { runTool } from './tool-call.ts';

export function createTemporalEffects(session: Session, stopper: Stopper, signals: SignalCount): Effects {
  const host = { session, stopper };
  return {
    until: (ready, timeoutMs, summary) => wait(ready, timeoutMs, summary),
    isHandOverDue: () => isHistoryLong(session, signals) && canHandOver(session),
    callModel: (input, take) => callModel(host, input, take),
    runTool: (request, take) => runTool(host, request, take),
    runChild: (request, take) => runChild(stopper, request, take),
    call: (name, input, options) => call(host, name, input, options),
    log: (message, attributes) => log.info(message, attributes),
  };
}

function wait(ready: () => boolean, timeoutMs: number | undefined, summary = ''): Promise<boolean> {
  return timeoutMs === undefined
    ? condition(ready).then(() => true)
    : condition(ready, timeoutMs, { summary });
}

async function call<Name extends ActivityName>(
  host: Host,
  name: Name,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<Outcome<OutputOf<Name>>> {
  const { activity = name, code, needs } = activityTable[name];
  const scheduled = optionsOf(name, input, host.session, options);
  const work = () => scheduleActivity<OutputOf<Name>>(activity, [input], scheduled);
  const end = await (options.late ? host.stopper.runOut(work) : begin(host, name, input, work));
  if (end.type === 'done') return end;
  const failed = failedWith(end);
  if (!failed) return { type: 'stopped' };
  const known = toFailed(failed.error, code);
  if (needs !== 'host') return known;
  return { ...known, failure: { ...known.failure, message: whyMissing(failed.error) } };
}

function begin<Name extends ActivityName>(
  host: Host,
  name: Name,
  input: InputOf<Name>,
  work: () => Promise<OutputOf<Name>>,
): Promise<Stoppable<OutputOf<Name>>> {
  const { needs } = activityTable[name];
  if (needs === 'host') return host.stopper.run(work);
  if (needs === undefined)
    return work().then(
      (value) => ({ type: 'done', value }),
      (error: unknown) => ({ type: 'failed', error }),
    );
  const contextDigest = host.session.state.context?.digest ?? '';
  return runOnFitWorker(host, needs === 'context' ? { contextDigest } : needs(input), work);
}
