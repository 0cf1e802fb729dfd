// Where commands run and what they reach, in words: for the model in the tool's description, for the person in a question.
// Pure.
import type { ShellAccess } from '../../../core/model/frozen-context.ts';

export function describeShell(access: ShellAccess): string {
  return [
    'Runs one bash command line on the worker’s host and returns what it printed, both streams as one, and its exit code.',
    'Commands that only read run at once, also with pipes, loops and substitutions of which every part reads.',
    changesOf(access),
    surroundingsOf(access),
    'No terminal and no input: name what you want in options. Each call is a shell of its own. Ask for little: filter, count, take the last lines.',
  ].join(' ');
}

function changesOf({ changes }: ShellAccess): string {
  return changes === 'never'
    ? 'Everything else is refused.'
    : 'Everything else waits for a person: propose one change at a time, written out, without wrappers.';
}

function surroundingsOf(access: ShellAccess): string {
  const { sandbox, changes, writable } = access;
  if (sandbox === 'dangerously-off') return '';
  const files = writable.length === 0 ? 'read-only' : `read-only but for ${writable.join(', ')}`;
  const changed = changes === 'host' ? ' Approved changes run on the host itself.' : '';
  return (
    `They run in a sandbox: the files of the host are ${files}, without its secrets; /tmp is empty and private; ` +
    `${reachOf(access)}; ps sees only the command itself.${changed}`
  );
}

/** For a person who is asked, e.g. "in /srv, in the sandbox: no file of the host can be written, no network". */
export function whereItRuns(access: ShellAccess, reads: boolean, cwd: string): string {
  const { sandbox, changes, writable } = access;
  if (sandbox === 'dangerously-off') return `in ${cwd}, on the host: the sandbox is off`;
  if (!reads && changes === 'host') return `in ${cwd}, on the host, outside the sandbox`;
  const files =
    writable.length === 0
      ? 'no file of the host can be written'
      : `only ${writable.join(', ')} can be written`;
  return `in ${cwd}, in the sandbox: ${files}, ${reachOf(access)}`;
}

function reachOf({ network, unixSockets }: ShellAccess): string {
  return `${network ? 'with the network' : 'no network'}${unixSockets ? ', with sockets of daemons' : ''}`;
}
