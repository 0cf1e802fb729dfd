// The start of a session as people see it before any worker has it: in the Temporal UI, and in lists. Pure.
import { cutText, cutToJsonBytes } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';

const memoCharacters = 200;
/** The server refuses a static summary over 400 bytes, encoded. Encryption adds about 60. */
const summaryBytes = 380;
const encryptedSummaryBytes = 320;

export function shownStart(task: string, labels: Record<string, string> | undefined, encrypted = false) {
  return {
    staticSummary: cutToJsonBytes(
      task.trim().split('\n')[0] ?? '',
      encrypted ? encryptedSummaryBytes : summaryBytes,
    ),
    memo: defined({ task: cutText(task, memoCharacters, ''), labels }),
  };
}
