// Keeps a question in one piece: lines that come while a person is asked are shown after the answer.
import type { ReadLine } from '../approvals/read-line.ts';

export function createHeldLines(show: (text: string) => void) {
  let held: string[] | undefined;
  const release = (): void => {
    const lines = held ?? [];
    held = undefined;
    if (lines.length > 0) show(lines.join(''));
  };
  return {
    write: (text: string): void => (held ? void held.push(text) : show(text)),
    around:
      (ask: ReadLine): ReadLine =>
      async (lines, question, signal) => {
        held = [];
        // the view closes right after it has withdrawn the question
        signal.addEventListener('abort', release, { once: true });
        try {
          return await ask(lines, question, signal);
        } finally {
          signal.removeEventListener('abort', release);
          release();
        }
      },
  };
}
