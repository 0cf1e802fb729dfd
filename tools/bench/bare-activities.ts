// The bare workflow's two activities: answers of the same shape and size as a session's, and no work behind them.
import { startHeartbeat } from '../../src/activities/base/heartbeat.ts';
import type { CallModelInput, ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import type { CallModelResult, ToolCallResult } from '@holdfast/vocabulary/call-results';
import type { AssistantMessage, ToolResultMessage } from '@holdfast/vocabulary/messages';
import { toCallId, replyOf, toolName, toolText } from './content.ts';
import type { Pace } from './pace.ts';

export type BareMessage = AssistantMessage | ToolResultMessage;

export type BareActivities = {
  bareModel(input: CallModelInput): Promise<CallModelResult>;
  bareTool(input: ToolCallInput): Promise<ToolCallResult>;
};

/** As long as a session's digest. */
const digest = '0123456789abcdef'.repeat(2);

/** `turnsOf` tells the model when to answer, so that no input carries it: a session's does not either. */
export function createBareActivities(pace: Pace, turnsOf: ReadonlyMap<string, number>): BareActivities {
  return {
    bareModel: ({ sessionId, turn }) =>
      withHeartbeat(async () => {
        await pace.reach(sessionId, turn);
        const turns = turnsOf.get(sessionId) ?? 0;
        const message = replyOf(turn, turns);
        const ready = { status: 'ready', effect: 'read', decision: 'allow', argsDigest: digest } as const;
        const summary = `${toolName} ${turn}`;
        const calls = turn > turns ? [] : [{ ...ready, callId: toCallId(turn), summary }];
        return { message, digest, calls, costUsd: 0 };
      }),
    bareTool: ({ callId, turn }) =>
      withHeartbeat(async () => {
        const began = performance.now();
        const content = [{ type: 'text' as const, text: toolText(turn) }];
        const message = { role: 'tool_result', callId, toolName, content, isError: false } as const;
        // as large as with the name under which a session stores the whole text
        const ran = { endedAt: Date.now(), ms: Math.round(performance.now() - began) };
        return { message: { ...message, artifactId: `tool-${callId}` }, digest, ran };
      }),
  };
}

/** Sends the heartbeats of a session's activities. */
async function withHeartbeat<Result>(body: () => Promise<Result>): Promise<Result> {
  const heartbeat = startHeartbeat(() => ({ attempt: 1 }));
  try {
    return await body();
  } finally {
    heartbeat.stop();
  }
}
