// Options over options: an agent's over the defaults, a profile's and a start's over the agent's. Pure.
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { type JsonRecord, isRecord } from '@holdfast/base/json';
import {
  type AgentOptionValues,
  type AgentSettings,
  type AgentSpec,
  type ModelOptions,
  type OptionTable,
  type SessionSettings,
  agentDefaults,
  agentOptions,
} from './agent-spec.ts';

/** `over` wins: in a group field by field, everywhere else with the whole value. */
export function mergeOptions<Under extends AgentOptionValues>(under: Under, over: AgentOptionValues): Under {
  return merged(agentOptions, under, over) as Under;
}

function merged(options: OptionTable, under: object, over: object): object {
  const [low, high]: JsonRecord[] = [{ ...under }, { ...over }];
  const groups = Object.entries(options).flatMap(([name, option]) => {
    const [one, other] = [low?.[name], high?.[name]];
    // a short form over another one stays short
    if (option.is !== 'group' || !(isRecord(one) || isRecord(other))) return [];
    const [left, right] = [toGroup(option, one), toGroup(option, other)];
    return left && right ? [[name, merged(option.fields, left, right)]] : [];
  });
  return { ...low, ...high, ...Object.fromEntries(groups) };
}

/** A text in place of a group may be its short form. Undefined for what is no group: a schema refuses it. */
function toGroup({ short }: { short?: string }, value: unknown): object | undefined {
  if (isRecord(value)) return value;
  return short !== undefined && typeof value === 'string' ? { [short]: value } : undefined;
}

/** The options of an agent or a start; its model may be a name alone. */
export function modelOptions({ model = {} }: Pick<AgentOptionValues, 'model'>): ModelOptions {
  return typeof model === 'string' ? { name: model } : model;
}

/** The frozen settings of a run: the options over the defaults, without the resolved ones. */
export function toSettings(
  options: AgentOptionValues & Partial<Pick<AgentSpec, 'instructions' | 'tools'>>,
): AgentSettings {
  const { instructions = '', tools = [] } = options;
  return { ...frozen(agentOptions, mergeOptions(agentDefaults, options)), instructions, tools };
}

/** The one place where frozen options get their type. */
function frozen<Settings>(options: OptionTable, values: Settings & object): Settings {
  const entries = Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    const option = options[name];
    if (!option || option.resolved) return [];
    return [[name, option.is === 'group' && isRecord(value) ? frozen(option.fields, value) : value]];
  });
  return Object.fromEntries(entries) as Settings;
}

/** Settings that were changed in a session, in the form of a start. */
export function toStart(settings: SessionSettings): Partial<AgentSpec> & { systemPrompt?: string } {
  const { model: name, thinkingLevel, toolExecution, ...rest } = settings;
  const model = defined({ name, thinkingLevel });
  return {
    ...rest,
    ...defined({ model: unlessEmpty(model), loop: unlessEmpty(defined({ toolExecution })) }),
  };
}
