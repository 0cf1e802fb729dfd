// The tool bash: a command line is judged by its parse, rebuilt from it, and run in the sandbox. Runs in Node.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { present } from '@holdfast/base/present';
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import { byPatterns } from '../../logs/log-patterns.ts';
import { describeEnding, outcomeOfChange } from '@holdfast/processes/describe-ending';
import type { ProcessOutcome } from '@holdfast/processes/run-process';
import { isNeverChanged } from '../../../core/tools/protected-paths.ts';
import { createSandbox, type SandboxRun } from '@holdfast/processes/sandbox/sandbox';
import { isRead, maxCommandLength } from '@holdfast/shell-judge';
import {
  defineTool,
  type RegisteredTool,
  type ToolContext,
  type ToolReturn,
} from '../../tools/define-tool.ts';
import { NotRun } from '../../tools/not-run.ts';
import { basisOf, inspectCommand, type JudgedCommand, judgeLine } from './bash-facts.ts';
import { describeShell } from './describe-shell.ts';
import type { ShellSettings } from './shell-settings.ts';

const defaultTimeoutMs = 60_000;
/** Covers TERM, KILL a second later, and reading the output. */
const stopMs = 10_000;

export function createBashTool(settings: ShellSettings): RegisteredTool {
  const usualMs = Math.min(defaultTimeoutMs, settings.timeoutMs);
  const input = z.strictObject({
    command: z.string().min(1).max(maxCommandLength),
    cwd: z.string().max(4_096).refine(isAbsolute, 'expected an absolute folder').default('/'),
    timeoutMs: z.int().min(1).max(settings.timeoutMs).default(usualMs),
  });
  const runners = runnersOf(settings);
  return defineTool({
    name: 'bash',
    label: 'Bash',
    description: describeShell(settings),
    input,
    effect: settings.changes === 'never' ? 'read' : 'once',
    timeoutMs: settings.timeoutMs + stopMs,
    executionMode: 'sequential',
    summaryArguments: ['command'],
    inspect: ({ command, cwd }) => inspectCommand(command, cwd, settings),
    async run({ command, cwd, timeoutMs }, { basis, signal, onUpdate, addOutput, redact }) {
      const judged = judgeLine(command, cwd, settings);
      if (!judged.ok) throw new Error(judged.reason);
      const reads = isRead(judged);
      if (!reads && settings.changes === 'never') throw new NotRun('only commands that read run here.');
      // another version of this package may rebuild a command differently, another configuration may run it on the host
      if (!reads && basis !== undefined && basis !== basisOf(judged, cwd, settings))
        throw new NotRun(
          'this worker would run another command than the one that was approved, or run it elsewhere.',
        );
      const runner = reads ? runners.reading : settings.changes === 'host' ? runners.host : runners.changing;
      const startedAt = performance.now();
      const argv = argvOf(judged, reads);
      const outcome = await runner
        .run({ argv, cwd, signal, timeoutMs, onOutput: onUpdate, onLongOutput: addOutput })
        .catch((error: unknown) => {
          throw reads ? error : new NotRun(messageOf(error));
        });
      const place = runner !== runners.host && looksAround(judged, outcome) ? whatIsMissing(settings) : '';
      const ending = `[${describeEnding(outcome, timeoutMs) ?? 'Exit code 0.'}${place}]`;
      const returned = await shownLog(toReturn(outcome, ending, performance.now() - startedAt), redact);
      return reads ? returned : { ...returned, outcome: outcomeOfChange(outcome, outcome.exitCode === 0) };
    },
  });
}

/** A command that was judged to read has nothing writable: a mistake of the judge changes no file. */
function runnersOf(settings: ShellSettings) {
  const { sandbox: kind, network, unixSockets, writable, open, roots: shown, environment, limits } = settings;
  const hidden = [...settings.hidden, ...settings.ownPaths];
  const common = { kind, network, unixSockets, hidden, shown, environment, limits };
  return {
    reading: createSandbox({ ...common, open: [...open, ...writable] }),
    changing: createSandbox({ ...common, writable, open, isProtected: isNeverChanged }),
    host: createSandbox({ kind: 'dangerously-off', environment, limits }),
  };
}

/** Programs whose output is about the machine: the sandbox hides parts of it, which the model must know. */
const aboutTheMachine =
  /^(?:\S*\/)?(?:ss|netstat|lsof|ps|pgrep|pidof|pstree|top|fuser|who|w|last|systemctl|journalctl|dmesg|docker|podman|crictl|kubectl|helm|ip|ifconfig|curl|wget|dig|host|nslookup|getent|ping|traceroute|nc|redis-cli|psql|mysql|openssl)(?:\s|$)/;

const seemsAbsent =
  /No such file|Permission denied|not permitted|not found|Connection refused|unreachable|could not resolve/i;

function looksAround(
  { actions }: { actions: readonly { command: string }[] },
  outcome: ProcessOutcome,
): boolean {
  return seemsAbsent.test(outcome.text) || actions.some(({ command }) => aboutTheMachine.test(command));
}

function whatIsMissing({ sandbox, network, unixSockets }: ShellSettings): string {
  if (sandbox === 'dangerously-off') return '';
  const missing = present([
    'processes of the host',
    !network && 'network and sockets of the host',
    !unixSockets && 'daemons',
    'credentials',
  ]);
  return ` In the sandbox, which does not show: ${missing.join(', ')}.`;
}

/** A changing line marks its progress. */
function argvOf({ plan, marked }: JudgedCommand, reads: boolean): SandboxRun['argv'] {
  if (plan.type === 'argv') return plan.argv;
  const bash = (script: string): string[] => ['/bin/bash', '--noprofile', '--norc', '-c', script];
  return reads ? bash(plan.script) : (marks) => bash(marked(marks) ?? plan.script);
}

/** The duration is not in the text: equal outputs must stay equal, or the loop guard misses a model that repeats itself. */
function toReturn(outcome: ProcessOutcome, ending: string, elapsedMs: number): ToolReturn {
  const { text, exitCode, totalBytes, cutBytes } = outcome;
  const output = text.trim() === '' ? '(no output)' : text.replace(/\n$/, '');
  return defined({
    text: output,
    ending,
    details: { exitCode, durationMs: Math.round(elapsedMs), totalBytes, cutBytes },
    isError: hasFailed(outcome) || undefined,
  });
}

/** A log that would be cut in its middle is shown by its patterns; a shorter one was asked for line by line. */
async function shownLog(returned: ToolReturn, redact: ToolContext['redact']): Promise<ToolReturn> {
  if (returned.text.length <= agentDefaults.loop.toolResultCap) return returned;
  return { ...returned, ...(await byPatterns(returned.text, redact)) };
}

/** True if it did not run to its end. Any other exit code is an answer: grep returns 1 for no match. */
function hasFailed({ ended, exitCode }: ProcessOutcome): boolean {
  return ended !== 'exited' || exitCode === null || exitCode === 126 || exitCode === 127 || exitCode > 128;
}
