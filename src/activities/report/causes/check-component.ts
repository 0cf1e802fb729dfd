// Checks that the component of a root cause was seen where the cause is quoted. Runs in Node, pure.
import type { CauseCheck } from '@holdfast/report/report';
import { type Cause, namesAround } from './cause.ts';

export function checkComponent({ report, names, quotes, calls }: Cause): CauseCheck {
  const check = 'component';
  const { rootCause } = report;
  if (!rootCause)
    return { check, result: 'fails', text: 'rootCause is missing, so that no component is named' };
  const seen = quotes.map((quote) => ({ quote, names: namesAround(names, quote, calls) }));
  const found = new Set(seen.flatMap((each) => each.names));
  // of several names some may be of the agent's own making
  if (found.size > 0 && found.size >= Math.floor(names.length / 2)) {
    const [first] = seen.filter((each) => each.names.length > 0);
    const text = `"${first?.names[0]?.said}" is in call ${first?.quote.callId}, which is quoted for the cause`;
    return { check, result: 'holds', text };
  }
  const words = names.map(({ said }) => `"${said}"`).join(', ') || `"${rootCause.component}"`;
  const text = `the component ${words} is in no line that is quoted for the cause, nor in the call and the output of one`;
  return { check, result: 'fails', text };
}
