// `--only report`: memory that completing the report of a long session takes, over that of a short one. Each in a process
// of its own.
import { askChild } from './ask-child.ts';
import { exactly, type Figure, kib } from './figures.ts';
import type { Bench } from './row.ts';

/** As the results of `read` and `bash` at their limit. */
export const resultCharacters = 16_000;
export const segmentTurns = 100;
const [fewTurns, manyTurns] = [300, 3_003];

type Memory = { before: number; peak: number };

export async function measureReportMemory({ dir }: Pick<Bench, 'dir'>): Promise<Figure[]> {
  const megabytes = async (turns: number): Promise<number> => {
    await askChild<string>('report-memory-child.ts', ['write', dir, String(turns)]);
    const { before, peak } = await askChild<Memory>('report-memory-child.ts', [
      'complete',
      dir,
      String(turns),
    ]);
    return kib(peak - before) / 1024;
  };
  const [few, many] = [await megabytes(fewTurns), await megabytes(manyTurns)];
  return [
    {
      name: 'report.memory',
      what: `peak of completing a report of ${manyTurns} turns with results of ${resultCharacters} characters`,
      unit: 'MiB',
      value: exactly(many),
      detail: `${few.toFixed(0)} MiB with ${fewTurns} turns`,
    },
  ];
}
