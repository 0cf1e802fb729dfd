// holdfast completion: the script by which a shell completes commands, options and session ids. The shell calls `holdfast
// complete`, which is registered only then.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { helpTopics } from './help.ts';

const notes = `Its place:
  bash  holdfast completion bash >> ~/.bashrc
  zsh   holdfast completion zsh >> ~/.zshrc
  fish  holdfast completion fish > ~/.config/fish/completions/holdfast.fish

The shell completes "holdfast", so the command has to be on the PATH (npm install --global holdfast).
In bash it needs the package bash-completion, which most systems have.`;

export function registerCompletion(program: CliCommand): void {
  program
    .command('completion')
    .addArgument(
      new Argument('<shell>', 'the shell that reads it').choices(['bash', 'zsh', 'fish', 'powershell']),
    )
    .examples(['completion bash'], notes)
    .action(async (shell: string) => {
      const { script } = await import('@bomb.sh/tab');
      script(shell, 'holdfast', 'holdfast');
    });
}

const shownSessions = 30;

/** Answers a shell's completion request; call it after all other commands are registered. */
export async function addComplete(program: Command, cli: Cli): Promise<void> {
  const { default: complete } = await import('@bomb.sh/tab/commander');
  const root = complete(program, { completionCommandName: 'completion-script' });
  // the library's own command, which `completion` replaces
  root.commands.delete('completion-script');
  const ids = await newestSessions(cli);
  for (const command of root.commands.values()) {
    const session = command.arguments.get('session');
    if (session) session.handler = (offer) => ids.forEach((id) => offer(id, ''));
  }
  const topics = root.commands.get('help')?.arguments.get('names');
  if (topics) topics.handler = (offer) => helpTopics(program).forEach((topic) => offer(topic, ''));
}

/** From the artifact store of this folder: a key press cannot wait for a server. */
async function newestSessions({ cwd, environment }: Cli): Promise<string[]> {
  const { dataFolder } = await import('../../config/config.ts');
  const folder = join(dataFolder({ cwd, environment }), 'artifacts/sessions');
  const entries = await readdir(folder).catch(() => []);
  // after a "~" comes the digest of an id that no folder could be named by
  const names = entries.filter((name) => !name.includes('~') && name !== 'checkpoints');
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  return dated
    .toSorted((left, right) => right.at - left.at)
    .slice(0, shownSessions)
    .map(({ name }) => name);
}
