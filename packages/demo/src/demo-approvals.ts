// The answer to the demo's approval: from --yes, from the person at the terminal, or, without either, a denial after some
// seconds in which it may be answered from elsewhere.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionHandle } from '../../../src/client.ts';
import { type ApprovalDesk, createApprovalDesk } from '../../../src/cli/approvals/ask-approval.ts';
import type { LiveView } from '../../../src/cli/live/view.ts';
import { messageOf } from '@holdfast/base/message-of';
import type { DemoOptions } from './demo-setting.ts';

const denyAfterMs = 4_000;

/** Without a terminal `--crash` approves too: its last kill is inside the approved tool. */
export function chooseDesk(
  options: DemoOptions,
  session: SessionHandle,
  { readLine }: Pick<LiveView, 'readLine'>,
): ApprovalDesk {
  const { cli, output, yes = false, crash = false, alert = false } = options;
  // by alert, nobody is at the keyboard
  const canAsk = output.terminal && cli.stdin.isTTY === true && !alert;
  const approve = yes || (crash && !canAsk);
  if (!approve && !canAsk) return createDenier(session, output.say);
  if (approve && !yes)
    output.say('No terminal to ask on: approving, because --crash kills the worker inside that tool.');
  return createApprovalDesk({ cli, output, session, readLine, mode: approve ? 'approve' : 'ask' });
}

function createDenier(session: SessionHandle, say: (line: string) => void): ApprovalDesk {
  const waiting = new Map<string, AbortController>();
  const settle = (callId: string): void => {
    waiting.get(callId)?.abort();
    waiting.delete(callId);
  };
  const denyLater = async (callId: string, signal: AbortSignal): Promise<void> => {
    say(`  Nobody to ask here: denied in ${denyAfterMs / 1_000} s. "--yes" approves.`);
    try {
      await sleep(denyAfterMs, undefined, { signal });
      await session.deny(callId, {
        actor: 'the demo (nobody at the keyboard)',
        reason: 'nobody was there to approve it',
      });
      say('  Denied: nobody was there to ask, and --yes was not given.');
    } catch (error) {
      if (!signal.aborted) say(`  ! ${messageOf(error)}`);
    }
  };
  return {
    hear(heard) {
      if (heard.type === 'approval_resolved') settle(heard.callId);
      if (heard.type !== 'approval_requested') return;
      const controller = new AbortController();
      waiting.set(heard.callId, controller);
      void denyLater(heard.callId, controller.signal);
    },
    close: () => [...waiting.keys()].forEach(settle),
  };
}
