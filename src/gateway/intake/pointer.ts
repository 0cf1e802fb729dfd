// JSON pointers (RFC 6901) into the payload of a sender. Pure.
import { jsonOf } from './parse-body.ts';

/** The value at a pointer; undefined for none. Sees own properties only. A text on the way may be JSON itself. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((place, name) => {
      const at = typeof place === 'string' ? jsonOf(place)?.value : place;
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || (Array.isArray(at) && !/^\d+$/.test(key)))
        return undefined;
      return Object.hasOwn(at, key) ? at[key as keyof typeof at] : undefined;
    }, value);
}

/** The value at the first pointer that has one. */
export function firstAt(value: unknown, pointers: string | readonly string[] | undefined): unknown {
  const found = [pointers ?? []].flat().map((pointer) => valueAt(value, pointer));
  return found.find((one) => one !== undefined && one !== null && one !== '') ?? found[0];
}
