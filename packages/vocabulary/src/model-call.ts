// A model call as data: its request and its reply. Providers (packages/providers/src) turn it into a vendor's wire
// format and back.
import type { Json } from '@holdfast/base/json';
import type { AssistantMessage, Message, ModelRef } from './messages.ts';
import type { ToolDefinition } from './tool-spec.ts';

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];
export type ToolChoice = 'auto' | 'none';
/** The purpose of a model call; usage and cost are kept per purpose. */
export type ModelPurpose = 'main' | 'condense' | 'extract' | 'planner' | 'policy' | 'hook';

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
  /** JSON Schema for the text of a reply without calls. */
  outputSchema?: { [key: string]: Json };
  /** For logs and the scripted model's place in its script; never sent to a vendor. */
  metadata: {
    sessionId: string;
    /** Name of the session's agent. */
    agent: string;
    runId: string;
    turn: number;
    attempt: number;
    purpose: ModelPurpose;
    /** True if the session may have more messages than these: after a condense or a projection. */
    viewIsCut?: true;
  };
};

/** A piece of a reply as it streams. Deltas reach people, never history. */
export type ModelDelta =
  | {
      /** One more piece of text. */
      type: 'text';
      /** Text of the piece. */
      text: string;
    }
  | {
      /** One more piece of thinking. */
      type: 'thinking';
      /** Text of the piece. */
      text: string;
    }
  | {
      /** A call, or more of its arguments. */
      type: 'tool_call';
      /** Id that the model gave the call. */
      callId: string;
      /** Name of the called tool. */
      name: string;
      /** The piece of the arguments' JSON text. */
      argumentsDelta: string;
    };

export type ModelReply = {
  message: AssistantMessage;
  /** A stop reason that no row of the table has, in the provider's words: content decides, and the log names it. */
  unknownStop?: string;
  /** Parts that the server refused for the first time; they are no longer sent. */
  refused?: string[];
};
