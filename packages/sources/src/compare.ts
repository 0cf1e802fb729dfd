// The parameter with which a tool compares two windows of time: the same request, so much earlier. Pure.
import { readTime } from '@holdfast/base/time-text';
import type { Values } from './template.ts';
import type { ToolsetParameter, ToolsetTool } from './toolset.schema.ts';

type Parameters = Readonly<Record<string, ToolsetParameter>>;

const earlier: ToolsetParameter = {
  type: 'string',
  optional: true,
  pattern: '-?[1-9][0-9]{0,5}[smhdw]',
  expected: 'a length of time such as 1h or 1d',
  description: 'Compares with the window this much earlier, such as 1h or 1d: mean, median, maximum, ratio.',
};

/** Those of the file, and with `compare` the parameter `earlier`. */
export function parametersOf({
  parameters = {},
  compare,
}: Pick<ToolsetTool, 'parameters' | 'compare'>): Parameters {
  return compare === true ? { ...parameters, earlier } : parameters;
}

/** Undefined unless the call asks for two windows. */
export function earlierOf(input: Values, { compare }: ToolsetTool): { by: string; ms: number } | undefined {
  const asked = compare === true ? input['earlier'] : undefined;
  if (typeof asked !== 'string') return undefined;
  const by = asked.replace('-', '');
  return { by, ms: -(readTime(by, 0) ?? 0) };
}
