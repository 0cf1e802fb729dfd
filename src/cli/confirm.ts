// Asks the person at the terminal for a yes or no, before something is removed for good.
import { createInterface } from 'node:readline/promises';
import type { Cli } from './cli.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { UserError } from '../common/user-error.ts';

/** Throws a UserError unless the answer is yes. `advice` is the remedy if there is nobody to ask. */
export async function confirmRemoval(
  { stdin, stderr }: Cli,
  question: string,
  advice: string,
): Promise<void> {
  if (!stdin.isTTY || !stderr.isTTY)
    throw new UserError(`Nothing was removed: there is no terminal to ask on. ${advice}`);
  const terminal = createInterface({ input: stdin, output: stderr });
  terminal.on('SIGINT', () => process.exit(exitCodes.interrupted));
  terminal.on('SIGCONT', () => terminal.resume());
  try {
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question(`${question} [y/n] `), closed]);
    if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('Nothing was removed.', exitCodes.refused);
  } finally {
    terminal.close();
  }
}
