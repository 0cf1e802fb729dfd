// Transforms of a toolset's output before the model reads it, by name. Pure.
import { messageOf } from '../../core/base/message-of.ts';
import {
  prometheusAlerts,
  prometheusRange,
  prometheusSeries,
  prometheusTargets,
  prometheusValues,
} from './prometheus.ts';

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
} satisfies Record<string, Transform>;

/** `series` is the last of its tool: it makes a text and what is stored with it (series-answer.ts). */
export type TransformName = keyof typeof transforms | 'series';
export const transformNames = ['series', ...Object.keys(transforms)] as [TransformName, ...TransformName[]];

/** Skips `series`, which shownAnswer makes. */
export function applyTransforms(text: string, names: readonly TransformName[] = []): string {
  return names.reduce((made, name) => {
    if (name === 'series') return made;
    try {
      return transforms[name](made);
    } catch (error) {
      const reason = messageOf(error);
      return `[Shown as it came: ${name} could not read it (${reason}).]\n${made}`;
    }
  }, text);
}
