// Which start inputs the Nexus service takes from callers of other namespaces. Runs in Node, pure.
import { HandlerError } from 'nexus-rpc';
import { messageOf } from '../core/base/message-of.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { parseSessionInput } from '../core/session/session-input.schema.ts';

/**
 * A link to a parent is no business of a caller: it says what the parent's start allows. And a session sends its news in its own
 * namespace, to whom and under whatever name `notify` says: that would be any signal to any workflow there.
 */
export function acceptStart({ parent, notify, ...input }: SessionInput): SessionInput {
  if (parent)
    throw new HandlerError('BAD_REQUEST', 'The start input has a "parent": only delegate sets one.');
  if (notify)
    throw new HandlerError(
      'BAD_REQUEST',
      'The start input has "notify", which signals reach in this namespace only: use the operation snapshot.',
    );
  try {
    return parseSessionInput(input);
  } catch (error) {
    throw new HandlerError('BAD_REQUEST', messageOf(error));
  }
}
