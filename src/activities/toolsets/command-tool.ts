// A toolset's tool that runs one command: its words are filled with the arguments, without a shell. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { outcomeOfChange } from '@holdfast/processes/describe-ending';
import { runProcess, type ProcessOutcome, type ProcessRun } from '@holdfast/processes/run-process';
import type { RegisteredTool, ToolContext, ToolReturn } from '../tools/define-tool.ts';
import type { CallAction } from '@holdfast/vocabulary/tool-spec';
import { judgeCommand, quote } from '@holdfast/shell-judge';
import { cannot, type Guard, guardOf, lookTimeoutMs, withAfter } from './guarded-change.ts';
import { bySigns, needOf } from './answer.ts';
import { withTimes } from '@holdfast/sources/parameters';
import { reachedHosts } from './reached-hosts.ts';
import { createSourceTool, type Prepared } from './source-tool.ts';
import { type AnsweredCall, type Came, shownAnswer } from './shown-answer.ts';
import { type FilledText, fillWords, joined, resolveOwn, type Values } from '@holdfast/sources/template';
import type {
  ToolsetParameter,
  ToolsetTool,
  ToolsetWord,
  ToolsetTarget,
} from '@holdfast/sources/toolset.schema';
import { toValues, type ToolsetPlace } from './toolset-place.ts';

export type CommandDeclaration = ToolsetTool & { command: ToolsetWord[] };

type Examined = Prepared & { settings: Values };

export function createCommandTool(declared: CommandDeclaration, place: ToolsetPlace): RegisteredTool {
  const { fillAll, guard, examine } = commandParts(declared, place);
  return createSourceTool<Examined>(declared, place, {
    prepare: examine,
    async run({ settings, before }, call) {
      const { input, asked, timeoutMs, context } = call;
      const { signal, redact } = context;
      const words = fillAll(declared.command, input, settings);
      const outcome = await runWords(words, { signal, timeoutMs, ...outputOf(declared, context) }, place);
      const made = await toReturn(outcome, call, timeoutMs);
      const guarded = guard(asked, settings, signal);
      return guarded && before?.can && !made.isError
        ? withAfter(made, before, await guarded.after(before.state, signal), redact)
        : made;
    },
  });
}

/** Runs words of a toolset's file, with its environment. */
export async function runWords(
  words: readonly FilledText[],
  run: Omit<ProcessRun, 'argv' | 'cwd' | 'environment'>,
  place: ToolsetPlace,
): Promise<ProcessOutcome> {
  const argv = await Promise.all(words.map((word) => resolveOwn(word, place.resolve)));
  return runProcess({ ...run, argv, cwd: place.folder, environment: await place.environment() });
}

function commandParts(declared: CommandDeclaration, place: ToolsetPlace) {
  const { command, effect, parameters = {}, change } = declared;
  const namesOf = (is: (each: ToolsetParameter) => boolean): string[] =>
    Object.entries(parameters).flatMap(([parameter, each]) => (is(each) ? [parameter] : []));
  const mayBeginWithDash = new Set(namesOf((each) => 'dash' in each && each.dash === true));
  // "-30m" is what people read; the program gets a time of its own form
  const mayShowDash = new Set([...mayBeginWithDash, ...namesOf(({ type }) => type === 'time')]);
  const fillAll = (
    words: readonly ToolsetWord[],
    input: Values,
    settings: Values,
    free = mayBeginWithDash,
  ): FilledText[] => fillWords(words, toValues(input, settings), free);
  const wordsOf = (input: Values, settings: Values): string[] =>
    fillAll(command, input, settings, mayShowDash).map(joined);
  const look = (filled: FilledText[], signal: AbortSignal): Promise<ProcessOutcome> =>
    runWords(filled, { signal, timeoutMs: lookTimeoutMs, separate: true }, place);
  const guard = (input: Values, settings: Values, signal: AbortSignal): Guard | undefined => {
    const read = (words: readonly ToolsetWord[]): Promise<ProcessOutcome> =>
      look(fillAll(words, withTimes(input, declared, place.now()), settings), signal);
    return change && guardOf(change, toValues(input, settings), read);
  };
  /** The words to show and to run, and the state before, for the target of now. */
  const examine = async (input: Values, signal: AbortSignal): Promise<Examined> => {
    const asked = effect === 'read' ? undefined : place.target;
    const target = await askTarget(asked, place.settings, (words) =>
      look(fillAll(words, {}, place.settings), signal),
    );
    const { text, settings, problem } = target;
    const words = wordsOf(input, settings);
    const shown = `${shownWords(words)}${text === '' ? '' : `\nOn: ${text.replaceAll('\n', ', ')}`}`;
    const before =
      problem === undefined
        ? await guard(input, settings, signal)?.before()
        : cannot(`The target of the change cannot be named: ${problem}`);
    const action = { command: shownWords(words), ...reachOf(declared, words, input, place) };
    return { shown, action, settings, before };
  };
  return { fillAll, guard, examine };
}

