// Small words of the wire checks.

export type WireObject = Record<string, unknown>;

/** A complaint of the checks; any other error is a fault of theirs. */
export class Refusal extends Error {}

export function demand(condition: boolean, complaint: string): asserts condition {
  if (!condition) throw new Refusal(complaint);
}

export function onlyKeys(object: WireObject, allowed: string[], where = ''): void {
  for (const key of Object.keys(object)) {
    demand(allowed.includes(key), `${where}${key}: Extra inputs are not permitted`);
  }
}

export function listOf(value: unknown, where: string): WireObject[] {
  demand(Array.isArray(value), `${where}: Input should be a valid array`);
  return value as WireObject[];
}

export function filled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Servers such as vLLM parse the arguments that they are sent, and refuse what is no object. */
export function isJsonObject(value: unknown): boolean {
  try {
    return isObject(JSON.parse(String(value)));
  } catch {
    return false;
  }
}

export const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
