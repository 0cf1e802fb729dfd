// The name of a model, `<provider>:<model id>`: one rule for config, agent, start input, signal, command line and
// environment. Pure.
import type { ModelRef } from './messages.ts';

export const expectedModelName = '"<provider>:<model id>", for example "anthropic:claude-sonnet-5-5"';
export const expectedProviderName = 'a name of letters, digits, ".", "_" and "-", for example "llama.cpp"';

/** Undefined for any other text. The provider ends at the first colon; a model id may have more colons. */
export function parseModelName(name: string): ModelRef | undefined {
  const colon = name.indexOf(':');
  const provider = name.slice(0, Math.max(0, colon));
  const id = name.slice(colon + 1);
  return isProviderName(provider) && /^\S+$/.test(id) ? { provider, id } : undefined;
}

export function isProviderName(name: string): boolean {
  return /^[a-zA-Z0-9][\w.-]*$/.test(name);
}

export function toModelName({ provider, id }: ModelRef): string {
  return `${provider}:${id}`;
}

export function isSameModel(left: ModelRef, right: ModelRef | undefined): boolean {
  return left.provider === right?.provider && left.id === right.id;
}

/** A provider's name as part of an environment variable: `llama.cpp` is `LLAMA_CPP`, `Groq` is `GROQ`. */
export function toVariablePrefix(provider: string): string {
  return provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}
