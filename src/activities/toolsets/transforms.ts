// Transforms of a toolset's output before the model reads it, by name. Pure.
import { messageOf } from '../../core/base/message-of.ts';
import { prometheusAlerts, prometheusSeries, prometheusTargets, prometheusValues } from './prometheus.ts';
import { traceTree } from './trace-tree.ts';

/** Throws if the output has another form than expected: the model then gets it unchanged, with the reason. */
export type Transform = (text: string) => string;

const transforms = {
  /** JSON with an indentation of one space. */
  json: (text: string) => JSON.stringify(JSON.parse(text), undefined, 1),
  'drop-blank': (text: string) => text.replaceAll(/^[ \t]*\r?\n/gm, ''),
  /** Runs of spaces as one, for wide tables. */
  'narrow-columns': (text: string) => text.replaceAll(/[ \t]{2,}/g, '  ').replaceAll(/[ \t]+$/gm, ''),
  'prometheus-values': prometheusValues,
  'prometheus-series': prometheusSeries,
  'prometheus-alerts': prometheusAlerts,
  'prometheus-targets': prometheusTargets,
  'trace-tree': traceTree,
  /** Last: an answer of many lines by their patterns (activities/logs/log-patterns.ts). It counts the lines of the whole answer. */
  'log-patterns': (text: string) => text,
} satisfies Record<string, Transform>;

export type TransformName = keyof typeof transforms;
export const transformNames = Object.keys(transforms) as [TransformName, ...TransformName[]];

export function applyTransforms(text: string, names: readonly TransformName[] = []): string {
  return names.reduce((made, name) => {
    try {
      return transforms[name](made);
    } catch (error) {
      const reason = messageOf(error);
      return `[Shown as it came: ${name} could not read it (${reason}).]\n${made}`;
    }
  }, text);
}
