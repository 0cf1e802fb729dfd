// The ids of the workflows of Holdfast on a server, and what an id names. That of a session is chosen by people, or made from
// its task; the others begin with their type. Pure but for `random`.
import { cutText } from '@holdfast/base/cut-text';

export const alertGroupType = 'alertGroup';
export const alertReceiverType = 'alertReceiver';
/** Takes one message to the destinations that its session has not reached. */
export const deliveryType = 'delivery';
/** Any caller starts a board under this type. */
export const taskBoardType = 'taskBoard';

/** `key` has letters, digits and `.`, `_`, `:`, `-` only. */
export function alertGroupId(receiver: string, key: string): string {
  return `${alertGroupType}:${receiver}:${key}`;
}

/** The parts of the id of a group. */
export function partsOfGroupId(id: string): { receiver: string; key: string } {
  const [, receiver = '', ...key] = id.split(':');
  return { receiver, key: key.join(':') };
}

/** Key of the pages of a group in the artifact store: stores take no colon in it. */
export function fatesKey(group: string): string {
  return group.replaceAll(':', '-');
}

/** Name of a page of old fates under the key of the group, which later groups have again. */
export function fatesPage(number: number, execution: string): string {
  return `fates-${String(number).padStart(5, '0')}-${execution}.json`;
}

export function alertReceiverId(receiver: string): string {
  return `${alertReceiverType}:${receiver}`;
}

/** Board names are typed by people. */
export const boardNamePattern = /^[A-Za-z0-9][\w.-]{0,99}$/;
export const expectedBoardName = 'letters, digits, ".", "_" and "-", at most 100';

export function boardWorkflowId(board: string): string {
  return `board:${board}`;
}

/** The start of the ids of a session's deliveries; cut, so that the ids keep to the server's limit of 1,000 bytes. */
export function deliveryPrefix(sessionId: string): string {
  return `${deliveryType}:${cutText(sessionId, 140, '')}:`;
}

/** Names a run by the session as it stores: with its mark, if the id was used before. */
export type NamedRun = { sessionId: string; name: string; runId: string };

/** Id of a message; `part` is the point or a question's own id. */
export function deliveryId({ sessionId, name, runId }: NamedRun, part: string): string {
  const mark = name.slice(sessionId.length);
  return `${deliveryPrefix(sessionId)}${runId}${mark}:${cutText(part, 80, '')}`;
}

const others = new Map([
  [alertGroupType, 'a group of alerts, see "holdfast alerts"'],
  [alertReceiverType, 'a receiver of alerts, see "holdfast alerts"'],
  ['board', 'a task board, see "holdfast board"'],
  [deliveryType, 'a delivery, see "holdfast deliver --undelivered"'],
]);

/** Describes the workflow that has an id, if it is no session; undefined for the id of a session. */
export function describeOther(id: string): string | undefined {
  const [kind = '', ...rest] = id.split(':');
  return rest.length > 0 ? others.get(kind) : undefined;
}

const alphabet = 'abcdefghjkmnpqrstvwxyz23456789';

/** The first words of a text and five random characters. `random` gives a number of 0 or more, and below its argument. */
export function toSessionId(text: string, random: (below: number) => number): string {
  const tail = Array.from({ length: 5 }, () => alphabet[random(alphabet.length)]).join('');
  return `${firstWords(text) || 'session'}-${tail}`;
}

/** The first four words of a text as a part of an id; empty if it has none. */
export function firstWords(text: string): string {
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 4).join('-').slice(0, 32).replace(/-$/, '');
}
