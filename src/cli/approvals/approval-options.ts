// The options of run, fork and checkpoint import that say who answers a call that asks for approval.
import { type Command, Option } from 'commander';
import type { DeskOptions } from './ask-approval.ts';
import { UserError } from '../user-error.ts';

export type ApprovalOptions = { yes?: boolean; approval?: 'approve' | 'deny'; noInput?: boolean };

export function addApprovalOptions(command: Command): Command {
  const noInput = new Option(
    '--no-input',
    'ask nothing here, as without a terminal; answers come from elsewhere',
  );
  // an option of its own: run has --input, which it does not take back
  noInput.negate = false;
  return command
    .option('--yes', 'approve every call that asks, as --approval approve')
    .addOption(
      new Option('--approval <answer>', 'answer every call that asks')
        .choices(['approve', 'deny'])
        .conflicts(['yes', 'detach']),
    )
    .addOption(noInput);
}

/** Throws a UserError where an answer is given for calls that this command does not wait for. */
export function refuseUnheard({ yes, approval }: ApprovalOptions, waits: boolean | undefined): void {
  if (waits || !(yes || approval)) return;
  throw new UserError('--yes and --approval answer what a run asks while this command waits: add --wait.');
}

export function approvalModeOf({ yes, approval, noInput }: ApprovalOptions): DeskOptions['mode'] {
  return approval ?? (yes ? 'approve' : noInput ? 'tell' : 'ask');
}
