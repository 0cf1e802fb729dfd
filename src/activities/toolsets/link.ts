// The address at which a person sees what a call has read: a panel, a query, a log view. Pure.
import { webAddress } from '../../core/base/web-address.ts';
import { fillAddress } from './address.ts';
import { fillJson, type Values } from './template.ts';
import { toValues } from './toolset-place.ts';
import type { ToolsetLink } from './toolset.schema.ts';

/** Undefined where it names an absent value, or is no address of a web page. */
export function linkOf(
  { url, query = {} }: ToolsetLink,
  input: Values,
  settings: Values,
): string | undefined {
  const values = toValues(input, settings);
  const filled = fillAddress(url, values, settings);
  const address = filled && URL.parse(`${filled.base}${filled.rest}`);
  if (!address) return undefined;
  for (const [name, part] of Object.entries(query)) {
    const value = fillJson(part, values);
    if (value !== undefined)
      address.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return webAddress(address.href);
}
