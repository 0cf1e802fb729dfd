// The target of a change, which its words may leave to a setting outside of them: a kubeconfig, a socket, the host of the
// worker. It is asked when a call is prepared, shown, and asked again before the call runs. Runs in Node.
import type { ProcessOutcome } from '../process/run-process.ts';
import type { Values } from './template.ts';
import type { ToolsetTarget } from './toolset.schema.ts';

/** `settings` are those of the words that run. `text` is empty for a toolset that declares no target. */
export type Target = { text: string; settings: Values } | { problem: string };

/** Long enough for a name, a server and where it was found. */
const maxCharacters = 1_000;

/** A target that cannot be named is none: nobody could tell what they approve. */
export async function askTarget(
  target: ToolsetTarget | undefined,
  settings: Values,
  run: (words: ToolsetTarget['command']) => Promise<ProcessOutcome>,
): Promise<Target> {
  if (target === undefined) return { text: '', settings };
  const { ended, exitCode, text, errorText } = await run(target.command);
  const said = text.trimEnd();
  if (ended !== 'exited' || exitCode !== 0 || said.trim() === '' || said.length > maxCharacters)
    return {
      problem:
        `${ended === 'timed_out' ? '[no answer in time] ' : ''}${said.slice(0, maxCharacters)}${errorText}`.trim(),
    };
  const first = said.split('\n', 1)[0]?.trim() ?? '';
  const name = `settings.${target.fills}`;
  // a name is no reference, which would be resolved
  if (first.includes('://')) return { problem: `${first} is no name` };
  const isFilled = target.fills !== undefined && first !== '' && settings[name] === undefined;
  return { text: said.trim(), settings: isFilled ? { ...settings, [name]: first } : settings };
}
