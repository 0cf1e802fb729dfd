// States made by the real loop: the fixtures under test/fixtures/state.
import { stateVersion } from '@holdfast/vocabulary/agent-state';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { calls, fails, gate, inTurn, says } from './memory-model.ts';
import { MemorySession } from './memory-session.ts';

/** By the name of their fixture. */
export async function sampleStates(): Promise<Record<string, AgentState>> {
  return {
    [`v${stateVersion}-open-batch`]: await openBatch(),
    [`v${stateVersion}-condensed`]: await condensed(),
    [`v${stateVersion}-failed`]: await failed(),
  };
}

/** Two of three calls answered, a message waiting for the next turn to come. */
async function openBatch(): Promise<AgentState> {
  const slow = gate<string>();
  const session = new MemorySession({
    model: inTurn(calls('a', 'b:slow', 'c')),
    tools: { echo: ({ callId }) => `result of ${callId}`, slow: () => slow.promise },
  });
  session.prompt('Look into it.');
  void session.run();
  await session.until(() => (session.state.run?.batch ?? []).filter(({ answer }) => answer).length === 2);
  return asJson(session.state);
}

async function condensed(): Promise<AgentState> {
  const large = { usage: { input: 900, cacheRead: 0, cacheWrite: 0, output: 5 } };
  const session = new MemorySession({
    model: inTurn(calls('a'), calls('b'), { ...calls('c'), ...large }, says('done')),
    tools: { echo: ({ callId }) => `result of ${callId}` },
    settings: { model: { contextWindow: 1_000, maxResponseTokens: 100 } },
  });
  await session.ask('Look into it.');
  return asJson(session.state);
}

async function failed(): Promise<AgentState> {
  const session = new MemorySession({
    model: inTurn(calls('a'), fails('Model.NotFound')),
    tools: { echo: ({ callId }) => `result of ${callId}` },
  });
  await session.ask('Look into it.');
  return asJson(session.state);
}

function asJson(state: AgentState): AgentState {
  return JSON.parse(JSON.stringify(state)) as AgentState;
}
