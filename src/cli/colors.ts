// Colours of a terminal, or none. Node's own styleText asks a stream; here the command has decided already. Pure.
import { styleText } from 'node:util';
import { recordOf } from '@holdfast/base/map-values';

const styles = [
  'bold',
  'cyan',
  'dim',
  'green',
  'italic',
  'magenta',
  'red',
  'strikethrough',
  'underline',
  'yellow',
] as const;

export type Colors = Record<(typeof styles)[number], (text: string) => string>;

export function createColors(isOn: boolean): Colors {
  const paint = (style: (typeof styles)[number]) => (text: string) =>
    isOn ? styleText(style, text, { validateStream: false }) : text;
  return recordOf(styles, paint);
}

/** For what is no terminal. */
export const noColors = createColors(false);
