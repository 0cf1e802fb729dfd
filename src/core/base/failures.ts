// One table from failure type to recovery. Types travel on the wire as ApplicationFailure.type; classes do not.

export type Recovery = 'retry' | 'wait_for_operator' | 'condense' | 'fail';

export const modelFailures = {
  'Model.RateLimit': 'retry',
  'Model.Overloaded': 'retry',
  'Model.ServerError': 'retry',
  'Model.Connection': 'retry',
  'Model.Timeout': 'retry',
  'Model.StreamCut': 'retry',
  'Model.BadResponse': 'retry',
  'Model.Auth': 'wait_for_operator',
  'Model.Quota': 'wait_for_operator',
  'Model.ContextOverflow': 'condense',
  'Model.EmptyResponse': 'fail',
  /** The reply held only an item that nobody here can answer. */
  'Model.UnansweredItem': 'fail',
  'Model.InvalidRequest': 'fail',
  'Model.NotFound': 'fail',
  /** The model would not answer; its words are in the log. Never asked again of the same model. */
  'Model.Refusal': 'fail',
  /** It paused its turn more often than LOOP-29 allows. */
  'Model.PausedTooOften': 'fail',
  /** A hook of the user's around the request threw. */
  'Model.HookFailed': 'fail',
  /** The retry window or count is used up; carries the last failure's message. */
  'Model.RetriesExhausted': 'fail',
  /** A bug in our own code: never retried. */
  'Model.Bug': 'fail',
} as const satisfies Record<string, Recovery>;

export type ModelFailureType = keyof typeof modelFailures;

/**
 * Of a payload for which a process has no key, or which was changed: nothing of the task has begun. The SDK makes the type
 * from the name of the class.
 */
export const cannotDecrypt = 'CodecError';

/** Of a task that a worker handed back because it lacks a part: no part of it has begun. */
export const workerLacks = 'Worker.Lacks';

function isModelFailure(type: string): type is ModelFailureType {
  return Object.hasOwn(modelFailures, type);
}

/** The recovery for a failure type read from the wire; an unknown type is final. */
export function recoveryOf(type: string | undefined): Recovery {
  return type !== undefined && isModelFailure(type) ? modelFailures[type] : 'fail';
}

/** Of an attempt that a worker ended for another one whose process is gone: the body may have done anything. */
export const workerLost = 'WorkerLost';

/** A failure as shown to people and kept in results: short, without payloads or secrets. */
export type Failure = {
  /** Its type, e.g. `Model.RateLimit`. */
  code: string;
  /** For people. */
  message: string;
  /** Of used up retries: the failure type that used them up. */
  last?: string;
};

/** The part of a run that has failed, as agent_end reports it (EVENT-14); the failure's own code says why. */
export type RunErrorCode = 'Run.ContextFailed' | 'Model.CallFailed' | 'Model.StreamFailed';

const streamFailures = ['Model.StreamCut', 'Model.BadResponse', 'Model.StreamFailed'];

/** Undefined where neither context nor model failed. */
export function runErrorCode({ code, last = code }: Failure): RunErrorCode | undefined {
  if (code === 'Run.ContextFailed') return code;
  if (!code.startsWith('Model.')) return undefined;
  return streamFailures.includes(last) ? 'Model.StreamFailed' : 'Model.CallFailed';
}
