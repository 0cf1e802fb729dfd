// Notes of agents in a config file. Runs where a process starts.
import { z } from 'zod';
import type { Output } from '../../core/base/schema-output.ts';
import { postgresSettings } from './memory.schema.ts';

export const notesSchema = z
  .strictObject({
    /** Folder of the notes, which later sessions read too. The path starts at the config file. */
    folder: z.string().min(1).exactOptional(),
    /** The PostgreSQL database of the notes, for workers of many hosts. */
    postgres: postgresSettings.exactOptional(),
  })
  .refine(
    ({ folder, postgres }) => folder === undefined || postgres === undefined,
    'expected one of folder and postgres',
  );
/** The place of the notes that agents write; `{}`: each session has its own. */
export type NotesConfig = Output<typeof notesSchema>;
