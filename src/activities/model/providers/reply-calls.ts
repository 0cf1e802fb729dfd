// The tool calls of one reply. A call that the stream lists again under the id that it has is one call. Calls that
// differ are two, though some servers give both one id: then the second gets its own (MSG-09).
import { isDeepStrictEqual } from 'node:util';
import type { AssistantContent, ToolCallPart } from '../../../core/model/messages.ts';
import type { ModelDelta, ModelRequest } from '../../../core/model/model-call.ts';
import { freshCallId, takenIds } from './fresh-call-id.ts';
import type { TakenIds } from './fresh-call-id.ts';
import { parseObject } from './wire-arguments.ts';

export type ReplyCalls = {
  taken: TakenIds;
  /** By part: the provider's id of each call that has begun. */
  wireIds: Map<AssistantContent, string | null | undefined>;
};

export function startCalls(request: ModelRequest): ReplyCalls {
  return { taken: takenIds(request), wireIds: new Map() };
}

/** A call whose id the reply has already is held: it has no id until `settleCalls`, and is not shown before. */
export function beginCall(
  { taken, wireIds }: ReplyCalls,
  wireId: string | null | undefined,
  name: string | null | undefined,
): ToolCallPart {
  const isHeld = Boolean(wireId) && [...wireIds.values()].includes(wireId);
  const callId = isHeld ? '' : freshCallId(wireId, name, taken);
  const part: ToolCallPart = { type: 'tool_call', callId, name: name ?? '', arguments: '' };
  wireIds.set(part, wireId);
  return part;
}

/** A piece of a call's arguments, for watchers. */
export function showCall(
  { callId, name }: ToolCallPart,
  argumentsDelta: string,
  onDelta: (delta: ModelDelta) => void,
): void {
  if (callId !== '') onDelta({ type: 'tool_call', callId, name, argumentsDelta });
}

/** The content with each call once. The arguments must be whole. */
export function settleCalls(
  content: AssistantContent[],
  { taken, wireIds }: ReplyCalls,
  onDelta: (delta: ModelDelta) => void,
): AssistantContent[] {
  const settled: AssistantContent[] = [];
  for (const part of content) {
    if (part.type === 'tool_call' && part.callId === '') {
      const wireId = wireIds.get(part);
      if (settled.some((other) => wireIds.get(other) === wireId && isSameCall(other, part))) continue;
      part.callId = freshCallId(undefined, part.name, taken);
      showCall(part, part.arguments, onDelta);
    }
    settled.push(part);
  }
  return settled;
}

function isSameCall(other: AssistantContent, part: ToolCallPart): boolean {
  if (other.type !== 'tool_call' || other.name !== part.name) return false;
  return (
    other.arguments === part.arguments ||
    (parseObject(part.arguments) !== undefined &&
      isDeepStrictEqual(parseObject(other.arguments), parseObject(part.arguments)))
  );
}
