// A tool that takes any object, where no test runner is: for child processes.
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { RegisteredTool, ToolReturn } from '../../src/activities/tools/define-tool.ts';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';

export function plainTool(name: string, effect: ToolEffect, run: () => Promise<ToolReturn>): RegisteredTool {
  const input = z.looseObject({});
  return defineTool({ name, description: 'A tool of a test.', input, effect, run: run });
}

/** Reads two lines of a log. */
export const lookTool = plainTool('look', 'read', () =>
  Promise.resolve({ text: 'pool timeout after 512 ms\npool is full' }),
);
