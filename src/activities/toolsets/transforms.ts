// What becomes of the output of a toolset's tool before the model reads it, by name. Pure.
import { messageOf } from '../../core/base/message-of.ts';
import { prometheusAlerts, prometheusSeries, prometheusTargets, prometheusValues } from './prometheus.ts';

/** Throws where the output does not have the form that it expects: the model then gets the output as it is, with the reason. */
export type Transform = (text: string) => string;

const transforms = {
  /** JSON in its shortest form over lines of two spaces. */
  json: (text: string) => JSON.stringify(JSON.parse(text), undefined, 1),
  /** Lines that are not blank. */
  'drop-blank': (text: string) => text.replaceAll(/^[ \t]*\r?\n/gm, ''),
  /** Runs of spaces as one, for wide tables. */
  'narrow-columns': (text: string) => text.replaceAll(/[ \t]{2,}/g, '  ').replaceAll(/[ \t]+$/gm, ''),
  'prometheus-values': prometheusValues,
  'prometheus-series': prometheusSeries,
  'prometheus-alerts': prometheusAlerts,
  'prometheus-targets': prometheusTargets,
} satisfies Record<string, Transform>;

export type TransformName = keyof typeof transforms;
export const transformNames = Object.keys(transforms) as [TransformName, ...TransformName[]];

/** The output as the model gets it; the artifact keeps the whole one. */
export function shownText(
  text: string,
  { transform, lines }: { transform?: TransformName[]; lines?: number | string },
  input: { readonly [name: string]: unknown },
): string {
  const made = applyTransforms(text, transform);
  const limit = typeof lines === 'string' ? input[lines] : lines;
  if (typeof limit !== 'number') return made;
  const all = made.split('\n');
  if (all.length <= limit + 1) return made;
  return `${all.slice(0, limit).join('\n')}\n[${all.length - limit} more lines: ask for more, or read the artifact]`;
}

/** In the given order. */
function applyTransforms(text: string, names: readonly TransformName[] = []): string {
  return names.reduce((made, name) => {
    try {
      return transforms[name](made);
    } catch (error) {
      const reason = messageOf(error);
      return `[Shown as it came: ${name} could not read it (${reason}).]\n${made}`;
    }
  }, text);
}
