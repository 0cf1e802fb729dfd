// Prompt templates: fixed text with placeholders for a user's input. The input is data: it is marked, and cannot end
// its own marks. Pure.
import { markUntrusted } from './untrusted.ts';

const tag = 'untrusted_input';

/**
 * Replaces `$1` to `$N` by the inputs and `$ARGUMENTS` by all of them, each in its own block; a missing input gives an
 * empty block. One pass: a `$2` inside an input stays unchanged.
 */
export function expandTemplate(template: string, inputs: readonly string[]): string {
  return template.replaceAll(/\$(?:([1-9]\d*)(?!\d)|ARGUMENTS\b)/g, (_, place?: string) =>
    markUntrusted(tag, place === undefined ? inputs.join(' ') : (inputs[Number(place) - 1] ?? '')),
  );
}
