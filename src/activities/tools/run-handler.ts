// Runs one tool body under a stop signal and a time limit, and turns its ending into an outcome. Runs in Node; does not
// store or cap.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import type { Json } from '@holdfast/base/json';
import { type ToolSpec, failWith } from '@holdfast/vocabulary/tool-spec';
import type { RegisteredTool, ToolContext, ToolReturn } from './define-tool.ts';
import { NotRun } from './not-run.ts';
import { invalidArgumentsPrefix, describeParseError } from './tool-arguments.ts';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** `interrupted`: a person stopped the call, and the outcome is partial. */
export type HandlerRun = { outcome: ToolReturn; interrupted?: true };

/** Time for a body to end after its signal; below the 3 s that the workflow waits. */
const stopGraceMs = 2_000;

type Ending =
  | { type: 'returned'; outcome: ToolReturn }
  | { type: 'threw'; error: unknown }
  | { type: 'left' };

/**
 * Runs the handler. A throw of it becomes an error outcome. Rejects only for faults outside the tool: a worker shutdown,
 * a superseded attempt, a ToolInfrastructureError.
 */
export async function runHandler(
  tool: RegisteredTool,
  args: Json,
  context: Omit<ToolContext, 'signal'>,
): Promise<HandlerRun> {
  const cancellation = Context.current().cancellationSignal;
  const limitMs = timeLimit(tool.spec);
  const bodyLimit = startTimeLimit(limitMs);
  const { superseded, start } = soleBody(context.callId);
  const signal = AbortSignal.any([cancellation, bodyLimit.signal, superseded]);
  const body = start(() => startBody(tool, args, { ...context, signal }), signal);
  const ending = await endOf(body, signal);
  bodyLimit.stop();
  if (cancellation.aborted) return endStopped(tool.spec, ending, cancellation);
  superseded.throwIfAborted();
  if (bodyLimit.signal.aborted) return { outcome: timedOut(tool.spec, ending, limitMs) };
  switch (ending.type) {
    case 'returned':
      return { outcome: ending.outcome };
    case 'threw':
      return { outcome: thrown(tool.spec, ending.error) };
    case 'left':
      throw new Error('a body is left behind only after its signal was aborted');
  }
}

/** Not AbortSignal.timeout: Node keeps it, and with it the output, until the time is over, even after the body has ended. */
function startTimeLimit(limitMs: number): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeIsOver()), limitMs);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}

/** The same error as that of Node's own time-outs. */
function timeIsOver(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}

// asynchronous, so that a handler's synchronous throw is an ending like any other
async function startBody(tool: RegisteredTool, args: Json, context: ToolContext): Promise<ToolReturn> {
  const returned: unknown = await tool.run(args, context);
  if (isToolReturn(returned)) return returned;
  const text = `${tool.spec.name} ran, but returned no result object: its output is lost.`;
  return { ...failWith(`${text}${mayHaveActed(tool.spec)}`), outcome: 'unknown' };
}

// a handler may be plain JavaScript; its fields are checked at their use
function isToolReturn(value: unknown): value is ToolReturn {
  return typeof value === 'object' && value !== null;
}

async function endOf(body: Promise<ToolReturn>, signal: AbortSignal): Promise<Ending> {
  const ended = body.then(
    (outcome): Ending => ({ type: 'returned', outcome }),
    (error: unknown): Ending => ({ type: 'threw', error }),
  );
  const over = new AbortController();
  const left = leftAfter(signal, over);
  left.catch(() => undefined);
  return Promise.race([ended, left]).finally(() => over.abort());
}

async function leftAfter(stop: AbortSignal, { signal }: AbortController): Promise<Ending> {
  if (!stop.aborted) await once(stop, 'abort', { signal });
  return sleep(stopGraceMs, { type: 'left' }, { signal });
}

// the body must end before the server's limit, so that the model reads the reason and the partial result
function timeLimit(spec: ToolSpec): number {
  const { startToCloseTimeoutMs } = Context.current().info;
  const reserveMs = Math.min(2 * stopGraceMs, startToCloseTimeoutMs / 10);
  return Math.floor(Math.max(1, Math.min(spec.timeoutMs, startToCloseTimeoutMs - reserveMs)));
}

