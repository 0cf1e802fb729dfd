// The options that limit a new session: --mode, --dry-run, --off-the-record.
import { defined } from '@holdfast/base/defined';
import { type Command, Option } from 'commander';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { type AgentMode, agentModes } from '@holdfast/vocabulary/tool-spec';

export type ModeOptions = { mode?: AgentMode; dryRun?: boolean; offTheRecord?: boolean };

const modeWords =
  'observe: only reads; ask: a person decides over changes (default); act: changes run unasked';

export function addModeOptions(command: Command): Command {
  return command
    .addOption(new Option('--mode <mode>', modeWords).choices(agentModes))
    .option('--dry-run', 'execute nothing but reads; other calls say what they would have done')
    .option('--off-the-record', 'only reads, and nothing is stored: no checkpoint, output or report');
}

export function modesOf({ mode, dryRun, offTheRecord }: ModeOptions): SessionInput {
  return defined({ mode, dryRun, offTheRecord });
}
