// The words that a person types below the live view: they steer the agent, or are the next task of an idle session; a
// line that begins with a slash is a command. Answers to open questions are handled elsewhere.
import { randomUUID } from 'node:crypto';
import type { SessionHandle } from '../../client.ts';
import { planText, progressLine } from '../../core/agent/plan/plan-text.ts';
import { defined } from '@holdfast/base/defined';
import { InOrder } from '@holdfast/base/in-order';
import { messageOf } from '@holdfast/base/message-of';
import { toCost } from '@holdfast/base/words';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';
import { currentActor, unlessNoId } from '../approvals/ask-approval.ts';
import { withTyped } from '../../config/command-line.ts';
import { toCallLine, describeQueued } from '../render/describe-waiting.ts';
import { toPlain } from '../render/plain-text.ts';
import { describeChange, sendChange, type SettableSession, settings } from '../settings.ts';

export type TypedSession = Pick<
  SessionHandle,
  | 'steer'
  | 'followUp'
  | 'abort'
  | 'approve'
  | 'deny'
  | 'pendingApprovals'
  | 'extendBudget'
  | 'plan'
  | 'queued'
  | 'cancelQueued'
  | 'clearQueues'
  | 'reset'
> &
  SettableSession;

export type TypedContext = {
  session: TypedSession;
  /** True if the session has no current run. */
  isIdle(): boolean;
  /** Gives an idle session its next task; later words are for that run. */
  prompt(words: string): Promise<unknown>;
  say(text: string): void;
  /** Shows the words until a turn has taken them. */
  sent(id: string, words: string): void;
  notSent(id: string): void;
  toggleTimes(): boolean;
  quit(): void;
};

type LiveCommand = {
  name: string;
  /** The words after the name. */
  words: string;
  about: string;
  /** Sends nothing, and so waits for nothing. */
  here?: true;
  run(context: TypedContext, words: string): Promise<void> | void;
};

const liveCommands: readonly LiveCommand[] = [
  {
    name: 'abort',
    words: '',
    about: 'end the run; the session reports what it has found',
    run: async ({ session, say }) => {
      await session.abort();
      say('  » abort sent');
    },
  },
  {
    name: 'approve',
    words: '[id]',
    about: 'run the call that waits',
    run: (context, words) => answer(context, words, true),
  },
  {
    name: 'deny',
    words: '[id] [reason]',
    about: 'refuse it; the agent reads the reason',
    run: (context, words) => answer(context, words, false),
  },
  {
    name: 'budget',
    words: '<usd>',
    about: 'add money to the budget',
    run: async ({ session, say }, words) => {
      const costUsd = Number(words.replace(/^\$/, ''));
      if (!(costUsd > 0) || costUsd === Infinity)
        return say(`  ! /budget ${words}: expected an amount in USD, such as /budget 2.`);
      const { budget } = await session.extendBudget({ costUsd });
      if (budget.costUsd === undefined) say('  ! The budget has no limit in money, so nothing was added.');
      else say(`  » budget extended by ${toCost(costUsd)}: ${toCost(budget.costUsd)} in all`);
    },
  },
  {
    name: 'prompt',
    words: '<words>',
    about: 'the next task, once this one is done',
    run: async ({ session, isIdle, prompt, say }, words) => {
      if (words === '') return say('  ! /prompt: expected the words of a task.');
      if (isIdle()) await prompt(words);
      else await session.followUp(words, { actor: currentActor() });
    },
  },
  {
    name: 'interrupt',
    words: '<words>',
    about: 'stop the call in flight, and steer at once',
    run: async (context, words) => {
      if (words === '')
        return context.say('  ! /interrupt: expected the words that the agent reads at once.');
      await steer(context, words, { mode: 'interrupt' });
    },
  },
  {
    name: 'plan',
    words: '',
    about: 'show the plan',
    run: async ({ session, say }) => {
      const plan = await session.plan();
      if (!plan) return say('  The agent has no plan.');
      const lines = planText(plan.steps).split('\n');
      say([`  plan ${progressLine(plan.steps)}`, ...lines.map((line) => `    ${toPlain(line)}`)].join('\n'));
    },
  },
  {
    name: 'set',
    words: '<setting> <value>',
    about: 'change a setting from the next run on; /set alone shows them',
    run: set,
  },
  {
    name: 'queue',
    words: '',
    about: 'show the messages that no turn has taken yet',
    run: async ({ session, say }) => {
      const waiting = await session.queued();
      say(waiting.length === 0 ? '  No message waits.' : waiting.map(describeQueued).join('\n'));
    },
  },
  {
    name: 'cancel',
    words: '<id>',
    about: 'take one of them back',
    run: async ({ session, say }, id) => {
      const { removed } = await session.cancelQueued(id);
      say(
        removed
          ? '  » taken back'
          : `  ! /cancel ${id}: no message of this id waits; /queue shows those that do.`,
      );
    },
  },
  {
    name: 'clear',
    words: '',
    about: 'take all of them back',
    run: async ({ session, say }) => {
      const waiting = await session.queued();
      if (waiting.length > 0) await session.clearQueues();
      say(waiting.length === 0 ? '  No message waits.' : '  » taken back');
    },
  },
  {
    name: 'reset',
    words: '',
    about: 'begin anew once the run has ended, without the messages so far',
    run: async ({ session, say }) => {
      await session.reset();
      say('  » reset sent');
    },
  },
  {
    name: 'times',
    words: '',
    here: true,
    about: 'show how long each call took, or no longer',
    run: ({ toggleTimes, say }) =>
      say(toggleTimes() ? '  Calls are shown with their times.' : '  Times are not shown any more.'),
  },
  {
    name: 'quit',
    words: '',
    here: true,
    about: 'leave the session, as Ctrl-C does',
    run: ({ quit }) => quit(),
  },
  {
    name: 'help',
    words: '',
    here: true,
    about: 'show these commands',
    run: ({ say }) => say(describeCommands('')),
  },
];

