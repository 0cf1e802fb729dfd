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
  /** The reply held only an item that this version cannot answer. */
  'Model.UnansweredItem': 'fail',
  'Model.InvalidRequest': 'fail',
  'Model.NotFound': 'fail',
  /** The model refused to answer; its words are in the log. The same model is never asked again. */
  'Model.Refusal': 'fail',
  /** The model paused its turn more often than LOOP-29 allows. */
  'Model.PausedTooOften': 'fail',
  /** A user's hook around the request threw. */
  'Model.HookFailed': 'fail',
  /** The retry window or count is used up; carries the last failure's message. */
  'Model.RetriesExhausted': 'fail',
  /** A bug in our own code: never retried. */
  'Model.Bug': 'fail',
} as const satisfies Record<string, Recovery>;

export type ModelFailureType = keyof typeof modelFailures;

/**
 * Type of a failure to decrypt a payload: the key is missing, or the payload was changed. Nothing of the task has
 * begun. The SDK takes the type from the name of the class.
 */
export const cannotDecrypt = 'CodecError';

/** Type of a task that a worker handed back because it lacks a part. Nothing of the task has begun. */
export const workerLacks = 'Worker.Lacks';

export function isModelFailure(type: unknown): type is ModelFailureType {
  return Object.hasOwn(modelFailures, String(type));
}

/** The recovery for a failure type read from the wire; an unknown type is final. */
export function recoveryOf(type: string | undefined): Recovery {
  return isModelFailure(type) ? modelFailures[type] : 'fail';
}

/** Type of an attempt that a worker ended for another worker whose process is gone. The body may have done anything. */
export const workerLost = 'WorkerLost';

/** A failure as shown to people and kept in results: short, without payloads or secrets. */
export type Failure = {
  /** The failure's type, e.g. `Model.RateLimit`. */
  code: string;
  /** The reason in words for people. */
  message: string;
  /** The failure type that used up the retries. */
  last?: string;
};

/** Advice for people about a failure: the end of its message, which a model does not read. */
export const advice: { [Code in string]?: string } = {
  'Model.Auth':
    'Check the key and its rights, then resume the session. A key in a variable needs a restart of the worker, too.',
  'Model.Quota': 'Raise the limit or add credit, then resume the session.',
  'Model.NotFound': 'Check the name of the model and the base URL.',
  'Run.MaxTurns': 'Raise loop.maxTurns, or send "continue".',
  'Run.Budget':
    'What was found so far is in the log; in a session that stays, extendBudget and continue resume it.',
  'Run.TimedOut': 'What was found so far is in the log.',
};

/** A text for a model. */
export function withoutAdvice(text: string): string {
  return Object.values(advice)
    .reduce<string>((words, said = '') => words.replaceAll(said, ''), text)
    .trim();
}

/** The part of a run that failed, as agent_end reports it (EVENT-14); the failure's own code has the cause. */
export type RunErrorCode = 'Run.ContextFailed' | 'Model.CallFailed' | 'Model.StreamFailed';

const streamFailures = ['Model.StreamCut', 'Model.BadResponse', 'Model.StreamFailed'];

/** Undefined unless the context or the model failed. */
export function runErrorCode({ code, last = code }: Failure): RunErrorCode | undefined {
  if (code === 'Run.ContextFailed') return code;
  if (!code.startsWith('Model.')) return undefined;
  return streamFailures.includes(last) ? 'Model.StreamFailed' : 'Model.CallFailed';
}
