// Memory in a config file. Runs where a process starts.
import { z } from 'zod';
import type { MemoryConfig } from '../define-config.ts';
import { functionOf } from './own-code.schema.ts';

const postgresSchema = z.strictObject({
  postgres: z.strictObject({
    url: z
      .string()
      .regex(/^(postgres(ql)?|secret):\/\//, 'expected postgres://user@host:5432/database, or secret://name'),
    password: z.string().startsWith('secret://', 'expected a reference, secret://name').exactOptional(),
  }),
});

export const memorySchema = z.strictObject({
  dir: z.string().min(1).exactOptional(),
  files: z
    .array(z.string().regex(/^[^/\\]+$/, 'expected the name of a file in memory.dir, without a folder'))
    .exactOptional(),
  store: z.union([z.literal('sqlite'), postgresSchema]).exactOptional(),
  embed: functionOf<NonNullable<MemoryConfig['embed']>>().exactOptional(),
});