/** The command and its words; undefined for anything else, such as a path or a line that a blank begins. */
export function parseCommand(line: string): { command: LiveCommand; words: string } | undefined {
  const [, name = '', words = ''] = /^\/(\S+)\s*([^]*)$/.exec(line) ?? [];
  const command = liveCommands.find((one) => one.name === name);
  return command && { command, words: words.trim() };
}

/** A typing error, more likely than words; a blank before the slash sends it all the same. */
export function isUnknownCommand(line: string): boolean {
  return /^\/\w*$/.test(line) && parseCommand(line) === undefined;
}

/** For the name that is being typed. */
export function matchingCommands(line: string): readonly LiveCommand[] {
  const [, typed] = /^\/(\S*)$/.exec(line) ?? [];
  return typed === undefined ? [] : liveCommands.filter(({ name }) => name.startsWith(typed));
}

const nameWidth = Math.max(...liveCommands.map(({ name, words }) => name.length + words.length)) + 4;

export function describeCommands(line: string): string {
  const shown = line === '' ? liveCommands : matchingCommands(line);
  return shown
    .map(({ name, words, about }) => `  ${`/${name} ${words}`.padEnd(nameWidth)}${about}`)
    .join('\n');
}

/** Lines are sent in the order in which they were typed: several that are pasted at once, too. */
export function createSender(context: TypedContext): (line: string) => Promise<void> {
  const sending = new InOrder();
  return (line) => {
    const send = () => sendTyped(context, line);
    return parseCommand(line)?.command.here ? send() : sending.run('', send);
  };
}

/** Never rejects: shows any error. */
async function sendTyped(context: TypedContext, line: string): Promise<void> {
  const { isIdle, prompt, say } = context;
  const text = line.trim();
  try {
    const parsed = parseCommand(line);
    const isMistake = parsed
      ? parsed.words !== '' && parsed.command.words === ''
      : isUnknownCommand(line.trimEnd());
    const why = parsed
      ? `/${parsed.command.name} takes no words, so it was not run`
      : `${text} is no command`;
    if (isMistake) say(`  ! ${why}: /help shows all of them. A blank before it sends it as words.`);
    else if (parsed) await parsed.command.run(context, parsed.words);
    else if (isIdle()) await prompt(text);
    else await steer(context, text);
  } catch (error) {
    say(`  ! ${toPlain(withTyped(messageOf(error)))}`);
  }
}

async function set({ session, say }: TypedContext, typed: string): Promise<void> {
  const [name = '', ...words] = typed.split(/\s+/);
  const setting = settings[name];
  if (!setting) {
    const known = Object.entries(settings).map(([one, { values }]) => `    /set ${one} ${values}`);
    return say([`  ${name === '' ? 'Settings:' : `! No setting ${name}:`}`, ...known].join('\n'));
  }
  const change = setting.parse(words);
  if (!change) return say(`  ! /set ${name} ${words.join(' ')}: expected ${setting.values}.`);
  await sendChange(session, change);
  say(`  » ${describeChange(name, words, change)}`);
}

async function steer(
  { session, sent, notSent }: TypedContext,
  words: string,
  options: { mode?: 'interrupt' } = {},
): Promise<void> {
  const id = randomUUID();
  sent(id, words);
  await session.steer(words, { id, actor: currentActor(), ...options }).catch((error: unknown) => {
    notSent(id);
    throw error;
  });
}

async function answer({ session, say }: TypedContext, words: string, approve: boolean): Promise<void> {
  const pending = await session.pendingApprovals();
  const [first = '', ...rest] = words.split(/\s+/);
  const named = pending.find(({ id }) => id === first);
  const call = named ?? (pending.length === 1 ? pending[0] : undefined);
  const verb = approve ? 'approve' : 'deny';
  if (pending.length === 0) return say('  No call waits for an approval.');
  if (!call) return say(`  ! Several calls wait: name one with /${verb} <id>.\n${describePending(pending)}`);
  if (approve && words !== '' && (!named || rest.length > 0))
    return say(`  ! /approve ${words}: no call of this id waits.\n${describePending(pending)}`);
  const reason = (named ? rest.join(' ') : words).trim();
  const decision = { actor: currentActor(), argsDigest: call.argsDigest };
  if (!approve && !named && first !== '') await session.deny(first, decision).catch(unlessNoId(first));
  if (approve) await session.approve(call.id, decision);
  else await session.deny(call.id, defined({ ...decision, reason: reason || undefined }));
}

function describePending(pending: readonly PendingApproval[]): string {
  return pending.map((call) => `    ${toPlain(call.id)}  ${toCallLine(call)}`).join('\n');
}
