// The workflow of one group of alerts: gathers them, starts a session or steers the one that runs, and keeps what became
// of each. Its rules are in core/alerts; Temporal has the timers, the messages and the state.
import { metricMeter, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  type AlertGroupInput,
  type GroupFact,
  type GroupState,
  type GroupWork,
  emptyGroup,
} from '../../core/alerts/alert-group.ts';
import { describeFates } from '../../core/alerts/alert-record.ts';
import { alertNews } from '../../core/alerts/alert-task.ts';
import {
  alertMessages,
  isAlertsSignal,
  readGroupInput,
  readSlotAnswer,
} from '../../core/alerts/alert-names.ts';
import { type GroupFates, toShown } from '@holdfast/vocabulary/alert-fate';
import { nextGroupStep, oldAlerts, readWish } from '../../core/alerts/group-step.ts';
import { reduceGroup } from '../../core/alerts/reduce-group.ts';
import { defined } from '@holdfast/base/defined';
import { plainLine } from '@holdfast/base/plain-markdown';
import { succeeds } from '@holdfast/base/succeeds';
import { describeTime } from '@holdfast/base/words';
import { alertNewsPrefix } from '@holdfast/vocabulary/outer-names';
import { fatesPage } from '@holdfast/vocabulary/workflow-ids';
import { accepted } from '../activity-failure.ts';
import { schedule } from '../activity-options.ts';
import { Actor } from '../actor.ts';
import { type GroupActor, hearCarried, startSession } from './alert-sessions.ts';
import { askForSlot, freeSlot } from './ask-receiver.ts';
import { sendSignal } from '../send-signal.ts';

/** Old alerts that stay while the store is away; the oldest fates are then lost, because a larger state would end the group. */
const keptWithoutStore = 500;

export async function alertGroup(given: AlertGroupInput): Promise<GroupFates> {
  const input = accepted(readGroupInput(given));
  const showAttributes = attributesShown(input);
  const actor = new Actor<GroupState, GroupFact, GroupWork, GroupFates>(input, emptyGroup(Date.now()), {
    reduce(state, fact, now) {
      const next = reduceGroup(state, fact, now);
      countFates(input.receiver, state, next);
      return next;
    },
    next: nextGroupStep,
    perform: (work, group) => perform(work, group, input),
    signals: {
      [alertMessages.alerts]: (message) =>
        isAlertsSignal(message) ? { type: 'alerts_came', message } : undefined,
      [alertMessages.slot](message) {
        const answer = readSlotAnswer(message);
        return answer && { type: 'slot_answered', answer };
      },
    },
    updates: { [alertMessages.investigate]: readWish },
    queries: { [alertMessages.fates]: (state) => fatesOf(input, state) },
    show(state) {
      setCurrentDetails(detailsOf(state));
      showAttributes(state);
    },
    resultOf: (state) => fatesOf(input, state),
    prepareHandOver: archiveOld,
  });
  hearCarried(actor, input);
  return actor.run();
}

async function perform(work: GroupWork, actor: GroupActor, input: AlertGroupInput): Promise<void> {
  const { receiver } = input;
  switch (work.type) {
    case 'ask_slot':
      actor.record({ type: 'slot_asked' });
      return askForSlot(receiver, actor.state);
    case 'release_slot':
      actor.record({ type: 'slot_released' });
      return freeSlot(receiver, { costUsd: 0 });
    case 'end_cooldown':
      return actor.record({ type: 'cooldown_ended' });
    case 'start':
      return startSession(actor, input, work);
    case 'steer': {
      const { session, records } = work;
      const message = { id: `${alertNewsPrefix}${Date.now()}`, message: alertNews(records) };
      const ids = records.map(({ id }) => id);
      if (await sendSignal(session, 'steer', { ...message, actor: `receiver ${receiver}` }))
        actor.record({ type: 'session_told', session, ids });
      else actor.record({ type: 'session_missed' });
    }
  }
}

function fatesOf({ receiver, title }: AlertGroupInput, state: GroupState): GroupFates {
  const { alerts, archived, sessions, cooldownUntil } = state;
  return { receiver, title, alerts: alerts.map(toShown), archived, sessions, ...defined({ cooldownUntil }) };
}

async function archiveOld(actor: GroupActor): Promise<void> {
  const records = oldAlerts(actor.state, Date.now());
  if (records.length === 0) return;
  const { workflowId: group, firstExecutionRunId } = workflowInfo();
  const page = fatesPage(actor.state.archived.pages.length, firstExecutionRunId);
  const ids = records.map(({ id }) => id);
  const shown = records.map(toShown);
  // without it the group continues: the next hand-over tries again
  if (await succeeds(schedule('archiveFates', { group, page, records: shown })))
    actor.record({ type: 'alerts_left', ids, page });
  else actor.record({ type: 'alerts_left', ids: ids.slice(0, -keptWithoutStore) });
}

/** Counts the fates that a fact has decided, by Temporal's own meter, which is silent in a replay. */
function countFates(receiver: string, before: GroupState, after: GroupState): void {
  const known = new Map(before.alerts.map(({ id, fate }) => [id, fate.kind]));
  const decided = after.alerts.filter(({ id, fate }) => known.get(id) !== fate.kind);
  if (decided.length === 0) return;
  const counter = metricMeter.createCounter('holdfast_alert_fates', '', 'Fates of alerts that were decided.');
  // one count a kind: each is a message between threads
  for (const [fate, { length }] of Map.groupBy(decided, (record) => record.fate.kind))
    counter.add(length, { receiver, fate, task_queue: workflowInfo().taskQueue });
}

/** Returns what sets the search attributes, called after every change. They have no text of a sender, because they are never encrypted. */
function attributesShown({ receiver, searchAttributes }: AlertGroupInput): (state: GroupState) => void {
  let written = '';
  return ({ alerts }) => {
    const fates = [...new Set(alerts.map(({ fate }) => fate.kind))].toSorted();
    const pairs = [
      { key: { name: 'AlertReceiver', type: 'KEYWORD' as const }, value: receiver },
      { key: { name: 'AlertFates', type: 'KEYWORD_LIST' as const }, value: fates },
    ].filter(({ key }) => searchAttributes.includes(key.name));
    // the server refuses a task with none, forever
    if (pairs.length > 0 && fates.join(' ') !== written) upsertSearchAttributes(pairs);
    written = fates.join(' ');
  };
}

const shownAlerts = 30;

function detailsOf({ alerts, sessions, archived }: GroupState): string {
  const lines = [
    `**${describeFates(alerts)}**${archived.alerts > 0 ? `, and ${archived.alerts} older ones` : ''}`,
    '',
    ...alerts
      .slice(-shownAlerts)
      .reverse()
      .map(
        ({ name, what, times, fate }) =>
          `- **${fate.kind}** ${plainLine(name)} ${plainLine(what)}${times > 1 ? ` (${times} times)` : ''}: ${plainLine(fate.because)}, ${describeTime(fate.at, 'minute')}`,
      ),
    '',
    ...sessions.toReversed().map(({ id, outcome = 'running' }) => `- session \`${id}\`: ${outcome}`),
  ];
  return lines.join('\n');
}