/** A warning on standard error must not be in an answer; of a change people see both in their order. */
function outputOf(
  { effect, streams }: ToolsetTool,
  { onUpdate, addOutput }: ToolContext,
): Pick<ProcessRun, 'separate' | 'onOutput' | 'onLongOutput'> {
  return { separate: effect === 'read' && streams !== 'joined', onOutput: onUpdate, onLongOutput: addOutput };
}

/** One line that bash would split into these words again. */
function shownWords(words: readonly string[]): string {
  return words.map((word) => quote(word)).join(' ');
}

/** Hosts that the judge of commands finds, or the reason that it does not know the command to read. */
function judgedOf(
  { judged }: ToolsetTool,
  words: readonly string[],
  settings: Values,
): { hosts: string[]; paths?: string[]; refused?: string } {
  if (!judged) return { hosts: [] };
  const judgement = judgeCommand(shownWords(withoutOwn(words, settings)));
  if (!judgement.ok) return { hosts: [], refused: judgement.reason };
  const other = judgement.actions.find(({ effect }) => effect !== 'read');
  const hosts = judgement.actions.flatMap((each) => each.hosts ?? []);
  const paths = judgement.actions.flatMap((each) => each.paths ?? []);
  return other === undefined
    ? defined({ hosts, paths: unlessEmpty(paths) })
    : { hosts, refused: `It is not known to only read: ${other.reason ?? other.command}.` };
}

/** Without what says the same as a setting: `--region eu-west-1`, `/subscriptions/ID/`. Any other value leaves the settings. */
function withoutOwn(words: readonly string[], settings: Values): string[] {
  const own = Object.entries(settings).map(([name, value]) => [`--${name.replace('settings.', '')}`, value]);
  const isOwn = (option: string | undefined, value: string | undefined): boolean =>
    own.some(([name, chosen]) => name === option && chosen === value);
  const others = words.filter((word, at) => {
    const [option = '', inline] = word.split('=', 2);
    return !isOwn(option, inline ?? words[at + 1]) && !isOwn(words[at - 1], word);
  });
  const inPath = Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'string' ? `${name.replace('settings.', '')}s/${value}/` : [],
  );
  return others.map((word) => inPath.reduce((text, part) => text.replaceAll(part, ''), word));
}

/** A host that is not open turns a read into a change. */
function reachOf(
  declared: ToolsetTool,
  words: readonly string[],
  input: Values,
  { settings, isOpenHost }: ToolsetPlace,
): Pick<CallAction, 'effect' | 'hosts' | 'paths' | 'reason' | 'decision'> {
  const { reaches, effect = 'once' } = declared;
  const { hosts: named, refused, ...paths } = judgedOf(declared, words, settings);
  if (refused !== undefined) return { effect: 'idempotent', reason: refused, decision: 'deny' };
  const hosts = [...reachedHosts(reaches, toValues(input, settings)), ...named];
  if (hosts.length === 0) return { effect, ...paths };
  const strangers = hosts.filter((host) => !isOpenHost(host));
  if (strangers.length === 0) return { effect, hosts, ...paths };
  const reason = `It reaches ${strangers.join(' and ')}, which http.allow does not name.`;
  return { effect: effect === 'read' ? 'idempotent' : effect, hosts, reason, ...paths };
}

