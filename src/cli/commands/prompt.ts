// holdfast prompt and continue: the next run of an idle session, with a new task or with its present work. With --wait it
// is followed to its result, without a live view.
import type { SessionHandle } from '../../client.ts';
import {
  type ApprovalOptions,
  addApprovalOptions,
  approvalModeOf,
  refuseUnheard,
} from '../approvals/approval-options.ts';
import { createApprovalDesk } from '../approvals/ask-approval.ts';
import { type ImageOption, addImageOption, readImages, attachImages } from '../image-option.ts';
import { readWords } from '../arguments.ts';
import { withSession } from '../find-session.ts';
import { addTemplateOption, readTask } from '../task-words.ts';
import { openCommand } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { printAgentPrompt } from './agents.ts';
import { typed } from '../../config/command-line.ts';
import { type ExitCode, exitCodeOf } from '../../common/exit-codes.ts';
import { showResult } from '../live/follow-session.ts';
import { describeWarning } from '../render/describe-event.ts';
import type { ServerCommand } from '../server-access.ts';

type Options = ApprovalOptions & ImageOption & { wait?: boolean; template?: string };

const continueNotes = `The new run may use its full number of turns. The budget is not renewed: "holdfast extend-budget" adds to it. A session
that has ended is continued with "holdfast fork".`;

const sessionHint = ' The next task of a session is given as further words.';

export function registerPrompts(program: CliCommand): void {
  program
    .sessionCommand('prompt', 'session id, or the name of an agent')
    .argument('[words...]', 'the task; "-" reads standard input')
    .option('--wait', 'wait for the result of this run')
    .with(addTemplateOption, addImageOption, addApprovalOptions)
    .examples([
      'prompt checkout-is-slow-k3v9x --wait "what else was slow at that time?"',
      'prompt investigator',
    ])
    .action(async (sessionId: string, words: string[], options: Options, command: CliCommand) => {
      if (words.length === 0 && options.template === undefined)
        return printAgentPrompt(await openCommand(command, 'whole'), sessionId, {}, sessionHint);
      refuseUnheard(options, options.wait);
      const task = await readTask(command, words, options.template);
      const images = await readImages(command.cli, options);
      await withSession(command, sessionId, (frame, session) =>
        accept(frame, session, options, 'Accepted', async () =>
          session.prompt(await attachImages(session, { text: task, images })),
        ),
      );
    });
  program
    .sessionCommand('continue')
    .argument('[words...]', 'a message for the agent, first; "-" reads standard input')
    .option('--wait', 'wait for the result of this run')
    .with(addApprovalOptions)
    .examples(['continue checkout-is-slow-k3v9x --wait'], continueNotes)
    .action(async (sessionId: string, words: string[], options: Options, command: CliCommand) => {
      refuseUnheard(options, options.wait);
      const text = words.length === 0 ? undefined : await readWords(command.cli, words, 'The message');
      await withSession(command, sessionId, (frame, session) =>
        accept(frame, session, options, 'Continues', () => session.continue(text)),
      );
    });
}

/** Starts a run with `start`. With --wait it answers approvals as the options say, and shows the result. */
async function accept(
  { cli, output }: Pick<ServerCommand, 'cli' | 'output'>,
  session: SessionHandle,
  options: Options,
  said: string,
  start: () => Promise<{ runId: string }>,
): Promise<ExitCode | undefined> {
  const { sessionId } = session;
  const { runId } = await start();
  output.emit({ type: 'accepted', sessionId, runId });
  output.print(`${said} as run ${runId}. "${typed(`watch ${sessionId}`)}" follows it.`);
  if (!options.wait) return undefined;
  const desk = createApprovalDesk({ cli, output, session, mode: approvalModeOf(options) });
  const unsubscribe = session.subscribe((heard) => {
    desk.hear(heard);
    if (heard.type === 'warning' && heard.runId === runId) output.say(describeWarning(heard, sessionId));
  });
  try {
    const result = await session.result({ runId });
    await showResult({ output }, session, result);
    return exitCodeOf(result);
  } finally {
    unsubscribe();
    desk.close();
  }
}
