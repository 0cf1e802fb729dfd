// holdfast prompt: a new task for a session that stays (--keep-alive).
import type { Command } from 'commander';
import { readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { exitCodeOf } from '../exit-code.ts';
import { showResult } from '../follow-session.ts';
import { withServer } from '../with-server.ts';

export function registerPrompt(program: Command, cli: Cli): void {
  program
    .command('prompt')
    .description('give an idle session (run --keep-alive) its next task')
    .argument('<session>', 'session id')
    .argument('<words...>', 'the task; "-" reads standard input')
    .option('--wait', 'wait for the result of this run')
    .action(async (sessionId: string, words: string[], options: { wait?: boolean }, command: Command) => {
      const task = await readWords(cli, words, 'The task');
      await withServer(cli, command, async (frame) => {
        const { client } = frame.access;
        const { runId } = await client.prompt(sessionId, task);
        frame.output.emit({ type: 'accepted', sessionId, runId });
        frame.output.print(`Accepted as run ${runId}. "holdfast watch ${sessionId}" follows it.`);
        if (!options.wait) return undefined;
        const result = await client.result(sessionId, { runId });
        await showResult(frame, sessionId, result);
        return exitCodeOf(result);
      });
    });
}
