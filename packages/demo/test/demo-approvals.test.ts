// Who answers the demo's approval: --yes, --crash without a terminal, and nobody else.
import { noColors } from '../../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import { chooseDesk } from '../src/demo-approvals.ts';
import type { Cli, Output } from '../../../src/cli/cli.ts';
import type { SessionHandle } from '../../../src/client.ts';

const call = {
  callId: 'c',
  tool: 'rollback',
  summary: 'rollback',
  args: '{}',
  deadline: Date.now() + 60_000,
};

test.each([
  ['--yes', { yes: true }, 'approved'],
  ['--crash without a terminal', { crash: true }, 'approved'],
  ['--alert on a terminal', { alert: true, isTTY: true }, 'nobody'],
  ['no option without a terminal', {}, 'nobody'],
])(
  '[CLI-09f] with %s the answer is: %s',
  async (_name, { isTTY = false, ...options }: Record<string, boolean>, who) => {
    const answer = Promise.withResolvers<string>();
    const session = {
      sessionId: 's',
      pendingApprovals: () => Promise.resolve([{ id: 'c', argsDigest: 'd', ...call }]),
      approve: () => Promise.resolve(answer.resolve('approved')),
    } as unknown as SessionHandle;
    const said: string[] = [];
    const say = (line: string): void => {
      said.push(line);
      if (line.includes('Nobody to ask here: denied in 4 s.')) answer.resolve('nobody');
    };
    const output = { json: false, terminal: isTTY, colors: noColors, print: say, say } as unknown as Output;
    const cli = { stdin: { isTTY } } as unknown as Cli;
    const desk = chooseDesk({ cli, output, seed: 1, wait: false, ...options }, session, {
      readLine: undefined,
    });
    desk.hear({ type: 'approval_requested', seq: 1, at: 0, ...call });
    expect(await answer.promise).toBe(who);
    desk.close();
  },
);
