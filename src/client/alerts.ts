// Alerts for their callers: sends them to the workflow of their group, lists what became of them, and has one
// investigated all the same. Runs in the caller's process.
import { eachAtOnce } from '@holdfast/base/at-once';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import type { AlertsSignal } from '@holdfast/vocabulary/alert';
import type { AlertGroupInput } from '../core/alerts/alert-group.ts';
import { alertMessages } from '../core/alerts/alert-names.ts';
import type { ReceiverState } from '../core/alerts/slot-queue.ts';
import type { FateKind, GroupFates, GroupSession, ShownAlert } from '@holdfast/vocabulary/alert-fate';
import { alertWithoutSecrets } from '@holdfast/redaction/alerts-without-secrets';
import { redactPatterns } from '@holdfast/redaction/redact-patterns';
import { alertAttributeTypes } from '@holdfast/vocabulary/outer-names';
import {
  alertGroupId,
  alertGroupType,
  alertReceiverId,
  alertReceiverType,
  fatesKey,
  partsOfGroupId,
} from '@holdfast/vocabulary/workflow-ids';
import { readFatesPage } from '@holdfast/stored/stored-fates';
import { sha256Hex } from '@holdfast/stored/sha256';
import { inWordsOf, undefinedIfUnknown } from './client-error.ts';
import type { SessionWork } from './session-caller.ts';
import type { HandleParts } from './session-handle.ts';
import { quotable } from './session-list.ts';

/** Alerts of one group, with what the configuration says about them. */
export type SentAlerts = AlertsSignal & { receiver: string; key: string; title: string };

export type ListAlertsOptions = {
  receiver?: string;
  fate?: FateKind;
  /** Largest number of alerts. Default 50. */
  limit?: number;
  /** Those in the artifact store, too. */
  archived?: boolean;
};

/** An alert with its group, and the session that has it. */
export type ListedAlert = ShownAlert & {
  receiver: string;
  /** Workflow id of its group. */
  group: string;
  title: string;
  /** End of the session of its fate, such as `completed/confirmed`; absent while it runs. */
  outcome?: string;
};

/** The most groups that a list asks; each is one query. */
const mostGroups = 500;
const askedAtOnce = 8;

type Group = { id: string; startedAt: number };

/** Every method rejects with a ClientError. */
export class Alerts {
  readonly #parts: HandleParts;

  /** @internal Made by `client.alerts`. */
  constructor(parts: HandleParts) {
    this.#parts = parts;
  }

  /** Resolves with the id of the group when Temporal has the alerts; no worker needs to run. */
  async send({ receiver, key, title, alerts, route, limits }: SentAlerts): Promise<string> {
    const { client, caller, taskQueue, encrypted } = this.#parts;
    // ids are never encrypted
    const group = alertGroupId(receiver, encrypted ? sha256Hex(key).slice(0, 24) : key);
    const shown = redactPatterns(title);
    const searchAttributes = await caller.registered(Object.keys(alertAttributeTypes));
    const input: AlertGroupInput = { receiver, title: shown, searchAttributes };
    const signal: AlertsSignal = { alerts: alerts.map(alertWithoutSecrets), route, limits };
    await caller.callServer(() =>
      client.workflow.signalWithStart(alertGroupType, {
        workflowId: group,
        taskQueue,
        args: [input],
        signal: alertMessages.alerts,
        signalArgs: [signal],
        staticSummary: shown.slice(0, 100),
      }),
    );
    return group;
  }

  /** Keeps the reason why a message of a receiver was refused, for the list. */
  async refuse(receiver: string, reason: string): Promise<void> {
    const { client, caller, taskQueue } = this.#parts;
    await caller.callServer(() =>
      client.workflow.signalWithStart(alertReceiverType, {
        workflowId: alertReceiverId(receiver),
        taskQueue,
        args: [{ receiver }],
        signal: alertMessages.refuse,
        signalArgs: [{ reason: redactPatterns(reason) }],
      }),
    );
  }

