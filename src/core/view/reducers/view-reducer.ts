// One way to make old tool results shorter in the view. The log keeps them whole; what a reducer has changed in an
// epoch of the view it changes in every request of that epoch, and nothing more. Pure.
import type { AgentState } from '../../model/agent-state.ts';
import type { ToolCallPart, ToolResultMessage } from '../../model/messages.ts';

export type ViewReducer<Params extends object> = {
  /** The defaults: also which parameters there are. All are numbers above 0. */
  defaults: Params;
  /** Last seq of the log that may be made shorter now; `inputTokens` is the size of the next request as it stands. */
  reach(state: AgentState, params: Params, inputTokens: number): number | undefined;
  /** What stands in place of a result. `call` is what it answers, where the view has it. */
  apply(result: ToolResultMessage, params: Params, call: ToolCallPart | undefined): ToolResultMessage;
};

/** The same message with another text; its pictures stay where `keepsImages`. */
export function withText(result: ToolResultMessage, text: string, keepsImages = false): ToolResultMessage {
  const images = keepsImages ? result.content.filter((part) => part.type === 'image') : [];
  return { ...result, content: [{ type: 'text', text }, ...images] };
}
