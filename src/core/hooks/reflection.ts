// Turn hook `reflection`: after failed turns in a row it asks for criticism before the next attempt. A turn has
// failed when all results of its batch are errors. Pure.
import type { Message } from '../model/messages.ts';
import { textOf } from '../model/messages.ts';
import type { PureHook } from '../model/hook.ts';
import { count, numberOf, problemOf } from './params.ts';
import { cutText } from '../base/cut-text.ts';

const failedTurns = 2;
const shownCharacters = 200;

export const reflection: PureHook = {
  problem: (params) => problemOf(params, { threshold: count }),
  beforeComplete({ context }, { params, state, setState }) {
    const results = lastResults(context.messages);
    if (results.length === 0) return undefined;
    const before = typeof state === 'number' ? state : 0;
    const failed = results.every(({ isError }) => isError) ? before + 1 : 0;
    const due = failed >= numberOf(params, 'threshold', failedTurns);
    setState(due ? 0 : failed);
    if (!due) return undefined;
    const failures = results.map(
      (result) => `- ${result.toolName}: ${cutText(textOf(result), shownCharacters, '')}`,
    );
    return {
      inject: `The last attempts failed:\n${failures.join('\n')}\nBefore you try again, say what was wrong with them and what you will do otherwise.`,
    };
  },
};

type ToolResult = Extract<Message, { role: 'tool_result' }>;

/** Results behind the last reply; messages that were put behind them do not matter. */
function lastResults(messages: readonly Message[]): ToolResult[] {
  const reply = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(reply + 1).filter((message): message is ToolResult => message.role === 'tool_result');
}
