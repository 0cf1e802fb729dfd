// The severities of all senders in five words: the one table. Pure.
import type { AlertSeverity } from '../../core/alerts/alert.ts';

/** In lower case. Numbers are in no table: 1 is the worst of one sender and the mildest of another. */
// oxfmt-ignore
const words: Record<Exclude<AlertSeverity, 'unknown'>, string[]> = {
  critical: ['critical', 'crit', 'fatal', 'emergency', 'emerg', 'alert', 'disaster', 'blocker', 'page', 'down', 'unreachable',
    'p0', 'p1', 'sev0', 'sev1', 'sev-0', 'sev-1'],
  error: ['error', 'err', 'major', 'high', 'p2', 'sev2', 'sev-2'],
  warning: ['warning', 'warn', 'minor', 'medium', 'average', 'moderate', 'p3', 'sev3', 'sev-3'],
  info: ['info', 'information', 'informational', 'notice', 'debug', 'low', 'none', 'ok', 'up', 'normal', 'success',
    'p4', 'p5', 'sev4', 'sev5', 'sev-4', 'sev-5'],
};

const severities = new Map(
  Object.entries(words).flatMap(([severity, known]) =>
    known.map((word): [string, AlertSeverity] => [word, severity as AlertSeverity]),
  ),
);

/** `unknown` for a word that no sender is known to use, and for no word. */
export function toSeverity(word: string | undefined): AlertSeverity {
  return severities.get(word?.trim().toLowerCase() ?? '') ?? 'unknown';
}
