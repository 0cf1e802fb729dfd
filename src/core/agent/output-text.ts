// The reminder for a model whose answer does not follow the outputSchema of its run. Pure.
import type { JsonSchema } from '@holdfast/base/json';
import { jsonBytes } from '@holdfast/base/sizes';

/** A longer schema is not repeated: the request itself has it. */
const shownSchemaBytes = 8 * 1024;

export const noAnswerFault = 'no answer was given';

/** The message that sends an answer back. */
export function outputReminder(faults: readonly string[], schema: JsonSchema): string {
  const lines = [
    'Your final answer must be JSON that follows the schema of this task. It does not yet:',
    ...faults.map((fault) => `- ${fault}`),
    'Answer again with the JSON alone, complete, and without other words.',
  ];
  const shown = jsonBytes(schema) <= shownSchemaBytes ? ['The schema:', JSON.stringify(schema)] : [];
  return [...lines, ...shown].join('\n');
}

export function outputFailure(faults: readonly string[], askedAgain: boolean): string {
  const when = askedAgain ? ', also after it was sent back once' : ', and nothing is left to ask again';
  return `The answer does not follow outputSchema${when}: ${faults.join('; ')}.`;
}
