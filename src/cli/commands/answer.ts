// holdfast approvals, approve, deny and answer: what waits for people, and what they say to it.
import { type Command, Option } from 'commander';
import { currentActor } from '../approvals/ask-approval.ts';
import { chosenOption } from '../approvals/ask-question-here.ts';
import { anySession, given, name, readWords, someWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { addExamples, typed, withTyped } from '../command-line.ts';
import { describeAllowance, describeCall, describeItem } from '../render/describe-waiting.ts';
import { toLine } from '../render/plain-text.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { UserError, exitCodes } from '../user-error.ts';
import type { SessionHandle, WaitingItem, WaitingList } from '../../client.ts';
import { sessionClosed } from '../../client/session-caller.ts';
import { itemsOf } from '../../client/waiting-list.ts';
import { counted } from '../../core/base/words.ts';
import type { AllowanceScope } from '../../core/model/events.ts';
import type { Allowance, PendingApproval, PendingQuestion } from '../../core/model/snapshot.ts';

type ListOptions = { forget?: string; whole?: boolean; actor: string };

export function registerApprovalList(program: Command, cli: Cli): void {
  const command = program
    .command('approvals')
    .description('list the calls and questions that wait for a person, over all sessions, oldest first')
    .argument('[session]', 'only those of this session, with the approvals that it remembers', anySession)
    .option('--whole', 'with all that is known of each call')
    .option('--forget <id>', 'take a remembered approval of the session back', name)
    .option('--actor <name>', 'who takes it back', currentActor())
    .action((sessionId: string | undefined, options: ListOptions, used: Command) => {
      if (options.forget !== undefined && sessionId === undefined)
        throw new UserError('--forget takes back an approval of one session: name the session.');
      return withServer(cli, used, (frame) => listApprovals(frame, sessionId, options), {
        config: 'keys',
      });
    });
  addExamples(command, [
    'approvals',
    'approvals checkout-is-slow-k3v9x --whole',
    'approvals checkout-is-slow-k3v9x --forget allowance-1',
  ]);
}

async function listApprovals(
  frame: ServerCommand,
  sessionId: string | undefined,
  options: ListOptions,
): Promise<void> {
  if (sessionId === undefined) return showAll(frame, options.whole === true);
  const session = frame.access.client.session(sessionId);
  const { output } = frame;
  if (options.forget === undefined) {
    const snapshot = await session.snapshot();
    const items = options.whole ? await unmasked(frame, itemsOf(snapshot)) : itemsOf(snapshot);
    return showOne(frame, items, snapshot.allowances, options.whole === true);
  }
  const { forgotten } = await session.forgetAllowance(options.forget, { actor: options.actor });
  output.emit({ sessionId, forgotten, actor: options.actor });
  output.print(`Took ${forgotten} back: such a call asks again.`);
}

/** A secret is masked in every list: only the session that asks tells it. */
async function unmasked({ access }: ServerCommand, items: WaitingItem[]): Promise<WaitingItem[]> {
  return Promise.all(
    items.map(async (item) => {
      if (item.kind !== 'approval' || !item.masked) return item;
      const { child, id, sessionId } = item;
      const asking = access.client.session(child?.sessionId ?? sessionId);
      const ownId = child ? id.slice(child.name.length + 1) : id;
      const own = (await asking.pendingApprovals()).find((pending) => pending.id === ownId);
      return { ...item, ...given({ unmaskedArgs: own?.unmaskedArgs }) };
    }),
  );
}

async function showAll(frame: ServerCommand, whole: boolean): Promise<void> {
  const { access, output } = frame;
  const found = await access.client.waiting();
  const list = whole ? { ...found, waiting: await unmasked(frame, found.waiting) } : found;
  list.waiting.forEach((item) => output.emit(item));
  list.unanswered.forEach((session) => output.emit({ kind: 'unanswered', ...session }));
  const { colors } = output;
  const now = Date.now();
  const blocks = list.waiting.map((item) => {
    const { sessionId, task } = item;
    return `${colors.bold(sessionId)}  ${colors.dim(toLine(task, 100))}\n${describeItem(item, now, whole)}`;
  });
  if (blocks.length > 0) output.print(blocks.join('\n\n'));
  else
    output.print(
      `Nothing waits for a person${list.unanswered.length > 0 ? ' in the sessions that answered' : ''}.`,
    );
  sayUnanswered(list, output.say);
}

function sayUnanswered({ unanswered }: WaitingList, say: (line: string) => void): void {
  const [first] = unanswered;
  if (!first) return;
  const sessions = counted(unanswered.length, 'session');
  say(`! ${sessions} could not be asked: ${unanswered.map(({ sessionId }) => sessionId).join(', ')}.`);
  say(`  ${first.sessionId}: ${toLine(withTyped(first.message), 300)}`);
}

function showOne(
  { output }: ServerCommand,
  items: WaitingItem[],
  allowances: Allowance[],
  whole: boolean,
): void {
  const now = Date.now();
  items.forEach((item) => output.emit(item));
  allowances.forEach((allowance) => output.emit({ kind: 'allowance', ...allowance }));
  const waiting = items.map((item) => describeItem(item, now, whole));
  output.print(waiting.length > 0 ? waiting.join('\n\n') : 'Nothing waits for a person.');
  if (allowances.length === 0) return;
  output.print(
    ['', 'Allowed for this session:', ...allowances.map((one) => `  ${describeAllowance(one, now)}`)].join(
      '\n',
    ),
  );
}

type AnswerOptions = { reason?: string; actor: string; forSession?: AllowanceScope };
type Answer = 'approve' | 'deny';

export function registerApprovals(program: Command, cli: Cli): void {
  const approve = register(program, cli, 'approve', 'allow a call that waits for approval').addOption(
    new Option(
      '--for-session [scope]',
      'allow it again in this session: the same call ("call"), or every call of its tool ("tool")',
    )
      .choices(['call', 'tool'])
      .preset('call'),
  );
  addExamples(approve, [
    'approve checkout-is-slow-k3v9x',
    'approve checkout-is-slow-k3v9x call_7_1 --reason "agreed with the shop team"',
    'approve checkout-is-slow-k3v9x call_7_1 --for-session',
  ]);
  addExamples(register(program, cli, 'deny', 'refuse a call that waits for approval'), [
    'deny checkout-is-slow-k3v9x --reason "not before 22:00"',
  ]);
}

function register(program: Command, cli: Cli, answer: Answer, description: string): Command {
  return program
    .command(answer)
    .description(description)
    .argument('<session>', 'session id', anySession)
    .argument('[call]', 'call id; needed when several calls wait')
    .option('--reason <words>', 'kept with the answer, and read by the agent', someWords)
    .option('--actor <name>', 'who answers', currentActor())
    .action((sessionId: string, callId: string | undefined, options: AnswerOptions, command: Command) =>
      withServer(cli, command, (frame) => resolve(frame, answer, { sessionId, callId }, options), {
        config: 'keys',
      }),
    );
}

async function resolve(
  { output, access }: ServerCommand,
  answer: Answer,
  { sessionId, callId }: { sessionId: string; callId: string | undefined },
  { reason, actor, forSession }: AnswerOptions,
): Promise<void> {
  const session = access.client.session(sessionId);
  await assertRuns(session);
  const pending = await session.pendingApprovals();
  const call = callId === undefined ? only(sessionId, pending) : pending.find(({ id }) => id === callId);
  // one that does not wait is sent as well: the session knows its outcome
  const id = call?.id ?? callId ?? '';
  const decision = { actor, ...given({ reason, argsDigest: call?.argsDigest }) };
  const { allowance } =
    answer === 'approve'
      ? await session.approve(id, { ...decision, remember: forSession })
      : { ...(await session.deny(id, decision)), allowance: undefined };
  const said = { sessionId, callId: id, approved: answer === 'approve', actor, ...given({ allowance }) };
  output.emit({ ...said, ...(call && { tool: call.tool, args: call.args }) });
  output.print(
    `${answer === 'approve' ? 'Approved' : 'Denied'} ${id}${call ? `: ${describeCall(call)}` : ''}`,
  );
  if (allowance === undefined) return;
  output.print(
    `Remembered for this session as ${allowance}; "${typed(`approvals ${sessionId} --forget ${allowance}`)}" takes it back.`,
  );
}

/** An ended session takes no answer, and to say so needs no worker, which the list of what waits does. */
async function assertRuns(session: SessionHandle): Promise<void> {
  const { status } = await session.describe();
  if (status !== 'RUNNING') throw sessionClosed(session.sessionId);
}

function only(sessionId: string, pending: PendingApproval[]): PendingApproval {
  const [call, ...others] = pending;
  if (!call) throw new UserError(`Session ${sessionId} waits for no approval.`, exitCodes.refused);
  if (others.length === 0) return call;
  const lines = pending.map((other) => `  ${other.id}  ${describeCall(other)}`);
  throw new UserError(
    `Session ${sessionId} waits for ${pending.length} approvals: name one.\n${lines.join('\n')}`,
  );
}

export function registerAnswer(program: Command, cli: Cli): void {
  const command = program
    .command('answer')
    .description('answer a question of the agent')
    .argument('<session>', 'session id', anySession)
    .argument(
      '<words...>',
      'the answer, or the number of an option; the question id before it when several wait; "-" reads standard input',
    )
    .option('--actor <name>', 'who answers', currentActor())
    .action((sessionId: string, words: string[], { actor }: { actor: string }, used: Command) =>
      withServer(cli, used, (frame) => sendAnswer(frame, sessionId, words, actor), { config: 'keys' }),
    );
  addExamples(command, [
    'answer checkout-is-slow-k3v9x "yes, the pool was made smaller on purpose"',
    'answer checkout-is-slow-k3v9x call_7_1 2',
  ]);
}

async function sendAnswer(
  { cli, access, output }: ServerCommand,
  sessionId: string,
  words: string[],
  actor: string,
): Promise<void> {
  const session = access.client.session(sessionId);
  await assertRuns(session);
  const pending = await session.pendingQuestions();
  const [first, ...rest] = words;
  const named = rest.length > 0 ? pending.find(({ id }) => id === first) : undefined;
  // closed already: the session says who was first
  if (!named && rest.length > 0 && first !== undefined && first.startsWith('call_') && pending.length === 0) {
    await session.answerQuestion(first, rest.join(' '), { actor });
  }
  const question = named ?? onlyQuestion(sessionId, pending);
  const text = await readWords(cli, named ? rest : words, 'The answer');
  const answer = chosenOption(text.trim(), question.options);
  if (answer === undefined) {
    const { options = [] } = question;
    throw new UserError(
      `There is no option ${text.trim()}: expected 1 to ${options.length}, or the answer in words.`,
    );
  }
  await session.answerQuestion(question.id, answer, { actor });
  output.emit({ sessionId, callId: question.id, actor, text: answer });
  output.print(`Answered ${question.id}: ${toLine(answer, 300)}`);
}

function onlyQuestion(sessionId: string, pending: PendingQuestion[]): PendingQuestion {
  const [question, ...others] = pending;
  if (!question) throw new UserError(`Session ${sessionId} has no open question.`, exitCodes.refused);
  if (others.length === 0) return question;
  const lines = pending.map(({ id, question: text }) => `  ${id}  ${toLine(text, 160)}`);
  throw new UserError(
    `Session ${sessionId} has ${pending.length} open questions: name one before the answer.\n${lines.join('\n')}`,
  );
}
