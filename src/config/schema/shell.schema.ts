// The settings of the tool bash in a config file. Runs where a process starts.
import { z } from 'zod';
import { sandboxLimitsSchema } from '@holdfast/processes/sandbox/limits';
import type { Infer } from '@holdfast/base/schema-output';
import { shellChanges } from '@holdfast/vocabulary/frozen-context';

const paths = z.array(z.string().min(1));

/** Variables that make a program or the shell run something else than the judged command. */
const leading =
  /^(?:PATH|IFS|ENV|BASH.*|SHELLOPTS|PS[0-9]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|LD_.*|GIT_.*|PYTHON.*|PERL.*|NODE_.*|RUBY.*|LESS.*|PAGER|EDITOR|VISUAL|.*_PAGER|.*_EDITOR)$/;
const variableName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'expected the name of a variable')
  .refine(
    (name) => !leading.test(name),
    'can make a command run something else, and is not given to commands',
  );

export const shellSchema = z
  .strictObject({
    /**
     * Place of approved commands that change something: the sandbox, where they change only `writable` (default), or the
     * host itself with the rights of the worker. `never`: only commands that read run.
     */
    changes: z.enum(shellChanges).exactOptional(),
    /** Folders that commands may write in the sandbox. Default: none. */
    writable: paths.exactOptional(),
    /** Further paths hidden from commands. */
    hidden: paths.exactOptional(),
    /** Hidden paths that are visible all the same. */
    open: paths.exactOptional(),
    /** The network of the host. Hosts that `http.allow` does not name are asked about. Default: none. */
    network: z.boolean().exactOptional(),
    /** Sockets of daemons, in folders that `open` names. Default: none. */
    unixSockets: z.boolean().exactOptional(),
    /** Variables that commands see; never a secret. */
    environment: z.record(variableName, z.string()).exactOptional(),
    /** Limits of one command; absent ones have their defaults. */
    limits: sandboxLimitsSchema.exactOptional(),
    /** Time limit of one command. Default 600,000. */
    timeoutMs: z.int().min(1_000).max(3_600_000).exactOptional(),
    /** Runs commands without bubblewrap, with the rights of the worker. Use it only inside another sandbox. */
    sandbox: z.literal('dangerously-off', 'expected "dangerously-off", or no such field').exactOptional(),
  })
  .refine(({ changes, writable = [] }) => changes !== 'never' || writable.length === 0, {
    path: ['writable'],
    error: 'expected no folders beside changes: never, which runs only commands that read',
  });

/** The tool bash. Paths are absolute, or relative to the config file. `{}` gives the defaults. */
export type ShellConfig = Infer<typeof shellSchema>;
