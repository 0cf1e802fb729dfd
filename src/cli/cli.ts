// What every command gets: where to write, what was asked for globally, and how to say its exit code.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { describeArtifacts } from '../config/artifacts.ts';
import { assertConfigFile } from '../config/config-file.ts';
import { loadConfig, loadConfigParts, resolveConfig } from '../config/config.ts';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
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

export type GlobalOptions = {
  json?: boolean;
  config?: string;
  color?: boolean;
  plain?: boolean;
  output?: string;
};

export type Output = {
  json: boolean;
  /** Whether a person sits at standard output. */
  terminal: boolean;
  /**
   * Columns of a terminal that can be drawn on. Undefined elsewhere, with --plain and in CI: there it is line by line, of any
   * length, with nothing that is drawn again.
   */
  readonly width: number | undefined;
  /** Rows of it. */
  readonly height: number | undefined;
  colors: Colors;
  /** The answer, on standard output; nothing with --json. */
  print(text: string): void;
  /** One object, on standard output; only with --json. */
  emit(value: unknown): void;
  /** Progress, on standard error. */
  say(line: string): void;
  /** What is printed, and said on a terminal, goes to `sink`, until the function that this gives is called. */
  divert(sink: (text: string) => void): () => void;
};

export function createOutput(cli: Cli, options: GlobalOptions): Output {
  const json = options.json === true;
  const terminal = cli.stdout.isTTY === true && !json;
  const noColor =
    options.color === false || Boolean(cli.environment.NO_COLOR) || cli.environment.TERM === 'dumb';
  const colors = pc.createColors(terminal && !noColor);
  let sink: ((text: string) => void) | undefined;
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    // a file that takes the errors keeps them
    if (sink && stream.isTTY) sink(text);
    else stream.write(`${text}\n`);
  };
  return {
    ...{ json, terminal, colors },
    get width() {
      return isDrawable(cli, options) ? cli.stdout.columns : undefined;
    },
    get height() {
      return isDrawable(cli, options) ? cli.stdout.rows : undefined;
    },
    print: (text) => {
      if (!json) write(cli.stdout, text);
    },
    emit: (value) => void (json && cli.stdout.write(`${JSON.stringify(value)}\n`)),
    say: (line) => write(cli.stderr, line),
    divert: (taker) => {
      sink = taker;
      return () => void (sink = undefined);
    },
  };
}

function isDrawable({ stdout, environment: { CI = '', TERM } }: Cli, options: GlobalOptions): boolean {
  const { plain = false, json = false } = options;
  if (plain || json || !['', '0', 'false'].includes(CI) || TERM === 'dumb') return false;
  // one that does not tell its size cannot be drawn on
  return stdout.isTTY === true && stdout.columns > 0 && stdout.rows > 0;
}

/**
 * The part of the config file that a command needs: all of it, to run sessions; the place of results; the keys, to talk to a
 * server whose payloads are encrypted; or nothing, and then the file is not read. A mistake in it stops only the commands
 * that need it whole, unless it names encryption: then no command may send in clear.
 */
export type ConfigNeed = 'whole' | 'results' | 'keys' | 'nothing';

/** Output and config of one command; `--model` where the command has it. */
export async function openCommand(
  cli: Cli,
  command: Command,
  need: ConfigNeed,
): Promise<{ output: Output; config: Config; options: GlobalOptions }> {
  const options = command.optsWithGlobals<GlobalOptions & { model?: string }>();
  const output = createOutput(cli, options);
  const { cwd, environment } = cli;
  const input = { cwd, environment, configFile: options.config, model: options.model };
  // a slip of the command line, and not of the file
  if (options.config !== undefined) assertConfigFile(resolve(cwd, options.config));
  if (need === 'whole') return { output, options, config: await loadConfig(input) };
  if (need === 'nothing') return { output, options, config: resolveConfig(input) };
  const { config, mistake } = await loadConfigParts(input);
  if (mistake !== undefined && need === 'results') sayMistake(output, mistake, config);
  return { output, options, config };
}

function sayMistake({ say }: Output, mistake: string, config: Config): void {
  const place = describeArtifacts(config);
  const line = mistake.replaceAll(/\s*\n\s*/g, ' ').replace(/[^.]$/, '$&.');
  say(`warning: ${line} Only what runs sessions needs the config whole; results are read from ${place}.`);
}
