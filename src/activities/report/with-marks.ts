// The objections of code to a report's recommendations and to the last words of its run, added when the run has ended. Runs in
// Node; reads the store.
import { defined } from '../../../packages/base/src/defined.ts';
import { unlessEmpty } from '../../../packages/base/src/unless-empty.ts';
import type { AgentState } from '../../../packages/vocabulary/src/agent-state.ts';
import type { LogRecord } from '../../../packages/vocabulary/src/messages.ts';
import { describeEnd } from '../../../packages/report/src/describe-end.ts';
import { markWords } from '../../../packages/report/src/mark-words.ts';
import type { Report } from '../../../packages/report/src/report.ts';
import type { LoggedCall } from '../../../packages/stored/src/logged-calls.ts';
import type { PrepareCalls } from '../model/prepare-calls.ts';
import { checkRecommended, wordsOfRecommended } from './check-recommended.ts';
import { type SearchPlace, findTold } from './told-commands.ts';

type Ended = {
  /** Calls of the session and of its delegated sessions. */
  calls: readonly LoggedCall[];
  log: readonly LogRecord[];
  state: AgentState | undefined;
};

/** Commands in outputs that were not searched in time have no mark. */
export async function withMarks(
  report: Report & Required<Pick<Report, 'run'>>,
  { calls, log, state }: Ended,
  { prepareCalls, ...place }: SearchPlace & { prepareCalls: PrepareCalls },
): Promise<Report> {
  const { run, recommended = [] } = report;
  // the words about the end are those of code
  const words = run.answer === describeEnd(run) ? '' : run.answer;
  const told = await findTold([words, ...recommended.map(wordsOfRecommended)], calls, log, place);
  const { actions, actionsLeftOut } = run;
  const facts = defined({
    report,
    repeated: told.get(words) ?? [],
    actions: actionsLeftOut ? undefined : actions,
  });
  const wordMarks = markWords(words, facts);
  const judging = { prepareCalls, told, context: state?.context };
  return {
    ...report,
    ...defined({ recommended: unlessEmpty(await checkRecommended(recommended, judging)) }),
    run: { ...run, ...defined({ wordMarks: unlessEmpty(wordMarks) }) },
  };
}
