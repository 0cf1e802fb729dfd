// The settings of the tool bash in a config file. Runs where a process starts.
import { z } from 'zod';
import { shellChanges } from '../../core/model/frozen-context.ts';
import type { ShellConfig } from '../define-config.ts';

const paths = z.array(z.string().min(1));
const bytes = z.int().min(1024 ** 2, 'expected bytes, at least 1048576');

/** Those by which a program or the shell is made to run something else: what was judged would not be what runs. */
const leading =
  /^(?:PATH|IFS|ENV|BASH.*|SHELLOPTS|PS[0-9]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|LD_.*|GIT_.*|PYTHON.*|PERL.*|NODE_.*|RUBY.*|LESS.*|PAGER|EDITOR|VISUAL|.*_PAGER|.*_EDITOR)$/;
const variableName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'expected the name of a variable')
  .refine(
    (name) => !leading.test(name),
    'can make a command run something else, and is not given to commands',
  );

export const shellSchema: z.ZodType<ShellConfig> = z
  .strictObject({
    changes: z.enum(shellChanges).exactOptional(),
    writable: paths.exactOptional(),
    hidden: paths.exactOptional(),
    open: paths.exactOptional(),
    network: z.boolean().exactOptional(),
    unixSockets: z.boolean().exactOptional(),
    environment: z.record(variableName, z.string()).exactOptional(),
    limits: z
      .strictObject({
        memoryBytes: bytes.exactOptional(),
        processes: z.int().min(4).exactOptional(),
        fileBytes: bytes.exactOptional(),
        openFiles: z.int().min(16).exactOptional(),
        temporaryBytes: bytes.exactOptional(),
        writableBytes: bytes.exactOptional(),
      })
      .exactOptional(),
    timeoutMs: z.int().min(1_000).max(3_600_000).exactOptional(),
    sandbox: z.literal('dangerously-off', 'expected "dangerously-off", or no such field').exactOptional(),
  })
  .refine(({ changes, writable = [] }) => changes !== 'never' || writable.length === 0, {
    path: ['writable'],
    error: 'expected no folders beside changes: never, which runs only commands that read',
  });
