// One measurement in a separate process: a child is forked, answers with one message, and ends.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** `file` is beside this one. Rejects if the child ends without an answer; its stderr is shown. */
export async function askChild<Answer>(
  file: string,
  args: string[],
  execArgv: string[] = process.execArgv,
): Promise<Answer> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const answer = once(child, 'message') as Promise<[Answer]>;
  const first = await Promise.race([answer, ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`${file} ended without an answer.`);
  await ended;
  return first[0];
}
