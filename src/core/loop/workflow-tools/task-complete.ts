// task_complete: a child reports that its work is done, with its outcome. The run ends after the batch (SUB-11).
import { defined } from '@holdfast/base/defined';
import { type Json, isRecord } from '@holdfast/base/json';
import type { Completion } from '@holdfast/vocabulary/run-result';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import type { WorkflowTool } from '../effects.ts';

export const taskComplete: WorkflowTool = {
  name: 'task_complete',
  run(args, { session }) {
    if (session.state.run?.completion) {
      return { text: 'Acknowledged, and ignored: the task was completed before, and the first word counts.' };
    }
    const completion = completionOf(args);
    if (!completion) return failWith(expected);
    session.record({ type: 'task_completed', completion });
    return { text: `Recorded as ${completion.status}.` };
  },
};

const expected =
  'Not recorded: expected {status: "completed" or "failed", summary, files_modified?, tests_run?, caveats?}.';

function completionOf(args: Json): Completion | undefined {
  if (!isRecord(args)) return undefined;
  const { status, summary, files_modified: files, tests_run: tests, caveats } = args;
  if ((status !== 'completed' && status !== 'failed') || typeof summary !== 'string') return undefined;
  return defined({
    status,
    summary,
    files_modified: Array.isArray(files) ? files.filter((file) => typeof file === 'string') : undefined,
    tests_run: Array.isArray(tests) ? tests.filter((test) => typeof test === 'string') : undefined,
    caveats: typeof caveats === 'string' ? caveats : undefined,
  });
}
