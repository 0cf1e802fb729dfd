// holdfast abort, resume, condense, reset, end and extend-budget: an operator's control of a session.
import { succeeds } from '@holdfast/base/succeeds';
import { defined } from '@holdfast/base/defined';
import { amount, count } from '../arguments.ts';
import { currentActor } from '../approvals/ask-approval.ts';
import { withSession } from '../find-session.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import { askRunning, isIdle, nothingToDo, warnWithoutWorker, workerOf } from '../live/session-standing.ts';
import { toCount } from '../render/plain-text.ts';
import type { ServerCommand } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import type { SessionHandle } from '../../client.ts';
import type { Budget } from '@holdfast/vocabulary/agent-spec';
import { counted } from '@holdfast/base/words';

const controls = { abort, resume, condense, reset, end };

export function registerControls(program: CliCommand): void {
  for (const [name, work] of Object.entries(controls))
    program
      .sessionCommand(name)
      .examples([`${name} checkout-is-slow-k3v9x`])
      .onSession(work, { config: 'keys' });
}

async function abort(frame: ServerCommand, session: SessionHandle): Promise<void> {
  const { output } = frame;
  const { sessionId } = session;
  const snapshot = await askRunning(session);
  if (snapshot && isIdle(snapshot))
    throw nothingToDo(
      `Session ${sessionId} is idle: there is no run to abort. "${typed(`end ${sessionId}`)}" closes it.`,
    );
  await session.abort();
  output.emit({ sessionId, aborted: true });
  output.print(`Stopping the run of ${sessionId}.`);
  await warnWithoutWorker(frame, session);
}

async function resume({ output }: ServerCommand, session: SessionHandle): Promise<void> {
  const { sessionId } = session;
  const snapshot = await askRunning(session);
  if (snapshot && snapshot.waitingFor !== 'operator') {
    const wayOn = isIdle(snapshot)
      ? `is idle: there is nothing to resume. "${typed(`continue ${sessionId}`)}" continues its work, "${typed(`prompt ${sessionId} <words>`)}" gives it the next task.`
      : `waits for no operator: there is nothing to resume. "${typed(`show ${sessionId}`)}" shows its state.`;
    throw nothingToDo(`Session ${sessionId} ${wayOn}`);
  }
  await session.resume();
  output.emit({ sessionId, resumed: true });
  output.print(
    `Told ${sessionId} to try again. A worker reads its keys when it starts: restart it if you changed one.`,
  );
}

async function condense({ output }: ServerCommand, session: SessionHandle): Promise<void> {
  const { sessionId } = session;
  const snapshot = await askRunning(session);
  const { accepted } = await session.condense();
  let failure: string | undefined;
  for await (const item of session.events(snapshot?.lastEventSeq)) {
    const event = item.type === 'event' ? item.event : undefined;
    if (event?.type === 'warning') {
      output.say(`! ${withTyped(event.message)}`);
      if (event.code === 'Condense.Failed') failure = event.message;
    }
    if (event?.type !== 'condense_end') continue;
    const { tokensBefore, tokensAfter } = event;
    output.emit({ sessionId, accepted, tokensBefore, tokensAfter });
    if (failure !== undefined)
      throw new UserError(`Session ${sessionId} was not condensed: ${failure}`, exitCodes.failed);
    if (tokensAfter === tokensBefore)
      throw nothingToDo(`Session ${sessionId} has nothing to condense: its view is short enough.`);
    output.print(`Condensed ${sessionId} from ${toCount(tokensBefore)} to ${toCount(tokensAfter)} tokens.`);
    return;
  }
  throw new UserError(`Session ${sessionId} has ended before it was condensed.`, exitCodes.sessionClosed);
}

async function reset(frame: ServerCommand, session: SessionHandle): Promise<void> {
  const { output } = frame;
  const { sessionId } = session;
  const snapshot = await askRunning(session);
  await session.reset();
  output.emit({ sessionId, reset: true });
  const when = snapshot && !isIdle(snapshot) ? 'once its run has ended' : 'now';
  output.print(
    `${sessionId} begins anew ${when}: no messages, and empty queues. Its log, settings, tools and remembered approvals stay.`,
  );
  await warnWithoutWorker(frame, session);
}

/** Time for an idle session with a worker to close. */
const closesWithinMs = 5_000;

