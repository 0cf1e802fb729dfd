// A tool of a toolset that runs one command: its words filled with the arguments, without a shell. Runs in Node.
import { runProcess, type ProcessOutcome } from '../process/run-process.ts';
import { defineTool, type RegisteredTool, type ToolReturn } from '../tools/define-tool.ts';
import type { CallAction, CallFacts } from '../../core/model/tool-spec.ts';
import { inputOf } from './parameters.ts';
import { quoteWords } from './quote-words.ts';
import { fill, fillWords, type Values } from './template.ts';
import type { ToolsetTool, ToolsetWord } from './toolset.schema.ts';
import { toValues, type ToolsetPlace } from './toolset-place.ts';
import { shownText } from './transforms.ts';

const defaultTimeoutMs = 30_000;

export type CommandDeclaration = ToolsetTool & { command: ToolsetWord[] };

export function createCommandTool(declared: CommandDeclaration, place: ToolsetPlace): RegisteredTool {
  const { name, description, label, effect = 'once', parameters = {}, sensitivity } = declared;
  const timeoutMs = declared.timeoutMs ?? defaultTimeoutMs;
  const mayBeginWithDash = new Set(
    Object.entries(parameters).flatMap(([parameter, each]) =>
      'dash' in each && each.dash === true ? [parameter] : [],
    ),
  );
  const wordsFor = (input: Values): string[] =>
    fillWords(declared.command, toValues(input, place.settings), mayBeginWithDash);
  return defineTool({
    ...{ name, description, effect, input: inputOf(parameters), source: `toolset:${place.toolset}` },
    // a second more, so that what there is by then is returned
    timeoutMs: timeoutMs + 5_000,
    ...(label === undefined ? {} : { label }),
    ...(sensitivity === undefined ? {} : { sensitivity }),
    // secrets are not resolved here: a person is shown their references
    inspect(input): CallFacts {
      const action = { command: quoteWords(wordsFor(input as Values)) };
      return {
        actions: [{ ...action, ...reachOf(declared, toValues(input as Values, place.settings), place) }],
      };
    },
    run: async (input, { signal, onUpdate }) => {
      const argv = await Promise.all(wordsFor(input as Values).map(place.resolve));
      const outcome = await runProcess({
        ...{ argv, signal, timeoutMs, cwd: place.folder, environment: await place.environment() },
        onOutput: onUpdate,
      });
      return toReturn(outcome, declared, input as Values, timeoutMs);
    },
  });
}

/** A host that nobody opened makes a read a change. */
function reachOf(
  { reaches, effect = 'once' }: ToolsetTool,
  values: Values,
  { isOpenHost }: ToolsetPlace,
): Pick<CallAction, 'effect' | 'hosts' | 'reason'> {
  if (reaches === undefined) return { effect };
  const target = fill(reaches, values) ?? '';
  const host = (URL.canParse(target) ? new URL(target).hostname : target)
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  if (isOpenHost(host)) return { effect, hosts: [host] };
  const reason = `It reaches ${host}, which http.allow does not name.`;
  return { effect: effect === 'read' ? 'idempotent' : effect, hosts: [host], reason };
}

function toReturn(
  outcome: ProcessOutcome,
  declared: ToolsetTool,
  input: Values,
  timeoutMs: number,
): ToolReturn {
  const { success = [0] } = declared;
  const { exitCode, ended, totalBytes, cutBytes } = outcome;
  const details = { exitCode, bytes: totalBytes, ...(cutBytes > 0 ? { cutBytes } : {}) };
  const isGood = ended === 'exited' && exitCode !== null && success.includes(exitCode);
  if (isGood) return { text: shownText(outcome.text, declared, input), full: outcome.text, details };
  const why =
    ended === 'exited'
      ? `exit code ${exitCode ?? `none, signal ${outcome.signal}`}`
      : endings[ended].replace('{time}', `${timeoutMs} ms`);
  return { text: `[${why}]\n${outcome.text}`, details, isError: true };
}

const endings: Record<Exclude<ProcessOutcome['ended'], 'exited'>, string> = {
  aborted: 'stopped',
  timed_out: 'not done in {time}: this is what came',
  output_limit: 'too much output: stopped',
  memory_limit: 'too much memory: stopped',
  process_limit: 'too many processes: stopped',
};
