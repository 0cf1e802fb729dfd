// The session's workflow as a wrong deploy would have it: other commands, or a task that never ends. By the prompt of its start.
import { sleep } from '@temporalio/workflow';

export async function agentSession({ prompt }: { prompt?: string }): Promise<void> {
  if (prompt !== 'Never end a task.') return sleep(1_000);
  for (;;);
}
