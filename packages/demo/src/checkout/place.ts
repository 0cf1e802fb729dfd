// The place of a running incident, noted in its folder, so that a worker in another process finds it. Node.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const PlaceSchema = z.strictObject({
  /** The incident's own folder: notes and the ledger, hidden from the agent. */
  dir: z.string(),
  /** Open to the agent: logs, configuration, deploy log. */
  systemDir: z.string(),
  urls: z.strictObject({ shop: z.string(), payments: z.string() }),
});
export type IncidentPlace = z.infer<typeof PlaceSchema>;

const placePath = (dir: string): string => join(dir, 'incident.json');

export async function writePlace(place: IncidentPlace): Promise<IncidentPlace> {
  await writeFile(placePath(place.dir), JSON.stringify(place, null, 2));
  return place;
}

/** Throws if no incident was started in the folder. */
export function readPlace(dir: string): IncidentPlace {
  return PlaceSchema.parse(JSON.parse(readFileSync(placePath(dir), 'utf8')));
}

/** One JSON line per execution of rollback_config, written outside of Temporal, so that it can be counted. */
export const ledgerPath = (dir: string): string => join(dir, 'rollback-ledger.jsonl');
/** While this file exists, rollback_config waits after its effect and before it answers. */
export const holdPath = (dir: string): string => join(dir, 'hold-rollback');
