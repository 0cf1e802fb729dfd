// jq programs: an import reads a file that no rule sees. The rest only computes and prints.
import type { Call, Finding } from '../command-spec.ts';

/** Not the name of a field: `.import`, `{import: 1}`. */
const imports = /(?<![.$\w"])(?:import|include|modulemeta)\b(?!\s*:)/;

export function judgeJq({ operands, args }: Call): Finding | undefined {
  if (operands.some(({ value }) => value !== undefined && imports.test(value)))
    return { reason: 'jq: the program reads files that it names itself' };
  // it could import, unless it begins with something else; with options that take values it looks like a file
  const mayImport = args.some(({ value, prefix }) => value === undefined && !/^[.{[]/.test(prefix));
  return mayImport ? { unknown: [''] } : undefined;
}
