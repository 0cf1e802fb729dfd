// The workflow of one group of alerts: gathers them, starts a session or steers the one that runs, and keeps what became
// of each. Its rules are in core/alerts/alert-group.ts; Temporal has the timers, the messages and the state.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  log,
  metricMeter,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AlertActivities } from '../../core/alerts/session-end.ts';
import { AlertGroup, type GroupState, type GroupStep } from '../../core/alerts/alert-group.ts';
import type { AlertGroupInput } from '../../core/alerts/alert.ts';
import { describeFates } from '../../core/alerts/alert-record.ts';
import { alertNews } from '../../core/alerts/alert-task.ts';
import { fatesPage, isAlertsSignal, readGroupInput } from '../../core/alerts/alert-names.ts';
import {
  type AlertRecord,
  type FateKind,
  type GroupFates,
  fateKinds,
  toShown,
} from '../../core/alerts/fate.ts';
import { isRecord, isText, listOf } from '../../../packages/base/src/json.ts';
import { plainLine } from '../../../packages/base/src/plain-markdown.ts';
import { succeeds } from '../../../packages/base/src/succeeds.ts';
import { describeMinute } from '../../../packages/base/src/words.ts';
import { alertNewsPrefix } from '../../../packages/vocabulary/src/outer-names.ts';
import { accepted, refusal } from '../activity-failure.ts';
import { GroupSessions } from './alert-sessions.ts';
import { alertsSignal, fatesQuery, investigateUpdate, slotSignal } from './alerts-api.ts';
import { askForSlot, freeSlot } from './alert-slots.ts';
import { isLong } from '../hand-over.ts';
import { sendSignal } from '../send-signal.ts';

/** Settled alerts that travel into the next execution; older ones are stored as pages. */
const keptAlerts = 100;
/** While the store is away; the oldest fates are then lost, because a larger state would end the group. */
const keptWithoutStore = 500;
const steerAgainMs = 10_000;

/** The group goes on without it: the next hand-over tries again. */
const { archiveFates } = proxyActivities<Pick<AlertActivities, 'archiveFates'>>({
  startToCloseTimeout: '30 s',
  retry: { maximumAttempts: 5 },
  summary: 'store old fates',
});

export async function alertGroup(given: AlertGroupInput): Promise<GroupFates> {
  const input = accepted(readGroupInput(given));
  // written by the execution before
  const group = new AlertGroup(Date.now(), input.carried as GroupState | undefined);
  const wakes = { isNew: false };
  const sessions = new GroupSessions(input, group, () => (wakes.isNew = true));
  const show = groupShown(input, group);
  const count = countFates(input.receiver, group.state.alerts);
  registerHandlers(input, group, () => (wakes.isNew = true));
  sessions.watchCarried();
  for (;;) {
    wakes.isNew = false;
    show();
    count(group.state.alerts);
    const step = group.next(Date.now());
    if (step.type === 'close') return fatesOf(input, group);
    if (step.type === 'wait') await condition(() => wakes.isNew, Math.max(1, step.until - Date.now()));
    else await perform(step, group, sessions);
    if (group.isLarge || isLong(input)) await handOver(input, group, sessions);
  }
}

async function perform(
  step: Exclude<GroupStep, { type: 'wait' | 'close' }>,
  group: AlertGroup,
  sessions: GroupSessions,
): Promise<void> {
  switch (step.type) {
    case 'ask_slot':
      group.slotAsked(Date.now());
      return askForSlot(sessions.receiver, group.state);
    case 'release_slot':
      group.slotReleased();
      return freeSlot(sessions.receiver, { costUsd: 0 });
    case 'start':
      return sessions.start(step.records, step.by);
    case 'steer': {
      const { session, records } = step;
      const message = alertNews(records);
      const id = `${alertNewsPrefix}${Date.now()}`;
      if (await sendSignal(session, 'steer', { id, message, actor: `receiver ${sessions.receiver}` }))
        group.steered(session, records, Date.now());
      // its end is on the way here
      else group.state.gatherUntil = Date.now() + steerAgainMs;
    }
  }
}

function registerHandlers(input: AlertGroupInput, group: AlertGroup, wake: () => void): void {
  setHandler(fatesQuery, () => fatesOf(input, group));
  setHandler(alertsSignal, (given) => {
    if (!isAlertsSignal(given)) return log.warn('a message with alerts is not valid');
    group.accept(given, Date.now());
    wake();
  });
  setHandler(slotSignal, (given) => {
    if (!isRecord(given)) return;
    const { type, because, until } = given;
    if (type === 'granted') group.slotAnswered({ type }, Date.now());
    else if (type === 'wait' && isText(because))
      group.slotAnswered({ type, because, ...(typeof until === 'number' ? { until } : {}) }, Date.now());
    wake();
  });
  setHandler(
    investigateUpdate,
    (given) => {
      const { ids, by } = readWish(given);
      const problem = group.want(ids, by);
      if (problem !== undefined) throw refusal('Alerts.Nothing', problem);
      wake();
      return { alerts: group.state.wanted.at(-1)?.ids.length ?? 0 };
    },
    { validator: (given) => void readWish(given) },
  );
}

