// The address of a toolset or a mapping: its origin comes from the file or from one setting alone, every value in its path is
// one segment of it. Pure.
import { fill, type Values } from './template.ts';

const form = /^(\{\{\s*settings\.\w+\s*\}\}|https?:\/\/[^/{]+)(.*)$/s;

/** True for `{{settings.NAME}}` or `http(s)://HOST`, alone or with a path. */
export function isAddress(text: string): boolean {
  const path = form.exec(text)?.[2];
  return path === '' || path?.startsWith('/') === true;
}

/** The origin without a slash at its end, and what follows it. Undefined where a value is absent. */
export function fillAddress(
  text: string,
  values: Values,
  settings: Values,
): { base: string; rest: string } | undefined {
  const [, origin = '', path = ''] = form.exec(text) ?? [];
  const base = fill(origin, settings);
  const rest = fill(path, values, encodeURIComponent);
  return base === undefined || rest === undefined ? undefined : { base: base.replace(/\/+$/, ''), rest };
}
