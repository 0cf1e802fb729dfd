// holdfast scripted-model: a model server that plays a script, for tests in any language and for trials without a key.
// Needs no Temporal server.
import { defined } from '@holdfast/base/defined';
import { hasCode } from '@holdfast/base/has-code';
import { messageOf } from '@holdfast/base/message-of';
import { once } from 'node:events';
import { leftOverText } from '@holdfast/scripted-model/script-player';
import type {
  ScriptedModelServer,
  ScriptedModelServerOptions,
} from '@holdfast/scripted-model/scripted-model-server';
import { portNumber } from '../arguments.ts';
import { type GlobalOptions, createOutput } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';

type Options = GlobalOptions & { script: string; port?: number };

const ownTool = '--config examples/own-tool/holdfast.config.ts "How full is the disk?"';
const examples = [
  'scripted-model --script examples/own-tool/script.yaml --port 8080',
  `OPENAI_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_API_KEY=any holdfast run ${ownTool}`,
  `ANTHROPIC_BASE_URL=http://127.0.0.1:8080 ANTHROPIC_API_KEY=any holdfast run ${ownTool}`,
];

export function registerScriptedModel(program: CliCommand): void {
  program
    .command('scripted-model')
    .requiredOption('--script <file>', 'the script, YAML or JSON')
    .option('--port <port>', 'port on loopback; default a free one', portNumber)
    .examples(examples)
    .action(async (_options: unknown, command: CliCommand) => {
      const { cli } = command;
      const { script: file, port, ...global } = command.optsWithGlobals<Options>();
      const output = createOutput(cli, global);
      const script = await loadModelScript(file).catch(toUserError);
      const server = await start({
        script,
        ...defined({ port }),
        onRequest: ({ path, step, problem }) => output.say(`POST ${path}: ${problem ?? `step "${step}"`}`),
      });
      const { openAiBaseUrl, anthropicBaseUrl } = server;
      output.emit({ script: script.name, openAiBaseUrl, anthropicBaseUrl });
      output.print(
        `Plays "${script.name}". Any key is accepted.\n  OPENAI_BASE_URL=${openAiBaseUrl}\n  ANTHROPIC_BASE_URL=${anthropicBaseUrl}`,
      );
      output.say('Ctrl-C ends it.');
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      await server.close();
      const left = server.left();
      output.emit({ type: 'script', script: script.name, left });
      if (left.length === 0) return;
      output.say(leftOverText(script, left));
      cli.exitCode = exitCodes.failed;
    });
}

async function start(options: ScriptedModelServerOptions): Promise<ScriptedModelServer> {
  // it loads Node's HTTP, which other commands do not need
  const { startScriptedModelServer } = await import('@holdfast/scripted-model/scripted-model-server');
  try {
    return await startScriptedModelServer(options);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw new UserError(
      `Port ${options.port} is taken. Expected a free one: leave --port out, or name another.`,
    );
  }
}

function toUserError(error: unknown): never {
  throw new UserError(messageOf(error));
}
