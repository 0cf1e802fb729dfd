// One rule for the name of a model, wherever one is named.
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { parseModelName, toVariablePrefix } from '@holdfast/vocabulary/model-name';
import { parseSetting } from '../../src/core/session/session-settings.ts';

test('the provider ends at the first colon', () => {
  expect(parseModelName('ollama:qwen3:8b')).toEqual({ provider: 'ollama', id: 'qwen3:8b' });
});

test.each([
  ['llama.cpp', 'LLAMA_CPP'],
  ['Groq', 'GROQ'],
  ['my-vendor_2', 'MY_VENDOR_2'],
])('the provider %s has the environment variable %s_API_KEY', (name, prefix) => {
  expect(toVariablePrefix(name)).toBe(prefix);
});

const agent = { instructions: 'You look after a shop.', tools: [] };

const places: Record<string, (name: string) => unknown> = {
  'the config': (model) => parseConfig({ model }, 'the config'),
  'its models': (model) => parseConfig({ models: { [model]: {} } }, 'the config'),
  'an agent': (model) =>
    parseConfig({ agents: { a: { ...agent, model: { name: model, fallbacks: [model] } } } }, 'it'),
  'its side work': (condense) =>
    parseConfig({ agents: { a: { ...agent, model: { purposes: { condense } } } } }, 'it'),
  'the signal setModel': (model) => {
    const parsed = parseSetting('setModel', model);
    if (!parsed.ok) throw new Error(parsed.reason);
  },
  '--model': (model) => resolveConfig({ cwd: '/x', environment: {}, model }),
  HOLDFAST_MODEL: (model) => resolveConfig({ cwd: '/x', environment: { HOLDFAST_MODEL: model } }),
};

describe.each(Object.entries(places))('[STATE-07a] in %s', (_place, take) => {
  test.each(['llama.cpp:llama-3:8b', 'Groq:openai/gpt-oss', '4o:x', 'my_vendor-2:m'])(
    '%s is a model',
    (name) => {
      expect(() => take(name)).not.toThrow();
    },
  );

  test.each(['gpt', ':x', 'openai:', 'my vendor:x', 'openai:a b', '../x:y', '-x:y'])(
    '"%s" is none',
    (name) => {
      expect(() => take(name)).toThrow('"<provider>:<model id>"');
    },
  );
});
