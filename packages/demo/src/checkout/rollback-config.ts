// The incident's own tool, registered as any user would: puts a service's previous configuration back and reloads
// it. Its effect must not happen twice, so it is `once`: a lost worker makes its outcome unknown. Worker.
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../../src/config/define-config.ts';
import { reload, writeRollback } from './deploys.ts';
import { holdPath, ledgerPath, type IncidentPlace } from './place.ts';

/** `rollback_config` for the incident at this place. */
export function createRollbackConfig(place: IncidentPlace) {
  return defineTool({
    name: 'rollback_config',
    label: 'Roll back',
    description:
      'Undoes the latest deploy of a service: puts its previous configuration back and has the service read it. Changes the running system.',
    input: z.strictObject({
      service: z
        .enum(['shop', 'payments'])
        .describe('The service whose configuration goes back one version.'),
      deploy: z
        .string()
        .regex(/^d-\d+$/)
        .describe('The id of the deploy to undo, e.g. d-4130. Refused when the service runs another one.'),
    }),
    effect: 'once',
    timeoutMs: 30_000,
    summaryArguments: ['service', 'deploy'],
    run: async ({ service, deploy }, context) => {
      try {
        await noteExecution(place, context);
        const previous = await writeRollback(place.systemDir, service, deploy, 'holdfast');
        await reload(place.urls[service]);
        await holdWhileAsked(place, context);
        return {
          text: `Rolled back ${service}: ${deploy} -> ${previous}. The service has read its configuration again.`,
        };
      } catch (error) {
        return { text: error instanceof Error ? error.message : String(error), isError: true };
      }
    },
  });
}

async function noteExecution(
  { dir }: IncidentPlace,
  { sessionId, callId, attempt }: ToolContext,
): Promise<void> {
  const line = { at: new Date().toISOString(), sessionId, callId, attempt, pid: process.pid };
  await appendFile(ledgerPath(dir), `${JSON.stringify(line)}\n`);
}

/** For the demo's `--crash`: holds the moment between the effect and its report open for a kill. */
async function holdWhileAsked({ dir }: IncidentPlace, { signal }: ToolContext): Promise<void> {
  if (!existsSync(holdPath(dir))) return;
  await appendFile(`${holdPath(dir)}.reached`, `${process.pid}\n`);
  while (existsSync(holdPath(dir)) && !signal.aborted) await sleep(50);
}
