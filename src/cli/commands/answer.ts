// holdfast approve, deny and answer: the answers to requests that wait for people.
import { defined } from '@holdfast/base/defined';
import { Option } from 'commander';
import { currentActor, unlessNoId } from '../approvals/ask-approval.ts';
import { chosenOption } from '../approvals/ask-here.ts';
import { readWords, someWords } from '../arguments.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { toCallLine } from '../render/describe-waiting.ts';
import { toLine } from '../render/plain-text.ts';
import type { ServerCommand } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import type { SessionHandle } from '../../client.ts';
import { sessionClosed } from '../../client/session-caller.ts';
import type { AllowanceScope } from '@holdfast/vocabulary/events';
import { fromQuestionId } from '../../core/session/answers.ts';

type AnswerOptions = { reason?: string; actor: string; forSession?: AllowanceScope };
type Answer = 'approve' | 'deny';

export function registerApprovals(program: CliCommand): void {
  register(program, 'approve')
    .addOption(
      new Option(
        '--for-session [scope]',
        'allow it again in this session: the same call ("call"), or every later call of its tool ("tool")',
      )
        .choices(['call', 'tool'])
        .preset('call'),
    )
    .examples([
      'approve checkout-is-slow-k3v9x',
      'approve checkout-is-slow-k3v9x call_7_1 --reason "agreed with the shop team"',
      'approve checkout-is-slow-k3v9x call_7_1 --for-session',
    ]);
  register(program, 'deny').examples(['deny checkout-is-slow-k3v9x --reason "not before 22:00"']);
}

function register(program: CliCommand, answer: Answer): CliCommand {
  return program
    .sessionCommand(answer)
    .argument('[call]', 'call id; needed when several calls wait')
    .option('--reason <words>', 'kept with the answer, and read by the agent', someWords)
    .option('--actor <name>', 'who answers', currentActor())
    .onSession(resolve.bind(undefined, answer), { config: 'keys' });
}

async function resolve(
  answer: Answer,
  { output }: ServerCommand,
  session: SessionHandle,
  callId: string | undefined,
  { reason, actor, forSession }: AnswerOptions,
): Promise<void> {
  const { sessionId } = session;
  await assertRuns(session);
  const pending = await session.pendingApprovals();
  const { id, argsDigest } =
    callId === undefined ? only(sessionId, pending, 'approval', toCallLine) : fromQuestionId(callId);
  const call = pending.find((each) => each.id === id);
  // an answer to a call that does not wait is sent as well, with the digest of nothing: the session knows its outcome
  const decision = { actor, argsDigest: argsDigest ?? call?.argsDigest ?? '', ...defined({ reason }) };
  const { allowance } =
    answer === 'approve'
      ? await session.approve(id, { ...decision, remember: forSession })
      : { ...(await session.deny(id, decision)), allowance: undefined };
  const said = { sessionId, question: id, approved: answer === 'approve', actor };
  output.emit(defined({ ...said, allowance, tool: call?.tool, args: call?.args }));
  output.print(`${answer === 'approve' ? 'Approved' : 'Denied'} ${id}${call ? `: ${toCallLine(call)}` : ''}`);
  if (allowance === undefined) return;
  output.print(
    `Remembered for this session as ${allowance}; "${typed(`approvals ${sessionId} --forget ${allowance}`)}" takes it back.`,
  );
}

/** An ended session takes no answer. Unlike the list of requests, this check needs no worker. */
export async function assertRuns(
  session: Pick<SessionHandle, 'sessionId' | 'describe' | 'result'>,
): Promise<void> {
  const { status } = await session.describe();
  if (status === 'RUNNING') return;
  const last = await session.result().catch(() => undefined);
  throw sessionClosed(session.sessionId, undefined, last?.error?.message);
}

function only<Item extends { id: string }>(
  sessionId: string,
  pending: Item[],
  what: 'approval' | 'answer',
  show: (item: Item) => string,
): Item {
  const [item, ...others] = pending;
  if (!item) throw new UserError(`Session ${sessionId} waits for no ${what}.`, exitCodes.refused);
  if (others.length === 0) return item;
  const lines = pending.map((each) => `  ${each.id}  ${show(each)}`).join('\n');
  throw new UserError(`Session ${sessionId} waits for ${pending.length} ${what}s: name one.\n${lines}`);
}

export function registerAnswer(program: CliCommand): void {
  program
    .sessionCommand('answer')
    .argument(
      '<words...>',
      'the answer, or the number of an option; the question id before it when several wait; "-" reads standard input',
    )
    .option('--actor <name>', 'who answers', currentActor())
    .examples([
      'answer checkout-is-slow-k3v9x "yes, the pool was made smaller on purpose"',
      'answer checkout-is-slow-k3v9x call_7_1 2',
    ])
    .onSession(sendAnswer, { config: 'keys' });
}

async function sendAnswer(
  { cli, output }: ServerCommand,
  session: SessionHandle,
  words: string[],
  { actor }: { actor: string },
): Promise<void> {
  const { sessionId } = session;
  await assertRuns(session);
  const pending = await session.pendingQuestions();
  const [first = '', ...rest] = words;
  const named = rest.length > 0 ? pending.find(({ id }) => id === first) : undefined;
  // closed already, or a call: the session knows
  if (!named && rest.length > 0)
    await session.answerQuestion(first, rest.join(' ').trim() || first, { actor }).catch(unlessNoId(first));
  const question = named ?? only(sessionId, pending, 'answer', (open) => toLine(open.question, 160));
  const text = (await readWords(cli, named ? rest : words, 'The answer')).trim();
  const { options = [] } = question;
  const answer = chosenOption(text, options);
  if (answer === undefined)
    throw new UserError(`There is no option ${text}: expected 1 to ${options.length}, or your own words.`);
  await session.answerQuestion(question.id, answer, { actor });
  output.emit({ sessionId, question: question.id, actor, answer });
  output.print(`Answered ${question.id}: ${toLine(answer, 300)}`);
}