async function toReturn(outcome: ProcessOutcome, call: AnsweredCall, timeoutMs: number): Promise<ToolReturn> {
  const { declared, place } = call;
  const { success = [0] } = declared;
  const { exitCode, ended, totalBytes, cutBytes } = outcome;
  const details = defined({ exitCode, bytes: totalBytes, cutBytes: cutBytes || undefined });
  const hasWorked = exitCode !== null && success.includes(exitCode);
  const came = ended === 'exited' ? cameOf(outcome, call, hasWorked) : undefined;
  if (came) return shownAnswer(came, call, details);
  const why = !outcome.begun
    ? 'stopped before it began: nothing was run'
    : ended === 'exited'
      ? `exit code ${exitCode ?? `none, signal ${outcome.signal}`}`
      : endings[ended].replace('{time}', `${timeoutMs} ms`);
  const text = `[${why}]\n${outcome.text}${outcome.errorText}`;
  // some clients try for as long as they are left
  const noData =
    declared.effect === 'read' && (ended === 'exited' || ended === 'timed_out')
      ? bySigns(text, place)
      : undefined;
  if (noData) return noData;
  return { text, details, isError: true, outcome: outcomeOfChange(outcome, hasWorked) };
}

/** Undefined where the command has failed: an exit code that may be an answer is none where only standard error speaks. */
function cameOf(
  { exitCode, text, errorText }: ProcessOutcome,
  { declared, place }: AnsweredCall,
  hasWorked: boolean,
): Came | undefined {
  const { partial = [], nothing, effect } = declared;
  const said = errorText.trim();
  const isAnswer = exitCode === 0 || effect !== 'read' || said === '' || text.trim() !== '';
  if (hasWorked && nothing !== undefined && new RegExp(nothing, 'u').test(said)) return { text: '' };
  if (hasWorked && !isAnswer) return undefined;
  const isPart = exitCode !== null && partial.includes(exitCode) && text.trim() !== '';
  if (!hasWorked && !isPart) return undefined;
  // a program that ended well warns of what it did without, too: only its own sign tells what the rights hide
  const isHidden = exitCode === 0 ? place.signs.hidden?.test(said) : place.signs.noAccess?.test(said);
  const why = said === '' ? `exit code ${exitCode}` : said;
  const gaps = isPart || isHidden ? [isHidden ? `${why}${needOf(place)}` : why] : [];
  return defined({ text, gaps, aside: gaps.length === 0 ? errorText : undefined });
}

const endings: Record<Exclude<ProcessOutcome['ended'], 'exited'>, string> = {
  aborted: 'stopped',
  timed_out: 'not done in {time}: this is what came',
  output_limit: 'too much output: stopped',
  memory_limit: 'too much memory: stopped',
  process_limit: 'too many processes: stopped',
  write_limit: 'too much written: stopped',
  output_unread: 'it ended by itself, but the end of its output is missing: it was not stored in time',
};

/** `settings` are those of the words that run; `text` is empty without a target that has a name. */
type Target = { text: string; settings: Values; problem?: string };

/** Long enough for a name, a server and where it was found. */
const maxCharacters = 1_000;

/**
 * The target of a change, which its words may leave to a setting outside of them: a kubeconfig, a socket, the host of the
 * worker. It is asked when a call is prepared, shown, and asked again before the call runs. One that cannot be named is
 * none: nobody could tell what they approve.
 */
async function askTarget(
  target: ToolsetTarget | undefined,
  settings: Values,
  run: (words: ToolsetTarget['command']) => Promise<ProcessOutcome>,
): Promise<Target> {
  if (target === undefined) return { text: '', settings };
  const none = (problem: string): Target => ({ text: '', settings, problem });
  const { ended, exitCode, text, errorText } = await run(target.command);
  const said = text.trimEnd();
  if (ended !== 'exited' || exitCode !== 0 || said.trim() === '' || said.length > maxCharacters)
    return none(
      `${ended === 'timed_out' ? '[no answer in time] ' : ''}${said.slice(0, maxCharacters)}${errorText}`.trim(),
    );
  const first = said.split('\n', 1)[0]?.trim() ?? '';
  const name = `settings.${target.fills}`;
  // a name is no reference, which would be resolved
  if (first.includes('://')) return none(`${first} is no name`);
  const isFilled = target.fills !== undefined && first !== '' && settings[name] === undefined;
  return { text: said.trim(), settings: isFilled ? { ...settings, [name]: first } : settings };
}
