// One alert of a message as it enters its group: a repeat, a new firing, or an end. Pure; changes the draft of a reducer
// (reduce-group.ts), never a state.
import { defined } from '@holdfast/base/defined';
import { omit } from '@holdfast/base/omit';
import { describeTime, toTimeLeft } from '@holdfast/base/words';
import { type GroupState, mostAlerts, recordsOf, runningSession } from './alert-group.ts';
import { decide, idOf, shortened, toRecord } from './alert-record.ts';
import type { Alert, AlertRoute } from '@holdfast/vocabulary/alert';
import type { AlertRecord } from '@holdfast/vocabulary/alert-fate';

/** The slower of two copies of a sender repeats a firing for this long after its end. */
const lateMs = 60_000;
/** Alerts whose whole text is kept for the task; of further ones the labels. */
const keptWhole = 20;

export function takeFiring(draft: GroupState, alert: Alert, route: AlertRoute, now: number): void {
  const over = alert.startsAt === undefined ? undefined : recordsOf(draft, [idOf(alert, now)])[0];
  const known = openOf(draft, alert) ?? (over && lateOf(draft, over, now));
  if (known) return repeat(known, now);
  // its end was never said
  const open = newestOpen(draft, alert);
  if (open) open.endedAt = now;
  const fired = over ? omit(alert, 'startsAt') : alert;
  const record = isFull(draft) ? shared(draft, fired, now) : add(draft, fired, now);
  record.rule = route.rule;
  if (record.times > 1) return;
  if (route.suppress !== undefined) {
    record.fate = { kind: 'suppressed', at: now, because: `${route.rule}: ${route.suppress}` };
    return;
  }
  waitOrCool(draft, record, now);
  const whole = draft.alerts.filter((each) => each.alert !== undefined).length;
  if (whole < keptWhole) record.alert = shortened(alert);
}

export function takeEnd(draft: GroupState, alert: Alert, now: number): void {
  const open = newestOpen(draft, alert);
  // the end of an earlier firing comes late; a later start is that of the message, or of a firing that nobody has sent
  if (!open || (alert.startsAt ?? Infinity) < (open.startsAt ?? 0)) {
    const known = recordsOf(draft, [idOf(alert, now)])[0] ?? newest(draft, alert);
    if (known) return repeat(known, now);
    const record = add(draft, alert, now);
    record.endedAt = now;
    record.fate = { kind: 'resolved', at: now, because: 'nothing of it was firing here' };
    return;
  }
  repeat(open, now);
  open.endedAt = alert.endsAt ?? now;
  const { kind, session, because } = open.fate;
  if (session !== undefined && runningSession(draft)?.id === session) {
    gather(draft, now);
    return overIn(open, session, now);
  }
  const words =
    session === undefined ? `it was over while it was ${kind}: ${because}` : `session ${session} had it`;
  decide(open, { kind: 'resolved', at: now, because: words, ...defined({ session }) });
  delete open.alert;
}

/** The session that has the alert is to be told of its end. */
export function overIn(record: AlertRecord, session: string, now: number): void {
  record.untold = true;
  decide(record, { kind: 'resolved', at: now, because: `session ${session} is told`, session });
}

/** Decides the fate of an alert that no session has yet. */
export function waitOrCool(draft: GroupState, record: AlertRecord, now: number): void {
  const { cooldownUntil, last, route } = draft;
  if (!runningSession(draft) && cooldownUntil !== undefined && now < cooldownUntil) {
    const after = last ? ` after session ${last.session} (${last.outcome})` : '';
    const length = toTimeLeft(route?.cooldownMs ?? 0);
    const because = `cooldown of ${length}${after}; looked at again at ${describeTime(cooldownUntil, 'clock')} if it still fires`;
    return decide(record, { kind: 'suppressed', at: now, because, until: cooldownUntil });
  }
  const until = gather(draft, now);
  const because = `gathers the alerts of this group until ${describeTime(until, 'clock')}`;
  decide(record, { kind: 'waiting', at: now, because, until });
}

/** Returns the end of the debounce, which begins here if nothing was gathered. */
export function gather(draft: GroupState, now: number): number {
  draft.gatherUntil ??= now + (draft.route?.debounceMs ?? 0);
  return draft.gatherUntil;
}

function repeat(record: AlertRecord, now: number): void {
  record.times += 1;
  record.lastAt = now;
}

function add(draft: GroupState, alert: Alert, now: number): AlertRecord {
  const record = toRecord(alert, now);
  // without a start time, one alert can fire twice in a millisecond
  if (recordsOf(draft, [record.id]).length > 0) record.id += `~${draft.alerts.length}`;
  draft.alerts.push(record);
  return record;
}

function isFull({ alerts }: GroupState): boolean {
  return alerts.filter(({ endedAt }) => endedAt === undefined).length >= mostAlerts;
}

/** The record of all alerts that a full group has no room for; they have its fate. */
function shared(draft: GroupState, alert: Alert, now: number): AlertRecord {
  const name = 'further alerts of the group';
  const more = { ...omit(alert, 'startsAt'), fingerprint: 'more', labels: {}, name };
  const open = newestOpen(draft, more);
  if (!open) return add(draft, more, now);
  repeat(open, now);
  return open;
}

function newest({ alerts }: GroupState, { fingerprint }: Pick<Alert, 'fingerprint'>) {
  return alerts.findLast((record) => record.fingerprint === fingerprint);
}

function newestOpen({ alerts }: GroupState, { fingerprint }: Alert): AlertRecord | undefined {
  return alerts.findLast((record) => record.fingerprint === fingerprint && record.endedAt === undefined);
}

/** The open record of the same alert, unless that began at another time. */
function openOf(draft: GroupState, alert: Alert): AlertRecord | undefined {
  const open = newestOpen(draft, alert);
  const { startsAt } = alert;
  const isOther = startsAt !== undefined && open?.startsAt !== undefined && startsAt !== open.startsAt;
  return isOther ? undefined : open;
}

/** The record of a message that comes late; undefined where a firing that is over begins again with its old start. */
function lateOf(draft: GroupState, over: AlertRecord, now: number): AlertRecord | undefined {
  const last = newest(draft, over);
  const isOlder = last !== undefined && last.startsAt !== undefined && last !== over;
  return isOlder || now - (last ?? over).fate.at < lateMs ? over : undefined;
}
