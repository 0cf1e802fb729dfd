// Prompt templates: fixed words with places for what a user types. What is typed is data: it is marked, and cannot leave its
// marks. Pure.
import { markUntrusted } from './untrusted.ts';

const tag = 'untrusted_input';

/**
 * `$1` to `$N` become the inputs, `$ARGUMENTS` all of them, each in a block of its own; an input that is not there gives an
 * empty block. One pass: a `$2` inside an input stays as it is.
 */
export function expandTemplate(template: string, inputs: readonly string[]): string {
  return template.replaceAll(/\$(?:([1-9]\d*)(?!\d)|ARGUMENTS\b)/g, (_, place?: string) =>
    markUntrusted(tag, place === undefined ? inputs.join(' ') : (inputs[Number(place) - 1] ?? '')),
  );
}
