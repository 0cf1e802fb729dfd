// After the tests: the history of every execution that they have left on the suite's server replays.
import { Client, type Connection } from '@temporalio/client';
import * as workflows from '../../../src/workflows/index.ts';
import { connectClient } from '../../../src/config/temporal-connection.ts';
import { installRuntime } from '../../../src/worker/telemetry/install-runtime.ts';
import { brokenPrefix, type Execution, replayExecutions } from '../replayed.ts';
import { workerLog } from '../worker-log.ts';

/** Parents and strangers of the tests have other types. */
const ownTypes = new Set(Object.keys(workflows));

export async function replaySuite(address: string): Promise<void> {
  installRuntime(workerLog());
  const connection = await connectClient({ address, namespace: 'default' });
  try {
    const { count, misfits } = await replayExecutions(new Client({ connection }), listAll(connection));
    process.stderr.write(`Replayed the histories of ${count} executions: ${misfits.length} do not fit.\n`);
    if (misfits.length > 0) throw new Error(`No worker could go on with\n${misfits.join('\n')}`);
  } finally {
    await connection.close();
  }
}

/** Without decoding, because some are encrypted. */
async function* listAll({ workflowService }: Connection): AsyncIterable<Execution> {
  let nextPageToken = new Uint8Array();
  do {
    const request = { namespace: 'default', nextPageToken };
    const page = await workflowService.listWorkflowExecutions(request);
    for (const { execution, type } of page.executions) {
      const [workflowId, runId] = [execution?.workflowId ?? '', execution?.runId ?? ''];
      if (ownTypes.has(type?.name ?? '') && !workflowId.startsWith(brokenPrefix)) yield { workflowId, runId };
    }
    nextPageToken = Uint8Array.from(page.nextPageToken);
  } while (nextPageToken.length > 0);
}
