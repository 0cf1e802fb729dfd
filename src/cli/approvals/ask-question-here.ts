// Asks a question of the agent on the terminal: its options, and the person's own words.
import type { PendingQuestion } from '../../core/model/snapshot.ts';
import { describeQuestion } from '../render/describe-waiting.ts';
import type { ReadLine } from './read-line.ts';

/** Undefined: later, Ctrl-D, or the question was withdrawn. An empty line asks again. */
export async function askQuestionHere(
  readLine: ReadLine,
  pending: PendingQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { options = [] } = pending;
  const hint = options.length > 0 ? 'a number or your own words, l: later' : 'l: later';
  for (;;) {
    const lines = `\n${describeQuestion(pending, Date.now())}`;
    const text = (await readLine(lines, `  Your answer (${hint}): `, signal))?.trim();
    if (text === undefined || /^l(ater)?$/i.test(text)) return undefined;
    const answer = text === '' ? undefined : chosenOption(text, options);
    if (answer !== undefined) return answer;
  }
}

/** The option with that number, as `2` or `2)`, else the text itself; undefined for a number without an option. */
export function chosenOption(text: string, options: readonly string[] = []): string | undefined {
  if (options.length === 0 || !/^\d+[.)]?$/.test(text) || options.includes(text)) return text;
  return options[Number.parseInt(text, 10) - 1];
}
