// holdfast schema: JSON Schema of a session's input and result, for callers in any language.
import { type Command, Argument } from 'commander';
import { z } from 'zod';
import { sessionInputSchema } from '../../core/session/session-input.schema.ts';
import { sessionResultSchema } from '../../core/model/run-result.schema.ts';
import type { Cli, GlobalOptions } from '../cli.ts';

export function registerSchema(program: Command, cli: Cli): void {
  program
    .command('schema')
    .description('print the JSON Schema of the start input and of the result of workflow "agentSession"')
    .addArgument(new Argument('[part]', 'only one of them').choices(['input', 'output']))
    .action((part: 'input' | 'output' | undefined, _options: unknown, command: Command) => {
      const schemas = {
        input: z.toJSONSchema(sessionInputSchema, { io: 'input' }),
        output: z.toJSONSchema(sessionResultSchema, { io: 'output' }),
      };
      const shown = part === undefined ? { workflowType: 'agentSession', ...schemas } : schemas[part];
      const { json } = command.optsWithGlobals<GlobalOptions>();
      cli.stdout.write(`${JSON.stringify(shown, undefined, json ? 0 : 2)}\n`);
    });
}
