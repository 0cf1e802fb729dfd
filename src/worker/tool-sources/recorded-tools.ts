// The tools of a recording: each call gets the result from the recording, and nothing else runs. Runs in Node.
import { z } from 'zod';
import { type RegisteredTool, type ToolReturn, defineTool } from '../../activities/tools/define-tool.ts';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { readCallId } from '@holdfast/scripted-model/script-place';

/**
 * One tool for each name that the script calls, with any arguments. A call without a recorded result gets an error
 * result that says so.
 */
export function recordedTools(script: ModelScript): RegisteredTool[] {
  const called = script.steps.flatMap(({ calls = [] }) => calls).filter(({ unlisted }) => unlisted !== true);
  return [...new Set(called.map(({ tool }) => tool))].map((name) =>
    defineTool({
      name,
      description: `Answers as "${name}" did when "${script.name}" was recorded.`,
      input: z.looseObject({}),
      effect: 'read',
      run: (_args, { callId }) => answerOf(script, name, callId),
    }),
  );
}

/** True for a recording: scripts by people have no results. */
export function isRecording({ steps }: ModelScript): boolean {
  return steps.some(({ calls = [] }) => calls.some(({ result }) => result !== undefined));
}

function answerOf(script: ModelScript, name: string, callId: string): ToolReturn {
  const place = readCallId(callId);
  const step = script.steps.find(({ id }) => id === place?.stepId);
  const result = step?.calls?.[(place?.call ?? 0) - 1]?.result;
  // a report is the model's own words, as the real tool says
  if (result !== undefined) return result.report === undefined ? result : { ...result, ownWords: true };
  const text = `The recording "${script.name}" has no result for the call ${callId} of ${name}. Record it again, or give the call a result.`;
  return { text, isError: true };
}
