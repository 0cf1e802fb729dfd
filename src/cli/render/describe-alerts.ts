// Describes the alerts of one group and their outcome, for `holdfast alerts test`: the agent with its limits, tools and
// destinations, or why nothing would start. Pure.
import { defaultPoints } from '@holdfast/vocabulary/deliver';
import type { Alert } from '@holdfast/vocabulary/alert';
import { applyProfile } from '../../core/agent/profiles.ts';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { toRoundDuration } from '@holdfast/base/words';
import { milderMode } from '../../core/tools/modes.ts';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions, modelOptions } from '@holdfast/vocabulary/merge-options';
import type { Config } from '../../config/config.ts';
import { problemsOfStart } from '../../gateway/check-receivers.ts';
import type { AlertEntry } from '@holdfast/alert-intake/read-alerts';
import type { Parts } from '../../worker/parts.ts';
import type { Colors } from '../colors.ts';
import { describeLimits, type AgentLimits, toAgentLimits } from './describe-limits.ts';
import { toLine } from './plain-text.ts';

export type Outlook = {
  outcome: 'investigate' | 'suppressed' | 'resolved';
  agent: string;
  model: string;
  mode: string;
  tools: string[];
  agentLimits: AgentLimits;
  /** Why a session with this route could not start or deliver. */
  problems: string[];
};

export function outlookOf(
  { alerts, route }: AlertEntry,
  config: Pick<Config, 'model' | 'destinations' | 'maxMode'>,
  parts: Pick<Parts, 'agents' | 'checkNames'>,
): Outlook {
  const { agent = defaultAgent, profile } = route.input;
  const spec = parts.agents.get(agent);
  const asked = spec && mergeOptions(applyProfile(spec, profile), route.input);
  const isOver = alerts.every(({ status }) => status === 'resolved');
  const outcome = isOver ? 'resolved' : route.suppress === undefined ? 'investigate' : 'suppressed';
  const { destinations } = config;
  return {
    outcome,
    agent,
    model: modelOptions(asked ?? {}).name ?? config.model,
    mode: milderMode(asked?.mode ?? defaultSettings.mode, config.maxMode ?? 'act'),
    tools: asked?.tools ?? [],
    agentLimits: toAgentLimits(asked ?? { instructions: '', tools: [] }),
    problems:
      outcome === 'investigate'
        ? problemsOfStart(route.input, { checkNames: parts.checkNames, destinations })
        : [],
  };
}

export function describeAlertEntry(
  { key, title, route, alerts }: AlertEntry,
  outlook: Outlook,
  colors: Colors,
): string {
  const { bold, dim, red } = colors;
  const row = (name: string, text: string) => `  ${dim(name.padEnd(8))} ${toLine(text, 400)}`;
  const { agent, model, mode, tools, agentLimits, problems } = outlook;
  const { deliver = [] } = route.input;
  const start = [
    row('agent', `${agent}, ${model}, mode ${mode}`),
    row('limits', describeLimits(agentLimits)),
    row('tools', tools.join(', ') || 'none'),
    row(
      'goes to',
      deliver.map(({ to, on = defaultPoints }) => `${to} (${on.join(', ')})`).join(', ') || 'nobody',
    ),
    ...problems.map((problem) => red(row('fault', problem))),
  ];
  return [
    bold(toLine(title, 160)),
    row('key', key),
    ...alerts.map((alert) => row('alert', describeAlert(alert))),
    row('route', route.rule),
    row('outcome', describeOutcome(outlook, route)),
    ...(outlook.outcome === 'investigate' ? start : []),
  ].join('\n');
}

function describeAlert({ name, status, severity, fingerprint, startsAt }: Alert): string {
  const since = startsAt === undefined ? '' : `, since ${new Date(startsAt).toISOString()}`;
  return `${name}: ${status}, severity ${severity}${since}, ${fingerprint}`;
}

function describeOutcome({ outcome }: Outlook, route: AlertEntry['route']): string {
  if (outcome === 'resolved')
    return 'a recovery: it starts nothing; an investigation of this group would hear of it';
  if (outcome === 'suppressed') return `suppressed because ${route.suppress}`;
  const critical = route.critical ? ', as critical' : '';
  const [wait, pause] = [route.debounceMs, route.cooldownMs].map((ms) => toRoundDuration(ms));
  return `an investigation after ${wait}${critical}, then none for ${pause}`;
}
