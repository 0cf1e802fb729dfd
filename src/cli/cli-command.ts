// A command of the program: commander's own, and what most commands here have beside it. Its help ends with examples, and its
// work gets the config, a server, or a session there. Their code is loaded only when such a command runs.
import { Command } from 'commander';
import type { SessionHandle } from '../client.ts';
import { anySession } from './arguments.ts';
import { type Cli, type ConfigNeed, type OpenedCommand, openCommand } from './cli.ts';
import type { ExitCode } from '../common/exit-codes.ts';
import type { FrameOptions, ServerCommand } from './server-access.ts';

/** The exit code, by default that of success. */
type Done = Promise<ExitCode | void>;

export class CliCommand extends Command {
  readonly cli: Cli;

  constructor(name: string | undefined, cli: Cli) {
    super(name);
    this.cli = cli;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.cli);
  }

  /** Adds a command that takes a session first. */
  sessionCommand(name: string, about = 'session id'): CliCommand {
    return this.command(name).argument('<session>', about, anySession);
  }

  /** Adds options that several commands have. */
  with(...additions: ((command: Command) => unknown)[]): this {
    for (const add of additions) add(this);
    return this;
  }

  /** Ends the help with notes and examples: the words after the program's name, or a whole line with it. */
  examples(examples: readonly string[], notes = ''): this {
    const lines = examples.map((line) => `  $ ${line.includes('holdfast ') ? line : `holdfast ${line}`}`);
    return this.addHelpText('after', `${notes && `\n${notes}\n`}\nExamples:\n${lines.join('\n')}`);
  }

  /** Work with the output and the config; `given` are the arguments of the command line, and then its options. */
  onConfig<Given extends unknown[]>(
    need: ConfigNeed,
    work: (opened: OpenedCommand, ...given: Given) => Done,
  ): this {
    return this.action(async (...given: Given) => {
      const opened = await openCommand(this, need);
      this.cli.exitCode = (await work(opened, ...given)) ?? this.cli.exitCode;
    });
  }

  /** The same with a server. */
  onServer<Given extends unknown[]>(
    work: (frame: ServerCommand, ...given: Given) => Done,
    options?: FrameOptions,
  ): this {
    return this.action(async (...given: Given) => {
      const { withServer } = await import('./server-access.ts');
      await withServer(this, (frame) => work(frame, ...given), options);
    });
  }

  /** The same with the session that the first argument means; `given` are the others. */
  onSession<Given extends unknown[]>(
    work: (frame: ServerCommand, session: SessionHandle, ...given: Given) => Done,
    options?: FrameOptions,
  ): this {
    return this.action(async (word: string, ...given: Given) => {
      const { withSession } = await import('./find-session.ts');
      const onFound = (frame: ServerCommand, session: SessionHandle) => work(frame, session, ...given);
      await withSession(this, word, onFound, options);
    });
  }
}
