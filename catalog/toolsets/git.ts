// Readers of what git prints, after a line about history that is cut off. Pure.
import { answer, type Reader, type SourceAnswer } from '@holdfast/sources/source-answer';

/** `shallow` with the oldest commits of a clone that has no more, then the answer. */
function historyOf(said: string, toRows: (rest: string) => Parameters<typeof answer>[0]): SourceAnswer {
  const [line = '', edge] = /^shallow (.*)\n?/.exec(said) ?? [];
  const gap =
    edge !== undefined &&
    `shallow clone: history begins at ${edge.trim()}, which looks as if it had added every file; older commits are not here`;
  const rows = toRows(said.slice(line.length));
  return answer(rows, { gaps: [gap] });
}

export const history: Reader = (said) => historyOf(said, (rest) => [rest.trim() === '' ? '' : rest]);

/** A row for each commit. */
export const commits: Reader = (said) => historyOf(said, (rest) => rest.split(/\n(?=commit [\da-f]{7,})/));

/** Time, author, commit and subject, with tabs between them. */
export const changes: Reader = (said) =>
  historyOf(said, (rest) =>
    rest.split('\n').map((line) => {
      const [at = '', who = '', id = '', ...subject] = line.split('\t');
      return at !== '' && { at, who, id, what: subject.join(' ') || '(no subject)' };
    }),
  );
