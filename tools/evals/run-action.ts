// The tool run_action of the evaluations: one change of the system of an incident. Worker.
import { z } from 'zod';
import { defineTool } from '../../src/config/define-config.ts';

/** `url` is the action server's. */
export function createRunAction(url: string) {
  const post = (path: string, body: object, signal: AbortSignal): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), signal });
  return defineTool({
    name: 'run_action',
    label: 'Action',
    description:
      'Changes the running system by one of the actions that the task names, such as a rollback or a restart.',
    input: z.strictObject({
      action: z.string().min(1).describe('Name of the action, as the task gives it.'),
      target: z.string().min(1).describe('What it is done to: a service, a deploy, a job.'),
    }),
    effect: 'once',
    timeoutMs: 30_000,
    summaryArguments: ['action', 'target'],
    run: async (input, { idempotencyKey, signal }) => {
      const response = await post('/run', { key: idempotencyKey, ...input }, signal);
      return { text: await response.text(), isError: !response.ok };
    },
    reconcile: async (_input, { idempotencyKey, signal }) => {
      const response = await post('/executed', { key: idempotencyKey }, signal);
      return response.ok ? { happened: true, text: await response.text() } : { happened: false };
    },
  });
}
