// Settings that a caller may change during a session; they take effect with the next run (STATE-07). Small guards,
// because signal handlers run in the workflow; names are resolved when the next run is assembled.
import {
  type Budget,
  type DrainMode,
  type SessionSettings,
  agentOptions,
} from '@holdfast/vocabulary/agent-spec';
import { thinkingLevels } from '@holdfast/vocabulary/model-call';
import { agentModes, executionModes } from '@holdfast/vocabulary/tool-spec';
import type { QueueName } from '@holdfast/vocabulary/events';
import { type Parsed, isRecord, refuse } from '@holdfast/base/json';
import { expectedModelName, parseModelName } from '@holdfast/vocabulary/model-name';

type Guard = { expected: string; read(value: unknown): SessionSettings | undefined };

/** By signal name: the check of its payload, and the setting. */
const guards = {
  setModel: {
    expected: expectedModelName,
    read: (value) =>
      typeof value === 'string' && parseModelName(value) !== undefined ? { model: value } : undefined,
  },
  setSystemPrompt: {
    expected: 'a text that is not empty',
    read: (value) => (typeof value === 'string' && value.trim() !== '' ? { systemPrompt: value } : undefined),
  },
  setThinkingLevel: {
    expected: `one of ${thinkingLevels.join(', ')}`,
    read: (value) => withFound(thinkingLevels, value, (thinkingLevel) => ({ thinkingLevel })),
  },
  setTools: {
    expected: 'a list of tool names',
    read: (value) =>
      Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '')
        ? { tools: value.map(String) }
        : undefined,
  },
  setToolExecution: {
    expected: executionModes.join(' or '),
    read: (value) => withFound(executionModes, value, (toolExecution) => ({ toolExecution })),
  },
  setMode: {
    expected: `one of ${agentModes.join(', ')}`,
    read: (value) => withFound(agentModes, value, (mode) => ({ mode })),
  },
} satisfies Record<string, Guard>;

export type SettingName = keyof typeof guards;
export function parseSetting(name: SettingName, value: unknown): Parsed<SessionSettings> {
  const { expected, read } = guards[name];
  const settings = read(value);
  return settings ? { ok: true, value: settings } : refuse('Invalid', `${name} expects ${expected}`);
}

function withFound<Value extends string>(
  known: readonly Value[],
  value: unknown,
  toSettings: (found: Value) => SessionSettings,
): SessionSettings | undefined {
  const found = known.find((candidate) => candidate === value);
  return found === undefined ? undefined : toSettings(found);
}

const drainModes: readonly DrainMode[] = agentOptions.queues.fields.steeringMode.of;

/** Payload of signal setQueueMode: {queue: steering | followUp, mode: one-at-a-time | all}. */
export function parseQueueMode(value: unknown): Parsed<{ queue: QueueName; mode: DrainMode }> {
  const { queue, mode: wanted } = isRecord(value) ? value : {};
  const mode = drainModes.find((candidate) => candidate === wanted);
  if (mode !== undefined && (queue === 'steering' || queue === 'followUp')) {
    return { ok: true, value: { queue, mode } };
  }
  const reason = 'setQueueMode expects {queue: "steering" or "followUp", mode: "one-at-a-time" or "all"}';
  return refuse('Invalid', reason);
}

const budgetFields = Object.keys(agentOptions.budget.fields);

/** Payload of update extendBudget: at least one part of a budget, each above 0. */
export function parseBudget(value: unknown): Parsed<Budget> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const good = entries.every(
    ([field, by]) => budgetFields.includes(field) && typeof by === 'number' && Number.isFinite(by) && by > 0,
  );
  if (good && entries.length > 0) return { ok: true, value: Object.fromEntries(entries) };
  return refuse(
    'InvalidBudget',
    `expected at least one of ${budgetFields.join(', ')}, each a number above 0`,
  );
}
