// Who answers the demo's approval: --yes, the person at the terminal, or nobody, and then it is denied.
import type { HoldfastClient } from '../../src/client.ts';
import { type ApprovalDesk, createApprovalDesk } from '../../src/cli/approvals/ask-approval.ts';
import { createDenier } from './deny-without-terminal.ts';
import type { DemoOptions } from './demo-setting.ts';

const denyAfterMs = 4_000;

/** Without a terminal `--crash` approves too: its last kill is inside the approved tool. */
export function chooseDesk(options: DemoOptions, client: HoldfastClient, sessionId: string): ApprovalDesk {
  const { cli, output, yes = false, crash = false } = options;
  const canAsk = output.terminal && cli.stdin.isTTY === true;
  const approve = yes || (crash && !canAsk);
  if (!approve && !canAsk) return createDenier({ client, sessionId, waitMs: denyAfterMs, say: output.say });
  if (approve && !yes)
    output.say('No terminal to ask on: approving, because --crash kills the worker inside that tool.');
  return createApprovalDesk({ ...{ cli, output, client, sessionId }, mode: approve ? 'approve' : 'ask' });
}
