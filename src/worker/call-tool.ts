// One call of a tool as a session would make it: with the policy, approvals, redaction and limits of this configuration. A
// run in this process, whose model is a function that makes the call; nothing of it is kept.
import type { Config } from '../config/config.ts';
import { type ToolResultMessage, noUsage } from '@holdfast/vocabulary/messages';
import type { ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';
import { carryOut, requests } from '../core/session/requests.ts';
import type { Session } from '../core/session/session.ts';
import { LocalEffects } from '../in-process/local-effects.ts';
import { createMemoryArtifactStore } from '../in-process/memory-artifact-store.ts';
import { MemoryHost, runInMemory } from '../in-process/memory-host.ts';
import { composeActivities } from './compose-activities.ts';
import type { CallToExplain } from './explain-call.ts';

const actor = 'command line';

/** Answers a call that asks. */
type Approve = (call: PendingApproval) => Promise<boolean>;

/** The result as the model would read it; undefined if the run had none. Throws a ConfigError for an unknown agent or mode. */
export async function makeToolCall(
  config: Config,
  { tool, args, input: given }: CallToExplain,
  approve: Approve,
): Promise<ToolResultMessage | undefined> {
  const input: SessionInput = { ...given, prompt: `Call ${tool}.`, tools: [tool] };
  const { activities, checkInput, close } = await composeActivities({
    config,
    artifacts: createMemoryArtifactStore(),
    play: {
      script: { name: tool, steps: [] },
      call: (request) => Promise.resolve(reply(request, tool, args)),
    },
  });
  const asked = new Set<string>();
  const answer = (session: Session): void => {
    for (const call of session.approvals.pending) {
      if (asked.has(call.id)) continue;
      asked.add(call.id);
      void approve(call).then((isApproved) => {
        const decision = { id: call.id, approve: isApproved, actor, argsDigest: call.argsDigest };
        carryOut(session, requests.resolveApproval(session, decision));
      });
    }
    // nobody answers here
    if (session.questions.pending.length > 0) session.cancel();
  };
  try {
    checkInput(input);
    let ran: Session | undefined;
    await runInMemory(input, (begun) => {
      const host = new MemoryHost(begun, { id: 'tool', changed: answer });
      ran = host.session;
      return { session: host.session, effects: new LocalEffects(host, activities, new Map()) };
    });
    return ran?.state.log.records.find((record) => record.role === 'tool_result');
  } finally {
    await close();
  }
}

/** The call, and after its result the end. */
function reply({ messages, model }: ModelRequest, name: string, args: string): ModelReply {
  const isFirst = messages.every(({ role }) => role !== 'tool_result');
  const call = { type: 'tool_call' as const, callId: 'call_1', name, arguments: args };
  const message = { role: 'assistant' as const, model, usage: noUsage };
  return isFirst
    ? { message: { ...message, content: [call], stopReason: 'tool_use' } }
    : { message: { ...message, content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' } };
}
