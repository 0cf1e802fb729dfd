// holdfast tool: one call by hand, as an agent would make it, to try a source. Needs no server and no model, and keeps
// nothing.
import { defined } from '@holdfast/base/defined';
import { textOf } from '@holdfast/vocabulary/messages';
import { askHere } from '../approvals/ask-here.ts';
import { readLineFrom } from '../approvals/read-line.ts';
import { name, readWords } from '../arguments.ts';
import type { OpenedCommand } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { type ExitCode, exitCodes } from '../../common/exit-codes.ts';
import { type ModeOptions, addModeOptions, modesOf } from '../mode-options.ts';
import { toPlain } from '../render/plain-text.ts';
import { UserError } from '../../common/user-error.ts';
import { codeOf, describeExplanation } from './policy.ts';
import { withParts } from '../with-parts.ts';

type Options = ModeOptions & { agent?: string; yes?: boolean };

const notes = `It prints what the model would read. A call that asks a person asks here; without a terminal only --yes runs it.
Exit codes: 0 it ran, 10 it ran and failed, 8 a person would be asked, 7 it is denied or refused.`;

export function registerTool(program: CliCommand): void {
  program
    .command('tool')
    .argument('<tool>', 'name of the tool, as "tools" lists it')
    .argument('[arguments]', 'its arguments, one JSON object; "-" reads standard input', '{}')
    .option('--agent <name>', 'agent that makes the call; default investigator', name)
    .option('--yes', 'approve the call, if a person is asked')
    .with(addModeOptions)
    .examples(
      [`tool redis_info`, `tool prometheus_query '{"query":"up"}'`, `tool read '{"path":"/var/log/syslog"}'`],
      notes,
    )
    .onConfig('whole', callByHand);
}

async function callByHand(
  { cli, output, config }: OpenedCommand,
  tool: string,
  words: string,
  options: Options,
): Promise<ExitCode | void> {
  const args = words === '-' ? await readWords(cli, ['-'], 'The arguments') : words;
  const call = { tool, args, input: { ...defined({ agent: options.agent }), ...modesOf(options) } };
  const { explainCall } = await import('../../worker/explain-call.ts');
  const { makeToolCall } = await import('../../worker/call-tool.ts');
  const explanation = await withParts(config, (parts) => explainCall(config, parts, call));
  const { decision } = explanation;
  const hasPerson = cli.stdin.isTTY && cli.stderr.isTTY;
  if (decision === 'deny' || decision === 'reject' || (decision === 'ask' && !options.yes && !hasPerson)) {
    output.emit({ type: 'explanation', ...explanation });
    output.print(describeExplanation(explanation, output.colors));
    return codeOf(explanation);
  }
  const never = new AbortController().signal;
  const result = await makeToolCall(config, call, async (pending) =>
    options.yes ? true : ((await askHere(readLineFrom(cli), pending, never))?.approve ?? false),
  );
  if (!result) throw new UserError(`${tool} gives no result here: expected a tool that needs no session.`);
  const [text, { isError, details }] = [textOf(result), result];
  output.emit({ type: 'tool_result', tool, isError, text, ...defined({ details }) });
  output.print(toPlain(text));
  if (isError) return exitCodes.failed;
}
