// Settings of a session in words, for `holdfast set` and the commands of the live view: what each takes, and how it is
// sent. Checked here, because a signal has no answer.
import type { SessionHandle } from '../client.ts';
import { type DrainMode, type SessionSettings, agentOptions } from '@holdfast/vocabulary/agent-spec';
import type { QueueName } from '@holdfast/vocabulary/events';
import { thinkingLevels } from '@holdfast/vocabulary/model-call';
import { agentModes, executionModes } from '@holdfast/vocabulary/tool-spec';
import { parseQueueMode, parseSetting, type SettingName } from '../core/session/session-settings.ts';
import type { Parsed } from '@holdfast/base/json';

/** A checked change: of settings, from the next run on, or of a queue, at once. */
export type SettingsChange = SessionSettings | { queue: QueueName; mode: DrainMode };

export type SettableSession = Pick<SessionHandle, SettingName | 'setQueueMode'>;

type Setting = {
  /** Its values, as help shows them. */
  values: string;
  about: string;
  /** Undefined for other values. */
  parse(words: readonly string[]): SettingsChange | undefined;
};

const choice = (values: readonly string[]): string => values.join('|');

/** The queues by the words of people. */
export const queueWords: Record<string, QueueName> = { steering: 'steering', 'follow-up': 'followUp' };

const valueOf = <T>(parsed: Parsed<T>): T | undefined => (parsed.ok ? parsed.value : undefined);

const oneWord = (name: SettingName) => (words: readonly string[]) =>
  words.length === 1 ? valueOf(parseSetting(name, words[0])) : undefined;

export const settings: Record<string, Setting> = {
  model: { values: '<provider:id>', about: 'the model', parse: oneWord('setModel') },
  thinking: {
    values: choice(thinkingLevels),
    about: 'how much the model thinks',
    parse: oneWord('setThinkingLevel'),
  },
  mode: {
    values: choice(agentModes),
    about: 'only reads, changes that a person approves, or changes unasked',
    parse: oneWord('setMode'),
  },
  tools: {
    values: '<names...>',
    about: 'the tools, by their names in "holdfast tools"',
    parse(words) {
      const names = words.flatMap((word) => word.split(',').filter(Boolean));
      return names.length === 0 ? undefined : valueOf(parseSetting('setTools', names));
    },
  },
  'tool-execution': {
    values: choice(executionModes),
    about: 'how the calls of one turn run',
    parse: oneWord('setToolExecution'),
  },
  'system-prompt': {
    values: '<words...>',
    about: 'words in place of the whole system prompt',
    parse: (words) => valueOf(parseSetting('setSystemPrompt', words.join(' '))),
  },
  'queue-mode': {
    values: `${choice(Object.keys(queueWords))} ${choice(agentOptions.queues.fields.steeringMode.of)}`,
    about: 'how many messages of a queue are read at once; effective at once',
    parse: ([queue = '', mode, ...more]) =>
      more.length === 0 ? valueOf(parseQueueMode({ queue: queueWords[queue], mode })) : undefined,
  },
};

export async function sendChange(session: SettableSession, change: SettingsChange): Promise<void> {
  if ('queue' in change) return session.setQueueMode(change.queue, change.mode);
  const { model, thinkingLevel, mode, tools, toolExecution, systemPrompt } = change;
  if (model !== undefined) await session.setModel(model);
  if (thinkingLevel !== undefined) await session.setThinkingLevel(thinkingLevel);
  if (mode !== undefined) await session.setMode(mode);
  if (tools !== undefined) await session.setTools(tools);
  if (toolExecution !== undefined) await session.setToolExecution(toolExecution);
  if (systemPrompt !== undefined) await session.setSystemPrompt(systemPrompt);
}

/** E.g. `Set model to openai:gpt-5: effective with the next run.` */
export function describeChange(setting: string, words: readonly string[], change: SettingsChange): string {
  const value = setting === 'system-prompt' ? 'these words' : words.join(' ');
  if ('queue' in change) return `Set ${setting} to ${value}: effective at once.`;
  const lower = change.mode === undefined || change.mode === 'act' ? '' : '; what it takes away, at once';
  return `Set ${setting} to ${value}: effective with the next run${lower}.`;
}
