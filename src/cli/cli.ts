// The parts that every command receives: its streams, its global options, and the setting of its exit code.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { toShownJson } from '@holdfast/base/shown-json';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import type { ExitCode } from '../common/exit-codes.ts';
import { type Colors, createColors } from './colors.ts';

/** The process for a command. */
export type Cli = {
  cwd: string;
  environment: Environment;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Receives SIGINT and SIGTERM. */
  signals: Pick<NodeJS.EventEmitter, 'on' | 'once' | 'off'>;
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
  /** True if a person sits at standard output. */
  terminal: boolean;
  /**
   * Columns of a terminal that can be redrawn. Undefined elsewhere, with --plain and in CI: output is then line by line,
   * of any length, and never redrawn.
   */
  readonly width: number | undefined;
  /** Rows of that terminal. */
  readonly height: number | undefined;
  colors: Colors;
  /** Writes the answer to standard output; nothing with --json. */
  print(text: string): void;
  /** Writes one object to standard output, only with --json; a character that hides or turns text is an escape of JSON. */
  emit(value: unknown): void;
  /** Writes progress to standard error. */
  say(line: string): void;
  /** Sends printed text, and on a terminal progress, to `sink` until the returned function is called. */
  divert(sink: (text: string) => void): () => void;
};

export function createOutput(cli: Cli, options: GlobalOptions): Output {
  const json = options.json === true;
  const terminal = cli.stdout.isTTY === true && !json;
  const noColor =
    options.color === false || Boolean(cli.environment.NO_COLOR) || cli.environment.TERM === 'dumb';
  const colors = createColors(terminal && !noColor);
  let sink: ((text: string) => void) | undefined;
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    // a file that receives the errors keeps them
    if (sink && stream.isTTY) sink(text);
    else stream.write(`${text}\n`);
  };
  return {
    json,
    terminal,
    colors,
    get width() {
      return isDrawable(cli, options) ? cli.stdout.columns : undefined;
    },
    get height() {
      return isDrawable(cli, options) ? cli.stdout.rows : undefined;
    },
    print: (text) => {
      if (!json) write(cli.stdout, text);
    },
    emit: (value) => void (json && cli.stdout.write(`${toShownJson(value)}\n`)),
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
  // a terminal without a known size cannot be redrawn
  return stdout.isTTY === true && stdout.columns > 0 && stdout.rows > 0;
}

/**
 * The part of the config file that a command needs: all of it, to run sessions; the place of results; the keys, for a
 * server with encrypted payloads; or nothing, and then the file is not read. A mistake stops only the commands that need
 * the whole file, unless it concerns encryption: then no command may send in clear.
 */
export type ConfigNeed = 'whole' | 'results' | 'keys' | 'nothing';

/** A command that knows the process. */
export type OwnCommand = Command & { readonly cli: Cli };

export type OpenedCommand = { cli: Cli; output: Output; config: Config };

/** Output and config of one command; reads `--model` if the command has it. */
export async function openCommand(command: OwnCommand, need: ConfigNeed): Promise<OpenedCommand> {
  const { cli } = command;
  const options = command.optsWithGlobals<GlobalOptions & { model?: string }>();
  const output = createOutput(cli, options);
  const { cwd, environment } = cli;
  const input = { cwd, environment, configFile: options.config, model: options.model };
  // loaded when a command runs, because a help does not need it
  const { loadConfig, loadConfigParts, resolveConfig } = await import('../config/config.ts');
  // a mistake of the command line, not of the file
  if (options.config !== undefined)
    (await import('../config/config-file.ts')).assertConfigFile(resolve(cwd, options.config));
  if (need === 'whole') return { cli, output, config: await loadConfig(input) };
  if (need === 'nothing') return { cli, output, config: resolveConfig(input) };
  const { config, mistake } = await loadConfigParts(input);
  if (mistake !== undefined && need === 'results') await sayMistake(output, mistake, config);
  return { cli, output, config };
}

async function sayMistake({ say }: Output, mistake: string, config: Config): Promise<void> {
  const { describeArtifacts } = await import('../config/artifacts.ts');
  const place = describeArtifacts(config);
  const line = mistake.replaceAll(/\s*\n\s*/g, ' ').replace(/[^.]$/, '$&.');
  say(`warning: ${line} Only what runs sessions needs the config whole; results are read from ${place}.`);
}
