// The loop's effects as a history has them: nothing runs, and each call ends as it was recorded. What the history does not
// have goes on for ever, so that the session stands where its history ends.
import type { Effects, ToolCallOutcome, ToolCallRequest } from '../../core/loop/effects.ts';
import { activityTable, type OutputOf } from '@holdfast/vocabulary/activity-table';
import type { CallModelResult, ToolCallResult } from '@holdfast/vocabulary/call-results';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import { deliveryType } from '@holdfast/vocabulary/workflow-ids';
import { isRecord } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { lackOf, toFailed } from '../../workflows/activity-failure.ts';
import { graceMs } from '../../workflows/session/stopper.ts';
import { isReconcilable } from '../../workflows/session/tool-call.ts';
import type { MemoryHost } from '../memory-host.ts';
import { type End, toModelOutcome, toToolOutcome } from '../outcomes.ts';
import type { CallEnd, RecordedCall } from './recorded-session.ts';

/** The end of a recorded activity: the type of its value is the contract of both ends. */
function endOf<T>(end: CallEnd): End<T> {
  return end as End<T>;
}

export class RecordedEffects implements Effects {
  readonly #host: MemoryHost;
  /** Not asked for yet. */
  readonly left: RecordedCall[];
  /** Calls that the history has reached the end of. */
  readonly #over = new Set<RecordedCall>();
  readonly #waiting = new Map<RecordedCall, (end: CallEnd) => void>();

  constructor(host: MemoryHost, calls: readonly RecordedCall[]) {
    this.#host = host;
    // messages to people are no step of the loop
    this.left = calls.filter(({ name }) => name !== 'deliver' && !name.startsWith(`${deliveryType}:`));
  }

  /** The history has reached the end of this call. */
  reach(call: RecordedCall): void {
    this.#over.add(call);
    if (call.end) this.#waiting.get(call)?.(call.end);
    this.#waiting.delete(call);
  }

  until: Effects['until'] = (ready, timeoutMs) => this.#host.until(ready, timeoutMs);
  isHandOverDue: Effects['isHandOverDue'] = () => false;
  log: Effects['log'] = () => undefined;
  callModel: Effects['callModel'] = async (_, take) =>
    take(toModelOutcome(endOf<CallModelResult>(await this.#end('callModel'))));
  runTool: Effects['runTool'] = async (request, take) => take(await this.#runTool(request));
  runChild: Effects['runChild'] = async ({ id }, take) => {
    const end = endOf<SessionResult>(await this.#next(id));
    if (end.type === 'done') return take({ type: 'ended', result: end.value });
    return take(end.type === 'stopped' ? end : { type: 'failed', message: messageOf(end.error) });
  };
  call: Effects['call'] = async (name, _input) => {
    const { activity = name, code, needs } = activityTable[name];
    // other code than today's may have done without it
    const isMissing = !this.left.some((call) => call.name === activity) && this.left.length > 0;
    if (isMissing) return toFailed(new Error(`The history has no ${activity} here.`), code);
    const end = endOf<OutputOf<typeof name>>(
      await (needs === undefined ? this.#next(activity) : this.#end(activity)),
    );
    return end.type === 'failed' ? toFailed(end.error, code) : end;
  };

  async #runTool(request: ToolCallRequest): Promise<ToolCallOutcome> {
    const { spec, input } = request;
    let end = await this.#end(`tool.${spec.name}`, input.callId);
    if (end.type === 'failed' && isReconcilable(request, end.error)) {
      const found = await this.#end(`reconcile.${spec.name}`, input.callId);
      if (found.type !== 'failed') end = found;
    }
    return toToolOutcome(endOf<ToolCallResult>(end), request);
  }

  /** The end of the next recorded call of this name; a call that was handed back was made again. */
  async #end(name: string, callId?: string): Promise<CallEnd> {
    for (;;) {
      // a stop leaves what does not answer it in time behind
      const end = await this.#host.stoppableFor(graceMs, () => this.#next(name, callId));
      if (end.type !== 'failed' || lackOf(end.error) === undefined) return end;
    }
  }

  #next(name: string, callId?: string): Promise<CallEnd> {
    const at = this.left.findIndex(
      (call) => call.name === name && (callId === undefined || callIdOf(call) === callId),
    );
    const [call] = at === -1 ? [] : this.left.splice(at, 1);
    if (!call) return new Promise(() => undefined);
    if (call.end && this.#over.has(call)) return Promise.resolve(call.end);
    return new Promise((resolve) => this.#waiting.set(call, resolve));
  }
}

function callIdOf({ input }: RecordedCall): unknown {
  return isRecord(input) ? input['callId'] : undefined;
}
