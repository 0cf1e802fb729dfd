// The address at which a person sees what a call has read: a panel, a query, a log view. Pure.
import { webAddress } from '../../core/base/web-address.ts';
import { fillJson, fill, type Values } from './template.ts';
import type { ToolsetLink } from './toolset.schema.ts';

/** Undefined where it names an absent value, or is no address of a web page. */
export function linkOf({ url, query = {} }: ToolsetLink, values: Values): string | undefined {
  const settings = Object.fromEntries(
    Object.entries(values).filter(([name]) => name.startsWith('settings.')),
  );
  const [, origin = '', path = ''] = /^(\{\{\s*settings\.\w+\s*\}\}|https?:\/\/[^/{]+)(.*)$/s.exec(url) ?? [];
  const base = fill(origin, settings)?.replace(/\/+$/, '');
  const rest = fill(path, values, encodeURIComponent);
  const address = base === undefined || rest === undefined ? null : URL.parse(`${base}${rest}`);
  if (!address) return undefined;
  for (const [name, part] of Object.entries(query)) {
    const value = fillJson(part, values);
    if (value !== undefined)
      address.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return webAddress(address.href);
}
