// The objections of code to a report's recommendations and to the last words of its run, added when the run has ended. Runs in
// Node; reads the store.
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { describeEnd } from '@holdfast/report/describe-end';
import { markWords } from '@holdfast/report/mark-words';
import type { Report } from '@holdfast/report/report';
import type { LoggedCall } from '@holdfast/stored/logged-calls';
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