async function end({ output, config }: ServerCommand, session: SessionHandle): Promise<void> {
  const { sessionId } = session;
  const snapshot = await askRunning(session);
  await session.shutdown();
  const mayClose = snapshot !== undefined && isIdle(snapshot);
  const over = AbortSignal.timeout(closesWithinMs);
  const closed = mayClose && (await succeeds(session.result({ signal: over })));
  output.emit({ sessionId, closing: true, closed });
  if (closed) return output.print(`Closed ${sessionId}. "${typed(`result ${sessionId}`)}" shows its result.`);
  if (snapshot && !mayClose) {
    const watch = typed(`watch ${sessionId}`);
    return output.print(
      `${sessionId} takes no new task: its run finishes, then it closes. "${watch}" follows it.`,
    );
  }
  const { taskQueue } = await session.describe();
  const worker = workerOf(taskQueue, config.taskQueue);
  output.print(`Told ${sessionId} to close. It closes when a worker answers: start one with "${worker}".`);
}

export function registerTakeBack(program: CliCommand): void {
  program
    .sessionCommand('take-back')
    .argument('<finding>', 'id of the finding, e.g. finding-1')
    .option('--actor <name>', 'who takes it back', currentActor())
    .examples(['take-back checkout-is-slow-k3v9x finding-1'])
    .onSession(async ({ output }, session, finding: string, { actor }: { actor: string }) => {
      const { takenBack } = await session.takeBackFinding(finding, { actor });
      output.emit({ sessionId: session.sessionId, takenBack, actor });
      output.print(`Took ${takenBack} back: the agent is told.`);
    });
}

type Options = { turns?: number; tokens?: number; cost?: number; minutes?: number; toolCalls?: number };

const minuteMs = 60_000;

const notes = `Work that the budget has ended needs "holdfast continue" afterwards. The limit --max-turns is not part of the budget: every run starts it anew.`;

export function registerExtendBudget(program: CliCommand): void {
  program
    .sessionCommand('extend-budget')
    .option('--turns <n>', 'model responses', count)
    .option('--tokens <n>', 'tokens, in and out', count)
    .option('--cost <usd>', 'US dollars', amount)
    .option('--minutes <n>', 'wall time', amount)
    .option('--tool-calls <n>', 'tool calls', count)
    .examples(['extend-budget checkout-is-slow-k3v9x --cost 2 --minutes 30'], notes)
    .action(async (word: string, options: Options, command: CliCommand) => {
      const by = toBudget(options);
      if (Object.keys(by).length === 0)
        throw new UserError(
          'Nothing to add: expected one of --turns, --tokens, --cost, --minutes, --tool-calls.',
        );
      await withSession(command, word, async ({ output }, session) => {
        const { sessionId } = session;
        const { budget } = await session.extendBudget(by);
        output.emit({ sessionId, added: by, budget });
        output.print(describeExtension(sessionId, by, budget));
      });
    });
}

function toBudget({ turns, tokens, cost, minutes, toolCalls }: Options): Budget {
  const wallMs = minutes === undefined ? undefined : Math.round(minutes * minuteMs);
  return defined({ turns, tokens, costUsd: cost, wallMs, toolCalls });
}

/** In the units of the options, one line each: the added amount, and the new total. */
function describeExtension(sessionId: string, by: Budget, budget: Budget): string {
  const lines = fields.flatMap(([field, inWords]) => {
    const [added, sum] = [by[field], budget[field]];
    if (added === undefined) return [];
    const more = inWords(added);
    if (sum === undefined) return [`  ${more}: its budget has no such limit, so nothing was added`];
    return [`  ${more} more: ${inWords(sum)} in all`];
  });
  return [`Extended the budget of ${sessionId}:`, ...lines].join('\n');
}

const fields: [keyof Budget, (value: number) => string][] = [
  ['turns', (value) => counted(value, 'turn')],
  ['tokens', (value) => `${value.toLocaleString('en-US')} ${value === 1 ? 'token' : 'tokens'}`],
  ['costUsd', (value) => `$${toCents(value)}`],
  ['wallMs', (value) => counted(Number((value / minuteMs).toFixed(2)), 'minute')],
  ['toolCalls', (value) => counted(value, 'tool call')],
];

/** `2.00`, and as many digits as a small sum needs. */
function toCents(value: number): string {
  const exact = Number(value.toFixed(6));
  return exact.toFixed(Math.max(2, String(exact).split('.')[1]?.length ?? 0));
}
