// holdfast deliver: sends the message of a session again, and lists what has not arrived.
import { Option } from 'commander';
import { anySession, name } from '../arguments.ts';
import { findSession } from '../find-session.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { toLine } from '../render/plain-text.ts';
import type { ServerCommand } from '../server-access.ts';
import { UserError } from '../../common/user-error.ts';
import type { DeliverOptions, UndeliveredMessage } from '../../client.ts';
import { defined } from '@holdfast/base/defined';
import { describeUnknown } from '../../core/agent/start.ts';
import { deliveryPoints } from '@holdfast/vocabulary/deliver';
import { describeDeadline, describeMoment } from '@holdfast/base/words';

type Options = DeliverOptions & { undelivered?: boolean };

export function registerDeliver(program: CliCommand): void {
  program
    .command('deliver')
    .argument('[session]', 'session id', anySession)
    .option('--to <name>', 'destination of the config; default: those that the message had', name)
    .addOption(
      new Option('--point <point>', 'which message of the newest run; default end').choices(deliveryPoints),
    )
    .option('--undelivered', 'list the messages that failed or are tried again; sends nothing')
    .examples([
      'deliver checkout-is-slow-k3v9x',
      'deliver checkout-is-slow-k3v9x --to team --point question',
      'deliver --undelivered',
    ])
    .onServer(async (frame, sessionId: string | undefined, options: Options) =>
      options.undelivered
        ? listUndelivered(frame, sessionId)
        : sendAgain(frame, requireSession(sessionId), options),
    );
}

function requireSession(sessionId: string | undefined): string {
  if (sessionId !== undefined) return sessionId;
  throw new UserError('Expected a session, or --undelivered to list what has not arrived.');
}

async function sendAgain(frame: ServerCommand, word: string, { to, point }: DeliverOptions): Promise<void> {
  const { access, config, output } = frame;
  const known = Object.keys(config.destinations);
  // without destinations in this folder, only the workers know them
  if (to !== undefined && known.length > 0 && !known.includes(to))
    throw new UserError(describeUnknown('destination', to, known));
  const session = await findSession({ access, output }, word);
  const { sessionId } = session;
  const started = await session.deliver(defined({ to, point }));
  for (const deliveryId of started) output.emit({ sessionId, deliveryId });
  output.print(
    `${started.map((id) => `Begun: ${toLine(id)}`).join('\n')}\n"${typed('deliver --undelivered')}" lists it until it has arrived.`,
  );
  if (!(await access.client.hasWorker()))
    output.say(`No worker polls: "${typed('worker')}" starts one that sends it.`);
}

async function listUndelivered({ access, output }: ServerCommand, word?: string): Promise<void> {
  const sessionId = word && (await findSession({ access, output }, word)).sessionId;
  const found = await access.client.undelivered(sessionId);
  const now = Date.now();
  for (const message of found) {
    output.emit(message);
    output.print(describe(message, now));
  }
  if (found.length === 0) output.print('Everything has arrived.');
}

function describe({ sessionId, point, since, missing }: UndeliveredMessage, now: number): string {
  const head = `${toLine(sessionId)}  ${point}, since ${describeMoment(since, now)}`;
  return [head, ...missing.map((each) => `  ${describeMissing(each, now)}`)].join('\n');
}

function describeMissing(
  { to, error, attempt, nextAt }: UndeliveredMessage['missing'][number],
  now: number,
): string {
  const why = error === undefined ? '' : `: ${toLine(error, 300)}`;
  if (attempt === undefined) return `${toLine(to)}  given up${why}`;
  if (error === undefined) return `${toLine(to)}  on its way`;
  const next = nextAt === undefined ? 'now' : describeDeadline(nextAt, now);
  return `${toLine(to)}  attempt ${attempt} ${next}${why}`;
}
