// Checks that what receivers and routes name is there, before an alert at night finds out. Pure.
import { describeUnknown } from '../core/agent/start.ts';
import type { AlertStart } from '@holdfast/vocabulary/alert';
import { messageOf } from '@holdfast/base/message-of';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { ReceiverConfig } from '@holdfast/alert-intake/receivers.schema';
import { mergeStart } from '@holdfast/alert-intake/route';

export type KnownParts = {
  /** Throws for an agent, a tool or another part that is not there. */
  checkNames(input: SessionInput): void;
  /** Destinations by name; only the names are used. */
  destinations: object;
};

/** Such as `Receiver prod, route 2: There is no agent "nigth": expected one of ...`. */
export function problemsOfReceivers(
  receivers: Readonly<Record<string, ReceiverConfig>>,
  known: KnownParts,
): string[] {
  return Object.entries(receivers).flatMap(([name, { start, routes = [] }]) => {
    const starts: [string, AlertStart][] = [
      [`Receiver ${name}`, mergeStart(start)],
      ...routes.map((route, index): [string, AlertStart] => [
        `Receiver ${name}, route ${index + 1}`,
        mergeStart(start, route.start),
      ]),
    ];
    return starts.flatMap(([place, input]) =>
      problemsOfStart(input, known).map((problem) => `${place}: ${problem}`),
    );
  });
}

/** Why a session with this input could not start or deliver. */
export function problemsOfStart(input: AlertStart, { checkNames, destinations }: KnownParts): string[] {
  const unknown = (input.deliver ?? [])
    .filter(({ to }) => !Object.hasOwn(destinations, to))
    .map(({ to }) => describeUnknown('destination', to, Object.keys(destinations)));
  try {
    checkNames({ ...input, prompt: 'An alert.' });
    return unknown;
  } catch (error) {
    return [messageOf(error), ...unknown];
  }
}
