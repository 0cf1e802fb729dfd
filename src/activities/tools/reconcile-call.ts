// Asks a tool whether its lost call happened, and makes the call's result from the answer. Runs in Node, in the activity
// `reconcile.<name>`. An unclear answer leaves the outcome unknown.
import type { Json } from '@holdfast/base/json';
import { unknownOutcome } from '../../core/state/own-answers.ts';
import type { RegisteredTool, ToolContext, ToolReturn } from './define-tool.ts';
import { type HandlerRun, runHandler } from './run-handler.ts';

/** Rejects like a body that reads. */
export async function reconcileCall(
  tool: RegisteredTool,
  args: Json,
  context: Omit<ToolContext, 'signal'>,
): Promise<HandlerRun> {
  let answered = false;
  const asked: RegisteredTool = {
    ...tool,
    spec: { ...tool.spec, effect: 'read' },
    run: async (input, inner) => {
      // the user's own JavaScript: its answer's type is not trusted
      const found = toReturn(await tool.reconcile?.(input, inner));
      answered = found !== undefined;
      return found ?? { text: `reconcile of ${tool.spec.name} gave no answer.`, isError: true };
    },
  };
  const run = await runHandler(asked, args, context);
  return answered ? run : { ...run, outcome: unknown(`It could not be found out: ${run.outcome.text}`) };
}

function toReturn(answer: unknown): ToolReturn | undefined {
  if (typeof answer !== 'object' || answer === null || !('happened' in answer)) return undefined;
  const text = 'text' in answer && typeof answer.text === 'string' ? answer.text.trim() : '';
  switch (answer.happened) {
    case true:
      return { text: withNotice(text, '[It happened. The worker was lost before it could say so.]') };
    case false:
      return { text: withNotice(text, notHappened), isError: true };
    case 'unknown':
      return unknown(text);
    default:
      return undefined;
  }
}

const notHappened =
  'It did not happen: the worker was lost before this call took effect. Make the call again if it is still wanted.';

function unknown(text: string): ToolReturn {
  return { text: withNotice(text, unknownOutcome), isError: true, outcome: 'unknown' };
}

function withNotice(text: string, notice: string): string {
  return text === '' ? notice : `${text}\n${notice}`;
}
