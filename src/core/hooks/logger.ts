// Middleware `logger`: one line when a run starts and one when it ends, in the worker's log (HOOK-14). Pure: the
// host writes, and not again at a replay.
import type { PureHook } from '../model/hook.ts';
import { problemOf } from './params.ts';

export const logger: PureHook = {
  problem: (params) => problemOf(params, {}),
  runStart(_, { log }) {
    log('run started', {});
    return undefined;
  },
  runEnd({ status, cause, error, startedAt, now }, { log }) {
    log('run ended', {
      status,
      durationMs: now - startedAt,
      ...(cause === undefined ? {} : { cause }),
      ...(error === undefined ? {} : { error: `${error.code}: ${error.message}` }),
    });
    return undefined;
  },
};
