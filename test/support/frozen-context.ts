// What a run is frozen to, in tests that no worker freezes it for.
import { defined } from '@holdfast/base/defined';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { mergeOptions, modelOptions } from '@holdfast/vocabulary/merge-options';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { estimatorVersion } from '@holdfast/view/estimate';
import type { FrozenForCalls } from '../../src/activities/model/prepare-calls.ts';

export function frozenContext(overrides: Partial<FrozenContext> = {}): FrozenContext {
  return {
    digest: 'context-1',
    agent: 'investigator',
    systemPrompt: 'You investigate incidents.',
    tools: ['grep', 'read'].map((name) => toolSpec(name)),
    model: { provider: 'fake', id: 'one' },
    settings: { ...defaultSettings, tools: ['grep', 'read'] },
    searchAttributes: [],
    warnings: [],
    systemPromptDigest: 'prompt-1',
    prefixDigest: 'prefix-1',
    estimator: estimatorVersion,
    functions: ['convertToLlm', 'rewriteRequest', 'transformContext'],
    ...overrides,
  };
}

export function toolSpec(name: string, more: Partial<ToolSpec> = {}): ToolSpec {
  return { name, description: name, parameters: {}, effect: 'read', timeoutMs: 1_000, ...more };
}

/** As a worker freezes it anew after a change of settings; the same one where nothing is changed. */
export function changedContext(context: FrozenContext, changes: SessionInput): FrozenContext {
  const { systemPrompt = context.systemPrompt, tools } = changes;
  const { name: model, thinkingLevel } = modelOptions(changes);
  const given = { systemPrompt: changes.systemPrompt, tools, model, thinkingLevel };
  if (Object.values(given).every((value) => value === undefined)) return context;
  return {
    ...context,
    systemPrompt,
    digest: `${context.digest}+${JSON.stringify(given)}`,
    prefixDigest: `${systemPrompt}+${String(tools)}`,
    tools: tools ? context.tools.filter(({ name }) => tools.includes(name)) : context.tools,
    model: model ? { provider: 'memory', id: model } : context.model,
    settings: mergeOptions(context.settings, { model: defined({ thinkingLevel }) }),
  };
}

/** The part by which calls are prepared. */
export function frozenWith(tools: ToolSpec[], more: Partial<FrozenForCalls> = {}): FrozenForCalls {
  return { agent: 'tester', tools, settings: { mode: 'ask', dryRun: false, offTheRecord: false }, ...more };
}
