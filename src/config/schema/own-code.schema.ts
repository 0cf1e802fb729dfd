// The code in a config: tools, hooks, and functions around model requests. Runs where a process starts.
import { z } from 'zod';
import type { RegisteredHook } from '../../activities/hooks/hook-definition.ts';
import type { Projections } from '../../activities/model/projections.ts';
import type { ModelHooks } from '@holdfast/providers/request-hooks';
import type { OwnTaskBoard } from '../../activities/tools/own-task-board.ts';
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';

/** Accepts a class instance too, whose methods are not its own fields. */
export function objectWith<Type>(
  fields: { [Field in keyof Type]?: string },
  error: string,
): z.ZodCustom<Type> {
  const has = (value: object, name: string, type: string): boolean => {
    const found: unknown = Reflect.get(value, name);
    return typeof found === type && found !== '' && found !== null;
  };
  return z.custom<Type>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries<string | undefined>(fields).every(([name, type = '']) => has(value, name, type)),
    error,
  );
}

export function functionOf<Type>(): z.ZodCustom<Type> {
  return z.custom<Type>((value) => typeof value === 'function', 'expected a function');
}

export const toolSchema = objectWith<RegisteredTool>(
  { spec: 'object', parse: 'function', run: 'function' },
  'expected the result of defineTool',
).refine(({ spec }) => typeof spec.name === 'string', 'expected the result of defineTool');
export const hookSchema = objectWith<RegisteredHook>(
  { name: 'string', points: 'object', call: 'function' },
  'expected the result of defineHook',
).refine(({ points }) => Array.isArray(points), 'expected the result of defineHook');

export const taskBoardSchema = objectWith<OwnTaskBoard>(
  { claim: 'function', setStatus: 'function', release: 'function' },
  'expected an object with claim, setStatus and release',
);

export const modelHooksSchema: z.ZodType<ModelHooks> = z.strictObject({
  onRequest: functionOf<NonNullable<ModelHooks['onRequest']>>().exactOptional(),
  onResponse: functionOf<NonNullable<ModelHooks['onResponse']>>().exactOptional(),
  rewriteRequest: functionOf<NonNullable<ModelHooks['rewriteRequest']>>().exactOptional(),
});

export const projectionsSchema: z.ZodType<Projections> = z.strictObject({
  transformContext: functionOf<NonNullable<Projections['transformContext']>>().exactOptional(),
  convertToLlm: functionOf<NonNullable<Projections['convertToLlm']>>().exactOptional(),
});
