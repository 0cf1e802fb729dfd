// holdfast policy explain and list: the rules of this configuration, and their verdict on one call. Needs no server.
import { defined } from '@holdfast/base/defined';
import { name, readWords } from '../arguments.ts';
import type { Colors } from '../colors.ts';
import type { CliCommand } from '../cli-command.ts';
import { type ModeOptions, addModeOptions, modesOf } from '../mode-options.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { type ExitCode, exitCodes } from '../../common/exit-codes.ts';
import { present } from '@holdfast/base/present';
import { toVisible } from '@holdfast/base/visible';
import type { SourcedRule } from '@holdfast/vocabulary/tool-spec';
import { describeProtection, type ProtectionTier } from '../../core/tools/protected-paths.ts';
import type { Explanation } from '../../worker/explain-call.ts';
import { withParts } from '../with-parts.ts';

type ExplainOptions = ModeOptions & { agent?: string };

const explaining = `policy explain read '{"path":"/var/log/syslog"}'`;
const explainNotes = `Exit codes: 0 it would run, 8 a person would be asked, 7 it would be denied or refused.`;

export function registerPolicy(program: CliCommand): void {
  const policy = program.command('policy').examples([explaining, 'policy list']);
  policy
    .command('explain')
    .description('show whether a call would run, and the rule that decides; nothing is executed')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments]', 'its arguments, one JSON object; "-" reads standard input', '{}')
    .option('--agent <name>', 'agent that makes the call; default investigator', name)
    .with(addModeOptions)
    .examples(
      [explaining, `policy explain http_get '{"url":"http://10.0.0.7/"}' --agent night --mode act`],
      explainNotes,
    )
    .onConfig(
      'whole',
      async ({ cli, output, config }, tool: string, words: string, options: ExplainOptions) => {
        const args = words === '-' ? await readWords(cli, ['-'], 'The arguments') : words;
        const { explainCall } = await import('../../worker/explain-call.ts');
        const input = { ...defined({ agent: options.agent }), ...modesOf(options) };
        const call = { tool, args, input };
        const explanation = await withParts(config, (parts) => explainCall(config, parts, call));
        output.emit({ type: 'explanation', ...explanation });
        output.print(describeExplanation(explanation, output.colors));
        return codeOf(explanation);
      },
    );
  policy
    .command('list')
    .description('list the rules, in the order in which an explanation numbers them, and what is built in')
    .examples(['policy list', 'policy list --json'])
    .onConfig('whole', async ({ output, config }) => {
      const { rulesOf } = await import('../../worker/explain-call.ts');
      const { rules, warnings } = await withParts(config, async (parts) => {
        return { rules: await rulesOf(config, parts), warnings: parts.warnings };
      });
      rules.forEach((rule) => output.emit({ type: 'rule', ...rule }));
      output.print(rules.map((rule, index) => describeRule(rule, index, output.colors)).join('\n'));
      const protection = describeProtection();
      protection.forEach((row) => output.emit({ type: 'protected_path', ...row }));
      output.print(protection.map((row) => describeProtected(row, output.colors)).join('\n'));
      output.print(
        `Without a rule the mode decides; no agent has more than mode ${config.maxMode ?? 'act'}.`,
      );
      warnings.forEach((warning) => output.say(`warning: ${warning}`));
    });
}

export function codeOf({ decision }: Explanation): ExitCode {
  if (decision === 'allow') return exitCodes.completed;
  return decision === 'ask' ? exitCodes.asks : exitCodes.refused;
}

const words: Record<Explanation['decision'], string> = {
  allow: 'The policy lets it run; the tool keeps to its own folders and hosts.',
  ask: 'A person would be asked.',
  deny: 'It would be denied.',
  reject: 'It would not run.',
};

export function describeExplanation(explanation: Explanation, colors: Colors): string {
  const { tool, agent, modes, decision, reason, dryRun, summary, preview, actions } = explanation;
  const paint = painterOf(decision, colors);
  const lines = present([
    `${colors.bold(toLine(summary ?? tool, 200))}  ${colors.dim(`agent ${agent}, ${modes}`)}`,
    ...actions.flatMap((action) => describeAction(action, colors)),
    `${paint(words[decision])}${reason === undefined ? '' : ` ${toPlain(reason)}`}`,
    dryRun && 'Dry run: it would not be executed, and its result would say what it would have done.',
    preview !== undefined && `\n${toVisible(preview)}`,
  ]);
  return lines.join('\n');
}

function describeAction(
  { action, decision, by, reason }: Explanation['actions'][number],
  colors: Colors,
): string[] {
  const { command, paths = [], hosts = [], effect } = action;
  const named = command === undefined ? paths : [command];
  const what = [...named, ...hosts].filter(Boolean).join(' ');
  const why = reason === undefined ? by : `${by}: ${reason}`;
  const painted = painterOf(decision, colors)(decision.padEnd(5));
  return [
    `  ${painted} ${toVisible(what === '' ? `effect ${effect}` : what)}`,
    `        ${colors.dim(toPlain(why))}`,
  ];
}

function painterOf(decision: Explanation['decision'], colors: Colors): (text: string) => string {
  if (decision === 'allow') return colors.green;
  return decision === 'ask' ? colors.yellow : colors.red;
}

const needs: Record<ProtectionTier, [decision: 'deny' | 'ask', words: string]> = {
  never: ['deny', 'No rule opens it.'],
  1: ['ask', 'A rule that allows it and names its path opens it.'],
  2: ['ask', 'A person decides, whatever the rules say.'],
};

/** In the form of a rule; names match in any case. */
function describeProtected({ path, tier }: { path: string; tier: ProtectionTier }, colors: Colors): string {
  const [decision, words] = needs[tier];
  const painted = painterOf(decision, colors)(decision.padEnd(5));
  return `${painted} tool *, effect change, path ${path}  ${colors.dim('built in')}\n      ${words}`;
}

function describeRule(rule: SourcedRule, index: number, colors: Colors): string {
  const { decision, reason, origin, args = {}, ...fields } = rule;
  const facts = Object.entries({ ...fields, ...args }).map(([field, pattern]) => `${field} ${pattern}`);
  const place = origin ?? `rule ${index + 1}`;
  const painted = painterOf(decision, colors)(decision.padEnd(5));
  const line = `${painted} ${toPlain(facts.join(', '))}  ${colors.dim(place)}`;
  return reason === undefined ? line : `${line}\n      ${toPlain(reason)}`;
}
