// Memory, and the notes of agents, in a config file. Runs where a process starts.
import { z } from 'zod';
import type { PostgresSettings } from '../../activities/storage/postgres-settings.ts';
import type { Embed } from '../../activities/notes/ranking.ts';
import type { Infer } from '@holdfast/base/schema-output';
import { functionOf } from './own-code.schema.ts';
import { isUnknownKind, kindsOfText } from '../../activities/notes/to-markdown.ts';
import { modelNameSchema } from '../../core/agent/agent-spec.schema.ts';

// its type is with the store, whose code no config loads
const postgresSettings: z.ZodType<PostgresSettings> = z.strictObject({
  url: z
    .string()
    .regex(/^(postgres(ql)?|secret):\/\//, 'expected postgres://user@host:5432/database, or secret://name'),
  password: z.string().startsWith('secret://', 'expected a reference, secret://name').exactOptional(),
});
const postgresSchema = z.strictObject({
  /** The PostgreSQL database of the index. */
  postgres: postgresSettings,
});

export const memorySchema = z.strictObject({
  /** Folder of the files. Default: that of the config file. */
  dir: z.string().min(1).exactOptional(),
  /**
   * The indexed files in it: names, and patterns such as `runbooks/**`, which mean Markdown, text, rst, adoc and HTML; YAML
   * and JSON are meant by patterns that end so, `rules/*.yaml`. Default MEMORY.md, AGENTS.md and HEARTBEAT.md.
   */
  files: z
    .array(
      z
        .string()
        .regex(
          /^(?![/\\])(?!.*(^|[/\\])\.\.([/\\]|$)).+$/,
          'expected a file of memory.dir, or a pattern such as runbooks/**, without ".."',
        )
        .refine((name) => !isUnknownKind(name), `expected text of a kind that memory reads: ${kindsOfText}`),
    )
    .exactOptional(),
  /** The index: `sqlite` (default) for workers of one host, in `.holdfast/memory.db`; a database for those of many. */
  store: z.union([z.literal('sqlite'), postgresSchema]).exactOptional(),
  /**
   * Search by meaning: `<provider>:<model id>` of a provider with OpenAI's endpoint for embeddings, or a function that
   * makes one vector for each text. Called at worker start, for each run, and by search_memory.
   */
  embed: z.union([modelNameSchema, functionOf<Embed>()]).exactOptional(),
});
/** The memory that agents keep from run to run; `{}` gives the defaults. */
export type MemoryConfig = Infer<typeof memorySchema>;

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
export type NotesConfig = Infer<typeof notesSchema>;
