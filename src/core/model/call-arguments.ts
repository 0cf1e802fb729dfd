// What a prepared call runs with. Pure.
import type { Json } from '../base/json.ts';
import type { ToolCallPart } from './messages.ts';

/** `prepared` where preparation changed something; else the model's own text, which preparation has parsed before. */
export function argumentsOf({ arguments: text }: ToolCallPart, prepared: Json | undefined): Json {
  return prepared ?? (JSON.parse(text) as Json);
}
