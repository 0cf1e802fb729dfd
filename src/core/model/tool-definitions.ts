// What the model gets to see of the tools of a run; labels, time limits and the like do not reach it. Pure.
import type { ToolDefinition, ToolSpec } from './tool-spec.ts';

export function toDefinitions(tools: readonly ToolSpec[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