function readWish(given: unknown): { ids: string[] | undefined; by: string } {
  const { ids, by } = isRecord(given) ? given : {};
  if (isText(by) && by !== '' && (ids === undefined || listOf(isText)(ids)))
    return { ids: ids as string[] | undefined, by };
  throw refusal('Input.Invalid', 'expected {ids?: [id of an alert, ...], by: name of a person}');
}

function fatesOf({ receiver, title }: AlertGroupInput, { state }: AlertGroup): GroupFates {
  const { alerts, archived, sessions, cooldownUntil } = state;
  return {
    receiver,
    title,
    alerts: alerts.map(toShown),
    archived,
    sessions,
    ...(cooldownUntil === undefined ? {} : { cooldownUntil }),
  };
}

async function handOver(input: AlertGroupInput, group: AlertGroup, sessions: GroupSessions): Promise<never> {
  const { archived } = group.state;
  const old = group.takeOld(keptAlerts, Date.now());
  if (old.length > 0) {
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const page = fatesPage(archived.pages.length, firstExecutionRunId);
    if (await succeeds(archiveFates({ group: workflowId, page, records: old.map(toShown) })))
      group.state.archived = { alerts: archived.alerts + old.length, pages: [...archived.pages, page] };
    // the store is away: they are stored at a later hand-over
    else group.state.alerts.unshift(...old.slice(-keptWithoutStore));
  }
  // what arrives with the last answer may begin another signal
  do await condition(() => allHandlersFinished() && sessions.areQuiet);
  while (!sessions.areQuiet);
  return continueAsNew<typeof alertGroup>({ ...input, carried: group.state });
}

/** Counts by Temporal's own meter, which is silent in a replay. Returns what is called after every change. `carried` were counted by the execution before. */
function countFates(receiver: string, carried: readonly AlertRecord[]) {
  const counted = new WeakMap<AlertRecord, FateKind>(carried.map((record) => [record, record.fate.kind]));
  return (records: readonly AlertRecord[]): void => {
    const news = records.filter((record) => counted.get(record) !== record.fate.kind);
    for (const record of news) counted.set(record, record.fate.kind);
    const counter = metricMeter.createCounter(
      'holdfast_alert_fates',
      '',
      'Fates of alerts that were decided.',
    );
    // one count a kind: each is a message between threads
    for (const fate of fateKinds) {
      const count = news.filter(({ fate: { kind } }) => kind === fate).length;
      if (count > 0) counter.add(count, { receiver, fate, task_queue: workflowInfo().taskQueue });
    }
  };
}

const shownAlerts = 30;

/**
 * Returns what shows the group in the Temporal UI, called after every change: details, and search attributes without a text of a
 * sender, because they are never encrypted.
 */
function groupShown({ receiver, searchAttributes }: AlertGroupInput, { state }: AlertGroup): () => void {
  let written = '';
  return () => {
    const { alerts, sessions, archived } = state;
    const fates = [...new Set(alerts.map(({ fate }) => fate.kind))].toSorted();
    const pairs = [
      { key: { name: 'AlertReceiver', type: 'KEYWORD' as const }, value: receiver },
      { key: { name: 'AlertFates', type: 'KEYWORD_LIST' as const }, value: fates },
    ].filter(({ key }) => searchAttributes.includes(key.name));
    // the server refuses a task with none, forever
    if (pairs.length > 0 && fates.join(' ') !== written) upsertSearchAttributes(pairs);
    written = fates.join(' ');
    const lines = [
      `**${describeFates(alerts)}**${archived.alerts > 0 ? `, and ${archived.alerts} older ones` : ''}`,
      '',
      ...alerts
        .slice(-shownAlerts)
        .reverse()
        .map(
          ({ name, what, times, fate }) =>
            `- **${fate.kind}** ${plainLine(name)} ${plainLine(what)}${times > 1 ? ` (${times} times)` : ''}: ${plainLine(fate.because)}, ${describeMinute(fate.at)}`,
        ),
      '',
      ...sessions.toReversed().map(({ id, outcome = 'running' }) => `- session \`${id}\`: ${outcome}`),
    ];
    setCurrentDetails(lines.join('\n'));
  };
}
