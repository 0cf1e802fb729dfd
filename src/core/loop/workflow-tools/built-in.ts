// The table of the tools that run in the workflow, and the call of one. Their specs are elsewhere, because they may
// build schemas.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import type { BatchCall, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import type { ToolResultMessage } from '@holdfast/vocabulary/messages';
import type { Session } from '../../session/session.ts';
import { specOf } from '../tool-call.ts';
import type { Effects, WorkflowTool, WorkflowToolOutcome } from '../effects.ts';
import { askHuman } from './ask-human.ts';
import { delegate } from './delegate.ts';
import { hypotheses } from './hypotheses.ts';
import { taskComplete } from './task-complete.ts';
import { loadSkill, loadSkills } from './load-skills.ts';
import { loadTools } from './load-tools.ts';
import { pinFinding } from './pin-finding.ts';
import { updatePlan } from './update-plan.ts';
import { argumentsOf, failWith } from '@holdfast/vocabulary/tool-spec';
import type { FrozenHost } from '@holdfast/vocabulary/hosts';

/** The agents that the session may delegate to. */
const listAgents: WorkflowTool = {
  name: 'list_agents',
  run(_args, { session }) {
    const agents = session.state.context?.agents ?? [];
    return { text: JSON.stringify(agents.map(({ name, description = '' }) => ({ name, description }))) };
  },
};

/** The hosts of the run, in their state at its start. */
const listHosts: WorkflowTool = {
  name: 'list_hosts',
  run(_args, { session }) {
    const hosts = session.state.context?.hosts ?? [];
    return { text: hosts.length === 0 ? 'There are no hosts.' : hosts.map(describeHost).join('\n') };
  },
};

const builtIn: ReadonlyMap<string, WorkflowTool> = new Map(
  [
    askHuman,
    delegate,
    hypotheses,
    listAgents,
    listHosts,
    loadSkill,
    loadSkills,
    loadTools,
    pinFinding,
    taskComplete,
    updatePlan,
  ].map((tool) => [tool.name, tool]),
);

export function runsInWorkflow({ state }: Session, { call }: BatchCall): boolean {
  return specOf(state, call)?.runsIn === 'workflow';
}

/** Never throws: an error becomes an answer. */
export async function runWorkflowTool(
  session: Session,
  effects: Effects,
  { call, prepared }: BatchCall,
): Promise<ToolAnswer> {
  const tool = effects.own?.tools.get(call.name) ?? builtIn.get(call.name);
  if (!tool || prepared.status !== 'ready') return toAnswer(call, failWith(`Unknown tool ${call.name}`));
  try {
    const context = { callId: call.callId, session, effects };
    return toAnswer(call, await tool.run(argumentsOf({ call, prepared }), context));
  } catch (error) {
    return toAnswer(call, failWith(messageOf(error)));
  }
}

function toAnswer(
  { callId, name }: BatchCall['call'],
  { text, isError = false, details, terminate, ran }: WorkflowToolOutcome,
): ToolAnswer {
  const message: ToolResultMessage = {
    role: 'tool_result',
    callId,
    toolName: name,
    content: [{ type: 'text', text }],
    isError,
    ...defined({ details }),
  };
  return defined({ message, terminate: terminate || undefined, ran });
}

function describeHost({ name, description, tools, missing }: FrozenHost): string {
  const what = description === undefined ? name : `${name} (${description})`;
  if (missing !== undefined)
    return `${what}: not there, ${missing}. Nothing can be looked at on it in this run.`;
  return `${what}: ${tools.length === 0 ? 'offers no tools' : tools.join(', ')}`;
}
