// What a run is frozen to, as far as calls are prepared by it.
import type { FrozenForCalls } from '../../src/activities/model/prepare-calls.ts';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';

export function frozenWith(tools: ToolSpec[], more: Partial<FrozenForCalls> = {}): FrozenForCalls {
  return { agent: 'tester', tools, settings: { mode: 'ask', dryRun: false, offTheRecord: false }, ...more };
}
