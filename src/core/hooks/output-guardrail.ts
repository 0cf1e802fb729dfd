// Middleware `outputGuardrail`: tests the answer of a completed run against patterns (HOOK-15). A check in code is a
// hook of the user's own with the point runEnd. Pure.
import type { JsonObject } from '../base/json.ts';
import type { PureHook } from '../model/hook.ts';
import { pattern, problemOf, text } from './params.ts';

export const outputGuardrail: PureHook = {
  problem: (params) => problemOf(params, { mustMatch: pattern, mustNotMatch: pattern, message: text }),
  runEnd({ answer }, { params }) {
    if (passes(answer, params)) return undefined;
    const { message } = params;
    return { fail: typeof message === 'string' ? message : 'The answer did not pass the output guardrail.' };
  },
};

function passes(answer: string, { mustMatch, mustNotMatch }: JsonObject): boolean {
  const wanted = typeof mustMatch !== 'string' || new RegExp(mustMatch, 'u').test(answer);
  return wanted && (typeof mustNotMatch !== 'string' || !new RegExp(mustNotMatch, 'u').test(answer));
}
