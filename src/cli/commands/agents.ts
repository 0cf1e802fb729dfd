// holdfast agents, and its prompt: the agents of this configuration with source, limits and readiness, and the prompt of
// one. Needs no server, and starts nothing.
import { modelOptions } from '@holdfast/vocabulary/merge-options';
import { defined } from '@holdfast/base/defined';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { describeUnknown } from '../../core/agent/start.ts';
import { counted } from '@holdfast/base/words';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import { describeModes } from '../../core/tools/modes.ts';
import type { Config } from '../../config/config.ts';
import type { Parts } from '../../worker/parts.ts';
import { name } from '../arguments.ts';
import type { OpenedCommand, Output } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { type ModeOptions, addModeOptions, modesOf } from '../mode-options.ts';
import { describeLimits, toAgentLimits } from '../render/describe-limits.ts';
import { toLine } from '../render/plain-text.ts';
import { type ExitCode, exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import { withParts } from '../with-parts.ts';

export function registerAgents(program: CliCommand): void {
  program
    .command('agents')
    .examples(['agents', 'agents prompt investigator', 'agents --json'], agentsNotes)
    .onConfig('whole', ({ output, config }) =>
      withParts(config, (parts) => listAgents(output, config, parts)),
    )
    .command('prompt')
    .description('print what the model will see of an agent, with the tokens of each part')
    .argument('<agent>', 'name of an agent', name)
    .with(addModeOptions)
    .examples(['agents prompt triage', 'agents prompt investigator --mode observe'])
    .onConfig('whole', (opened, agent: string, options: ModeOptions) =>
      printAgentPrompt(opened, agent, options),
    );
}

const agentsNotes = `Exit code 10: an agent of this configuration cannot run. An agent that comes with the package, and that
the configuration does not let run, is shown as such.`;

/** Rejects an unknown name, and lists the known ones with `hint`. */
export async function printAgentPrompt(
  { output, config }: OpenedCommand,
  agent: string,
  options: ModeOptions,
  hint = '',
): Promise<void> {
  await withParts(config, async (parts) => {
    if (!parts.agents.has(agent))
      throw new UserError(`${describeUnknown('agent', agent, parts.agents.keys())}${hint}`);
    // without its files it would not be the model's view
    const { assertNoProblems } = await import('../../worker/parts.ts');
    assertNoProblems(parts.problems.filter(({ about }) => about === 'prompt'));
    const { showPrompt } = await import('../../worker/show-prompt.ts');
    const shown = await showPrompt(config, parts, { agent, ...defined(modesOf(options)) });
    output.emit({ type: 'prompt', ...shown });
    const { bold, dim } = output.colors;
    const width = Math.max(...shown.parts.map(({ part }) => part.length));
    const rows = shown.parts.map(
      ({ part, tokens, percent }) =>
        `${part.padEnd(width)}  ${String(tokens).padStart(6)}  ${percent.toFixed(1).padStart(5)} %`,
    );
    output.print(
      // oxfmt-ignore
      [
        `${bold(shown.agent)}  ${shown.model}, ${describeModes(shown.modes)}`,
        dim(`about ${shown.tokens} tokens before the conversation`),
        ...rows,
        '', bold('# System prompt'), '', shown.systemPrompt,
        '', bold('# Tools'), '', ...shown.tools.map((tool) => JSON.stringify(tool)),
      ].join('\n'),
    );
  });
}

function listAgents({ emit, print, say, colors }: Output, config: Config, parts: Parts): ExitCode {
  const { bold, dim, red, yellow } = colors;
  let cannotRun = false;
  for (const [agent, spec] of [...parts.agents].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const isOwn = agent in config.agents;
    const source = config.agentFiles?.[agent] ?? (isOwn ? (config.configFile ?? 'config') : 'package');
    const problems = parts.problemsOfAgent(agent);
    if (problems.length > 0 && (isOwn || agent === defaultAgent)) cannotRun = true;
    const { description = '', tools, toolGroups = [], mode = defaultSettings.mode, delegation = {} } = spec;
    const { agents: subagents = [] } = delegation;
    const { name: model = config.model } = modelOptions(spec);
    const limits = toAgentLimits(spec);
    emit({
      type: 'agent',
      name: agent,
      description,
      source,
      model,
      mode,
      tools,
      toolGroups,
      subagents,
      ...limits,
      problems,
    });
    print(`${bold(agent)}${agent === defaultAgent ? ' (default)' : ''}  ${dim(toLine(description, 160))}`);
    const groups = toolGroups.length === 0 ? '' : ` and ${counted(toolGroups.length, 'group')} on demand`;
    const ownTools = `${counted(tools.length, 'tool')}${groups}`;
    print(`  ${source}, ${model}, mode ${mode}, ${ownTools}, ${describeLimits(limits)}`);
    if (subagents.length > 0) print(`  delegates to ${subagents.join(', ')}`);
    problems.forEach((problem) => print(red(`  cannot run: ${toLine(problem, 500)}`)));
  }
  // printed once: no fault of a single agent
  for (const { about, message } of parts.problems) {
    if (about === 'agent') continue;
    // a missing model prevents no reading
    if (about === 'prompt') cannotRun = true;
    emit({ type: 'warning', message });
    say(yellow(`warning: ${message}`));
  }
  return cannotRun ? exitCodes.failed : exitCodes.completed;
}
