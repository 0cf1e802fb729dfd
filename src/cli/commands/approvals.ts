// holdfast approvals: the requests that wait for people, and the approvals that a session remembers.
import { toOuter } from '@holdfast/vocabulary/outer-form';
import { defined } from '@holdfast/base/defined';
import { currentActor } from '../approvals/ask-approval.ts';
import { anySession, name } from '../arguments.ts';
import { findSession } from '../find-session.ts';
import type { CliCommand } from '../cli-command.ts';
import { withTyped } from '../../config/command-line.ts';
import { describeAllowance, describeItem } from '../render/describe-waiting.ts';
import { toLine } from '../render/plain-text.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { UserError } from '../../common/user-error.ts';
import type { WaitingItem, WaitingList } from '../../client.ts';
import { itemsOf } from '../../client/waiting-list.ts';
import { counted } from '@holdfast/base/words';
import type { Allowance } from '@holdfast/vocabulary/snapshot';

type ListOptions = { forget?: string; whole?: boolean; actor: string };

export function registerApprovalList(program: CliCommand): void {
  program
    .command('approvals')
    .argument('[session]', 'only those of this session, with the approvals that it remembers', anySession)
    .option('--whole', 'with all that is known of each call')
    .option('--forget <id>', 'take a remembered approval of the session back', name)
    .option('--actor <name>', 'who takes it back', currentActor())
    .examples([
      'approvals',
      'approvals checkout-is-slow-k3v9x --whole',
      'approvals checkout-is-slow-k3v9x --forget allowance-1',
    ])
    .action((sessionId: string | undefined, options: ListOptions, used: CliCommand) => {
      if (options.forget !== undefined && sessionId === undefined)
        throw new UserError('--forget takes back an approval of one session: name the session.');
      const list = (frame: ServerCommand) => listApprovals(frame, sessionId, options);
      return withServer(used, list, { config: 'keys' });
    });
}

async function listApprovals(
  frame: ServerCommand,
  word: string | undefined,
  options: ListOptions,
): Promise<void> {
  if (word === undefined) return showAll(frame, options.whole === true);
  const session = await findSession(frame, word);
  const { sessionId } = session;
  const { output } = frame;
  if (options.forget === undefined) {
    const snapshot = await session.snapshot();
    const waiting = (await session.describe()).status === 'RUNNING' ? itemsOf(snapshot) : [];
    const items = options.whole ? await unmasked(frame, waiting) : waiting;
    return showOne(frame, items, snapshot.allowances, options.whole === true);
  }
  const { forgotten } = await session.forgetAllowance(options.forget, { actor: options.actor });
  output.emit({ sessionId, forgotten, actor: options.actor });
  output.print(`Took ${forgotten} back: such a call asks again.`);
}

/** Lists mask secrets; only the asking session reveals them. */
async function unmasked({ access }: ServerCommand, items: WaitingItem[]): Promise<WaitingItem[]> {
  return Promise.all(
    items.map(async (item) => {
      if (item.kind !== 'approval' || !item.masked) return item;
      const { child, id, sessionId } = item;
      const asking = access.client.session(child?.sessionId ?? sessionId);
      const ownId = child ? id.slice(child.name.length + 1) : id;
      const own = (await asking.pendingApprovals()).find((pending) => pending.id === ownId);
      return { ...item, ...defined({ unmaskedArgs: own?.unmaskedArgs }) };
    }),
  );
}

async function showAll(frame: ServerCommand, whole: boolean): Promise<void> {
  const { access, output } = frame;
  const found = await access.client.waiting();
  const list = whole ? { ...found, waiting: await unmasked(frame, found.waiting) } : found;
  list.waiting.forEach((item) => output.emit(toOuter(item)));
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
  items.forEach((item) => output.emit(toOuter(item)));
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