function endStopped(spec: ToolSpec, ending: Ending, cancellation: AbortSignal): HandlerRun {
  // only a person's stop keeps the partial result; a deploy or a lost lease must fail the attempt
  if (Context.current().cancellationDetails?.cancelRequested !== true) throw cancellation.reason;
  if (ending.type === 'returned') return { outcome: ending.outcome, interrupted: true };
  return {
    outcome: failWith(`Stopped before ${spec.name} had finished.${mayHaveActed(spec)}`),
    interrupted: true,
  };
}

function timedOut(spec: ToolSpec, ending: Ending, limitMs: number): ToolReturn {
  const text = `${spec.name} did not finish within ${limitMs} ms.${mayHaveActed(spec)}`;
  const outcome = 'timed_out';
  if (ending.type !== 'returned') return { ...failWith(text), outcome };
  const said = [endingOf(ending.outcome), `[${text} This is what it had.]`];
  return {
    ...ending.outcome,
    ending: said.filter((part) => part !== undefined).join('\n'),
    isError: true,
    outcome,
  };
}

function thrown(spec: ToolSpec, error: unknown): ToolReturn {
  if (error instanceof ToolInfrastructureError) {
    // such an error has its own retry rule
    if (error.cause instanceof ApplicationFailure) throw error.cause;
    throw ApplicationFailure.create({ type: 'Tool.Infrastructure', message: error.message });
  }
  if (error instanceof z.ZodError)
    return failWith(`${invalidArgumentsPrefix}${spec.name}: ${describeParseError(error)}`);
  return {
    ...failWith(describeThrow(spec, error)),
    ...defined({ outcome: error instanceof NotRun ? 'refused' : undefined }),
  };
}

function describeThrow(spec: ToolSpec, error: unknown): string {
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  // not cut here: like any output it is redacted first
  return message === '' ? `${spec.name} failed without a message.` : message;
}

function mayHaveActed(spec: ToolSpec): string {
  return spec.effect === 'read' ? '' : ' It may have taken effect: verify before you repeat it.';
}

/** A handler may be plain JavaScript. */
export function endingOf({ ending }: ToolReturn): string | undefined {
  return typeof ending === 'string' ? ending : undefined;
}

/** Fails the attempt instead of becoming a result, so that Temporal retries it by the tool's effect. */
export class ToolInfrastructureError extends Error {
  override readonly name = 'ToolInfrastructureError';
}

/** `ended`: this body, and all before it. */
type Running = { attempt: number; superseded: AbortController; ended: Promise<unknown> };

/** A body that ignores its stop holds up the next one no longer. */
const patienceMs = 10_000;

const running = new Map<string, Running>();

/**
 * At most one body of an activity runs at a time in this process. A starved worker misses the heartbeats of its own
 * calls: the server then gives it the next attempt beside a body that still runs, which starves it further. Stops the body of an earlier attempt of this call, and starts `body` when it has ended, or 10 s later.
 * `superseded` is aborted when a later attempt comes. Rejects if `stop` comes while it waits.
 */
function soleBody(callId: string): {
  superseded: AbortSignal;
  start: <T>(body: () => Promise<T>, stop: AbortSignal) => Promise<T>;
} {
  const { activityId, attempt, workflowExecution } = Context.current().info;
  const key = [workflowExecution?.runId, activityId, callId].join(' ');
  const superseded = new AbortController();
  const start = async <T>(body: () => Promise<T>, stop: AbortSignal): Promise<T> => {
    const found = running.get(key);
    const before = found && found.attempt < attempt ? found : undefined;
    before?.superseded.abort(supersededBy(attempt));
    const started = before ? overOrLate(before, stop).then(body) : body();
    const own = { attempt, superseded, ended: Promise.allSettled([before?.ended, started]) };
    running.set(key, own);
    void own.ended.then(() => running.get(key) === own && running.delete(key));
    return started;
  };
  return { superseded: superseded.signal, start };
}

async function overOrLate({ ended }: Running, stop: AbortSignal): Promise<void> {
  const over = new AbortController();
  const patience = sleep(patienceMs, undefined, { signal: AbortSignal.any([stop, over.signal]) });
  patience.catch(() => undefined);
  await Promise.race([ended, patience]).catch(() => undefined);
  over.abort();
  stop.throwIfAborted();
}

function supersededBy(attempt: number): ApplicationFailure {
  const message = `This attempt has lost its turn: attempt ${attempt} of the same call has begun here.`;
  return ApplicationFailure.create({ type: 'Tool.Superseded', message });
}