  /** Newest first; those that were refused are in `receiver`. Without a worker one entry stands for each group. */
  async list({ receiver, fate, limit = 50, archived = false }: ListAlertsOptions = {}): Promise<
    ListedAlert[]
  > {
    // a receiver has those
    if (fate === 'refused') return [];
    const groups = await this.#groups(receiver, archived ? undefined : fate);
    const { caller, taskQueue } = this.#parts;
    const isRead = groups.length > 0 && (await caller.hasWorker(taskQueue));
    if (!isRead) return groups.slice(0, limit).map(unansweredGroup);
    const lists = await eachAtOnce(groups, askedAtOnce, ({ id }) => this.#alertsOf(id, archived));
    return lists
      .flat()
      .filter((alert) => fate === undefined || alert.fate.kind === fate)
      .toSorted((one, other) => other.lastAt - one.lastAt)
      .slice(0, limit);
  }

  /** Slots, budget and refused messages of a receiver; undefined if nothing has come to it. */
  async receiver(name: string): Promise<ReceiverState | undefined> {
    const ask: SessionWork<ReceiverState> = (handle) => handle.query(alertMessages.receiver);
    const { caller } = this.#parts;
    return caller.call(alertReceiverId(name), ask, { type: alertReceiverType }).catch(undefinedIfUnknown);
  }

  /** Starts a session for these alerts of a group now, by fingerprint or id; absent: for all that none investigates. */
  async investigate(group: string, { ids, by }: { ids?: string[]; by: string }): Promise<{ alerts: number }> {
    const wish = defined({ by, ids });
    try {
      return await this.#parts.caller.update(
        group,
        (handle, updateId) =>
          handle.executeUpdate<{ alerts: number }, [unknown]>(alertMessages.investigate, {
            args: [wish],
            updateId,
          }),
        undefined,
        alertGroupType,
      );
    } catch (error) {
      throw inWordsOf(error, `There is no open group of alerts "${group}": "holdfast alerts" lists them.`);
    }
  }

  async #groups(receiver: string | undefined, fate: FateKind | undefined): Promise<Group[]> {
    const { client, caller } = this.#parts;
    const attributes = fate === undefined ? [] : await caller.registered(Object.keys(alertAttributeTypes));
    const query = present([
      `WorkflowType = '${alertGroupType}' AND ExecutionStatus != 'ContinuedAsNew'`,
      receiver !== undefined && `WorkflowId STARTS_WITH '${quotable(alertGroupId(receiver, ''))}'`,
      attributes.includes('AlertFates') && `AlertFates = '${fate}'`,
    ]).join(' AND ');
    return caller.callServer(async () => {
      const found = new Map<string, Group>();
      for await (const { workflowId: id, startTime } of client.workflow.list({ query, pageSize: 200 })) {
        if (!found.has(id)) found.set(id, { id, startedAt: startTime.getTime() });
        if (found.size >= mostGroups) break;
      }
      return [...found.values()];
    });
  }

  async #alertsOf(group: string, archived: boolean): Promise<ListedAlert[]> {
    const { caller, artifacts } = this.#parts;
    // listed by its type
    const held = await caller.call(group, (handle) => handle.query<GroupFates>(alertMessages.fates), {
      type: null,
    });
    const pages = archived ? held.archived.pages : [];
    const old = await Promise.all(pages.map((page) => readFatesPage(artifacts, fatesKey(group), page)));
    const outcomes = new Map(held.sessions.map(({ id, outcome }: GroupSession) => [id, outcome]));
    return [...old.flat(), ...held.alerts].map((record) => {
      const outcome = outcomes.get(record.fate.session ?? '');
      const { receiver, title } = held;
      return defined({ receiver, group, title, ...record, outcome });
    });
  }
}

/** Stands for the alerts of a group while no worker can read them. */
function unansweredGroup({ id: group, startedAt }: Group): ListedAlert {
  const { receiver, key: title } = partsOfGroupId(group);
  const because = 'no worker runs: its alerts are in Temporal, and are taken up and listed when one does';
  return {
    receiver,
    group,
    title,
    id: group,
    fingerprint: '',
    name: title,
    severity: 'unknown',
    what: '',
    firstAt: startedAt,
    lastAt: startedAt,
    times: 0,
    fate: { kind: 'waiting', at: startedAt, because },
  };
}
