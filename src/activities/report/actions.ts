// What a run has changed, tried to change, and was kept from: the actions of its report. Runs in Node, pure.
import { textOf } from '../../core/model/messages.ts';
import { toVisible } from '../../core/base/visible.ts';
import type { Action } from '../../core/report/run-facts.ts';
import { stoppedNotice } from '../tools/tool-result.ts';
import { type DescribingWords, describeCall, firstLineOf, toTime } from './describe-call.ts';
import { isUnknown } from './gaps.ts';
import { toOneLine } from '../redaction/sanitise.ts';
import { type LoggedCall, argumentsOf } from '../../stored/logged-calls.ts';

const reasonLength = 200;

export type Answered = LoggedCall & Required<Pick<LoggedCall, 'result'>>;

/** Not a call that only reads, and that nobody has decided on. */
export function isAction(logged: LoggedCall): logged is Answered {
  const { result } = logged;
  return result !== undefined && (result.effect !== undefined || result.decided !== undefined);
}

export function toAction(logged: Answered, words: DescribingWords): Action {
  const { result } = logged;
  const { decided } = result;
  const outcome = outcomeOf(logged);
  const reason =
    decided?.reason ?? (outcome === 'done' ? '' : firstLineOf(logged, words.redact, reasonLength));
  return {
    callId: logged.id,
    at: toTime(result.at),
    call: describeCall(logged, words),
    ...otherArguments(logged, words),
    outcome,
    ...(decided ? { by: decided.by, decidedAt: toTime(decided.at) } : {}),
    ...(reason === '' ? {} : { reason: words.redact(reason).slice(0, reasonLength) }),
  };
}

const withLength = 400;
/** Of a file that was to be written; what is taken out makes a text shorter. */
const lookedAt = 16_384;

/** Those that the line of the call does not show. */
function otherArguments({ call }: LoggedCall, { toolSpec, redact }: DescribingWords): Pick<Action, 'with'> {
  const shown = toolSpec(call.name)?.summaryArguments;
  if (shown === undefined) return {};
  const others = Object.entries(argumentsOf(call)).filter(([name]) => !shown.includes(name));
  if (others.length === 0) return {};
  const text = JSON.stringify(Object.fromEntries(others)).slice(0, lookedAt);
  return { with: toOneLine(toVisible(redact(text)), withLength) };
}

function outcomeOf(logged: Answered): Action['outcome'] {
  const { result } = logged;
  const text = textOf(result);
  if (result.decided?.approved === false) return 'denied';
  if (isUnknown(logged) || wasCutShort(text)) return 'unknown';
  // only where we said so ourselves: an output that says so, and that is stored, is of a call that ran
  if (result.artifactId === undefined && notRun.test(text)) return 'not_run';
  return result.isError ? 'failed' : 'done';
}

/** Of a change: it was stopped on its way, or no attempt has come to an end. */
function wasCutShort(text: string): boolean {
  return text.endsWith(stoppedNotice) || text.startsWith('The tool lost its worker on every attempt');
}

const notRun =
  /^(?:Not run: |Dry run: |tool execution aborted$|Skipped due to queued user message\.|Tool call blocked)/;
