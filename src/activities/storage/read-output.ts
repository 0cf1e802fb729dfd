// What a run's result says of its messages, read from the log where the workflow no longer holds them all. Runs in Node.
import type { ReadOutputInput } from '../../core/model/activity-contracts.ts';
import { runOutputOf } from '../../core/state/run-outcome.ts';
import type { RunOutput } from '../../core/model/run-result.ts';
import { createOwnWorkflow } from '../context/own-workflow.ts';
import type { Transcripts } from '../context/transcript.ts';

type Deps = { transcripts: Pick<Transcripts, 'readLog'> };

export function createReadOutput({ transcripts }: Deps): (input: ReadOutputInput) => Promise<RunOutput> {
  return async function readOutput({ sessionId, status, ...range }) {
    return runOutputOf(await transcripts.readLog(sessionId, range, createOwnWorkflow()), range, status);
  };
}
