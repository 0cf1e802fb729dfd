// A model call as data: the request that the core describes and the reply that it needs.
// Providers (activities/model/providers) turn it into a vendor's wire format and back.
import type { Json } from '../base/json.ts';
import type { AssistantMessage, Message, ModelRef } from './messages.ts';
import type { ToolDefinition } from './tool-spec.ts';

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];
export type ToolChoice = 'auto' | 'none';
/** What a model call is for; usage and cost are kept per purpose. */
export type ModelPurpose = 'main' | 'condense' | 'extract' | 'planner' | 'policy';

/** One request, independent of the provider. `messages` is a repaired view: every call answered, none empty. */
export type ModelRequest = {
  model: ModelRef;
  systemPrompt: string;
  messages: Message[];
  /** Empty: the request has no tools field. */
  tools: ToolDefinition[];
  toolChoice: ToolChoice;
  maxResponseTokens: number;
  thinkingLevel: ThinkingLevel;
  temperature?: number;
  headers?: Record<string, string>;
  /** JSON Schema that the text of a reply without calls follows. */
  outputSchema?: { [key: string]: Json };
  /** For logs and the scripted model's place in its script; never sent to a vendor. */
  metadata: {
    sessionId: string;
    /** Name of its agent. */
    agent: string;
    runId: string;
    turn: number;
    attempt: number;
    purpose: ModelPurpose;
    /** The session may have had messages that are not among these: since the view was condensed, or by a projection. */
    viewIsCut?: true;
  };
};

/** A piece of a reply as it streams. Deltas reach people, never history. */
export type ModelDelta =
  | {
      /** More text. */
      type: 'text';
      /** The piece. */
      text: string;
    }
  | {
      /** More thinking. */
      type: 'thinking';
      /** The piece. */
      text: string;
    }
  | {
      /** A call, or more of its arguments. */
      type: 'tool_call';
      /** Id of the call. */
      callId: string;
      /** Name of the tool. */
      name: string;
      /** The piece of its JSON text. */
      argumentsDelta: string;
    };

export type ModelReply = {
  message: AssistantMessage;
  /** A stop reason that no row knows, as the provider called it: content decides, and the log names it. */
  unknownStop?: string;
};
