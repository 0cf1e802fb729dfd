// Tools that run inside the workflow: they change the session's own state, or wait for something that only the
// workflow can wait for. The executor looks them up in a table and knows none of them (TOOL-17).
import { argumentsOf } from '../../model/tool-spec.ts';
import type { BatchCall, ToolAnswer } from '../../model/agent-state.ts';
import type { AgentStore } from '../../session/agent-store.ts';
import type { Json } from '../../base/json.ts';
import type { ToolResultMessage } from '../../model/messages.ts';

export type WorkflowToolOutcome = Pick<ToolAnswer, 'terminate'> & {
  text: string;
  isError?: boolean;
  details?: Json;
};

/** `state` is the newest at every read; what a tool changes it records as a fact. */
export type WorkflowToolContext = { callId: string; store: Pick<AgentStore, 'state' | 'record'> };

export type WorkflowTool = {
  name: string;
  /**
   * Deterministic. `args` passed the tool's schema on a worker; a recording's own tools take any, so it is looked at
   * again. A throw is a failed tool.
   */
  run(args: Json, context: WorkflowToolContext): WorkflowToolOutcome | Promise<WorkflowToolOutcome>;
};

export type WorkflowTools = ReadonlyMap<string, WorkflowTool>;

/** By the table; also by the spec, whose body a newer or older workflow may lack. */
export function runsInWorkflow({ state }: AgentStore, tools: WorkflowTools, { call }: BatchCall): boolean {
  const spec = state.context?.tools.find(({ name }) => name === call.name);
  return tools.has(call.name) || spec?.runsIn === 'workflow';
}

/** Never throws: what goes wrong is an answer. */
export async function runWorkflowTool(
  store: AgentStore,
  tools: WorkflowTools,
  { call, prepared }: BatchCall,
): Promise<ToolAnswer> {
  const tool = tools.get(call.name);
  if (!tool || prepared.status !== 'ready') return toAnswer(call, failed(`Unknown tool ${call.name}`));
  try {
    return toAnswer(call, await tool.run(argumentsOf(call, prepared.args), { callId: call.callId, store }));
  } catch (error) {
    return toAnswer(call, failed(error instanceof Error ? error.message : String(error)));
  }
}

function failed(text: string): WorkflowToolOutcome {
  return { text, isError: true };
}

function toAnswer(
  { callId, name }: BatchCall['call'],
  { text, isError = false, details, terminate }: WorkflowToolOutcome,
): ToolAnswer {
  const message: ToolResultMessage = {
    ...{ role: 'tool_result', callId, toolName: name, content: [{ type: 'text', text }], isError },
    ...(details === undefined ? {} : { details }),
  };
  return { message, ...(terminate ? { terminate } : {}) };
}
