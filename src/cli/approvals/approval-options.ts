// The options of run, fork, prompt, continue and checkpoint import that decide who answers an approval.
import { type Command, Option } from 'commander';
import type { DeskOptions } from './ask-approval.ts';
import { UserError } from '../../common/user-error.ts';

export type ApprovalOptions = { yes?: boolean; approval?: 'approve' | 'deny'; noInput?: boolean };

export const noInputOption = new Option(
  '--no-input',
  'ask nothing on this terminal; approvals are answered elsewhere',
);
// a separate option: run has --input, which this does not negate
noInputOption.negate = false;

export function addApprovalOptions(command: Command): Command {
  return command
    .option('--yes', 'approve every call that asks; the same as --approval approve')
    .addOption(
      new Option('--approval <answer>', 'answer every call that asks')
        .choices(['approve', 'deny'])
        .conflicts(['yes', 'detach']),
    )
    .addOption(noInputOption);
}

/** Throws a UserError for an answer to calls that this command does not wait for. */
export function refuseUnheard({ yes, approval }: ApprovalOptions, waits: boolean | undefined): void {
  if (waits || !(yes || approval)) return;
  throw new UserError(
    '--yes and --approval answer the calls of a run that this command waits for: add --wait.',
  );
}

export function approvalModeOf({ yes, approval, noInput }: ApprovalOptions): DeskOptions['mode'] {
  return approval ?? (yes ? 'approve' : noInput ? 'tell' : 'ask');
}
