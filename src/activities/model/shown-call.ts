// What a person is shown of a call beside its one line: its arguments with secrets masked, what it changes, its preview.
// Runs in Node, where the secrets are known.
import { cutText } from '../../core/base/cut-text.ts';
import type { Json } from '../../core/base/json.ts';
import { toShownJson } from '../../core/base/shown-json.ts';
import { toVisible, toVisibleLine } from '../../core/base/visible.ts';
import type { CallAction, CallFacts, PreparedCall } from '../../core/model/tool-spec.ts';
import type { Redactor } from '../redaction/redaction.ts';

/** In UTF-16 units: a question is read by a person, and stays in history. */
const previewLength = 16_384;
const changeLength = 120;
const shownChanges = 3;

type Shown = Pick<Extract<PreparedCall, { status: 'ready' }>, 'maskedArgs' | 'changes' | 'preview' | 'basis'>;

/** Nothing where no secret is in the arguments, and where a mask would hide what a shell runs. */
export function maskedArgs(args: Json, redactor: Pick<Redactor, 'json'>): Pick<Shown, 'maskedArgs'> {
  const shown = toShownJson(args);
  const masked = toShownJson(redactor.json(args));
  return masked === shown || countRunning(masked) !== countRunning(shown) ? {} : { maskedArgs: masked };
}

/** Substitutions, pipes and redirections. */
function countRunning(shown: string): number {
  return shown.match(/\$\(|[`|<>]/g)?.length ?? 0;
}

/** With the preview only where somebody reads it. */
export function shownFacts(
  { actions = [], preview, basis }: CallFacts,
  isRead: boolean,
  redactor: Pick<Redactor, 'text'>,
): Shown {
  const changes = isRead ? describeChanges(actions, redactor) : undefined;
  return {
    ...(changes === undefined ? {} : { changes }),
    ...(preview === undefined || !isRead ? {} : { preview: cleanPreview(preview, redactor) }),
    ...(basis === undefined ? {} : { basis }),
  };
}

/** Nothing is taken out but secrets: it is what runs. */
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

/** A part that its tool itself asks about comes first, then one whose reach is not known, then one that reaches more paths. */
function gravity({ decision, paths, unknownPaths = [] }: CallAction): number {
  if (decision !== undefined) return 1_000_000;
  if (paths === undefined || unknownPaths.includes('')) return 100_000;
  return paths.length + unknownPaths.length;
}
