// The changes of a run, its attempts to change, and its refused calls: the actions of its report. Runs in Node, pure.
import { toVisible } from '../../core/base/visible.ts';
import { decideOutcome, whyOf } from '../../core/model/call-outcome.ts';
import type { Action } from '../../core/report/run-facts.ts';
import { type DescribingWords, describeCall, toTime } from './describe-call.ts';
import { toOneLine } from '../redaction/sanitise.ts';
import { type LoggedCall, argumentsOf, endOf } from '../../stored/logged-calls.ts';

const reasonLength = 200;

export type Answered = LoggedCall & Required<Pick<LoggedCall, 'result'>>;

/** False for a call that only reads and that nobody has decided on. */
export function isAction(logged: LoggedCall): logged is Answered {
  return logged.result?.outcome !== undefined;
}

export function toAction(logged: Answered, words: DescribingWords): Action {
  const { result } = logged;
  const { decided } = result;
  const outcome = decideOutcome({ message: result, ...result });
  const why = decided?.approved === false ? undefined : whyOf(outcome, result);
  const short = (text: string): string => words.redact(text).slice(0, reasonLength);
  return {
    callId: logged.id,
    at: toTime(endOf(result)),
    call: describeCall(logged, words),
    ...otherArguments(logged, words),
    outcome,
    ...(why === undefined ? {} : { why: short(why) }),
    ...(decided ? { by: decided.by, approved: decided.approved, decidedAt: toTime(decided.at) } : {}),
    ...(decided?.reason === undefined ? {} : { reason: short(decided.reason) }),
  };
}

const withLength = 400;
/** Characters of a file's new content that are read; redaction makes a text shorter. */
const lookedAt = 16_384;

/** Arguments that the line of the call does not show. */
function otherArguments({ call }: LoggedCall, { toolSpec, redact }: DescribingWords): Pick<Action, 'with'> {
  const shown = toolSpec(call.name)?.summaryArguments;
  if (shown === undefined) return {};
  const others = Object.entries(argumentsOf(call)).filter(([name]) => !shown.includes(name));
  if (others.length === 0) return {};
  const text = JSON.stringify(Object.fromEntries(others)).slice(0, lookedAt);
  return { with: toOneLine(toVisible(redact(text)), withLength) };
}
