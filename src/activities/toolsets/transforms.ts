// Transforms of a toolset's output before the model reads it, by name. Pure.
import { messageOf } from '../../core/base/message-of.ts';
import {
  prometheusAlerts,
  prometheusRange,
  prometheusSeries,
  prometheusTargets,
  prometheusValues,
} from './prometheus.ts';
import { traceTree } from './trace-tree.ts';

/** Throws if the output has another form than expected: the model then gets it unchanged, with the reason. */
export type Transform = (text: string) => string;

const transforms = {
  /** JSON with an indentation of one space. */
  json: (text: string) => JSON.stringify(JSON.parse(text), undefined, 1),
  'drop-blank': (text: string) => text.replaceAll(/^[ \t]*\r?\n/gm, ''),
  /** Runs of spaces as one, for wide tables. */
  'narrow-columns': (text: string) => text.replaceAll(/[ \t]{2,}/g, '  ').replaceAll(/[ \t]+$/gm, ''),
  'prometheus-range': prometheusRange,
  'prometheus-values': prometheusValues,
  'prometheus-series': prometheusSeries,
  'prometheus-alerts': prometheusAlerts,
  'prometheus-targets': prometheusTargets,
  'trace-tree': traceTree,
} satisfies Record<string, Transform>;

/** Each is the last of its tool: it makes the text for the model, and what is stored with it (shown-answer.ts). */
const lastNames = ['series', 'log-patterns'] as const;
type LastName = (typeof lastNames)[number];

export type TransformName = keyof typeof transforms | LastName;
export const transformNames = [...lastNames, ...Object.keys(transforms)] as [
  TransformName,
  ...TransformName[],
];

function isLast(name: TransformName): name is LastName {
  return lastNames.some((last) => last === name);
}

/** False where one that has to be the last is followed by another. */
export function areInOrder(names: readonly TransformName[]): boolean {
  return !names.slice(0, -1).some(isLast);
}

/** All but the last ones. */
export function applyTransforms(text: string, names: readonly TransformName[] = []): string {
  return names.reduce((made, name) => {
    if (isLast(name)) return made;
    try {
      return transforms[name](made);
    } catch (error) {
      const reason = messageOf(error);
      return `[Shown as it came: ${name} could not read it (${reason}).]\n${made}`;
    }
  }, text);
}
