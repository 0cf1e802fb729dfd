// The unfinished work of a run that ended early, for whoever continues it. Runs in Node, pure.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { type LogRecord, textOf } from '@holdfast/vocabulary/messages';
import type { PlanStep } from '@holdfast/vocabulary/plan';
import type { LeftOver } from '@holdfast/report/run-facts';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { type DescribingWords, describeCall, tellingLineOf } from './describe-call.ts';
import { type LoggedCall, toArguments } from '@holdfast/stored/logged-calls';

const maxFindings = 50;
const maxSteps = 50;
const maxQuestions = 10;
const repliesTried = 3;
const callsTried = 5;

/** `log` and `calls` are those of the run itself. */
export function leftOver(
  state: Pick<AgentState, 'findings' | 'plan'>,
  log: readonly LogRecord[],
  calls: readonly LoggedCall[],
  words: DescribingWords,
): LeftOver {
  const { findings = [], plan } = state;
  const line = (text: string, length: number): string => toOneLine(words.redact(text), length);
  return {
    findings: findings.slice(-maxFindings).map(({ text }) => line(text, 500)),
    plan: stepsOf(plan?.steps ?? [])
      .slice(0, maxSteps)
      .map(({ id, text, status }) => ({ text: `${id}. ${line(text, 200)}`, status })),
    openQuestions: calls
      .filter(({ call, result }) => call.name === 'ask_human' && result?.isError !== false)
      .slice(-maxQuestions)
      .flatMap(({ call }) => {
        const { question } = toArguments(call);
        return typeof question === 'string' ? [line(question, 300)] : [];
      }),
    lastTried: lastTried(log, calls, words),
    ...refusedReports(calls, words),
  };
}

function refusedReports(
  calls: readonly LoggedCall[],
  { redact }: DescribingWords,
): Pick<LeftOver, 'refusedReports'> {
  const refused = calls.filter(({ call, result }) => call.name === 'report' && result?.isError);
  const last = refused.at(-1);
  if (last?.result === undefined) return {};
  const { summary } = toArguments(last.call);
  return {
    refusedReports: defined({
      count: refused.length,
      reason: toOneLine(redact(textOf(last.result)), 300),
      summary: typeof summary === 'string' ? toOneLine(redact(summary), 500) : undefined,
    }),
  };
}

function stepsOf(steps: readonly PlanStep[]): PlanStep[] {
  return steps.flatMap((step) => [step, ...stepsOf(step.steps ?? [])]);
}

/** The newest replies, oldest first: the text, and each call with the beginning of its result. */
function lastTried(
  log: readonly LogRecord[],
  calls: readonly LoggedCall[],
  words: DescribingWords,
): string[] {
  const tried = calls.filter(({ call }) => !ownBooks.has(call.name) && call.name !== 'ask_human');
  const replies = log.filter(
    (record) => record.role === 'assistant' && tried.some(({ seq }) => seq === record.seq),
  );
  return replies.slice(-repliesTried).flatMap((reply) => {
    const said = toOneLine(words.redact(textOf(reply)), 300);
    const made = tried
      .filter(({ seq }) => seq === reply.seq)
      .slice(0, callsTried)
      .map((logged) => `${describeCall(logged, words)}: ${tellingLineOf(logged, words.redact, 160)}`);
    return present([said !== '' && `"${said}"`, ...made]);
  });
}
