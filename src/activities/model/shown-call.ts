// The parts of a call that a person sees beside its one line: its arguments with secrets masked, its changes, its
// preview. Runs in Node, where the secrets are known.
import { defined } from '@holdfast/base/defined';
import { cutText } from '@holdfast/base/cut-text';
import type { Json } from '@holdfast/base/json';
import { toShownJson } from '@holdfast/base/shown-json';
import { toVisible, toVisibleLine } from '@holdfast/base/visible';
import type { CallAction, CallFacts, PreparedCall } from '@holdfast/vocabulary/tool-spec';
import type { Redactor } from '@holdfast/redaction/redaction';

/** UTF-16 units: a question is read by a person, and stays in history. */
const previewLength = 16_384;
const changeLength = 120;
const shownChanges = 3;

type Shown = Pick<Extract<PreparedCall, { status: 'ready' }>, 'maskedArgs' | 'changes' | 'preview' | 'basis'>;

/** Empty if the arguments contain no secret, and if a mask would hide the command of a shell. */
export function maskedArgs(args: Json, redactor: Pick<Redactor, 'json'>): Pick<Shown, 'maskedArgs'> {
  const shown = toShownJson(args);
  const masked = toShownJson(redactor.json(args));
  return masked === shown || countRunning(masked) !== countRunning(shown) ? {} : { maskedArgs: masked };
}

/** Counts substitutions, pipes and redirections. */
function countRunning(shown: string): number {
  return shown.match(/\$\(|[`|<>]/g)?.length ?? 0;
}

/** Includes the preview only if somebody reads it. */
export function shownFacts(
  { actions = [], preview, basis }: CallFacts,
  isRead: boolean,
  redactor: Pick<Redactor, 'text'>,
): Shown {
  const changes = isRead ? describeChanges(actions, redactor) : undefined;
  return defined({
    changes,
    preview: preview === undefined || !isRead ? undefined : cleanPreview(preview, redactor),
    basis,
  });
}

/** Removes nothing but secrets, because the text is what runs. */
function cleanPreview(preview: string, redactor: Pick<Redactor, 'text'>): string {
  return cutText(toVisible(redactor.text(preview)), previewLength, '\n[... cut here]');
}

/** Undefined for a call of one part, which its one line names. */
function describeChanges(
  actions: readonly CallAction[],
  redactor: Pick<Redactor, 'text'>,
): string | undefined {
  const changing = actions.filter(({ effect }) => effect !== 'read');
  if (actions.length < 2 || changing.length === 0) return undefined;
  const gravest = changing.toSorted((one, other) => gravity(other) - gravity(one));
  const shown = gravest
    .slice(0, shownChanges)
    .map(({ command, paths = [] }) =>
      cutText(toVisibleLine(redactor.text(command ?? paths.join(' '))), changeLength),
    );
  const more = gravest.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Orders parts: first those about which the tool itself asks, then those of unknown reach, then those with more paths. */
function gravity({ decision, paths, unknownPaths = [] }: CallAction): number {
  if (decision !== undefined) return 1_000_000;
  if (paths === undefined || unknownPaths.includes('')) return 100_000;
  return paths.length + unknownPaths.length;
}
