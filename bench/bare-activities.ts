// The bare workflow's two activities: answers of the same shape and size as a session's, and no work behind them.
import { startHeartbeat } from '../src/activities/heartbeat.ts';
import type { CallModelInput, ToolCallInput } from '../src/core/model/activity-contracts.ts';
import type { CallModelResult, ToolCallResult } from '../src/core/model/call-results.ts';
import type { AssistantMessage, ToolResultMessage } from '../src/core/model/messages.ts';
import { argumentsOf, callIdOf, replyOf, toolName, toolText } from './content.ts';
import type { Pace } from './pace.ts';

export type BareMessage = AssistantMessage | ToolResultMessage;

export type BareActivities = {
  bareModel(input: CallModelInput & { turns: number }): Promise<CallModelResult>;
  bareTool(input: ToolCallInput): Promise<ToolCallResult>;
};

const digest = '0123456789abcdef'.repeat(4);

export function createBareActivities(pace: Pace): BareActivities {
  return {
    bareModel: ({ sessionId, turn, turns }) =>
      withHeartbeat(async () => {
        await pace.reach(sessionId, turn);
        const message = replyOf(turn, turns);
        const ready = { status: 'ready', effect: 'read', decision: 'allow', argsDigest: digest } as const;
        const summary = `${toolName} ${argumentsOf(turn)}`;
        const calls = turn > turns ? [] : [{ ...ready, callId: callIdOf(turn), summary }];
        return { message, digest, calls, costUsd: 0 };
      }),
    bareTool: ({ callId, turn }) =>
      withHeartbeat(async () => {
        const content = [{ type: 'text' as const, text: toolText(turn) }];
        return { message: { role: 'tool_result', callId, toolName, content, isError: false }, digest };
      }),
  };
}

/** The heartbeats that a session's activities have. */
async function withHeartbeat<Result>(body: () => Promise<Result>): Promise<Result> {
  const heartbeat = startHeartbeat(() => ({ attempt: 1 }));
  try {
    return await body();
  } finally {
    heartbeat.stop();
  }
}
