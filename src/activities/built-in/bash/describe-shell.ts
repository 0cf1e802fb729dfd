// Describes the place and the reach of commands: for the model in the tool's description, for the person in a question.
// Pure.
import type { ShellAccess } from '@holdfast/vocabulary/frozen-context';
import { isWithin } from '@holdfast/processes/is-within';

/** `roots`: folders of the file tools. */
export function describeShell(access: ShellAccess & { roots: readonly string[] }): string {
  return [
    "Runs one bash command line on the worker's host. Commands that only read run at once, also with pipes and loops.",
    changesOf(access),
    surroundingsOf(access),
    'No terminal or input; each call is a new shell.',
  ].join(' ');
}

function changesOf({ changes, sandbox }: ShellAccess): string {
  if (changes === 'never') return 'Everything else is refused.';
  const forbidden =
    changes === 'sandbox' && sandbox !== 'dangerously-off'
      ? ', or is refused where the sandbox forbids it'
      : '';
  return `Everything else waits for a person${forbidden}: one change a call.`;
}

function surroundingsOf(access: ShellAccess & { roots: readonly string[] }): string {
  const { sandbox, changes, writable, hidden, roots } = access;
  if (sandbox === 'dangerously-off') return '';
  const files = writable.length === 0 ? 'read-only' : `read-only but for ${writable.join(', ')}`;
  const changed = changes === 'host' ? ' Approved changes run on the host itself.' : '';
  const isHidden = (path: string) => hidden.some((folder) => isWithin(path, folder));
  const shown = roots.filter((path) => path.startsWith('/tmp/') && !isHidden(path));
  const temporary = shown.length === 0 ? 'empty' : `has of the host only ${shown.join(', ')}`;
  return (
    `In a sandbox: host files ${files}, without its secrets and processes; other owners show as nobody; ` +
    `/tmp ${temporary}; ${reachOf(access)}.${changed}`
  );
}

/** For the person who is asked, e.g. "in /srv, in the sandbox: no file of the host can be written, no network". */
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
