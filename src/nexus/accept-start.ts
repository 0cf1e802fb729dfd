// Decides which start inputs the Nexus service takes from callers of other namespaces. Runs in Node, pure.
import { HandlerError } from 'nexus-rpc';
import { messageOf } from '../core/base/message-of.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { parseSessionInput } from '../core/session/session-input.schema.ts';
import { startWithoutTokens } from '../core/session/without-tokens.ts';

/**
 * Refuses `parent`, a link that only `delegate` sets and that decides the child's limits. Refuses `notify`, which would
 * let the caller send any signal to any workflow of the session's namespace.
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
    return startWithoutTokens(parseSessionInput(input));
  } catch (error) {
    throw new HandlerError('BAD_REQUEST', messageOf(error));
  }
}
