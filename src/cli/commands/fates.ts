// holdfast alerts [receiver] and alerts investigate: what became of the alerts, and a session for those that have none.
import { Option } from 'commander';
import type { ListedAlert, ReceiverState } from '../../client.ts';
import { present } from '@holdfast/base/present';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { counted, describeMoment, toCost } from '@holdfast/base/words';
import { defined } from '@holdfast/base/defined';
import { describeUnknown } from '../../core/agent/start.ts';
import { type FateKind, fateKinds } from '@holdfast/vocabulary/alert-fate';
import { currentActor } from '../approvals/ask-approval.ts';
import { count, name } from '../arguments.ts';
import type { Colors } from '../colors.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { toLine } from '../render/plain-text.ts';
import type { ServerCommand } from '../server-access.ts';
import { UserError } from '../../common/user-error.ts';

type Filters = { fate?: FateKind; limit: number; archived?: boolean };

/** The action of the group of commands itself. */
export function addListing(alerts: CliCommand): void {
  alerts
    .argument('[receiver]', 'only the alerts of this receiver', name)
    .addOption(new Option('--fate <fate>', 'only those with this fate').choices([...fateKinds]))
    .option('--limit <count>', 'how many', count, 50)
    .option('--archived', 'also old ones, from the artifact store')
    .onServer(list);
}

async function list(
  { access: { client }, output, config: { receivers = {} } }: ServerCommand,
  receiver: string | undefined,
  filters: Filters,
): Promise<void> {
  const alerts = await client.alerts.list({ ...filters, ...defined({ receiver }) });
  alerts.forEach((alert) => output.emit({ type: 'alert', ...alert }));
  const now = Date.now();
  const blocks = alerts.map((alert) => describeFate(alert, now, output.colors));
  const state = receiver === undefined ? undefined : await client.alerts.receiver(receiver);
  if (state) {
    output.emit({ type: 'receiver', receiver, ...state });
    blocks.push(describeReceiver(state, now));
  }
  const names = Object.keys(receivers);
  // the server has those of other configs too
  if (receiver !== undefined && blocks.length === 0 && names.length > 0 && !names.includes(receiver))
    throw new UserError(describeUnknown('receiver', receiver, names));
  if (filters.fate === 'refused' && receiver === undefined)
    output.say('What was refused is kept by its receiver: name one, such as "holdfast alerts prod".');
  const isFiltered = receiver !== undefined || filters.fate !== undefined;
  const none = isFiltered
    ? `No alert matches. "${typed('alerts')}" lists the newest of all.`
    : `No alerts. "${typed('alerts send <file>')}" sends some to a gateway.`;
  output.print(blocks.length > 0 ? blocks.join('\n') : none);
}

function describeFate(alert: ListedAlert, now: number, { bold, dim }: Colors): string {
  const { name, what, severity, times, firstAt, lastAt, endedAt, fate, outcome, group } = alert;
  const count = times > 1 ? `, ${times} messages, the last ${describeMoment(lastAt, now)}` : '';
  const over = endedAt === undefined ? '' : `, over ${describeMoment(endedAt, now)}`;
  const session = fate.session === undefined ? '' : ` ${fate.session}`;
  const end = outcome === undefined ? '' : ` (${outcome})`;
  return [
    `${bold(fate.kind)}${session}${end}  ${toLine(`${name} ${what}`, 160)}`,
    `  ${toLine(fate.because, 300)}, ${describeMoment(fate.at, now)}`,
    dim(`  ${severity}, came ${describeMoment(firstAt, now)}${count}${over}  ${toLine(group, 200)}`),
  ].join('\n');
}

/** Slots, the day's budget, and what could not be read. */
function describeReceiver(state: ReceiverState, now: number): string {
  const { held, queue, day, limits, refused, refusedTotal } = state;
  const { slots, sessionsPerDay, costUsdPerDay } = limits ?? {};
  const parts = present([
    `${held.length}${slots === undefined ? '' : ` of ${counted(slots, 'slot')}`} in use, ${counted(queue.length, 'group')} waiting`,
    `today ${day.sessions}${sessionsPerDay === undefined ? '' : ` of ${sessionsPerDay}`} sessions, ` +
      `${toCost(day.costUsd)}${costUsdPerDay === undefined ? '' : ` of ${toCost(costUsdPerDay)}`}`,
    refusedTotal > 0 && `${counted(refusedTotal, 'message')} refused, the newest:`,
  ]);
  const lines = refused
    .slice(-5)
    .map(({ at, reason }) => `  ${describeMoment(at, now)} ${toLine(reason, 300)}`);
  return [parts.join('; '), ...lines].join('\n');
}

export function registerInvestigate(alerts: CliCommand): void {
  alerts
    .command('investigate')
    .description('start a session now for alerts that wait, have joined another session, or were suppressed')
    .argument('<group>', 'group of the alerts, as the list has it', name)
    .argument('[alerts...]', 'fingerprints or ids; default all of the group that nobody investigates')
    .examples(['alerts investigate alertGroup:prod:HighErrorRate-payments-1-3f9a1c2b4d5e'])
    .onServer(async ({ access, output }, group: string, ids: string[]) => {
      const by = currentActor();
      const wish = defined({ by, ids: unlessEmpty(ids) });
      const { alerts: begun } = await access.client.alerts.investigate(group, wish);
      output.emit({ type: 'investigating', group, alerts: begun });
      output.print(`A session begins for ${begun} of ${group}: "${typed('alerts')}" names it.`);
    });
}
