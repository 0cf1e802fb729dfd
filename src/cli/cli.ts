// What every command gets: where to write, what was asked for globally, and how to say its exit code.
import type { Command } from 'commander';
import pc from 'picocolors';
import { type Config, type Environment, loadConfig } from '../config.ts';
import { type ExitCode } from './user-error.ts';

export type Colors = ReturnType<typeof pc.createColors>;

/** The process as a command sees it. */
export type Cli = {
  cwd: string;
  environment: Environment;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  exitCode: ExitCode;
};

export type GlobalOptions = { json?: boolean; config?: string; color?: boolean };

export type Output = {
  json: boolean;
  /** Whether a person sits at standard output. */
  terminal: boolean;
  colors: Colors;
  /** The answer, on standard output; nothing with --json. */
  print(text: string): void;
  /** One object, on standard output; only with --json. */
  emit(value: unknown): void;
  /** What is being done, on standard error. */
  say(line: string): void;
};

export function createOutput(cli: Cli, options: GlobalOptions): Output {
  const json = options.json === true;
  const terminal = cli.stdout.isTTY === true && !json;
  const noColor = options.color === false || Boolean(cli.environment.NO_COLOR);
  const colors = pc.createColors(terminal && !noColor);
  return {
    json,
    terminal,
    colors,
    print: (text) => void (json || cli.stdout.write(`${text}\n`)),
    emit: (value) => void (json && cli.stdout.write(`${JSON.stringify(value)}\n`)),
    say: (line) => void cli.stderr.write(`${line}\n`),
  };
}

/** Output and config of one command; `--model` where the command has it. */
export async function openCommand(
  cli: Cli,
  command: Command,
): Promise<{ output: Output; config: Config; options: GlobalOptions }> {
  const options = command.optsWithGlobals<GlobalOptions & { model?: string }>();
  const output = createOutput(cli, options);
  const config = await loadConfig({
    cwd: cli.cwd,
    environment: cli.environment,
    configFile: options.config,
    model: options.model,
  });
  return { output, config, options };
}
